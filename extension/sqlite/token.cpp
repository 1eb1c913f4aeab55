// Splits SQLite's SQL into tokens.
#include "token.hpp"

#include <cctype>

namespace scaup::sqlite {

namespace {

bool IsLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsPartOfName(char c) { return IsLetter(c) || IsDigit(c) || c == '$'; }

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads tokens one after the other. Lives on the stack of the functions below.
class Reader {
 public:
  explicit Reader(std::string_view sql) : sql_(sql) {}

  /// Reads the next token. Returns false at the end of the text.
  bool Next(Token& token) {
    SkipSpace();
    if (at_ >= sql_.size()) return false;
    const size_t begin = at_;
    token.kind = Read();
    token.text = sql_.substr(begin, at_ - begin);
    token.position = begin;
    return true;
  }
  size_t at() const { return at_; }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }

  void SkipSpace() {
    while (at_ < sql_.size()) {
      if (IsSpace(Peek())) {
        at_++;
      } else if (Peek() == '-' && Peek(1) == '-') {
        while (at_ < sql_.size() && Peek() != '\n') at_++;
      } else if (Peek() == '/' && Peek(1) == '*') {
        const size_t end = sql_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? sql_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  TokenKind ReadUntil(char quote, TokenKind kind) {
    at_++;
    while (at_ < sql_.size()) {
      if (Peek() == quote) {
        at_++;
        if (quote == ']' || Peek() != quote) return kind;
      }
      at_++;
    }
    return TokenKind::kIllegal;
  }

  TokenKind ReadNumber() {
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X')) {
      at_ += 2;
      while (std::isxdigit(static_cast<unsigned char>(Peek())) != 0) at_++;
      return IsPartOfName(Peek()) ? ReadIllegalWord() : TokenKind::kInteger;
    }
    TokenKind kind = TokenKind::kInteger;
    while (IsDigit(Peek())) at_++;
    if (Peek() == '.') {
      kind = TokenKind::kFloat;
      at_++;
      while (IsDigit(Peek())) at_++;
    }
    if (Peek() == 'e' || Peek() == 'E') {
      const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
      if (IsDigit(Peek(1 + sign))) {
        kind = TokenKind::kFloat;
        at_ += 1 + sign;
        while (IsDigit(Peek())) at_++;
      }
    }
    return IsPartOfName(Peek()) ? ReadIllegalWord() : kind;
  }

  TokenKind ReadIllegalWord() {
    while (IsPartOfName(Peek())) at_++;
    return TokenKind::kIllegal;
  }

  TokenKind ReadBlob() {
    at_ += 2;
    const size_t begin = at_;
    while (std::isxdigit(static_cast<unsigned char>(Peek())) != 0) at_++;
    const bool is_even = (at_ - begin) % 2 == 0;
    if (Peek() != '\'') return TokenKind::kIllegal;
    at_++;
    return is_even ? TokenKind::kBlob : TokenKind::kIllegal;
  }

  TokenKind ReadParameter() {
    if (sql_[at_++] == '?') {
      while (IsDigit(Peek())) at_++;
      return TokenKind::kParameter;
    }
    const size_t begin = at_;
    while (IsPartOfName(Peek()) || (Peek() == ':' && Peek(1) == ':')) at_ += Peek() == ':' ? 2 : 1;
    return at_ > begin ? TokenKind::kParameter : TokenKind::kIllegal;
  }

  TokenKind ReadOperator() {
    static constexpr std::string_view kLong[] = {"->>", "->", "||", "<=", ">=", "<>", "!=", "==", "<<", ">>"};
    for (const std::string_view written : kLong) {
      if (sql_.substr(at_, written.size()) == written) {
        at_ += written.size();
        return TokenKind::kOperator;
      }
    }
    const char c = sql_[at_++];
    return std::string_view("()+-*/%,.;&|~<>=").find(c) == std::string_view::npos ? TokenKind::kIllegal
                                                                                  : TokenKind::kOperator;
  }

  TokenKind Read() {
    const char c = Peek();
    if ((c == 'x' || c == 'X') && Peek(1) == '\'') return ReadBlob();
    if (IsLetter(c)) {
      while (IsPartOfName(Peek())) at_++;
      return TokenKind::kWord;
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
    switch (c) {
      case '\'': return ReadUntil('\'', TokenKind::kString);
      case '"': return ReadUntil('"', TokenKind::kQuoted);
      case '`': return ReadUntil('`', TokenKind::kQuoted);
      case '[': return ReadUntil(']', TokenKind::kQuoted);
      case '?':
      case ':':
      case '@':
      case '$': return ReadParameter();
      default: return ReadOperator();
    }
  }

  std::string_view sql_;
  size_t at_ = 0;
};

/// Returns whether these are the first tokens of CREATE [TEMP | TEMPORARY] TRIGGER.
bool IsTrigger(const Tokens& tokens) {
  if (tokens.size() < 2 || !tokens[0].Is("CREATE")) return false;
  const bool is_temporary = tokens[1].Is("TEMP") || tokens[1].Is("TEMPORARY");
  const size_t at = is_temporary ? 2 : 1;
  return tokens.size() > at && tokens[at].Is("TRIGGER");
}

}  // namespace

bool Token::Is(std::string_view word) const {
  if (kind != TokenKind::kWord || text.size() != word.size()) return false;
  for (size_t i = 0; i < word.size(); i++) {
    if (std::toupper(static_cast<unsigned char>(text[i])) != word[i]) return false;
  }
  return true;
}

std::string Token::Unquoted() const {
  if (kind != TokenKind::kQuoted && kind != TokenKind::kString) return std::string(text);
  const char quote = text.back();
  std::string unquoted;
  for (size_t i = 1; i + 1 < text.size(); i++) {
    unquoted.push_back(text[i]);
    if (text[i] == quote && quote != ']') i++;
  }
  return unquoted;
}

std::string Token::Name() const { return ToLower(Unquoted()); }

FirstStatement ReadStatement(std::string_view sql) {
  FirstStatement statement;
  Reader reader(sql);
  Token token;
  while (reader.Next(token)) {
    if (token.IsOperator(";")) {
      const bool is_over = !IsTrigger(statement.tokens) || statement.tokens.back().Is("END");
      if (is_over && !statement.tokens.empty()) break;
      if (is_over) continue;
    }
    statement.tokens.push_back(token);
  }
  statement.end = reader.at();
  return statement;
}

bool EndsWithStatement(std::string_view sql) {
  Reader reader(sql);
  Token token;
  Tokens tokens;
  bool is_complete = false;
  while (reader.Next(token)) {
    is_complete = token.IsOperator(";") && (!IsTrigger(tokens) || tokens.back().Is("END"));
    if (is_complete) {
      tokens.clear();
    } else {
      tokens.push_back(token);
    }
  }
  return is_complete;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string ToUpper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

namespace {

std::string QuoteWith(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted.push_back(c);
    if (c == quote) quoted.push_back(c);
  }
  quoted.push_back(quote);
  return quoted;
}

}  // namespace

std::string QuoteName(std::string_view name) { return QuoteWith(name, '"'); }
std::string QuoteText(std::string_view text) { return QuoteWith(text, '\''); }

}  // namespace scaup::sqlite
