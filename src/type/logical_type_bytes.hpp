// Types as they stand in files: three bytes, and behind those of lists, structs and enums what they consist
// of.
#pragma once

#include "common/byte_stream.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The TypeId's number, then width and scale (0 but for DECIMAL); then the element's type of a list, the
/// number of fields and name and type of each of a struct, the name, number of labels and labels of an enum.
void WriteLogicalType(ByteWriter& writer, const LogicalType& type);
/// Throws Error(kIo, XX001) for what is no type.
LogicalType ReadLogicalType(ByteReader& reader);

}  // namespace scaup
