// INSERT and REPLACE: row ids, conflict actions, and values for columns.
#include <limits>

#include "write.hpp"

namespace scaup::sqlite {

namespace {

/// The source of a row's id.
struct RowidSource {
  enum class Kind { kAutomatic, kValue, kParameter, kExpression };
  Kind kind = Kind::kAutomatic;
  int64_t value = 0;
  size_t parameter = 0;  ///< that the engine's statement reads
};

/// The parts of an INSERT.
struct InsertParts {
  std::string action = "ABORT";
  const SchemaTable* table = nullptr;
  std::string written_table;  ///< its name as the statement has it
  std::string alias;
  std::vector<const SchemaColumn*> columns;  ///< the hidden row id's is null
  size_t begin = 0;                          ///< of INSERT or REPLACE, behind WITH
  size_t source = 0;                         ///< of VALUES, SELECT, WITH or DEFAULT
  size_t source_end = 0;
  size_t returning = 0;
};

class Insert final : public Write {
 public:
  using Write::Write;

 private:
  WritePlan Translate(const std::vector<SqliteValue>* bindings, DynamicUse use) override;
  QueryResult Run(const WritePlan& plan, std::vector<SqliteValue> bindings) override;
  void Failed(const SqliteError& error) override;

  InsertParts ReadParts(const Schema& schema) const;
  void ReadColumns(size_t& at, InsertParts& parts) const;
  void TranslateRows(const InsertParts& parts, StoredWriter& stored, WritePlan& plan);
  std::string TranslateRow(const InsertParts& parts, const std::vector<std::pair<size_t, size_t>>& values,
                           StoredWriter& stored);
  std::string TranslateRowid(size_t begin, size_t end, StoredWriter& stored, RowidSource& source);
  std::string TranslateQuery(const InsertParts& parts, SqlWriter& writer, StoredWriter& stored);
  std::string TranslateConflict(const InsertParts& parts, SqlWriter& writer, StoredWriter& stored);
  std::string ConflictDelete(const InsertParts& parts, const std::vector<std::string>& values) const;
  std::string Head(const InsertParts& parts) const;
  void AssignRowid(const RowidSource& source, std::vector<SqliteValue>& bindings, int64_t& largest) const;
  int64_t LargestRowid() const;
  void SaveSequence(int64_t rowid) const;

  std::string action_ = "ABORT";
  std::string table_;  ///< as the engine's SQL writes it
  std::string shown_table_;
  std::string rowid_column_;
  bool is_autoincrement_ = false;
  bool counts_rows_ = false;   ///< INSERT ... SELECT, whose rows are counted on from the largest id
  bool goes_by_rows_ = false;  ///< each row is a statement of its own
  size_t next_parameter_ = 0;
  std::vector<RowidSource> rowids_;
  std::vector<std::string> row_values_;  ///< of the row that was translated last
};

constexpr char kNoMore[] = "database or disk is full: no row id is left";

InsertParts Insert::ReadParts(const Schema& schema) const {
  const Tokens& tokens = statement().tokens;
  const size_t count = tokens.size();
  InsertParts parts;
  parts.begin = FindWord(tokens, 0, count, {"INSERT", "REPLACE"});
  size_t at = parts.begin + 1;
  if (tokens[parts.begin].Is("REPLACE")) {
    parts.action = "REPLACE";
  } else if (IsAt(tokens, at, count, "OR")) {
    if (at + 1 >= count) ThrowSyntaxError(tokens, at + 1);
    parts.action = ToUpper(tokens[at + 1].text);
    static constexpr std::string_view kActions[] = {"ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"};
    bool is_action = false;
    for (const std::string_view action : kActions) is_action = is_action || parts.action == action;
    if (!is_action) ThrowSyntaxError(tokens, at + 1);
    at += 2;
  }
  if (!IsAt(tokens, at, count, "INTO")) ThrowSyntaxError(tokens, at);
  at++;
  parts.table = &ReadTable(tokens, at, schema);
  parts.written_table = tokens[at - 1].Unquoted();
  if (parts.table->is_view)
    throw SqliteError(SQLITE_ERROR, "cannot modify " + parts.table->shown_name + " because it is a view");
  parts.alias = parts.table->name;
  if (IsAt(tokens, at, count, "AS") && at + 1 < count) {
    parts.alias = tokens[at + 1].Name();
    at += 2;
  }
  ReadColumns(at, parts);
  parts.source = at;
  parts.returning = FindWord(tokens, at, count, {"RETURNING"});
  parts.source_end = parts.returning;
  for (size_t i = at; i + 1 < parts.returning; i++) {
    if (tokens[i].Is("ON") && tokens[i + 1].Is("CONFLICT")) parts.source_end = i;
  }
  if (at >= count) ThrowSyntaxError(tokens, at);
  return parts;
}

void Insert::ReadColumns(size_t& at, InsertParts& parts) const {
  const Tokens& tokens = statement().tokens;
  if (at >= tokens.size() || !tokens[at].IsOperator("(")) {
    for (const SchemaColumn& column : parts.table->columns) {
      if (!column.is_generated) parts.columns.push_back(&column);
    }
    return;
  }
  const size_t end = SkipParentheses(tokens, at);
  for (const Tokens& part : SplitAtCommas(tokens, at + 1, end - 1)) {
    if (part.size() != 1 || !part[0].IsName()) ThrowSyntaxError(tokens, at);
    const std::string name = part[0].Name();
    const SchemaColumn* column = parts.table->Find(name);
    const bool is_rowid = column == nullptr && (name == "rowid" || name == "oid" || name == "_rowid_") &&
                          !parts.table->rowid_column.empty();
    if (is_rowid) column = parts.table->Find(parts.table->rowid_column);
    if (column == nullptr && !is_rowid)
      throw SqliteError(SQLITE_ERROR,
                        "table " + parts.written_table + " has no column named " + part[0].Unquoted());
    parts.columns.push_back(column);
  }
  at = end;
}

bool IsRowid(const InsertParts& parts, const SchemaColumn* column) {
  return column == nullptr ||
         (!parts.table->rowid_column.empty() && column->name == parts.table->rowid_column);
}

std::string Insert::Head(const InsertParts& parts) const {
  std::string names;
  bool has_rowid = rowid_column_.empty();
  for (const SchemaColumn* const column : parts.columns) {
    has_rowid = has_rowid || IsRowid(parts, column);
    names += (names.empty() ? "" : ", ") + QuoteName(column == nullptr ? rowid_column_ : column->name);
  }
  if (!has_rowid) names += (names.empty() ? "" : ", ") + QuoteName(rowid_column_);
  return "INSERT INTO " + table_ + " AS " + QuoteName(parts.alias) + " (" + names + ") ";
}

std::string Insert::TranslateRowid(size_t begin, size_t end, StoredWriter& stored, RowidSource& source) {
  const Tokens& tokens = statement().tokens;
  SqliteValue value;
  if (ReadLiteral(tokens, begin, end, value)) {
    value = StoreValue(Storage::kInteger, Affinity::kInteger, value);
    if (!value.is_null()) {
      source.kind = RowidSource::Kind::kValue;
      source.value = value.AsInteger();
      return WriteConstant(value);
    }
    source.parameter = ++next_parameter_;
    return "$" + std::to_string(source.parameter) + "::bigint";
  }
  if (end == begin + 1 && tokens[begin].kind == TokenKind::kParameter) {
    ParameterNames names = statement().parameters;
    const size_t number = names.Add(tokens[begin], db().limits[SQLITE_LIMIT_VARIABLE_NUMBER]);
    if (stored.IsUsedOnce(number)) {
      source.kind = RowidSource::Kind::kParameter;
      source.parameter = number;
      return "$" + std::to_string(number) + "::bigint";
    }
  }
  source.kind = RowidSource::Kind::kExpression;
  source.parameter = ++next_parameter_;
  SchemaColumn column;
  column.storage = Storage::kInteger;
  column.affinity = Affinity::kInteger;
  return "coalesce(" + stored.Write(column, begin, end, {}) + ", $" + std::to_string(source.parameter) +
         "::bigint)";
}

std::string Insert::TranslateRow(const InsertParts& parts,
                                 const std::vector<std::pair<size_t, size_t>>& values, StoredWriter& stored) {
  if (values.size() != parts.columns.size()) {
    const std::string given = std::to_string(values.size());
    const size_t all = parts.table->columns.size();
    if (parts.columns.size() == all)
      throw SqliteError(SQLITE_ERROR, "table " + parts.written_table + " has " + std::to_string(all) +
                                          " columns but " + given + " values were supplied");
    throw SqliteError(SQLITE_ERROR,
                      given + " values for " + std::to_string(parts.columns.size()) + " columns");
  }
  RowidSource rowid;
  bool has_rowid = false;
  row_values_.clear();
  for (size_t i = 0; i < values.size(); i++) {
    const SchemaColumn* const column = parts.columns[i];
    if (IsRowid(parts, column)) {
      has_rowid = true;
      row_values_.push_back(TranslateRowid(values[i].first, values[i].second, stored, rowid));
    } else {
      row_values_.push_back(stored.Write(*column, values[i].first, values[i].second, {}));
    }
  }
  std::string text;
  for (const std::string& value : row_values_) text += (text.empty() ? "" : ", ") + value;
  if (!has_rowid && !rowid_column_.empty()) {
    rowid.parameter = ++next_parameter_;
    text += (text.empty() ? "$" : ", $") + std::to_string(rowid.parameter) + "::bigint";
  }
  rowids_.push_back(rowid);
  return text;
}

std::string Insert::ConflictDelete(const InsertParts& parts, const std::vector<std::string>& values) const {
  std::string conditions;
  const auto add_key = [&](const std::vector<std::string>& key) {
    std::string condition;
    for (const std::string& name : key) {
      size_t at = 0;
      while (at < parts.columns.size() &&
             (parts.columns[at] == nullptr ? rowid_column_ : parts.columns[at]->name) != name)
        at++;
      // A column without a value has its default: NULL, which conflicts with nothing, or the next row id.
      if (at == parts.columns.size()) return;
      condition += (condition.empty() ? "(" : " AND ") + QuoteName(name) + " = " + values[at];
    }
    conditions += (conditions.empty() ? "" : " OR ") + condition + ")";
  };
  for (const SchemaIndex* const index : db().LoadedSchema().UniqueKeys(*parts.table)) add_key(index->columns);
  if (parts.table->has_hidden_rowid) add_key({"rowid"});
  return conditions.empty() ? "" : "DELETE FROM " + table_ + " WHERE " + conditions;
}

void Insert::TranslateRows(const InsertParts& parts, StoredWriter& stored, WritePlan& plan) {
  const Tokens& tokens = statement().tokens;
  std::string rows;
  goes_by_rows_ = parts.action == "REPLACE" || parts.action == "IGNORE" || parts.source_end < parts.returning;
  const std::vector<Tokens> split = SplitAtCommas(tokens, parts.source + 1, parts.source_end);
  size_t at = parts.source + 1;
  for (size_t i = 0; i < split.size(); i++) {
    const size_t end = SkipParentheses(tokens, at);
    if (end != parts.source_end && !tokens[end].IsOperator(",")) ThrowSyntaxError(tokens, end);
    std::vector<std::pair<size_t, size_t>> values;
    size_t value = at + 1;
    for (size_t j = value; j < end;) {
      if (tokens[j].IsOperator(",") || j == end - 1) {
        if (j == value) ThrowSyntaxError(tokens, j);
        values.emplace_back(value, j);
        value = j + 1;
      }
      j = tokens[j].IsOperator("(") ? SkipParentheses(tokens, j) : j + 1;
    }
    const std::string row = "(" + TranslateRow(parts, values, stored) + ")";
    if (goes_by_rows_) {
      // Row by row: a later one replaces an earlier one, and one that is left out takes no row id.
      const std::string conflict = parts.action == "REPLACE" ? ConflictDelete(parts, row_values_) : "";
      if (!conflict.empty()) plan.statements.push_back(conflict);
      plan.statements.push_back(Head(parts) + "VALUES " + row);
    } else {
      rows += (rows.empty() ? "" : ", ") + row;
    }
    at = end + 1;
  }
  if (rowids_.size() > 1) {
    for (const RowidSource& source : rowids_) {
      if (source.kind == RowidSource::Kind::kExpression)
        throw SqliteError(SQLITE_ERROR,
                          "an expression for the row id in an INSERT of several rows is not supported; use a "
                          "constant or a parameter");
    }
  }
  if (!goes_by_rows_) plan.statements.push_back(Head(parts) + "VALUES " + rows);
}

std::string Insert::TranslateQuery(const InsertParts& parts, SqlWriter& writer, StoredWriter& stored) {
  const std::string query = writer.WriteQuery(parts.source, parts.source_end);
  const std::vector<Storage> kinds = stored.KindsOf(query);
  if (kinds.size() != parts.columns.size())
    throw SqliteError(SQLITE_ERROR, "table " + parts.written_table + " has " +
                                        std::to_string(parts.columns.size()) + " columns but " +
                                        std::to_string(kinds.size()) + " values were supplied");
  std::string names;
  std::string values;
  bool has_rowid = false;
  next_parameter_++;
  counts_rows_ = true;
  const std::string next = "$" + std::to_string(next_parameter_) + "::bigint + row_number() OVER ()";
  for (size_t i = 0; i < kinds.size(); i++) {
    const std::string name = "c" + std::to_string(i + 1);
    names += (names.empty() ? "" : ", ") + name;
    const SchemaColumn* const column = parts.columns[i];
    std::string value = name;
    if (IsRowid(parts, column)) {
      has_rowid = true;
      SchemaColumn rowid;
      rowid.storage = Storage::kInteger;
      value = kinds[i] == Storage::kInteger ? name : stored.Wrap(rowid, name, kinds[i]);
      value = "coalesce(" + value + ", greatest($" + std::to_string(next_parameter_) + "::bigint, max(" +
              value + ") OVER ()) + row_number() OVER ())";
    } else {
      stored.AddQueryKind(*column, kinds[i]);
      value = stored.Wrap(*column, name, kinds[i]);
    }
    values += (values.empty() ? "" : ", ") + value;
  }
  if (!has_rowid && !rowid_column_.empty()) values += (values.empty() ? "" : ", ") + next;
  return Head(parts) + "SELECT " + values + " FROM (" + query + ") AS q(" + names + ")";
}

std::string Insert::TranslateConflict(const InsertParts& parts, SqlWriter& writer, StoredWriter& stored) {
  const Tokens& tokens = statement().tokens;
  if (parts.source_end == parts.returning) return parts.action == "IGNORE" ? " ON CONFLICT DO NOTHING" : "";
  const size_t act = FindWord(tokens, parts.source_end, parts.returning, {"DO"});
  const std::vector<Source> target{{parts.alias, parts.table}};
  std::string text = " ON CONFLICT " + writer.WriteOver(parts.source_end + 2, act, target);
  if (IsAt(tokens, act + 1, parts.returning, "NOTHING")) return text + " DO NOTHING";
  const size_t set = act + 2;
  if (!IsAt(tokens, act + 1, parts.returning, "UPDATE") || !IsAt(tokens, set, parts.returning, "SET"))
    ThrowSyntaxError(tokens, std::min(act + 1, parts.returning));
  const std::vector<Source> sources{{parts.alias, parts.table}, {"excluded", parts.table}};
  const size_t where = FindWord(tokens, set, parts.returning, {"WHERE"});
  text += " DO UPDATE SET " + TranslateAssignments(writer, stored, set + 1, where, *parts.table, sources);
  return text + " " + writer.WriteOver(where, parts.returning, sources);
}

WritePlan Insert::Translate(const std::vector<SqliteValue>* bindings, DynamicUse use) {
  const Tokens& tokens = statement().tokens;
  TranslationState state = db().NewTranslation();
  state.parameters = statement().parameters;
  state.dynamic_use = use;
  SqlWriter writer(tokens, state);
  StoredWriter stored(db(), writer, bindings);
  const InsertParts parts = ReadParts(*state.schema);
  action_ = parts.action;
  table_ = parts.table->QuotedName();
  shown_table_ = parts.table->shown_name;
  rowid_column_ = parts.table->rowid_column;
  is_autoincrement_ = parts.table->is_autoincrement;
  counts_rows_ = goes_by_rows_ = false;
  next_parameter_ = statement().parameters.size();
  rowids_.clear();
  WritePlan plan;
  plan.table = shown_table_;
  plan.table_name = parts.table->name;
  if (IsAt(tokens, parts.source, tokens.size(), "VALUES")) {
    if (parts.action == "FAIL" && SplitAtCommas(tokens, parts.source + 1, parts.source_end).size() > 1)
      throw SqliteError(SQLITE_ERROR,
                        "INSERT OR FAIL of several rows is not supported; insert them one by one");
    TranslateRows(parts, stored, plan);
  } else if (IsAt(tokens, parts.source, tokens.size(), "DEFAULT")) {
    InsertParts none = parts;
    none.columns.clear();
    const std::string row = TranslateRow(none, {}, stored);
    plan.statements.push_back(row.empty() ? "INSERT INTO " + table_ + " DEFAULT VALUES"
                                          : Head(none) + "VALUES (" + row + ")");
  } else {
    if (parts.action == "REPLACE" || parts.action == "FAIL")
      throw SqliteError(
          SQLITE_ERROR,
          "INSERT OR " + parts.action + " ... SELECT is not supported; use ON CONFLICT DO UPDATE, or VALUES");
    plan.statements.push_back(TranslateQuery(parts, writer, stored));
  }
  const std::string conflict = TranslateConflict(parts, writer, stored);
  std::string& sql = plan.statements.back();
  if (parts.begin > 0) sql = writer.WriteQuery(0, parts.begin) + " " + sql;
  for (std::string& insert : plan.statements) {
    if (insert.rfind("DELETE", 0) != 0) insert += conflict;
  }
  const std::string returned = TranslateReturning(writer, parts.returning, *parts.table, plan);
  std::string rowid = rowid_column_.empty() ? "" : QuoteName(parts.alias) + "." + QuoteName(rowid_column_);
  if (!returned.empty() && plan.statements.size() > 2)
    throw SqliteError(SQLITE_ERROR,
                      "RETURNING of several rows that may conflict is not supported; insert them one by one");
  for (std::string& insert : plan.statements) {
    const bool inserts = insert.rfind("DELETE", 0) != 0;
    if (inserts && (!returned.empty() || !rowid.empty()))
      insert += " RETURNING " + returned + (returned.empty() || rowid.empty() ? "" : ", ") + rowid;
  }
  plan.kinds = stored.kinds();
  plan.bound_columns = stored.bound_columns();
  plan.exact_parameters = state.exact_parameters;
  plan.has_dynamic = state.has_dynamic;
  db().Authorize(SQLITE_INSERT, shown_table_, "");
  AuthorizeReads(db(), state);
  return plan;
}

int64_t Insert::LargestRowid() const {
  sqlite3& connection = db();
  if (const std::optional<int64_t> known = connection.shared->FindLastRowid(table_)) return *known;
  const QueryResult result =
      connection.engine.Query("SELECT max(" + QuoteName(rowid_column_) + ") FROM " + table_);
  int64_t largest = std::max<int64_t>(SqliteValue::FromEngine(result, 0, 0).AsInteger(), 0);
  if (is_autoincrement_) {
    const QueryResult sequence = connection.engine.Query(
        "SELECT max(\"seq\"::varchar::bigint) FROM main.\"sqlite_sequence\" WHERE \"name\" = " +
        QuoteText(shown_table_));
    largest = std::max(largest, SqliteValue::FromEngine(sequence, 0, 0).AsInteger());
  }
  return largest;
}

void Insert::SaveSequence(int64_t rowid) const {
  sqlite3& connection = db();
  const std::string name = QuoteText(shown_table_);
  const std::string update =
      "UPDATE main.\"sqlite_sequence\" SET \"seq\" = " + std::to_string(rowid) + " WHERE \"name\" = " + name;
  if (connection.engine.Query(update).rows_changed() == 0)
    connection.engine.Query("INSERT INTO main.\"sqlite_sequence\" VALUES (" + name + ", " +
                            std::to_string(rowid) + ")");
}

void Insert::AssignRowid(const RowidSource& source, std::vector<SqliteValue>& bindings,
                         int64_t& largest) const {
  const bool is_given =
      source.kind == RowidSource::Kind::kValue ||
      (source.kind == RowidSource::Kind::kParameter && !bindings[source.parameter - 1].is_null());
  if (!is_given) {
    if (largest == std::numeric_limits<int64_t>::max()) throw SqliteError(SQLITE_FULL, kNoMore);
    bindings[source.parameter - 1] = SqliteValue(++largest);
    return;
  }
  SqliteValue value(source.value);
  if (source.kind == RowidSource::Kind::kParameter) {
    value = StoreValue(Storage::kInteger, Affinity::kInteger, bindings[source.parameter - 1]);
    bindings[source.parameter - 1] = value;
  }
  largest = std::max(largest, value.AsInteger());
}

QueryResult Insert::Run(const WritePlan& plan, std::vector<SqliteValue> bindings) {
  bindings.resize(next_parameter_);
  const bool has_rowid = !rowid_column_.empty();
  int64_t largest = has_rowid ? LargestRowid() : 0;
  if (counts_rows_) bindings[next_parameter_ - 1] = SqliteValue(largest);
  if (has_rowid && !goes_by_rows_) {
    for (const RowidSource& source : rowids_) AssignRowid(source, bindings, largest);
  }
  QueryResult result;
  std::optional<int64_t> last;
  uint64_t changed = 0;
  size_t row = 0;
  for (const std::string& sql : plan.statements) {
    const bool inserts = sql.rfind("DELETE", 0) != 0;
    const int64_t before = largest;
    if (has_rowid && goes_by_rows_ && inserts) AssignRowid(rowids_[row++], bindings, largest);
    result = RunStatement(plan, sql, bindings);
    if (!inserts) continue;
    changed += result.rows_changed();
    if (!has_rowid) continue;
    // The id of a row that was left out, or updated instead, is free.
    if (goes_by_rows_) largest = before;
    const size_t column = result.column_count() - 1;
    for (size_t i = 0; i < result.row_count(); i++) {
      last = SqliteValue::FromEngine(result, column, i).AsInteger();
      largest = std::max(largest, *last);
    }
  }
  AddChanges(changed - result.rows_changed());
  if (!last) return result;
  db().shared->SetLastRowid(table_, largest);
  db().function_state.last_rowid = *last;
  if (is_autoincrement_) SaveSequence(largest);
  return result;
}

void Insert::Failed(const SqliteError& error) {
  if ((error.code() & 0xff) == SQLITE_CONSTRAINT && action_ == "ROLLBACK" && db().transaction.is_open())
    db().transaction.Rollback();
}

}  // namespace

std::unique_ptr<StatementBody> MakeInsert(sqlite3_stmt& statement) {
  return std::make_unique<Insert>(statement);
}

}  // namespace scaup::sqlite
