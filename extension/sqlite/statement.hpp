// sqlite3_stmt: a statement, its parameters and its rows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog_table.hpp"
#include "connection.hpp"
#include "query_shape.hpp"

namespace scaup::sqlite {

/// A column of a statement's result. A value type.
struct StatementColumn {
  std::string name;
  std::string declared_type;     ///< "" if it is no column of a table
  bool is_numeric_real = false;  ///< of NUMERIC affinity and stored as DOUBLE: whole numbers are integers
};

/// The behaviour of one kind of statement. Owned by its statement.
class StatementBody {
 public:
  StatementBody() = default;
  StatementBody(const StatementBody&) = delete;
  StatementBody& operator=(const StatementBody&) = delete;
  virtual ~StatementBody() = default;
  /// Checks the statement and finds its columns.
  virtual void Prepare() = 0;
  /// Does it, and sets the statement's rows.
  virtual void Execute() = 0;
  virtual bool is_readonly() const = 0;
};

std::unique_ptr<StatementBody> MakeQuery(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeInsert(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeUpdate(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeDelete(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeDefinition(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeTransactionControl(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakePragma(sqlite3_stmt& statement);
std::unique_ptr<StatementBody> MakeMaintenance(sqlite3_stmt& statement);

}  // namespace scaup::sqlite

/// A statement. Keeps its connection. Used under the connection's mutex.
struct sqlite3_stmt {
  sqlite3_stmt(sqlite3& connection, std::string text);
  ~sqlite3_stmt();
  sqlite3_stmt(const sqlite3_stmt&) = delete;
  sqlite3_stmt& operator=(const sqlite3_stmt&) = delete;

  /// Goes to the next row, executing the statement first if it is not. Returns SQLITE_ROW or SQLITE_DONE.
  int Step();
  /// Forgets the rows, so that Step executes the statement again.
  void Reset();
  size_t row_count() const;
  /// Returns a value of the current row; NULL if there is none.
  const scaup::sqlite::SqliteValue& ValueAt(int column);
  /// Returns the text with the parameters' values in it.
  std::string ExpandedSql() const;

  sqlite3& db;
  const std::string sql;
  const scaup::sqlite::Tokens tokens;
  scaup::sqlite::ParameterNames parameters;
  std::vector<scaup::sqlite::SqliteValue> bindings;
  std::vector<scaup::sqlite::StatementColumn> columns;
  std::unique_ptr<scaup::sqlite::StatementBody> body;

  // The rows: of the engine, or made here.
  scaup::QueryResult result;
  std::optional<scaup::sqlite::LocalRows> local_rows;
  std::vector<size_t> row_order;  ///< of the engine's rows, if it is not theirs
  bool is_running = false;
  bool has_row = false;
  size_t row = 0;
  int last_code = SQLITE_OK;
  std::vector<std::optional<std::string>>
      value_texts;  ///< what sqlite3_column_text() and its like have returned for the current row

 private:
  scaup::sqlite::SqliteValue ReadValue(size_t column) const;
  std::vector<std::unique_ptr<scaup::sqlite::SqliteValue>>
      values_;  ///< of the current row, as far as they were read
};

namespace scaup::sqlite {

/// A statement of the engine, prepared for the types of its parameters' values, and again for others.
class EngineStatement {
 public:
  EngineStatement(sqlite3& db, std::string sql, std::set<size_t> exact_parameters);
  const std::vector<ResultColumn>& columns() const { return prepared_.columns(); }
  QueryResult Execute(const std::vector<SqliteValue>& bindings);

 private:
  std::vector<LogicalType> TypesFor(const std::vector<SqliteValue>& bindings, bool takes_numbers) const;
  PreparedStatement& PreparedFor(const std::vector<SqliteValue>& bindings);
  PreparedStatement& PreparedFor(const std::vector<LogicalType>& types);

  sqlite3& db_;
  const std::string sql_;
  const std::set<size_t> exact_parameters_;
  PreparedStatement prepared_;
  std::vector<LogicalType> types_;  ///< of the parameters as the engine sees them
  std::map<std::vector<TypeId>, PreparedStatement> typed_;
};

/// Tries what it is given with each use of values of any kind, beginning at `use`, until the engine finds a
/// meaning. The work says whether there are such values at all. Throws the first error if none has a meaning.
void TryDynamicUses(DynamicUse& use, const std::function<void(bool& has_dynamic)>& work);

/// Asks the authorizer about what a translation has found.
void AuthorizeReads(sqlite3& db, const TranslationState& state);

/// Returns the columns of a result: names from the text where it tells them, else those of the engine.
std::vector<StatementColumn> MakeColumns(const std::vector<ResultItem>& items,
                                         const std::vector<ResultColumn>& engine_columns);

}  // namespace scaup::sqlite
