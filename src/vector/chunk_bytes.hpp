// Chunks as they stand in files: column by column, in one form whatever the vectors' forms are.
#pragma once

#include "common/byte_stream.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Rows and columns as varints; then for each column its type, whether it has NULLs (a byte), if so a bit per
/// row (1: not NULL; the first row is the lowest bit), then the values: of fixed size as in memory, NULLs as
/// zeros; strings as a u32 length each (0 for NULL), then all bytes. The chunk keeps its rows; its sequences
/// become flat.
void WriteChunk(ByteWriter& writer, DataChunk& chunk);
/// A chunk of flat vectors that share nothing with the reader's bytes. Throws Error(kIo, XX001) for what
/// WriteChunk cannot have written.
DataChunk ReadChunk(ByteReader& reader);

}  // namespace scaup
