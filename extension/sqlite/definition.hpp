// TableDefinition: what a CREATE TABLE of SQLite declares, and how the engine is told of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "token.hpp"

namespace scaup::sqlite {

/// The affinity of a column: the kind of values that SQLite prefers to store in it, by its declared type.
enum class Affinity { kInteger, kText, kBlob, kReal, kNumeric };

Affinity AffinityOf(std::string_view declared_type);

/// A column as it was declared. A value type.
struct ColumnDefinition {
  std::string name;           ///< as it is written
  std::string declared_type;  ///< as it is written; "" if there is none
  Affinity affinity = Affinity::kBlob;
  bool is_not_null = false;
  bool is_primary_key = false;  ///< by a constraint of the column
  bool is_autoincrement = false;
  bool is_generated = false;
  std::string default_text;  ///< as it is written; "" if there is none
  Tokens constraints;        ///< the tokens behind the type
};

/// A parsed CREATE TABLE, whose tokens point into the text. A value type.
struct TableDefinition {
  bool is_temporary = false;
  bool if_not_exists = false;
  std::string schema;  ///< in lower case; "" if not given
  std::string name;    ///< as it is written
  std::vector<ColumnDefinition> columns;
  std::vector<Tokens> constraints;       ///< of the table
  std::vector<std::string> primary_key;  ///< names in lower case
  bool has_rowid = true;                 ///< not WITHOUT ROWID
  Tokens query;                          ///< of CREATE TABLE ... AS

  /// Returns the column that is the row's number, INTEGER PRIMARY KEY, or null.
  const ColumnDefinition* RowidColumn() const;
};

/// Parses CREATE TABLE. Throws SqliteError for what is no such statement.
TableDefinition ParseCreateTable(const Tokens& tokens);

/// Returns the position behind the parenthesis that closes the one at `open`.
size_t SkipParentheses(const Tokens& tokens, size_t open);

/// Splits tokens[begin, end) at the commas outside of parentheses.
std::vector<Tokens> SplitAtCommas(const Tokens& tokens, size_t begin, size_t end);

/// Throws the error that SQLite gives for a token that does not belong where it is; at the end, incomplete
/// input.
[[noreturn]] void ThrowSyntaxError(const Tokens& tokens, size_t at);

}  // namespace scaup::sqlite
