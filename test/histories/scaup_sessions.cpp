// Histories on Scaup, by its public interface.
#include <memory>
#include <optional>
#include <string>

#include "histories/tested_sessions.hpp"
#include "scaup/scaup.hpp"

namespace scaup::test {

namespace {

void AppendRows(const QueryResult& rows, std::string& text) {
  for (size_t row = 0; row < rows.row_count(); row++) {
    for (size_t column = 0; column < rows.column_count(); column++) {
      if (column != 0) text += '\t';
      text += rows.GetValue(column, row).ToString();
    }
    text += '\n';
  }
}

std::string ChangedText(uint64_t row_count) { return std::to_string(row_count) + " changed"; }

std::string TextOf(const QueryResult& result) {
  if (!result.has_rows()) return ChangedText(result.rows_changed());
  std::string text;
  AppendRows(result, text);
  return text;
}

/// Runs statements in all the ways that there are, in turn: they are answered alike.
class ScaupSession : public TestedSession {
 public:
  explicit ScaupSession(const Database& database) : connection_(database) {}

  Outcome Begin(Level level, bool read_only) override {
    std::string sql = "BEGIN ISOLATION LEVEL ";
    sql += level == Level::kSerializable ? "SERIALIZABLE" : "REPEATABLE READ";
    if (read_only) sql += " READ ONLY";
    return Query(sql);
  }
  Outcome Run(const Operation& operation) override { return Query(ToSql(operation)); }
  Outcome Commit() override { return Query("COMMIT"); }
  Outcome Rollback() override { return Query("ROLLBACK"); }
  Outcome RunAlone(const Operation& operation) override { return Run(operation); }

  Outcome Query(const std::string& sql) {
    try {
      return {"", Answer(sql)};
    } catch (const Error& error) {
      return {error.sqlstate(), error.message()};
    }
  }

 private:
  std::string Answer(const std::string& sql) {
    switch (statement_count_++ % 5) {
      case 0: return TextOf(connection_.Prepare(sql).Execute());
      case 1: return FetchAll(connection_.Stream(sql), 1);
      case 2: return FetchOnce(connection_.Stream(sql));
      case 3: return FetchAll(connection_.Prepare(sql).Stream(), 7);
      default: return TextOf(connection_.Query(sql));
    }
  }

  std::string FetchAll(StreamingResult stream, size_t part_rows) {
    if (stream.columns().empty()) return ChangedText(stream.rows_changed());
    std::string text;
    QueryResult rows;
    while (stream.Fetch(rows, part_rows)) AppendRows(rows, text);
    return text;
  }

  /// Takes all rows, but does not ask whether there are more: the stream stays open until the next of its
  /// kind comes, and other statements in between. One that changes something is not fetched at all.
  std::string FetchOnce(StreamingResult stream) {
    open_ = std::move(stream);
    if (open_->columns().empty()) return ChangedText(open_->rows_changed());
    std::string text;
    QueryResult rows;
    if (open_->Fetch(rows, kMostRows)) AppendRows(rows, text);
    return text;
  }

  static constexpr size_t kMostRows = 1000000;
  Connection connection_;
  std::optional<StreamingResult> open_;
  size_t statement_count_ = 0;
};

class ScaupSystem : public TestedSystem {
 public:
  ScaupSystem(const std::string& path, const Config& config, bool has_documents)
      : database_(path, config), has_documents_(has_documents) {
    Connection connection(database_);
    for (size_t table = 0; table < kTableCount; table++)
      connection.Query(CreateTableSql(static_cast<TableName>(table), ScaupHasKeys(), has_documents));
  }
  std::unique_ptr<TestedSession> Connect() override {
    auto session = std::make_unique<ScaupSession>(database_);
    // A collection may have no document with a key at times.
    if (has_documents_) session->Query("SET unknown_keys = 'null'");
    return session;
  }

 private:
  Database database_;
  bool has_documents_;
};

}  // namespace

std::unique_ptr<TestedSystem> OpenScaup(const std::string& path, const Config& config, bool has_documents) {
  return std::make_unique<ScaupSystem>(path, config, has_documents);
}

bool ScaupHasKeys() { return ScaupSession(Database()).Query("CREATE TABLE t (k BIGINT PRIMARY KEY)").ok(); }

bool ScaupRunsTransactions() {
  ScaupSession session{Database()};
  for (const char* sql : {"CREATE TABLE t (k BIGINT, v BIGINT)", "INSERT INTO t VALUES (1, 1)",
                          "BEGIN ISOLATION LEVEL SERIALIZABLE", "SAVEPOINT s", "UPDATE t SET v = 2",
                          "DELETE FROM t", "ROLLBACK TO s", "COMMIT"}) {
    const Outcome outcome = session.Query(sql);
    if (outcome.sqlstate == "0A000" || outcome.sqlstate == "25P01") return false;
  }
  return true;
}

}  // namespace scaup::test
