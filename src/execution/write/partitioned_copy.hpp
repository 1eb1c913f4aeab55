// PartitionedCopy: writes each partition of the rows of COPY TO to files of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execution/rows/spillable_rows.hpp"
#include "execution/write/copy_files.hpp"
#include "execution/write/partition_numbers.hpp"

namespace scaup {

/// The partitions that come first have a file open each. Rows of the others wait, in memory or spilled, in
/// buckets of partitions, which are written the same way afterwards, one bucket after the other. So a
/// partition has one file, with rows in the order in which they came, however many there are and however
/// they are mixed. One thread at a time.
class PartitionedCopy {
 public:
  /// Borrows all. `types` and `names` are of the rows, with the columns of partitions.
  PartitionedCopy(QueryContext& context, CopyFiles& files, const std::vector<std::string>& names,
                  const std::vector<LogicalType>& types);
  ~PartitionedCopy();

  void Append(DataChunk& chunk);
  void Finish();

 private:
  class Round;

  QueryContext& context_;
  CopyFiles& files_;
  const std::vector<LogicalType> types_;
  PartitionNumbers numbers_;
  std::unique_ptr<Round> first_round_;
};

}  // namespace scaup
