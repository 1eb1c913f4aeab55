// Parses full-text queries.
#include "text/text_query.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"
#include "text/word_reader.hpp"

namespace scaup {

namespace {

constexpr std::string_view kSpace = " \t\n\r\f\v";
constexpr std::string_view kChunkEnd = " \t\n\r\f\v()\"";

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  TextQueryNode ParseAll() {
    SkipSpace();
    if (IsAtEnd()) Refuse("it has no word");
    TextQueryNode root = ParseOr();
    if (!IsAtEnd()) Refuse("a parenthesis is closed that was not opened");
    return root;
  }

 private:
  using Kind = TextQueryNode::Kind;

  [[noreturn]] void Refuse(std::string_view reason) const {
    ThrowError(ErrorKind::kConversion, sqlstate::kSyntaxError,
               fmt::format("malformed text query: {} (byte {} of '{}')", reason, at_ + 1, text_));
  }
  [[noreturn]] static void ThrowTooMuch(std::string_view reason) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               fmt::format("text query is too complex: {}", reason));
  }

  bool IsAtEnd() const { return at_ == text_.size(); }
  void SkipSpace() {
    at_ = text_.find_first_not_of(kSpace, at_);
    if (at_ == std::string_view::npos) at_ = text_.size();
  }
  /// The text up to the next space, quote or parenthesis.
  std::string_view Chunk() const { return text_.substr(at_, text_.find_first_of(kChunkEnd, at_) - at_); }
  bool Take(std::string_view keyword) {
    if (Chunk() != keyword) return false;
    at_ += keyword.size();
    SkipSpace();
    return true;
  }
  bool EndsAnd() const { return IsAtEnd() || text_[at_] == ')' || Chunk() == "OR"; }

  TextQueryNode ParseOr() {
    TextQueryNode node = ParseAnd();
    while (Take("OR")) Add(Kind::kOr, node, ParseAnd());
    return node;
  }

  TextQueryNode ParseAnd() {
    TextQueryNode node = ParseOperand();
    while (!EndsAnd()) {
      Take("AND");
      Add(Kind::kAnd, node, ParseOperand());
    }
    return node;
  }

  /// Combines `node` with `other`; if `node` is already of this kind, `other` becomes one more child.
  static void Add(Kind kind, TextQueryNode& node, TextQueryNode other) {
    if (node.kind != kind) {
      TextQueryNode first = std::move(node);
      node = TextQueryNode{kind};
      node.children.push_back(std::move(first));
    }
    node.children.push_back(std::move(other));
  }

  TextQueryNode ParseOperand() {
    if (++depth_ > kMaxNesting) ThrowTooMuch(fmt::format("it is nested more than {} deep", kMaxNesting));
    TextQueryNode node = ParseOperandWithin();
    depth_--;
    return node;
  }

  TextQueryNode ParseOperandWithin() {
    if (EndsAnd() || Chunk() == "AND") Refuse("a word is missing");
    const bool is_minus = text_[at_] == '-';
    if (is_minus) at_++;
    if (is_minus || Take("NOT")) {
      if (is_minus && (IsAtEnd() || kSpace.find(text_[at_]) != std::string_view::npos))
        Refuse("a word is missing behind -");
      TextQueryNode node{Kind::kNot};
      node.children.push_back(ParseOperand());
      return node;
    }
    if (text_[at_] == '"') return ParseQuoted();
    if (text_[at_] == '(') return ParseParentheses();
    const std::string_view chunk = Chunk();
    TextQueryNode node = ReadPhrase(chunk);
    at_ += chunk.size();
    SkipSpace();
    return node;
  }

  TextQueryNode ParseParentheses() {
    const size_t begin = at_++;
    SkipSpace();
    TextQueryNode node = ParseOr();
    if (IsAtEnd()) {
      at_ = begin;
      Refuse("a parenthesis is not closed");
    }
    at_++;
    SkipSpace();
    return node;
  }

  TextQueryNode ParseQuoted() {
    const size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) Refuse("a quote is not closed");
    const size_t begin = at_++;
    TextQueryNode node = ReadPhrase(text_.substr(at_, end - at_), begin);
    at_ = end + 1;
    SkipSpace();
    return node;
  }

  TextQueryNode ReadPhrase(std::string_view words) { return ReadPhrase(words, at_); }
  TextQueryNode ReadPhrase(std::string_view words, size_t error_at) {
    TextQueryNode node;
    size_t stars = 0;
    WordReader reader;
    for (reader.Begin(words); reader.Next();) {
      const bool is_prefix = reader.end() < words.size() && words[reader.end()] == '*';
      stars += is_prefix;
      node.terms.push_back({std::string(reader.word()), is_prefix});
    }
    if (node.terms.empty() || stars != CountStars(words)) {
      at_ = error_at;
      Refuse(node.terms.empty() ? "there is no word"
                                : "* must stand directly behind the beginning of a word");
    }
    node.phrase = phrase_count_++;
    word_count_ += node.terms.size();
    if (word_count_ > TextQuery::kMaxWords)
      ThrowTooMuch(fmt::format("it has more than {} words", TextQuery::kMaxWords));
    if (node.terms.size() > TextQuery::kMaxPhraseLength)
      ThrowTooMuch(fmt::format("a phrase has more than {} words", TextQuery::kMaxPhraseLength));
    return node;
  }

  static size_t CountStars(std::string_view text) {
    size_t count = 0;
    for (const char c : text) count += c == '*';
    return count;
  }

  static constexpr size_t kMaxNesting = TextQuery::kMaxDepth;
  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  size_t phrase_count_ = 0;
  size_t word_count_ = 0;
};

}  // namespace

TextQuery TextQuery::Parse(std::string_view text) {
  TextQuery query;
  query.root_ = Parser(text).ParseAll();
  return query;
}

}  // namespace scaup
