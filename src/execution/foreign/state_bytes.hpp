// State bytes: the state of an aggregate of the program as one string, for states that are spilled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Appends the values of one row: for each column a byte, 1 for NULL, then the value, or the length of a
/// string as four bytes and the string.
void AppendStateBytes(const std::vector<MaterializedColumn>& columns, size_t row, std::string& bytes);
/// Writes the values back to a row of a chunk with the same types. Strings are copied. REQUIRES: the chunk is
/// after ResetForWriting.
void ReadStateBytes(std::string_view bytes, DataChunk& chunk, size_t row);

}  // namespace scaup
