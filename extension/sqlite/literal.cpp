// Reads literals, and writes values as constants of the engine.
#include <cstdio>

#include "writer.hpp"

namespace scaup::sqlite {

bool ReadLiteral(const Tokens& tokens, size_t begin, size_t end, SqliteValue& value) {
  if (begin >= end) return false;
  bool is_negative = false;
  if (end == begin + 2 && (tokens[begin].IsOperator("-") || tokens[begin].IsOperator("+"))) {
    is_negative = tokens[begin].IsOperator("-");
    begin++;
    if (tokens[begin].kind != TokenKind::kInteger && tokens[begin].kind != TokenKind::kFloat) return false;
  }
  if (end != begin + 1) return false;
  const Token& token = tokens[begin];
  switch (token.kind) {
    case TokenKind::kString: value = SqliteValue::MakeText(token.Unquoted()); return true;
    case TokenKind::kBlob: {
      std::string bytes;
      for (size_t i = 2; i + 2 < token.text.size(); i += 2)
        bytes.push_back(static_cast<char>(std::stoi(std::string(token.text.substr(i, 2)), nullptr, 16)));
      value = SqliteValue::MakeBlob(std::move(bytes));
      return true;
    }
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      if (token.text.size() > 1 && (token.text[1] == 'x' || token.text[1] == 'X')) return false;
      value = NumberOfText((is_negative ? "-" : "") + std::string(token.text));
      return true;
    case TokenKind::kWord:
      if (token.Is("TRUE") || token.Is("FALSE")) value = SqliteValue(int64_t{token.Is("TRUE")});
      if (token.Is("NULL")) value = SqliteValue();
      return token.Is("TRUE") || token.Is("FALSE") || token.Is("NULL");
    default: return false;
  }
}

std::string WriteConstant(const SqliteValue& value) {
  if (value.is_null()) return "NULL";
  if (value.is_integer()) return "(" + value.AsText() + ")::bigint";
  if (value.is_text()) return QuoteText(value.AsText());
  if (value.is_blob()) {
    std::string text = value.AsSql();
    return "'\\x" + text.substr(2, text.size() - 3) + "'::bytea";
  }
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value.AsReal());
  return "'" + std::string(digits) + "'::double precision";
}

}  // namespace scaup::sqlite
