// Statement: what is behind an AdbcStatement.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bound_rows.hpp"
#include "connection.hpp"
#include "ingest.hpp"
#include "owned.hpp"
#include "parameter_names.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::adbc {

/// A query or the target of an ingest, and the data that is bound to it. Owned by its AdbcStatement; shares
/// ownership of the connection. Used by one thread at a time, except Cancel and the options, which do not
/// wait.
class StatementState {
 public:
  explicit StatementState(std::shared_ptr<ConnectionState> connection);

  void SetOption(const std::string& key, const std::string& value);
  std::string GetOption(const std::string& key) const;
  double GetDouble(const std::string& key) const;
  void SetQuery(const std::string& sql);
  /// Parses and plans the query. A text of several statements is parsed only, since a later one may need what
  /// an earlier one creates.
  void Prepare();
  void Bind(OwnedStream stream) { bound_ = std::move(stream); }
  /// Executes the query, once for each bound row, or the ingest. `out` is null if nobody wants the rows.
  /// Returns the number of rows that were changed; -1 if the statement changes none.
  int64_t Execute(ArrowArrayStream* out);
  void ExecuteSchema(ArrowSchema* out);
  void ParameterSchema(ArrowSchema* out);
  /// Throws StatusError(INVALID_STATE) if there is nothing to cancel.
  void Cancel();

 private:
  class Execution;

  void RequireQuery() const;
  /// Prepares the only statement of the text with these types of its parameters, unless it is prepared so.
  PreparedStatement& PrepareTyped(Operation& operation, const std::vector<LogicalType>& types);
  int64_t ExecuteText(Operation& operation, ArrowArrayStream* out);
  int64_t ExecutePrepared(Operation& operation, ArrowArrayStream* out);
  int64_t ExecuteBound(Operation& operation, ArrowArrayStream* out);
  int64_t ExecuteIngest(Operation& operation, ArrowArrayStream* out);
  /// Hands the rows of a query out, or reads them to their end if nobody wants them. Returns the rows
  /// changed.
  int64_t Deliver(Operation& operation, StreamingResult rows, const StatementInfo& info,
                  ArrowArrayStream* out);
  void DeliverEmpty(ArrowArrayStream* out);
  /// Returns where the values of the parameters are in the bound rows.
  std::vector<size_t> MatchParameters(const BoundRows& rows) const;
  ArrowOptions arrow() const;

  const std::shared_ptr<ConnectionState> connection_;
  std::atomic<bool> is_executing_{false};
  std::atomic<bool> is_cancelled_{false};

  // Used by the thread that executes.
  NumberedText text_;
  std::vector<StatementInfo> infos_;  // of the text's statements
  std::optional<PreparedStatement> prepared_;
  std::vector<LogicalType> prepared_types_;
  OwnedStream bound_;

  mutable std::mutex mutex_;
  // The members below are guarded by mutex_.
  std::optional<std::string> target_table_;  // of an ingest, which this statement is then
  IngestTarget target_;                      // but its table
  bool binds_by_name_ = false;
  ArrowOptions arrow_;
  std::weak_ptr<LazyResult> result_;
};

}  // namespace scaup::adbc
