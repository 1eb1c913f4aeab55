// Finds the parts of a query in its tokens: tables in FROM, the list of its columns, the ends of clauses.
#pragma once

#include <string>
#include <vector>

#include "writer.hpp"

namespace scaup::sqlite {

/// A column of a result.
struct ResultItem {
  std::string name;
  const SchemaColumn* column = nullptr;  ///< if it is a column of a table
};

/// Returns whether tokens[at] is the word, and before `end`.
inline bool IsAt(const Tokens& tokens, size_t at, size_t end, std::string_view word) {
  return at < end && tokens[at].Is(word);
}
/// Returns whether the word is a keyword wherever it stands.
bool IsReserved(const Token& token);

/// Returns the position of the first of these words outside of parentheses, or `end`.
size_t FindWord(const Tokens& tokens, size_t begin, size_t end,
                std::initializer_list<std::string_view> words);
/// Returns the tables that the query at `begin` names in its FROM, or `begin` stands behind FROM already.
std::vector<Source> SourcesOfQuery(const Tokens& tokens, size_t begin, size_t end, const Schema& schema,
                                   const std::set<std::string>& common_tables);
std::vector<Source> SourcesBehindFrom(const Tokens& tokens, size_t begin, size_t end, const Schema& schema,
                                      const std::set<std::string>& common_tables);
/// Returns the names that WITH gives.
std::set<std::string> CommonTables(const Tokens& tokens);
/// Returns the columns of the list that begins at `begin`, behind SELECT or RETURNING. Empty if they cannot
/// be told from the text.
std::vector<ResultItem> ResultItems(const Tokens& tokens, size_t begin, size_t end,
                                    const std::vector<Source>& sources);
/// Returns the texts of the list's expressions that have no name, by where they end.
std::map<size_t, std::string> MissingAliases(const Tokens& tokens, size_t begin, size_t end);
/// Returns the end of the operand that begins at `at`, on the right of LIKE and its like.
size_t OperandEnd(const Tokens& tokens, size_t at, size_t end);
/// Returns the end of the name, literal, call or expression in parentheses that begins at `at`.
size_t PrimaryEnd(const Tokens& tokens, size_t at, size_t end);
/// Returns whether the expression is an item of the select list all by itself.
bool IsBareItem(const Tokens& tokens, size_t begin, size_t end, const QueryLevel& level);
/// Reads [schema .] name and returns the table. Throws "no such table" unless it is there.
const SchemaTable& ReadTable(const Tokens& tokens, size_t& at, const Schema& schema);

}  // namespace scaup::sqlite
