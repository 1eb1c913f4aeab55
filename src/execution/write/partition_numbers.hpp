// PartitionNumbers: tells of which partition each row is.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "function/cast_function.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Partitions are rows with the same values in some columns; a folder, "year=2024/month=1", names each, and a
/// number in the order in which they come. One thread at a time.
class PartitionNumbers {
 public:
  /// `columns` of chunks of `types` make the partitions; `names` are those of all columns. Borrows `context`.
  PartitionNumbers(const FunctionContext& context, const std::vector<std::string>& names,
                   const std::vector<LogicalType>& types, const std::vector<size_t>& columns);

  /// The partition of each row. Valid until the next call.
  const uint32_t* Find(DataChunk& chunk);
  size_t partition_count() const { return folders_.size(); }
  const std::string& FolderOf(size_t partition) const { return folders_[partition]; }

 private:
  struct Column {
    std::string key;  // "year="
    size_t position;
    LogicalType type;
    CastKernel cast;
  };

  /// Appends to the key of each row what tells its value apart from others.
  void AddToKeys(const Column& column, Vector& values, size_t row_count);
  uint32_t NumberOf(size_t row, DataChunk& chunk);
  std::string FolderOf(DataChunk& chunk, size_t row);

  const FunctionContext& context_;
  std::vector<Column> columns_;
  std::vector<std::string> keys_;  // of the rows of a chunk
  std::unordered_map<std::string, uint32_t> numbers_by_key_, numbers_by_folder_;
  std::vector<std::string> folders_;
  std::vector<uint32_t> numbers_;  // of the rows of a chunk
};

}  // namespace scaup
