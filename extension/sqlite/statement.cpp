// Runs a statement step by step.
#include "statement.hpp"

#include <cmath>

using scaup::sqlite::SqliteValue;
using scaup::sqlite::StatementBody;
using scaup::sqlite::Token;
using scaup::sqlite::Tokens;

namespace {

std::unique_ptr<StatementBody> MakeBody(sqlite3_stmt& statement) {
  using namespace scaup::sqlite;
  const Tokens& tokens = statement.tokens;
  size_t at = 0;
  if (tokens[0].Is("WITH"))
    at = FindWord(tokens, 0, tokens.size(), {"SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "VALUES"});
  if (at == tokens.size()) ThrowSyntaxError(tokens, at);
  const Token& first = tokens[at];
  const auto is = [&](std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
      if (first.Is(word)) return true;
    }
    return false;
  };
  if (is({"SELECT", "VALUES"})) return MakeQuery(statement);
  if (is({"INSERT", "REPLACE"})) return MakeInsert(statement);
  if (is({"UPDATE"})) return MakeUpdate(statement);
  if (is({"DELETE"})) return MakeDelete(statement);
  if (is({"CREATE", "DROP", "ALTER"})) return MakeDefinition(statement);
  if (is({"BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"}))
    return MakeTransactionControl(statement);
  if (is({"PRAGMA"})) return MakePragma(statement);
  if (is({"VACUUM", "ANALYZE", "REINDEX", "EXPLAIN", "ATTACH", "DETACH"})) return MakeMaintenance(statement);
  ThrowSyntaxError(tokens, at);
}

}  // namespace

sqlite3_stmt::sqlite3_stmt(sqlite3& connection, std::string text)
    : db(connection), sql(std::move(text)), tokens(scaup::sqlite::ReadStatement(sql).tokens) {
  for (const Token& token : tokens) {
    if (token.kind == scaup::sqlite::TokenKind::kParameter)
      parameters.Add(token, db.limits[SQLITE_LIMIT_VARIABLE_NUMBER]);
  }
  bindings.resize(parameters.size());
  body = MakeBody(*this);
  body->Prepare();
  db.users++;
  db.statements.insert(this);
}

sqlite3_stmt::~sqlite3_stmt() {
  // A statement whose constructor has thrown was never counted, and has no destructor.
  db.statements.erase(this);
  db.users--;
}

int sqlite3_stmt::Step() {
  has_row = false;
  values_.clear();
  value_texts.clear();
  if (!is_running) {
    Reset();
    is_running = true;
    row = 0;
    if ((db.hooks.trace_mask & SQLITE_TRACE_STMT) != 0)
      db.hooks.trace(SQLITE_TRACE_STMT, db.hooks.trace_data, this, const_cast<char*>(sql.c_str()));
    db.ReportProgress();
    body->Execute();
  } else {
    row++;
  }
  if (row >= row_count()) {
    const bool is_again = is_running;
    Reset();
    is_running = false;
    return is_again ? SQLITE_DONE : SQLITE_MISUSE;
  }
  has_row = true;
  values_.resize(columns.size());
  value_texts.resize(columns.size());
  return SQLITE_ROW;
}

void sqlite3_stmt::Reset() {
  is_running = has_row = false;
  row = 0;
  result = scaup::QueryResult();
  local_rows.reset();
  row_order.clear();
  values_.clear();
  value_texts.clear();
}

size_t sqlite3_stmt::row_count() const {
  if (local_rows) return local_rows->rows.size();
  return columns.empty() ? 0 : result.row_count();
}

SqliteValue sqlite3_stmt::ReadValue(size_t column) const {
  if (local_rows) return local_rows->rows[row][column];
  const size_t position = row_order.empty() ? row : row_order[row];
  SqliteValue value = SqliteValue::FromEngine(result, column, position);
  if (columns[column].is_numeric_real && value.is_real()) {
    const double real = value.AsReal();
    if (std::trunc(real) == real && std::abs(real) < 9e15) value = SqliteValue(static_cast<int64_t>(real));
  }
  return value;
}

const SqliteValue& sqlite3_stmt::ValueAt(int column) {
  static const SqliteValue& null = *new SqliteValue;
  if (!has_row || column < 0 || static_cast<size_t>(column) >= values_.size()) return null;
  std::unique_ptr<SqliteValue>& value = values_[static_cast<size_t>(column)];
  if (value == nullptr) value = std::make_unique<SqliteValue>(ReadValue(static_cast<size_t>(column)));
  return *value;
}

std::string sqlite3_stmt::ExpandedSql() const {
  std::string expanded;
  size_t copied = 0;
  scaup::sqlite::ParameterNames numbers;
  for (const Token& token : tokens) {
    if (token.kind != scaup::sqlite::TokenKind::kParameter) continue;
    const size_t number = numbers.Add(token, db.limits[SQLITE_LIMIT_VARIABLE_NUMBER]);
    expanded += sql.substr(copied, token.position - copied) + bindings[number - 1].AsSql();
    copied = token.position + token.text.size();
  }
  return expanded + sql.substr(copied);
}

namespace scaup::sqlite {

EngineStatement::EngineStatement(sqlite3& db, std::string sql, std::set<size_t> exact_parameters)
    : db_(db),
      sql_(std::move(sql)),
      exact_parameters_(std::move(exact_parameters)),
      prepared_(db.engine.Prepare(sql_)),
      types_(prepared_.parameter_types()) {}

std::vector<LogicalType> EngineStatement::TypesFor(const std::vector<SqliteValue>& bindings,
                                                   bool takes_numbers) const {
  std::vector<LogicalType> types(types_.size());
  bool has_any = false;
  for (size_t i = 0; i < types.size() && i < bindings.size(); i++) {
    const SqliteValue& value = bindings[i];
    if (value.is_null() || types_[i].id() == TypeId::kNull) continue;
    const Storage wanted = StorageOf(types_[i]);
    const bool is_narrow = value.is_integer() && wanted == Storage::kInteger &&
                           types_[i].id() != TypeId::kBigInt && types_[i].id() != TypeId::kHugeInt &&
                           types_[i].id() != TypeId::kBoolean;
    const bool loses_fraction = value.is_real() && wanted == Storage::kInteger;
    const bool is_taken_for_other =
        wanted == Storage::kText || (wanted == Storage::kReal && value.is_integer());
    const bool is_number = takes_numbers && !value.is_text() && !value.is_blob() && is_taken_for_other;
    const bool is_exact = exact_parameters_.contains(i + 1) || (value.is_blob() && wanted != Storage::kBlob);
    if (!is_narrow && !loses_fraction && !is_number && !is_exact) continue;
    types[i] = value.ToEngine().type();
    has_any = true;
  }
  return has_any ? types : std::vector<LogicalType>();
}

PreparedStatement& EngineStatement::PreparedFor(const std::vector<LogicalType>& types) {
  if (types.empty()) return prepared_;
  std::vector<TypeId> signature;
  for (const LogicalType& type : types) signature.push_back(type.id());
  auto found = typed_.find(signature);
  if (found == typed_.end()) found = typed_.emplace(signature, db_.engine.Prepare(sql_, types)).first;
  return found->second;
}

PreparedStatement& EngineStatement::PreparedFor(const std::vector<SqliteValue>& bindings) {
  const std::vector<LogicalType> types = TypesFor(bindings, true);
  const std::vector<LogicalType> without_numbers = TypesFor(bindings, false);
  if (types == without_numbers) return PreparedFor(types);
  // The engine takes a parameter for a text where it knows no better. A number stays one, unless it stands
  // beside a text: then SQLite, too, makes it one.
  PreparedStatement* prepared = nullptr;
  if (db_.transaction.Try([&] { prepared = &PreparedFor(types); })) return *prepared;
  return PreparedFor(without_numbers);
}

QueryResult EngineStatement::Execute(const std::vector<SqliteValue>& bindings) {
  std::vector<Value> values;
  for (size_t i = 0; i < types_.size(); i++)
    values.push_back(i < bindings.size() ? bindings[i].ToEngine() : Value());
  return PreparedFor(bindings).Execute(values);
}

void TryDynamicUses(DynamicUse& use, const std::function<void(bool& has_dynamic)>& work) {
  std::optional<Error> first;
  const DynamicUse begin = use;
  for (int number = static_cast<int>(begin); number < kDynamicUses; number++) {
    use = static_cast<DynamicUse>(number);
    bool has_dynamic = false;
    try {
      work(has_dynamic);
      return;
    } catch (const Error& error) {
      const bool is_about_types =
          error.kind() == ErrorKind::kBinder || error.kind() == ErrorKind::kConversion;
      if (!is_about_types || !has_dynamic) throw;
      if (!first) first = error;
    }
  }
  use = begin;
  throw Error(*first);
}

void AuthorizeReads(sqlite3& db, const TranslationState& state) {
  if (db.hooks.authorize == nullptr) return;
  for (const ColumnRead& read : state.reads) db.Authorize(SQLITE_READ, read.table, read.column);
  for (const std::string& name : state.functions_called) db.Authorize(SQLITE_FUNCTION, "", name);
}

std::vector<StatementColumn> MakeColumns(const std::vector<ResultItem>& items,
                                         const std::vector<ResultColumn>& engine_columns) {
  std::vector<StatementColumn> columns;
  const bool are_known = items.size() == engine_columns.size();
  for (size_t i = 0; i < engine_columns.size(); i++) {
    StatementColumn column;
    column.name = are_known ? items[i].name : engine_columns[i].name;
    if (are_known && items[i].column != nullptr) {
      const SchemaColumn& source = *items[i].column;
      column.declared_type = source.declared_type;
      column.is_numeric_real = source.affinity == Affinity::kNumeric && source.storage == Storage::kReal;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace scaup::sqlite
