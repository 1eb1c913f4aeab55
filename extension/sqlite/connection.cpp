// Keeps a connection's errors, tables and hooks.
#include "connection.hpp"

#include <chrono>
#include <thread>

#include "catalog_table.hpp"

using scaup::sqlite::Location;
using scaup::sqlite::SharedDatabase;
using scaup::sqlite::SqliteError;

namespace {

constexpr std::array<int, scaup::sqlite::kLimitCount> kLimits = {
    1000000000, 1000000000, 2000, 1000, 500, 250000000, 127, 10, 50000, 32766, 1000, 0};

/// Waits as SQLite's own busy handler does: a little longer each time, up to the timeout.
bool WaitForTimeout(int timeout_ms, int times) {
  constexpr int kStep = 5;
  if (times * kStep >= timeout_ms) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(kStep));
  return true;
}

}  // namespace

sqlite3::sqlite3(const Location& location, std::shared_ptr<SharedDatabase> opened)
    : shared(std::move(opened)),
      engine(shared->database()),
      transaction(engine, *shared,
                  [this](int times) {
                    if (hooks.busy != nullptr) return hooks.busy(hooks.busy_data, times) != 0;
                    return WaitForTimeout(hooks.busy_timeout_ms, times);
                  }),
      limits(kLimits),
      path(location.path),
      is_read_only(location.is_read_only) {
  function_state.db = this;
  scaup::sqlite::FunctionRegistry::AddBuiltins(engine, function_state);
  // NULL is less than all values in SQLite.
  engine.Query("SET default_null_order = 'nulls_first_on_asc_last_on_desc'");
}

int sqlite3::Fail(int code, const std::string& message) {
  error_code = code;
  error_message = message;
  return code;
}

int sqlite3::Succeed() {
  error_code = SQLITE_OK;
  error_message.clear();
  return SQLITE_OK;
}

const scaup::sqlite::Schema& sqlite3::LoadedSchema() {
  const uint64_t version = shared->schema_version;
  const uint64_t rollbacks = transaction.rollback_count();
  if (version != schema_version_ || rollbacks != schema_rollbacks_) {
    schema_.Load(engine);
    schema_version_ = version;
    schema_rollbacks_ = rollbacks;
  }
  return schema_;
}

void sqlite3::Authorize(int action, const std::string& first, const std::string& second) {
  if (hooks.authorize == nullptr) return;
  const bool has_names = !first.empty() || action == SQLITE_READ;
  const int answer =
      hooks.authorize(hooks.authorize_data, action, has_names ? first.c_str() : nullptr,
                      second.empty() && action != SQLITE_READ ? nullptr : second.c_str(), "main", nullptr);
  if (answer == SQLITE_OK) return;
  if (answer != SQLITE_DENY && answer != SQLITE_IGNORE)
    throw SqliteError(SQLITE_ERROR, "authorizer malfunction");
  if (action == SQLITE_READ)
    throw SqliteError(SQLITE_AUTH, "access to " + first + "." + second + " is prohibited");
  throw SqliteError(SQLITE_AUTH, "not authorized");
}

void sqlite3::ReportProgress() const {
  if (hooks.progress != nullptr && hooks.progress(hooks.progress_data) != 0)
    throw SqliteError(SQLITE_INTERRUPT, "interrupted");
}

scaup::sqlite::TranslationState sqlite3::NewTranslation() {
  scaup::sqlite::TranslationState state;
  state.schema = &LoadedSchema();
  state.functions = &functions;
  state.collations = &collation_names;
  state.limits = limits.data();
  state.catalog_table = [this](const std::string& name, const std::string& argument) {
    return scaup::sqlite::WriteCatalogTable(*this, name, argument);
  };
  return state;
}

namespace scaup::sqlite {

void ReleaseConnection(sqlite3* db) {
  if (!db->is_closed || db->users > 0) return;
  if (db->transaction.is_open()) db->transaction.Rollback();
  delete db;
}

}  // namespace scaup::sqlite
