// The names of an index and its columns, as messages show them.
#pragma once

#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "scaup/type.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The names and types that messages show for the key of an index. Owned by the TableIndex. Thread-safe: they
/// are part of the storage, which has no versions, so a rename changes them while others read.
class IndexNames {
 public:
  /// If `column_types` is empty, messages show the types that values have in the table.
  IndexNames(std::string index, std::vector<std::string> columns, std::vector<LogicalType> column_types)
      : index_(std::move(index)), columns_(std::move(columns)), column_types_(std::move(column_types)) {}

  std::string index() const;
  std::vector<std::string> columns() const;
  std::vector<LogicalType> column_types() const;
  /// Changes the names, after the index or columns were renamed, or enums got other labels.
  void Rename(std::string index, std::vector<std::string> columns, std::vector<LogicalType> column_types);
  /// Returns a description of a key, as in "(a, b)=(1, x)".
  std::string DescribeKey(DataChunk& key_columns, size_t row) const;

 private:
  mutable Mutex mutex_;
  std::string index_ SCAUP_GUARDED_BY(mutex_);
  std::vector<std::string> columns_ SCAUP_GUARDED_BY(mutex_);
  std::vector<LogicalType> column_types_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
