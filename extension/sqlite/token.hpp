// Tokens of SQLite's SQL.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scaup::sqlite {

enum class TokenKind {
  kWord,       ///< keyword or name without quotes
  kQuoted,     ///< name in "", [] or ``
  kString,     ///< text in ''
  kBlob,       ///< x'00ff'
  kInteger,    ///< digits, or 0x and hexadecimal digits
  kFloat,      ///< number with a point or an exponent
  kParameter,  ///< ?, ?1, :name, @name, $name
  kOperator,   ///< everything else, such as ( || <>
  kIllegal,    ///< what no token begins with, or a text without an end
};

/// A token of a text, which must live longer. A value type.
struct Token {
  TokenKind kind = TokenKind::kIllegal;
  std::string_view text;  ///< as it is written
  size_t position = 0;    ///< byte offset in the whole text

  /// Returns whether this is the word, in any case. `word` is in upper case.
  bool Is(std::string_view word) const;
  /// Returns whether this is the operator.
  bool IsOperator(std::string_view written) const { return kind == TokenKind::kOperator && text == written; }
  /// Returns whether this can be a name: a word, a name in quotes, or, as SQLite allows, a text in ''.
  bool IsName() const {
    return kind == TokenKind::kWord || kind == TokenKind::kQuoted || kind == TokenKind::kString;
  }
  /// Returns the name or text without its quotes.
  std::string Unquoted() const;
  /// Returns the name in lower case, which is how the engine stores it.
  std::string Name() const;
};

using Tokens = std::vector<Token>;

/// The first statement of a text.
struct FirstStatement {
  Tokens tokens;   ///< without comments and the semicolon; none if there is no statement
  size_t end = 0;  ///< byte offset behind the semicolon, or the end of the text
};

/// Splits the first statement off a text and into tokens. A comment without an end reaches to the text's end.
/// CREATE TRIGGER goes up to its END.
FirstStatement ReadStatement(std::string_view sql);

/// Returns whether the text ends with a complete statement, as sqlite3_complete() defines it.
bool EndsWithStatement(std::string_view sql);

/// Returns the text with the ASCII letters in lower case, or in upper case.
std::string ToLower(std::string_view text);
std::string ToUpper(std::string_view text);

/// Returns the name in double quotes, or the text in single quotes, with quotes in it doubled.
std::string QuoteName(std::string_view name);
std::string QuoteText(std::string_view text);

}  // namespace scaup::sqlite
