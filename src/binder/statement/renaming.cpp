// Renames columns and tables in SQL texts that the catalog stores.
#include "binder/statement/renaming.hpp"

#include "catalog/create_statement.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

std::string NameOfToken(const std::string& text, const Token& token) {
  if (token.type != TokenType::kIdentifier && !token.is_keyword) return "";
  const std::string word = text.substr(token.origin, token.origin_end - token.origin);
  std::string name;
  if (word.starts_with('"')) {
    for (size_t i = 1; i + 1 < word.size(); i++) {
      name += word[i];
      if (word[i] == '"') i++;
    }
    return name;
  }
  for (const char c : word) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

namespace {

/// Renames by tokens: a name before a dot is a table, before a bracket a function, after :: or AS a type,
/// after COLLATE a collation.
std::string Rename(const std::string& text, const std::string& from, const std::string& to, bool is_table) {
  const std::vector<Token> tokens = ScanTokens(text).tokens;
  std::string result;
  size_t copied = 0;
  for (size_t i = 0; i < tokens.size(); i++) {
    const bool before_dot = i + 1 < tokens.size() && tokens[i + 1].Is('.');
    const bool is_call = i + 1 < tokens.size() && tokens[i + 1].Is('(');
    const bool is_type =
        i > 0 && (tokens[i - 1].type == TokenType::kTypeCast || tokens[i - 1].type == TokenType::kAs ||
                  tokens[i - 1].type == TokenType::kCollate);
    if (before_dot != is_table || is_call || is_type || NameOfToken(text, tokens[i]) != from) continue;
    result.append(text, copied, tokens[i].origin - copied);
    result += QuotedIdentifier(to);
    copied = tokens[i].origin_end;
  }
  return result + text.substr(copied);
}

}  // namespace

std::string RenameColumnInText(const std::string& text, const std::string& from, const std::string& to) {
  return text.empty() ? text : Rename(text, from, to, false);
}

bool NamesColumn(const std::string& text, const std::string& column) {
  // Any other name will do, as the text is dropped.
  return !text.empty() && Rename(text, column, column + "_", false) != text;
}

std::string RenameTableInText(const std::string& text, const std::string& from, const std::string& to) {
  return text.empty() ? text : Rename(text, from, to, true);
}

}  // namespace scaup
