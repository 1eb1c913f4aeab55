// Calls libpg_query, decodes its tokens, and converts its errors.
#include "parser/pg_query/pg_query_bridge.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "parser/pg_query/pg_query_process.hpp"

namespace scaup {

namespace {

constexpr size_t kLongestMessage = 200;

bool BeginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

/// Converts PostgreSQL's cursor, which counts characters from one, to a byte offset from zero.
std::optional<size_t> ByteOffset(const std::string& text, int cursor) {
  if (cursor <= 0) return std::nullopt;
  size_t offset = 0;
  for (int passed = 0; offset < text.size(); ++offset) {
    if (BeginsCharacter(text[offset]) && ++passed == cursor) break;
  }
  return offset;
}

PgFailure MakeFailure(const std::string& text, const PgQueryError& error) {
  PgFailure failure{error.message, ByteOffset(text, error.cursorpos)};
  // After an unclosed quote, "at or near" quotes the whole rest of the text, maybe megabytes. Cut it.
  if (failure.message.size() > kLongestMessage) {
    size_t length = kLongestMessage;
    while (length > 0 && !BeginsCharacter(failure.message[length])) --length;
    failure.message.resize(length);
    failure.message += "...\"";
  }
  return failure;
}

struct ScanResult {
  explicit ScanResult(const std::string& text) : value(ScanByPg(text.c_str())) {}
  ~ScanResult() { FreeByPg(value); }
  ScanResult(const ScanResult&) = delete;
  ScanResult& operator=(const ScanResult&) = delete;

  PgQueryScanResult value;
};

/// Returns the offset of a literal whose escapes are invalid ("\0"). The scanner refuses it without a
/// position. A binary search finds the shortest prefix that is refused in this way; it ends with the literal.
/// One byte less has an unclosed quote instead, and that error has the position of the literal.
std::optional<size_t> FindRefusedLiteral(const std::string& text) {
  size_t accepted = 0, refused = text.size();
  while (refused - accepted > 1) {
    const size_t middle = accepted + (refused - accepted) / 2;
    const ScanResult part(text.substr(0, middle));
    const bool is_refused = part.value.error != nullptr && part.value.error->cursorpos <= 0;
    (is_refused ? refused : accepted) = middle;
  }
  const std::string before = text.substr(0, accepted);
  const ScanResult part(before);
  return part.value.error == nullptr ? accepted : ByteOffset(before, part.value.error->cursorpos);
}

/// Reads the part of protobuf's wire format that the scanner's result uses: numbers and nested messages.
class WireReader {
 public:
  explicit WireReader(std::string_view data) : data_(data) {}
  bool AtEnd() const { return position_ >= data_.size(); }
  uint64_t Number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (AtEnd()) break;
      const auto byte = static_cast<unsigned char>(data_[position_++]);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ThrowInternal("the SQL scanner's answer is malformed");
  }
  std::string_view Bytes() {
    const uint64_t length = Number();
    if (length > data_.size() - position_) ThrowInternal("the SQL scanner's answer is malformed");
    const std::string_view bytes = data_.substr(position_, length);
    position_ += length;
    return bytes;
  }

 private:
  std::string_view data_;
  size_t position_ = 0;
};

constexpr uint64_t kVarint = 0;
constexpr uint64_t kLengthDelimited = 2;

/// message ScanToken { int32 start = 1; int32 end = 2; Token token = 4; KeywordKind keyword_kind = 5; }
Token ReadToken(std::string_view bytes) {
  Token token;
  WireReader reader(bytes);
  while (!reader.AtEnd()) {
    const uint64_t key = reader.Number();
    if ((key & 7) != kVarint) ThrowInternal("the SQL scanner's answer is malformed");
    const uint64_t value = reader.Number();
    switch (key >> 3) {
      case 1: token.start = token.origin = static_cast<uint32_t>(value); break;
      case 2: token.end = token.origin_end = static_cast<uint32_t>(value); break;
      case 4: token.type = static_cast<TokenType>(value); break;
      case 5: token.is_keyword = value != 0; break;
      default: break;
    }
  }
  return token;
}

/// Returns the position after the closing quote of what is quoted from `at` on.
size_t EndOfQuoted(const std::string& text, size_t at, char quote) {
  while (at < text.size() && (text[at] != quote || (at + 1 < text.size() && text[at + 1] == quote)))
    at += text[at] == quote ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// Returns where a text goes on in another line, after the quote there; npos if it does not.
size_t ContinuationOf(const std::string& text, size_t at) {
  bool has_line_end = false;
  while (at < text.size()) {
    if (text.compare(at, 2, "--") == 0) {
      at = std::min(text.find_first_of("\n\r", at), text.size());
      continue;
    }
    if (text[at] == '\'') return has_line_end ? at + 1 : std::string::npos;
    if (std::string_view(" \t\n\r\f\v").find(text[at]) == std::string_view::npos) break;
    has_line_end = has_line_end || text[at] == '\n' || text[at] == '\r';
    at++;
  }
  return std::string::npos;
}

/// Returns the end of U&"..." or U&'...', after the closing quote. The scanner reports a wrong end, computed
/// from the text between the quotes.
uint32_t EndOfUnicodeToken(const std::string& text, uint32_t start) {
  const char quote = text[start + 2];
  size_t end = EndOfQuoted(text, start + 3, quote);
  if (quote == '\'') {
    for (size_t next = ContinuationOf(text, end); next != std::string::npos; next = ContinuationOf(text, end))
      end = EndOfQuoted(text, next, quote);
  }
  return static_cast<uint32_t>(end);
}

}  // namespace

PgScan ScanTokens(const std::string& text) {
  const ScanResult result(text);
  PgScan scan;
  if (result.value.error != nullptr) {
    scan.failure = MakeFailure(text, *result.value.error);
    if (!scan.failure->offset) scan.failure->offset = FindRefusedLiteral(text);
    return scan;
  }
  // message ScanResult { int32 version = 1; repeated ScanToken tokens = 2; }
  WireReader reader(std::string_view(result.value.pbuf.data, result.value.pbuf.len));
  scan.tokens.reserve(result.value.pbuf.len / 8);
  while (!reader.AtEnd()) {
    const uint64_t key = reader.Number();
    if ((key & 7) == kVarint) {
      reader.Number();
    } else if ((key & 7) == kLengthDelimited) {
      Token token = ReadToken(reader.Bytes());
      if (token.type == TokenType::kUnicodeIdentifier || token.type == TokenType::kUnicodeString)
        token.end = token.origin_end = EndOfUnicodeToken(text, token.start);
      if (token.type == TokenType::kSqlComment || token.type == TokenType::kCComment) continue;
      scan.tokens.push_back(token);
    } else {
      ThrowInternal("the SQL scanner's answer is malformed");
    }
  }
  return scan;
}

struct PgTree::Result {
  PgQueryParseResult value;
  ~Result() { FreeByPg(value); }
};

PgTree::PgTree(const std::string& text) : result_(new Result{ParseByPg(text.c_str())}) {
  if (result_->value.error != nullptr) failure_ = MakeFailure(text, *result_->value.error);
}

PgTree::~PgTree() = default;

std::string_view PgTree::json() const {
  const char* tree = result_->value.parse_tree;
  return failure_ || tree == nullptr ? std::string_view() : std::string_view(tree);
}

}  // namespace scaup
