// Types as they stand in files: three bytes.
#pragma once

#include "common/byte_stream.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The TypeId's number, then width and scale (0 but for DECIMAL).
void WriteLogicalType(ByteWriter& writer, const LogicalType& type);
/// Throws Error(kIo, XX001) for what is no type.
LogicalType ReadLogicalType(ByteReader& reader);

}  // namespace scaup
