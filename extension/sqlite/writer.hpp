// SqlWriter: writes queries and expressions of SQLite as the engine's SQL, token by token.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "function.hpp"
#include "schema.hpp"
#include "token.hpp"

namespace scaup::sqlite {

/// The parameters of a statement, counted from 1.
class ParameterNames {
 public:
  /// Returns the number of the parameter that the token stands for: the same for the same token of a text.
  /// Throws SqliteError beyond the limit.
  size_t Add(const Token& token, int limit);
  size_t size() const { return names_.size(); }
  /// Returns the name with its first character, or "" for a plain "?".
  const std::string& name(size_t number) const { return names_[number - 1]; }
  size_t Find(const std::string& name) const;

 private:
  std::vector<std::string> names_;
  std::map<size_t, size_t> numbers_;  ///< by the positions of tokens
};

/// The type that values of any kind are taken for where an expression uses them. The engine knows the types
/// of all others, so a statement is tried with one after the other until it has a meaning.
enum class DynamicUse { kAsIs, kInteger, kReal, kText, kBlob, kBoolean };
inline constexpr int kDynamicUses = 6;

/// A column that a statement reads, for the authorizer.
struct ColumnRead {
  std::string table;
  std::string column;  ///< "" if the statement only counts rows
  friend auto operator<=>(const ColumnRead&, const ColumnRead&) = default;
};

/// The input and the findings of the writer. Lives as long as a translation.
struct TranslationState {
  const Schema* schema = nullptr;
  const FunctionRegistry* functions = nullptr;
  const std::set<std::string>* collations = nullptr;  ///< of the program, in upper case
  const int* limits = nullptr;                        ///< by SQLITE_LIMIT_...
  /// Returns a query in parentheses for sqlite_schema and the functions pragma_..., or "" for other names.
  std::function<std::string(const std::string& name, const std::string& argument)> catalog_table;
  DynamicUse dynamic_use = DynamicUse::kAsIs;
  /// Whether the engine stores the text: then it must do without the functions of this connection.
  bool is_stored = false;

  ParameterNames parameters;
  std::set<size_t> exact_parameters;  ///< whose value's own type counts
  bool has_dynamic = false;           ///< a value of any kind stands in an expression
  bool reads_catalog = false;         ///< the text holds rows of the catalog
  std::set<ColumnRead> reads;
  std::set<std::string> functions_called;
};

/// A table in FROM.
struct Source {
  std::string alias;                   ///< in lower case
  const SchemaTable* table = nullptr;  ///< null for subqueries
};

/// A query, or an expression in parentheses, while it is written.
struct QueryLevel {
  enum class Clause { kNone, kList, kFrom, kCondition, kOrder, kLimit };
  const QueryLevel* parent = nullptr;
  std::vector<Source> sources;
  Clause clause = Clause::kNone;
  bool expects_table = false;
  bool is_window = false;
  bool is_values = false;  ///< behind VALUES
  size_t begin = 0;
  size_t end = 0;
  size_t operand = 0;                     ///< where in the output the last operand begins
  std::map<size_t, std::string> aliases;  ///< names of columns without one, by where they end
};

/// Writes one statement. Lives on the stack of a translation.
class SqlWriter {
 public:
  SqlWriter(const Tokens& tokens, TranslationState& state);

  /// Writes a query, from WITH, SELECT or VALUES on.
  std::string WriteQuery(size_t begin, size_t end);
  /// Writes an expression, or clauses such as WHERE and ON CONFLICT, over these tables.
  std::string WriteOver(size_t begin, size_t end, const std::vector<Source>& sources);
  /// Writes the list of RETURNING, where * stands for the columns of the table.
  std::string WriteReturning(size_t begin, size_t end, const SchemaTable& table);
  /// Writes what is in parentheses, without them.
  std::string WriteNested(size_t begin, size_t end, const QueryLevel& parent, bool is_window = false);
  /// Writes an expression as the bytes of a value of any kind.
  std::string WriteAny(size_t begin, size_t end, const QueryLevel& level);
  /// Unwraps a value of any kind, written in `text`, as the state's use of such values says.
  std::string Unwrap(const std::string& text, size_t begin, size_t end, const QueryLevel& level);
  const Tokens& tokens() const { return tokens_; }
  TranslationState& state() { return state_; }

 private:
  void WriteLevel(QueryLevel& level, std::string& out);
  size_t WriteToken(size_t at, QueryLevel& level, std::string& out);
  size_t WriteOperator(size_t at, QueryLevel& level, std::string& out);
  size_t WriteWord(size_t at, QueryLevel& level, std::string& out);
  bool WriteClauseWord(size_t& at, QueryLevel& level, std::string& out);
  bool WriteExpressionWord(size_t& at, QueryLevel& level, std::string& out);
  size_t WriteName(size_t at, QueryLevel& level, std::string& out);
  size_t WriteTable(size_t at, QueryLevel& level, std::string& out);
  size_t WriteStar(size_t at, const QueryLevel& level, std::string& out);
  size_t WriteNumber(size_t at, const QueryLevel& level, std::string& out) const;
  size_t WriteLimit(size_t at, QueryLevel& level, std::string& out);
  size_t WriteCollation(size_t at, QueryLevel& level, std::string& out);
  size_t WriteMatch(size_t at, QueryLevel& level, std::string& out);
  size_t WriteConcatenation(size_t at, QueryLevel& level, std::string& out);

  const Tokens& tokens_;
  TranslationState& state_;
  std::set<std::string> common_tables_;
  size_t depth_ = 0;
};

/// Writes the call of a function, whose name is at `at`. Returns the position behind it.
size_t WriteCall(SqlWriter& writer, size_t at, const QueryLevel& level, std::string& out);
/// Writes a literal that is compared with something, as SQLite's affinities have it: beside a column of texts
/// a number is a text, beside one of numbers a text is a number, and beside an expression a text is nothing
/// but a text. Returns false for other literals.
bool WriteCompared(const Tokens& tokens, size_t at, const QueryLevel& level, std::string& out);
/// Returns whether the name or literal at `at`, all by itself, is a text in the engine, too.
bool IsTextOperand(const Tokens& tokens, size_t at, const QueryLevel& level);
/// Throws if an operand of the operator % at `at` is a real number, of which SQLite takes the whole part.
void CheckModulus(const Tokens& tokens, size_t at, const QueryLevel& level);

/// A column that a name stands for.
struct FoundColumn {
  const SchemaTable* table = nullptr;
  const SchemaColumn* column = nullptr;
  bool is_hidden_rowid = false;
};
/// Finds a name in the tables of a level and those around it.
FoundColumn FindColumnName(const QueryLevel& level, const std::string& alias, const std::string& name);

/// Writes CAST(x AS type), which begins at `at`. Returns the position behind it.
size_t WriteCast(SqlWriter& writer, size_t at, const QueryLevel& level, std::string& out);

/// Returns the value of a literal, which may have a sign: NULL, a number, a text or a blob. False if it is
/// none.
bool ReadLiteral(const Tokens& tokens, size_t begin, size_t end, SqliteValue& value);
/// Writes a value as a constant of the engine.
std::string WriteConstant(const SqliteValue& value);

}  // namespace scaup::sqlite
