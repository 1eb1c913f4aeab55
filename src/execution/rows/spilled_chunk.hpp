// Spilled chunks: the bytes of a chunk in temporary storage.
#pragma once

#include <vector>

#include "common/byte_stream.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Writes a chunk so that it takes few bytes and little time. Integers and the lengths of strings are stored
/// as differences from the least one, in as few bytes as all of a column fit in (frame of reference). Values
/// under NULLs are not stored. The chunk's rows do not change, but its vectors may take another form. Returns
/// the bytes that the rows take in memory once they are read again.
size_t WriteSpilledChunk(ByteWriter& writer, DataChunk& chunk);
/// Reads a chunk of flat vectors of these types, which share nothing with the reader's bytes and have memory
/// for these rows alone: a merge holds many chunks of a few rows. Calls reader.Fail for bytes that
/// WriteSpilledChunk cannot have written.
DataChunk ReadSpilledChunk(ByteReader& reader, const std::vector<LogicalType>& types);
/// Returns the number of rows of the chunk at which `reader`, a copy, is.
size_t SpilledRowCount(ByteReader reader);

}  // namespace scaup
