// Types to bytes and back, for the file and the log.
#pragma once

#include "common/byte_stream.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Three bytes: id, width, scale.
void WriteType(const LogicalType& type, ByteWriter& writer);
/// Throws Error(kIo, XX001) for what is no type.
LogicalType ReadType(ByteReader& reader);

}  // namespace scaup
