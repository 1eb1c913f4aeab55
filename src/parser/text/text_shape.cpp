// Finds the literals of a text without its grammar.
#include "parser/text/text_shape.hpp"

#include "type/text/ascii.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

constexpr size_t kLongestText = 4000;
constexpr size_t kMostLiterals = 64;
/// Integers of more digits might not fit into 64 bits.
constexpr size_t kMostDigits = 18;
/// The mark in front of the letter of a literal's kind. No other token has it.
constexpr char kMark = '\x01';

bool IsShapeSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool BeginsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Reads a text once from its beginning to its end. Each function that reads a token returns false if the
/// text has no shape.
class ShapeReader {
 public:
  explicit ShapeReader(std::string_view sql) : sql_(sql) { shape_.key.reserve(sql.size() + 16); }

  std::optional<TextShape> Read() {
    while (place_ < sql_.size()) {
      if (!ReadToken()) return std::nullopt;
    }
    if (shape_.literals.empty()) return std::nullopt;
    return std::move(shape_);
  }

 private:
  char At(size_t place) const { return place < sql_.size() ? sql_[place] : ' '; }
  void CopyUntil(size_t end) {
    shape_.key.append(sql_.substr(place_, end - place_));
    place_ = end;
  }

  bool ReadToken() {
    const char c = sql_[place_];
    if (BeginsName(c)) return ReadName();
    if (IsDigit(c)) return ReadNumber();
    switch (c) {
      case '\'': return ReadString();
      case '"': return ReadQuotedName();
      case ';': return ReadEnd();
      // A comment, a parameter, a string between dollars, or what is no SQL.
      case '-':
        if (At(place_ + 1) == '-') return false;
        break;
      case '/':
        if (At(place_ + 1) == '*') return false;
        break;
      case '$':
      case '?':
      case '\\': return false;
      default:
        if (!IsShapeSpace(c) && static_cast<unsigned char>(c) < ' ') return false;
    }
    CopyUntil(place_ + 1);
    return true;
  }

  bool ReadName() {
    size_t end = place_ + 1;
    while (end < sql_.size() && (BeginsName(sql_[end]) || IsDigit(sql_[end]) || sql_[end] == '$')) end++;
    // The prefix of a string, such as E, X or U&, changes what its characters mean.
    const char next = At(end) == '&' ? At(end + 1) : At(end);
    if (next == '\'' || next == '"') return false;
    CopyUntil(end);
    return true;
  }

  bool ReadQuotedName() {
    const size_t end = sql_.find('"', place_ + 1);
    if (end == std::string_view::npos) return false;
    for (size_t i = place_; i < end; i++) {
      if (static_cast<unsigned char>(sql_[i]) < ' ') return false;
    }
    CopyUntil(end + 1);
    return true;
  }

  bool ReadNumber() {
    size_t end = place_;
    while (IsDigit(At(end))) end++;
    // Decimal numbers, also those with an exponent, have the type of their digits.
    const bool is_integer = !BeginsName(At(end)) && At(end) != '.' && At(end) != '$';
    const bool follows_point = place_ > 0 && sql_[place_ - 1] == '.';
    if (!is_integer || follows_point) return CopyNumber(end);
    if (end - place_ > kMostDigits) return false;
    TextLiteral literal;
    for (size_t i = place_; i < end; i++) literal.integer = literal.integer * 10 + (sql_[i] - '0');
    // The negative of this one is an INTEGER, but itself it is not.
    constexpr int64_t kBeyondInteger = int64_t{1} << 31;
    if (literal.integer == kBeyondInteger) return CopyNumber(end);
    literal.kind =
        literal.integer < kBeyondInteger ? TextLiteral::Kind::kInteger : TextLiteral::Kind::kBigInt;
    return Add(std::move(literal), end);
  }

  /// Leaves a number in the key, with all that may belong to it.
  bool CopyNumber(size_t end) {
    while (IsDigit(At(end)) || BeginsName(At(end)) || At(end) == '.') end++;
    CopyUntil(end);
    return true;
  }

  bool ReadString() {
    TextLiteral literal;
    literal.kind = TextLiteral::Kind::kString;
    size_t end = place_ + 1;
    for (;; end++) {
      const size_t quote = sql_.find('\'', end);
      if (quote == std::string_view::npos) return false;
      literal.text.append(sql_.substr(end, quote - end));
      end = quote + 1;
      if (At(end) != '\'') break;
      literal.text.push_back('\'');
    }
    // Two strings with a line end between them are one.
    size_t next = end;
    while (IsShapeSpace(At(next)) && next < sql_.size()) next++;
    if (At(next) == '\'') return false;
    // The whole text is checked where it is parsed, but the values of a shape that is known are not.
    if (literal.text.find('\0') != std::string::npos || FindInvalidUtf8(literal.text)) return false;
    return Add(std::move(literal), end);
  }

  bool Add(TextLiteral literal, size_t end) {
    if (shape_.literals.size() == kMostLiterals) return false;
    literal.begin = place_;
    literal.end = end;
    constexpr char kLetters[] = {'i', 'l', 's'};
    shape_.key.push_back(kMark);
    shape_.key.push_back(kLetters[static_cast<size_t>(literal.kind)]);
    shape_.literals.push_back(std::move(literal));
    place_ = end;
    return true;
  }

  /// Reads a semicolon, behind which nothing may come.
  bool ReadEnd() {
    for (size_t i = place_ + 1; i < sql_.size(); i++) {
      if (!IsShapeSpace(sql_[i])) return false;
    }
    CopyUntil(sql_.size());
    return true;
  }

  const std::string_view sql_;
  size_t place_ = 0;
  TextShape shape_;
};

}  // namespace

std::optional<TextShape> ShapeOf(std::string_view sql) {
  if (sql.size() > kLongestText) return std::nullopt;
  return ShapeReader(sql).Read();
}

}  // namespace scaup
