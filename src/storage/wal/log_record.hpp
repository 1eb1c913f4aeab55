// What the log says: one record for every change of a commit, one after the other in its frame.
#pragma once

#include <cstdint>

#include "common/byte_stream.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Begins every record. The numbers are in files and never change. What follows is in docs/file-format.md.
enum class LogRecordKind : uint8_t {
  kCreateSchema = 1,
  kDropSchema = 2,
  kCreateTable = 3,
  kDropTable = 4,
  kInsert = 5,
};

/// The rows of a chunk, column by column: whether there are NULLs, 128 bytes of validity if so, then the
/// values as in a flat vector, strings as lengths and bytes.
void WriteChunk(DataChunk& chunk, ByteWriter& writer);
/// `chunk` has the types; its strings are copied. Throws Error(kIo, XX001).
void ReadChunk(ByteReader& reader, DataChunk& chunk);

}  // namespace scaup
