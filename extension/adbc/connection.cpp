// Options, transactions and cancellation of connections.
#include "connection.hpp"

#include <iterator>
#include <utility>

#include "lazy_result.hpp"
#include "names.hpp"
#include "options.hpp"

namespace scaup::adbc {

namespace {

struct Isolation {
  const char* option;
  const char* sql;  ///< null if there is no such level
};
// The engine's REPEATABLE READ is snapshot isolation.
constexpr Isolation kIsolations[] = {
    {ADBC_OPTION_ISOLATION_LEVEL_DEFAULT, "serializable"},
    {ADBC_OPTION_ISOLATION_LEVEL_READ_UNCOMMITTED, "read uncommitted"},
    {ADBC_OPTION_ISOLATION_LEVEL_READ_COMMITTED, "read committed"},
    {ADBC_OPTION_ISOLATION_LEVEL_REPEATABLE_READ, "repeatable read"},
    {ADBC_OPTION_ISOLATION_LEVEL_SNAPSHOT, "repeatable read"},
    {ADBC_OPTION_ISOLATION_LEVEL_SERIALIZABLE, "serializable"},
    {ADBC_OPTION_ISOLATION_LEVEL_LINEARIZABLE, nullptr},
};

}  // namespace

ArrowOptions ConnectionState::arrow() const {
  const std::lock_guard lock(results_mutex_);
  return arrow_;
}

void ConnectionState::SetOption(const std::string& key, const std::string& value) {
  {
    const std::lock_guard lock(results_mutex_);
    if (SetArrowOption(key, value, arrow_)) return;
  }
  const std::lock_guard lock(mutex_);
  if (session_) return Apply(key, value);
  if (key == ADBC_CONNECTION_OPTION_AUTOCOMMIT || key == ADBC_CONNECTION_OPTION_READ_ONLY) {
    ToBoolean(key, value);
  } else if (!key.starts_with("adbc.")) {
    SettingOf(key);
  }
  early_options_.emplace_back(key, value);
}

void ConnectionState::Init(const DatabaseState& database) {
  const std::lock_guard lock(mutex_);
  if (session_) ThrowInvalidState("the connection is open already");
  database_ = database.open();
  session_.emplace(database_->database);
  try {
    for (const auto& [key, value] : early_options_) Apply(key, value);
  } catch (...) {
    session_.reset();
    throw;
  }
  early_options_.clear();
}

void ConnectionState::Apply(const std::string& key, const std::string& value) {
  if (key == ADBC_CONNECTION_OPTION_AUTOCOMMIT) return SetAutocommit(ToBoolean(key, value));
  if (key == ADBC_CONNECTION_OPTION_ISOLATION_LEVEL) return SetIsolation(value);
  Operation operation(*this);
  if (key == ADBC_CONNECTION_OPTION_CURRENT_CATALOG) return operation.RequireCatalog(value.c_str());
  std::string sql;
  if (key == ADBC_CONNECTION_OPTION_READ_ONLY) {
    sql = std::string("SET default_transaction_read_only = ") + (ToBoolean(key, value) ? "on" : "off");
  } else if (key == ADBC_CONNECTION_OPTION_CURRENT_DB_SCHEMA) {
    // A search path may name schemas that do not exist; the current schema exists.
    WithoutPosition([&] { TextOf("SELECT " + QuotedText(QuotedName(value)) + "::regnamespace"); });
    sql = "SET search_path = " + QuotedText(value);
  } else {
    sql = "SET " + SettingOf(key) + " = " + QuotedText(value);
  }
  try {
    WithoutPosition([&] { session_->Query(sql); });
  } catch (const Error& error) {
    if (std::string_view(error.sqlstate()) != "42704") throw;
    ThrowNotImplemented("there is no option \"" + key + "\": " + error.message());
  }
}

void ConnectionState::SetAutocommit(bool is_on) {
  if (is_on && !is_autocommit_) Commit();
  is_autocommit_ = is_on;
}

void ConnectionState::SetIsolation(const std::string& level) {
  for (const Isolation& isolation : kIsolations) {
    if (level != isolation.option) continue;
    if (isolation.sql == nullptr) ThrowNotImplemented("transactions are serializable, not linearizable");
    Operation operation(*this);
    session_->Query(std::string("SET default_transaction_isolation = '") + isolation.sql + "'");
    isolation_ = level;
    return;
  }
  ThrowInvalidArgument("there is no isolation level \"" + level + "\"");
}

std::string ConnectionState::TextOf(const std::string& sql, const std::vector<Value>& parameters) {
  Operation operation(*this);
  const QueryResult result = WithoutPosition([&] { return session_->Query(sql, parameters); });
  std::string text;
  if (result.row_count() != 0 && !result.IsNull(0, 0)) result.AppendText(0, 0, text);
  return text;
}

std::string ConnectionState::GetOption(const std::string& key) {
  {
    const std::lock_guard lock(results_mutex_);
    std::string value;
    if (GetArrowOption(key, arrow_, value)) return value;
  }
  const std::lock_guard lock(mutex_);
  for (auto early = early_options_.rbegin(); early != early_options_.rend(); ++early) {
    if (early->first == key) return early->second;
  }
  if (key == ADBC_CONNECTION_OPTION_AUTOCOMMIT) return BooleanText(is_autocommit_);
  if (key == ADBC_CONNECTION_OPTION_ISOLATION_LEVEL)
    return isolation_.empty() ? ADBC_OPTION_ISOLATION_LEVEL_DEFAULT : isolation_;
  if (!session_) ThrowNotFound("the option \"" + key + "\" was not set");
  if (key == ADBC_CONNECTION_OPTION_CURRENT_CATALOG) return TextOf("SELECT current_database()");
  if (key == ADBC_CONNECTION_OPTION_CURRENT_DB_SCHEMA) return TextOf("SELECT current_schema()");
  if (key == ADBC_CONNECTION_OPTION_READ_ONLY)
    return BooleanText(TextOf("SHOW default_transaction_read_only") == "on");
  std::string name;
  try {
    name = SettingOf(key);
    return TextOf("SELECT current_setting($1)", {Value::Varchar(name)});
  } catch (const Error& error) {
    if (!name.empty() && std::string_view(error.sqlstate()) != "42704") throw;
    ThrowNotFound("there is no option \"" + key + "\"");
  }
}

void ConnectionState::Commit() {
  Operation operation(*this);
  if (is_autocommit_) ThrowInvalidState("autocommit is on: there is no transaction to commit");
  switch (session_->transaction_status()) {
    case TransactionStatus::kIdle: return;
    case TransactionStatus::kOpen: session_->Query("COMMIT"); return;
    case TransactionStatus::kFailed:
      session_->Query("ROLLBACK");
      throw StatusError(
          ADBC_STATUS_INVALID_STATE, ErrorKind::kTransaction, "25P02",
          "a statement of the transaction has failed, so it was rolled back instead of committed");
  }
}

void ConnectionState::Rollback() {
  Operation operation(*this);
  if (is_autocommit_) ThrowInvalidState("autocommit is on: there is no transaction to roll back");
  if (session_->transaction_status() != TransactionStatus::kIdle) session_->Query("ROLLBACK");
}

void ConnectionState::Cancel() {
  bool has_cancelled = false;
  std::vector<std::weak_ptr<LazyResult>> results;
  {
    const std::lock_guard lock(results_mutex_);
    results = results_;
  }
  for (const std::weak_ptr<LazyResult>& each : results) {
    if (const std::shared_ptr<LazyResult> result = each.lock()) has_cancelled |= result->Cancel();
  }
  if (activity_count_ > 0) {
    session_->Interrupt();
    has_cancelled = true;
  }
  if (!has_cancelled) ThrowInvalidState("nothing runs that could be cancelled");
}

void ConnectionState::FinishResults() {
  std::vector<std::weak_ptr<LazyResult>> results;
  {
    const std::lock_guard lock(results_mutex_);
    results.swap(results_);
  }
  for (const std::weak_ptr<LazyResult>& each : results) {
    if (const std::shared_ptr<LazyResult> result = each.lock()) result->Materialize();
  }
}

Operation::Operation(ConnectionState& connection)
    : connection_(connection), lock_(connection.mutex_), activity_(connection) {
  if (!connection.session_) ThrowInvalidState("the connection is not open: call AdbcConnectionInit first");
  connection.FinishResults();
}

void Operation::BeginTransaction() {
  if (!connection_.is_autocommit_ && session().transaction_status() == TransactionStatus::kIdle)
    session().Query("BEGIN");
}

std::string Operation::TimeZone() { return connection_.TextOf("SHOW timezone"); }

void Operation::AddResult(const std::shared_ptr<LazyResult>& result) {
  const std::lock_guard lock(connection_.results_mutex_);
  connection_.results_.push_back(result);
}

void Operation::RequireCatalog(const char* name) {
  if (name == nullptr) return;
  const std::string own = connection_.TextOf("SELECT current_database()");
  if (own != name)
    ThrowNotFound("there is no catalog \"" + std::string(name) + "\": that of this database is \"" + own +
                  "\"");
}

}  // namespace scaup::adbc
