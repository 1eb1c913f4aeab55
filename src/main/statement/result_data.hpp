// The data behind a QueryResult.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "main/database/database_instance.hpp"
#include "scaup/result.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// The data of a result. Immutable once made; shared by its handles, column views and exported Arrow arrays,
/// on any thread. Shares the memory account of its columns, but not the database, so that a result does not
/// keep a file open.
struct ResultData {
  std::shared_ptr<MemoryTracker> memory;
  std::vector<ResultColumn> columns;
  bool has_rows = false;  ///< whether the statement returns rows, even without columns
  MaterializedResult rows;
  uint64_t rows_changed = 0;
  std::shared_ptr<const TimeZone> time_zone;  ///< the session's; null: UTC
};

/// Makes the public handles, as the only class with access to their members.
class ResultAccess {
 public:
  static QueryResult MakeResult(std::shared_ptr<const ResultData> data);
  static std::shared_ptr<const ResultData> DataOf(const QueryResult& result) { return result.data_; }
  static StreamingResult MakeStream(std::shared_ptr<class StreamExecution> execution);
};

}  // namespace scaup
