// Converts values for columns, and columns for values.
#include "stored_value.hpp"

#include <algorithm>
#include <cmath>

#include "connection.hpp"

namespace scaup::sqlite {

namespace {

SqliteValue ToNumeric(const SqliteValue& value) {
  const SqliteValue number = value.is_text() ? NumberOfText(value.AsText()) : value;
  if (number.is_null()) return value;
  const double real = number.AsReal();
  if (number.is_real() && std::trunc(real) == real && std::abs(real) < 9e15)
    return SqliteValue(static_cast<int64_t>(real));
  return number;
}

Storage KindOf(const SqliteValue& value) {
  if (value.is_integer()) return Storage::kInteger;
  if (value.is_real()) return Storage::kReal;
  return value.is_text() ? Storage::kText : Storage::kBlob;
}

bool AreNumbers(const std::set<Storage>& kinds) {
  return std::all_of(kinds.begin(), kinds.end(),
                     [](Storage kind) { return kind == Storage::kInteger || kind == Storage::kReal; });
}

bool HasRows(sqlite3& db, const std::string& query) {
  return db.engine.Query(query + " LIMIT 1").row_count() > 0;
}

/// Returns the storage that holds values of these kinds beside those that the column has.
Storage WantedStorage(sqlite3& db, const SchemaTable& table, const SchemaColumn& column,
                      const std::set<Storage>& kinds) {
  const bool is_numeric = column.affinity == Affinity::kNumeric && AreNumbers(kinds);
  const std::string from = " FROM " + table.QuotedName() + " WHERE " + QuoteName(column.name);
  if (column.storage == Storage::kDynamic) {
    if (kinds.size() > 1 && !is_numeric) return Storage::kDynamic;
    if (HasRows(db, "SELECT 1" + from + " IS NOT NULL")) return Storage::kDynamic;
    return kinds.size() == 1 ? *kinds.begin() : Storage::kReal;
  }
  if (kinds.size() == 1 && kinds.contains(column.storage)) return column.storage;
  if (!is_numeric || (column.storage != Storage::kInteger && column.storage != Storage::kReal))
    return Storage::kDynamic;
  if (column.storage == Storage::kReal) return Storage::kReal;
  // Integers that a double holds exactly stay integers when they are read.
  return HasRows(db, "SELECT 1" + from + " NOT BETWEEN -9007199254740992 AND 9007199254740992")
             ? Storage::kDynamic
             : Storage::kReal;
}

}  // namespace

SqliteValue StoreValue(Storage storage, Affinity affinity, const SqliteValue& value) {
  if (value.is_null()) return value;
  switch (storage) {
    case Storage::kInteger: {
      const SqliteValue number = value.is_text() ? NumberOfText(value.AsText()) : value;
      if (number.is_integer()) return number;
      const double real = number.AsReal();
      if (number.is_real() && std::trunc(real) == real && std::abs(real) < 9.2e18)
        return SqliteValue(static_cast<int64_t>(real));
      throw WrongKindError(value, "an integer");
    }
    case Storage::kReal: {
      const SqliteValue number = value.is_text() ? NumberOfText(value.AsText()) : value;
      if (number.is_real()) return number;
      if (number.is_integer() && std::abs(number.AsReal()) <= 9007199254740992.0)
        return SqliteValue(number.AsReal());
      throw WrongKindError(value, "a real number");
    }
    case Storage::kText:
      if (value.is_blob()) throw WrongKindError(value, "a text");
      return SqliteValue::MakeText(value.AsText());
    case Storage::kBlob:
      if (!value.is_blob()) throw WrongKindError(value, "a blob");
      return value;
    case Storage::kDynamic: return affinity == Affinity::kNumeric ? ToNumeric(value) : value;
    case Storage::kOther: break;
  }
  return value;
}

bool IsFlexible(const SchemaColumn& column) {
  return column.storage != Storage::kOther &&
         (column.affinity == Affinity::kBlob || column.affinity == Affinity::kNumeric);
}

void StoredWriter::AddKind(const SchemaColumn& column, const SqliteValue& value) {
  if (value.is_null() || !IsFlexible(column)) return;
  kinds_[column.name].insert(KindOf(StoreValue(Storage::kDynamic, column.affinity, value)));
}

void StoredWriter::AddQueryKind(const SchemaColumn& column, Storage kind) {
  // kOther is that of NULL.
  if (!IsFlexible(column) || kind == Storage::kOther) return;
  std::set<Storage>& kinds = kinds_[column.name];
  // Values of any kind may be of all.
  if (kind == Storage::kDynamic) kinds.insert({Storage::kInteger, Storage::kText});
  if (kind != Storage::kDynamic) kinds.insert(kind);
}

bool StoredWriter::IsUsedOnce(size_t parameter) const {
  size_t count = 0;
  ParameterNames numbers;
  for (const Token& token : writer_.tokens()) {
    if (token.kind == TokenKind::kParameter &&
        numbers.Add(token, db_.limits[SQLITE_LIMIT_VARIABLE_NUMBER]) == parameter)
      count++;
  }
  return count == 1;
}

std::string StoredWriter::Write(const SchemaColumn& column, size_t begin, size_t end,
                                const std::vector<Source>& sources) {
  const Tokens& tokens = writer_.tokens();
  SqliteValue value;
  if (ReadLiteral(tokens, begin, end, value)) {
    AddKind(column, value);
    // While its storage may change still, the value is written as it is.
    if (IsFlexible(column) && !value.is_null() && column.storage != Storage::kDynamic) {
      const Storage kind = KindOf(StoreValue(Storage::kDynamic, column.affinity, value));
      const bool fits =
          kind == column.storage || (kind == Storage::kInteger && column.storage == Storage::kReal);
      if (!fits) return WriteConstant(value);
    }
    value = StoreValue(column.storage, column.affinity, value);
    const std::string constant = WriteConstant(value);
    if (column.storage != Storage::kDynamic || value.is_null()) return constant;
    return "\"sqlite_dynamic\"(\"sqlite_any\"(" + constant + (value.is_text() ? "::varchar))" : "))");
  }
  if (end == begin + 1 && tokens[begin].kind == TokenKind::kParameter) {
    TranslationState& state = writer_.state();
    const size_t number = state.parameters.Add(tokens[begin], db_.limits[SQLITE_LIMIT_VARIABLE_NUMBER]);
    if (IsUsedOnce(number)) {
      if (bindings_ != nullptr) AddKind(column, (*bindings_)[number - 1]);
      bound_columns_.push_back({number, column.storage, column.affinity});
      const std::string parameter = "$" + std::to_string(number);
      if (column.storage != Storage::kDynamic) return parameter;
      state.exact_parameters.insert(number);
      return "\"sqlite_dynamic\"(\"sqlite_any\"(" + parameter + "))";
    }
  }
  const std::string text = writer_.WriteOver(begin, end, sources);
  if (column.storage == Storage::kOther) return text;
  if (IsFlexible(column) && bindings_ != nullptr) {
    std::string from;
    for (const Source& source : sources) {
      if (source.table == nullptr)
        throw SqliteError(
            SQLITE_ERROR,
            "column " + column.shown_name +
                " without a fixed type cannot be set from a subquery in FROM; declare its type");
      from +=
          (from.empty() ? " FROM " : ", ") + source.table->QuotedName() + " AS " + QuoteName(source.alias);
    }
    for (const Storage kind : KindsOf("SELECT " + text + from)) AddQueryKind(column, kind);
  }
  QueryLevel level;
  level.sources = sources;
  level.begin = begin;
  level.end = end;
  return Wrap(column, writer_.WriteAny(begin, end, level), Storage::kOther);
}

std::string StoredWriter::Wrap(const SchemaColumn& column, const std::string& expression, Storage given) {
  if (given == column.storage || column.storage == Storage::kOther) return expression;
  // The storage of what WriteAny has written is unknown: these are the bytes already.
  const std::string bytes = given == Storage::kOther ? expression : "\"sqlite_any\"(" + expression + ")";
  switch (column.storage) {
    case Storage::kInteger: return "\"sqlite_store_integer\"(" + bytes + ")";
    case Storage::kReal: return "\"sqlite_store_real\"(" + bytes + ")";
    case Storage::kText: return "\"sqlite_store_text\"(" + bytes + ")";
    case Storage::kBlob: return "\"sqlite_store_blob\"(" + bytes + ")";
    case Storage::kDynamic:
    case Storage::kOther: break;
  }
  return (column.affinity == Affinity::kNumeric ? "\"sqlite_numeric\"(" : "\"sqlite_dynamic\"(") + bytes +
         ")";
}

std::vector<Storage> StoredWriter::KindsOf(const std::string& query) {
  std::vector<Storage> kinds;
  std::vector<LogicalType> types;
  if (bindings_ != nullptr) {
    for (const SqliteValue& value : *bindings_) types.push_back(value.ToEngine().type());
  }
  const PreparedStatement prepared = db_.engine.Prepare(query, types);
  for (const ResultColumn& column : prepared.columns())
    kinds.push_back(column.type.id() == TypeId::kNull ? Storage::kOther : StorageOf(column.type));
  return kinds;
}

bool AdaptColumns(sqlite3& db, const SchemaTable& table, const StoredKinds& kinds) {
  bool has_changed = false;
  for (const auto& [name, stored] : kinds) {
    const SchemaColumn* const column = table.Find(name);
    if (column == nullptr || stored.empty()) continue;
    const Storage wanted = WantedStorage(db, table, *column, stored);
    if (wanted == column->storage) continue;
    if (!column->default_text.empty())
      throw SqliteError(SQLITE_MISMATCH,
                        "datatype mismatch: column " + column->shown_name +
                            " has a DEFAULT of another type than the value; declare the column's type");
    const std::string quoted = QuoteName(name);
    std::string value = "NULL";
    if (wanted == Storage::kDynamic) {
      const char* const convert =
          column->affinity == Affinity::kNumeric ? "\"sqlite_numeric\"" : "\"sqlite_dynamic\"";
      value = convert + ("(\"sqlite_any\"(" + quoted + "))");
    } else if (column->storage != Storage::kDynamic) {
      value = quoted + "::double precision";
    }
    db.engine.Query("ALTER TABLE " + table.QuotedName() + " ALTER COLUMN " + quoted + " TYPE " +
                    EngineType(wanted) + " USING " + value);
    has_changed = true;
  }
  if (has_changed) db.SchemaChanged();
  return has_changed;
}

}  // namespace scaup::sqlite
