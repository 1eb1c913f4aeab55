// Options and execution of statements.
#include "statement.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "edge.hpp"
#include "lazy_result.hpp"
#include "options.hpp"
#include "scaup/arrow_schema.hpp"

namespace scaup::adbc {

/// Marks a statement as executing, so that Cancel interrupts it.
class StatementState::Execution {
 public:
  explicit Execution(StatementState& statement) : statement_(statement) {
    statement_.is_cancelled_ = false;
    statement_.is_executing_ = true;
  }
  ~Execution() { statement_.is_executing_ = false; }
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

 private:
  StatementState& statement_;
};

namespace {

/// Returns the number of rows that a statement has changed; -1 for those that change none.
int64_t RowsChanged(const StatementInfo& info, bool has_rows, uint64_t rows_changed) {
  const bool counts = info.kind == StatementInfo::Kind::kChange ||
                      (info.kind == StatementInfo::Kind::kQuery && !has_rows) || rows_changed != 0;
  return counts ? static_cast<int64_t>(rows_changed) : -1;
}

/// A transaction around the executions of a statement for many rows, if none is open. Rolled back unless it
/// is committed.
class RowsTransaction {
 public:
  explicit RowsTransaction(Connection& session)
      : session_(session), is_own_(session.transaction_status() == TransactionStatus::kIdle) {
    if (is_own_) session_.Query("BEGIN");
  }
  ~RowsTransaction() {
    if (!is_own_) return;
    try {
      session_.Query("ROLLBACK");
    } catch (const Error&) {
      // The error that has led here is the one to report.
    }
  }
  RowsTransaction(const RowsTransaction&) = delete;
  RowsTransaction& operator=(const RowsTransaction&) = delete;
  void Commit() {
    if (std::exchange(is_own_, false)) session_.Query("COMMIT");
  }

 private:
  Connection& session_;
  bool is_own_;
};

}  // namespace

StatementState::StatementState(std::shared_ptr<ConnectionState> connection)
    : connection_(std::move(connection)), arrow_(connection_->arrow()) {}

ArrowOptions StatementState::arrow() const {
  const std::lock_guard lock(mutex_);
  return arrow_;
}

void StatementState::SetOption(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  if (SetArrowOption(key, value, arrow_)) return;
  if (key == ADBC_INGEST_OPTION_TARGET_TABLE) {
    target_table_ = value;
    text_ = {};
    infos_.clear();
    prepared_.reset();
  } else if (key == ADBC_INGEST_OPTION_TARGET_DB_SCHEMA) {
    target_.schema = value;
  } else if (key == ADBC_INGEST_OPTION_TARGET_CATALOG) {
    target_.catalog = value;
  } else if (key == ADBC_INGEST_OPTION_MODE) {
    target_.mode = ParseIngestMode(value);
  } else if (key == ADBC_INGEST_OPTION_TEMPORARY) {
    target_.is_temporary = ToBoolean(key, value);
  } else if (key == ADBC_STATEMENT_OPTION_BIND_BY_NAME) {
    binds_by_name_ = ToBoolean(key, value);
  } else if (key == ADBC_STATEMENT_OPTION_INCREMENTAL) {
    if (ToBoolean(key, value))
      ThrowNotImplemented("results have no partitions that could be returned one by one");
  } else {
    ThrowNotImplemented("statements have no option \"" + key + "\"");
  }
}

std::string StatementState::GetOption(const std::string& key) const {
  if (key == ADBC_STATEMENT_OPTION_PROGRESS || key == ADBC_STATEMENT_OPTION_MAX_PROGRESS)
    return NumberText(GetDouble(key));
  const std::lock_guard lock(mutex_);
  std::string value;
  if (GetArrowOption(key, arrow_, value)) return value;
  if (key == ADBC_INGEST_OPTION_TARGET_TABLE && target_table_) return *target_table_;
  if (key == ADBC_INGEST_OPTION_TARGET_DB_SCHEMA) return target_.schema;
  if (key == ADBC_INGEST_OPTION_TARGET_CATALOG) return target_.catalog;
  if (key == ADBC_INGEST_OPTION_MODE) return IngestModeText(target_.mode);
  if (key == ADBC_INGEST_OPTION_TEMPORARY) return BooleanText(target_.is_temporary);
  if (key == ADBC_STATEMENT_OPTION_BIND_BY_NAME) return BooleanText(binds_by_name_);
  if (key == ADBC_STATEMENT_OPTION_INCREMENTAL) return BooleanText(false);
  ThrowNotFound("statements have no option \"" + key + "\", or it was not set");
}

double StatementState::GetDouble(const std::string& key) const {
  if (key == ADBC_STATEMENT_OPTION_PROGRESS) return std::max(connection_->Progress(), 0.0);
  if (key == ADBC_STATEMENT_OPTION_MAX_PROGRESS) return 1;
  return ToDouble(key, GetOption(key));
}

void StatementState::SetQuery(const std::string& sql) {
  text_ = NumberParameters(sql);
  infos_.clear();
  prepared_.reset();
  const std::lock_guard lock(mutex_);
  target_table_.reset();
}

void StatementState::RequireQuery() const {
  if (text_.sql.empty())
    ThrowInvalidState("there is no query: call AdbcStatementSetSqlQuery, or set the option " +
                      std::string(ADBC_INGEST_OPTION_TARGET_TABLE));
}

PreparedStatement& StatementState::PrepareTyped(Operation& operation, const std::vector<LogicalType>& types) {
  if (!prepared_ || prepared_types_ != types) {
    prepared_.emplace(operation.session().Prepare(text_.sql, types));
    prepared_types_ = types;
  }
  return *prepared_;
}

void StatementState::Prepare() {
  RequireQuery();
  Operation operation(*connection_);
  infos_ = DescribeStatements(text_.sql);
  if (infos_.size() == 1) PrepareTyped(operation, {});
}

int64_t StatementState::Execute(ArrowArrayStream* out) {
  std::shared_ptr<LazyResult> before;
  bool is_ingest = false;
  {
    const std::lock_guard lock(mutex_);
    before = result_.lock();
    is_ingest = target_table_.has_value();
  }
  if (before != nullptr) before->Invalidate();
  Operation operation(*connection_);
  const Execution execution(*this);
  if (is_ingest) return ExecuteIngest(operation, out);
  RequireQuery();
  if (infos_.empty()) infos_ = DescribeStatements(text_.sql);
  if (infos_.empty()) ThrowInvalidArgument("the query has no statement");
  operation.BeginTransaction();
  if (!bound_.is_released()) return ExecuteBound(operation, out);
  // The plans of SHOW and EXPLAIN have the values that they were prepared with.
  const bool is_planned = prepared_ && infos_.back().kind != StatementInfo::Kind::kOther;
  return is_planned ? ExecutePrepared(operation, out) : ExecuteText(operation, out);
}

int64_t StatementState::ExecuteText(Operation& operation, ArrowArrayStream* out) {
  Connection& session = operation.session();
  for (size_t i = 0; i + 1 < infos_.size(); i++)
    session.Query(std::string_view(text_.sql).substr(infos_[i].position, infos_[i].length));
  const StatementInfo& last = infos_.back();
  return Deliver(operation, session.Stream(std::string_view(text_.sql).substr(last.position, last.length)),
                 last, out);
}

int64_t StatementState::ExecutePrepared(Operation& operation, ArrowArrayStream* out) {
  return Deliver(operation, PrepareTyped(operation, prepared_types_).Stream(), infos_.back(), out);
}

std::vector<size_t> StatementState::MatchParameters(const BoundRows& rows) const {
  if (infos_.size() != 1)
    ThrowInvalidArgument("parameters are bound to one statement, but the query has " +
                         std::to_string(infos_.size()));
  const size_t count = infos_.back().parameter_count;
  std::vector<size_t> columns(count);
  bool by_name = false;
  {
    const std::lock_guard lock(mutex_);
    by_name = binds_by_name_;
  }
  if (!by_name) {
    if (rows.names().size() != count)
      ThrowInvalidArgument("the statement has " + std::to_string(count) + " parameters, but " +
                           std::to_string(rows.names().size()) + " columns are bound");
    for (size_t i = 0; i < count; i++) columns[i] = i;
    return columns;
  }
  for (size_t i = 0; i < count; i++) {
    const std::string name = i < text_.names.size() ? text_.names[i] : std::to_string(i + 1);
    const auto found = std::find_if(rows.names().begin(), rows.names().end(), [&](const std::string& column) {
      return column == name || column == "$" + name;
    });
    if (found == rows.names().end())
      ThrowInvalidArgument("the parameter $" + name +
                           " is not among the columns that are bound by name: with the option " +
                           ADBC_STATEMENT_OPTION_BIND_BY_NAME + " = false, they are bound by position");
    columns[i] = static_cast<size_t>(found - rows.names().begin());
  }
  return columns;
}

int64_t StatementState::ExecuteBound(Operation& operation, ArrowArrayStream* out) {
  BoundRows rows(*connection_->database(), std::move(bound_));
  const std::vector<size_t> columns = MatchParameters(rows);
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(rows.types()[column]);
  PreparedStatement& prepared = PrepareTyped(operation, types);
  std::vector<Value> row;
  const auto read = [&](std::vector<Value>& parameters) {
    if (!rows.Next(row)) return false;
    parameters.clear();
    for (const size_t column : columns) parameters.push_back(row[column]);
    return true;
  };
  const StatementInfo& info = infos_.back();
  std::vector<Value> parameters;
  std::vector<Value> more;
  const bool has_row = read(parameters);
  const bool has_more = has_row && read(more);
  if (has_row && !has_more) return Deliver(operation, prepared.Stream(parameters), info, out);

  // Many rows, all of which take effect, or none. Or no row: nothing is executed.
  std::deque<QueryResult> results;
  uint64_t rows_changed = 0;
  const auto run = [&](const std::vector<Value>& values) {
    if (is_cancelled_) throw Error(ErrorKind::kInterrupted, "57014", "the statement was cancelled");
    QueryResult result = prepared.Execute(values);
    rows_changed += result.rows_changed();
    if (out != nullptr && result.row_count() != 0) results.push_back(std::move(result));
  };
  if (has_more) {
    RowsTransaction transaction(operation.session());
    run(parameters);
    do run(more);
    while (read(more));
    transaction.Commit();
  }
  const bool returns_rows = !prepared.columns().empty();
  if (out != nullptr) {
    auto result =
        std::make_shared<LazyResult>(prepared.columns(), operation.TimeZone(), std::move(results), arrow());
    LazyResult::Publish(std::move(result), out);
  }
  return RowsChanged(info, returns_rows, rows_changed);
}

int64_t StatementState::ExecuteIngest(Operation& operation, ArrowArrayStream* out) {
  if (bound_.is_released())
    ThrowInvalidState("there is no data to ingest: call AdbcStatementBind or BindStream");
  IngestTarget target;
  {
    const std::lock_guard lock(mutex_);
    target = target_;
    target.table = *target_table_;
  }
  const int64_t count = Ingest(operation, target, std::move(bound_));
  if (out != nullptr) DeliverEmpty(out);
  return count;
}

int64_t StatementState::Deliver(Operation& operation, StreamingResult rows, const StatementInfo& info,
                                ArrowArrayStream* out) {
  const bool has_rows = !rows.columns().empty();
  const int64_t changed = RowsChanged(info, has_rows, rows.rows_changed());
  if (out == nullptr) {
    QueryResult dropped;
    while (has_rows && rows.Fetch(dropped)) continue;
  } else if (!has_rows) {
    DeliverEmpty(out);
  } else {
    auto result = std::make_shared<LazyResult>(connection_, std::move(rows), arrow());
    operation.AddResult(result);
    {
      const std::lock_guard lock(mutex_);
      result_ = result;
    }
    LazyResult::Publish(std::move(result), out);
  }
  return changed;
}

void StatementState::DeliverEmpty(ArrowArrayStream* out) {
  LazyResult::Publish(
      std::make_shared<LazyResult>(std::vector<ResultColumn>(), "UTC", std::deque<QueryResult>(), arrow()),
      out);
}

void StatementState::ExecuteSchema(ArrowSchema* out) {
  RequireQuery();
  Operation operation(*connection_);
  infos_ = DescribeStatements(text_.sql);
  if (infos_.empty()) ThrowInvalidArgument("the query has no statement");
  if (infos_.size() != 1)
    ThrowInvalidArgument("the schema of several statements is not known before they run");
  std::vector<LogicalType> types;
  if (!bound_.is_released()) {
    // The types of the bound columns count, not their rows, which stay bound.
    const OwnedSchema schema = SchemaOf(bound_);
    const BoundRows rows(*connection_->database(), MakeStream(CopyOf(*schema), {}));
    for (const size_t column : MatchParameters(rows)) types.push_back(rows.types()[column]);
  }
  const PreparedStatement& prepared = PrepareTyped(operation, types);
  ExportArrowSchema(prepared.columns(), operation.TimeZone(), out, arrow());
}

void StatementState::ParameterSchema(ArrowSchema* out) {
  RequireQuery();
  Operation operation(*connection_);
  if (infos_.empty()) infos_ = DescribeStatements(text_.sql);
  if (infos_.size() != 1)
    ThrowInvalidArgument("parameters belong to one statement, but the query has " +
                         std::to_string(infos_.size()));
  const std::vector<LogicalType> types = PrepareTyped(operation, {}).parameter_types();
  std::vector<ResultColumn> columns;
  for (size_t i = 0; i < types.size(); i++)
    columns.push_back({i < text_.names.size() ? text_.names[i] : "$" + std::to_string(i + 1), types[i]});
  ExportArrowSchema(columns, operation.TimeZone(), out, arrow());
}

void StatementState::Cancel() {
  std::shared_ptr<LazyResult> result;
  {
    const std::lock_guard lock(mutex_);
    result = result_.lock();
  }
  if (is_executing_) {
    is_cancelled_ = true;
    connection_->Interrupt();
  } else if (result == nullptr || !result->Cancel()) {
    ThrowInvalidState("the statement does not run, so it cannot be cancelled");
  }
}

}  // namespace scaup::adbc
