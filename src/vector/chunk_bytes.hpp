// Serialization of chunks: column by column, in one form whatever the vectors' forms are.
#pragma once

#include "common/byte_stream.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Writes the numbers of rows and columns as varints. For each column follow its type, a byte that says
/// whether it has NULLs, and if so one bit per row (1: not NULL; the first row is the lowest bit). Then come
/// the values. Fixed-size values are stored as in memory, NULLs as zeros; strings as a u32 length each (0 for
/// NULL), then all their bytes. The chunk's rows do not change, but its sequences become flat.
void WriteChunk(ByteWriter& writer, DataChunk& chunk);
/// Reads a chunk of flat vectors, which share nothing with the reader's bytes. Throws Error(kIo, XX001) for
/// bytes that WriteChunk cannot have written.
DataChunk ReadChunk(ByteReader& reader);

}  // namespace scaup
