// Serialization of types in files: three bytes, followed by the components of lists, structs and enums.
#pragma once

#include "common/byte_stream.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Writes the TypeId's number, then width and scale (0 except for DECIMAL). Then follow, for a list, its
/// element type; for a struct, the number of fields and each one's name and type; for an enum, its name, the
/// number of labels and the labels.
void WriteLogicalType(ByteWriter& writer, const LogicalType& type);
/// Reads a type. Throws Error(kIo, XX001) if the bytes are not a valid type.
LogicalType ReadLogicalType(ByteReader& reader);

}  // namespace scaup
