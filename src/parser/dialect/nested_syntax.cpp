// Looks for STRUCT(a INTEGER), [a, b] and {'a': b} among a statement's tokens.
#include "parser/dialect/nested_syntax.hpp"

#include <algorithm>
#include <vector>

namespace scaup {

namespace {

class NestedFormFinder {
 public:
  NestedFormFinder(std::string_view sql, std::span<const Token> tokens) : sql_(sql), tokens_(tokens) {}

  std::map<size_t, NestedForm> Run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.Is('(') || token.Is('[') || token.Is('{')) {
        Open(i);
      } else if (token.Is(')') || token.Is(']') || token.Is('}')) {
        if (!open_.empty()) Close(i);
      } else if (token.Is(',') && !open_.empty()) {
        BeginItem(i + 1);
      }
    }
    return std::move(forms_);
  }

 private:
  enum class Bracket : uint8_t { kOther, kStructType, kStruct };
  struct OpenBracket {
    Bracket kind = Bracket::kOther;
    char closing = ')';
    std::vector<size_t> marks;  // Forms that count only if the bracket is closed.
  };

  std::string_view TextOf(size_t index) const {
    return sql_.substr(tokens_[index].origin, tokens_[index].origin_end - tokens_[index].origin);
  }
  bool IsWord(size_t index) const {
    if (index >= tokens_.size()) return false;
    const char first = TextOf(index)[0];
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' || first == '"' ||
           (first & 0x80) != 0;
  }
  /// A plain string or a name.
  bool IsKey(size_t index) const {
    return tokens_[index].type == TokenType::kString ? TextOf(index)[0] == '\'' : IsWord(index);
  }
  bool IsStructWord(size_t index) const {
    const std::string_view text = TextOf(index);
    constexpr std::string_view kStruct = "struct";
    return text.size() == kStruct.size() && std::equal(text.begin(), text.end(), kStruct.begin(),
                                                       [](char a, char b) { return (a | 0x20) == b; });
  }

  /// Whether an expression may begin at a token, judging by the one before it.
  bool BeginsExpression(size_t index) const {
    if (index == 0) return false;
    const Token& before = tokens_[index - 1];
    switch (before.type) {
      case TokenType::kIdentifier:
      case TokenType::kString:
      case TokenType::kInteger:
      case TokenType::kParameter:
      case TokenType::kRightParen:
      case TokenType::kRightBracket: return false;
      case TokenType::kSelect:
      case TokenType::kAll:
      case TokenType::kDistinct:
      case TokenType::kAnd:
      case TokenType::kOr:
      case TokenType::kNot:
      case TokenType::kIn:
      case TokenType::kWhen:
      case TokenType::kThen:
      case TokenType::kElse:
      case TokenType::kWhere:
      case TokenType::kOn:
      case TokenType::kBy:
      case TokenType::kHaving:
      case TokenType::kReturning:
      case TokenType::kDefault:
      case TokenType::kBetween:
      case TokenType::kLike: return true;
      default: return !before.is_keyword && !before.Is('}') && !before.Is('.') && !IsWord(index - 1);
    }
  }

  void Open(size_t index) {
    OpenBracket bracket;
    const Token& token = tokens_[index];
    bracket.closing = token.Is('(') ? ')' : token.Is('[') ? ']' : '}';
    if (token.Is('(') && index > 0 && IsStructWord(index - 1) && IsWord(index + 1) && IsWord(index + 2)) {
      bracket.kind = Bracket::kStructType;
    } else if (token.Is('[') && BeginsExpression(index)) {
      forms_[index] = NestedForm::kListOpen;
      bracket.marks.push_back(index);
    } else if (token.Is('{')) {
      bracket.kind = Bracket::kStruct;
      forms_[index] = NestedForm::kStructOpen;
      bracket.marks.push_back(index);
    }
    open_.push_back(std::move(bracket));
    BeginItem(index + 1);
  }

  void Close(size_t index) {
    const OpenBracket bracket = std::move(open_.back());
    open_.pop_back();
    if (!tokens_[index].Is(bracket.closing)) {
      for (const size_t mark : bracket.marks) forms_.erase(mark);
    } else if (bracket.kind == Bracket::kStruct) {
      forms_[index] = NestedForm::kStructClose;
    }
  }

  void BeginItem(size_t index) {
    OpenBracket& bracket = open_.back();
    if (bracket.kind == Bracket::kStructType && IsWord(index) && IsWord(index + 1)) {
      forms_[index] = NestedForm::kFieldName;
    } else if (bracket.kind == Bracket::kStruct && index + 1 < tokens_.size() && tokens_[index + 1].Is(':') &&
               IsKey(index)) {
      forms_[index] = NestedForm::kKey;
      forms_[index + 1] = NestedForm::kColon;
      bracket.marks.push_back(index);
      bracket.marks.push_back(index + 1);
    }
  }

  std::string_view sql_;
  std::span<const Token> tokens_;
  std::vector<OpenBracket> open_;
  std::map<size_t, NestedForm> forms_;
};

}  // namespace

std::map<size_t, NestedForm> FindNestedForms(std::string_view sql, std::span<const Token> tokens) {
  return NestedFormFinder(sql, tokens).Run();
}

}  // namespace scaup
