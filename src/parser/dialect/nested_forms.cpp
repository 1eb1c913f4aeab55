// Nested forms: lists, structs and struct types, as [a, b], {'a': b} and STRUCT(a INTEGER).
#include <map>
#include <vector>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// The role of a token in a nested form, and its replacement.
enum class NestedForm : uint8_t {
  kRowsType,    ///< TABLE of an argument TABLE (name TYPE, ...) of a function: struct
  kFieldName,   ///< the name of a field in STRUCT(name TYPE, ...): name ::
  kListOpen,    ///< the [ of [a, b]: ARRAY [
  kListClose,   ///< the ] of a list: ]
  kStructOpen,  ///< the { of {'a': 1, b: 2}: struct_pack (
  kKey,         ///< a key 'a' or b of a struct: "a"
  kColon,       ///< the colon after a key: :=
  kStructClose  ///< the } of a struct: )
};

struct NestedToken {
  NestedForm form;
  /// A subscript or a field name follows, as in [a, b][1]. The grammar allows them after parentheses only.
  bool is_in_parentheses = false;
};

/// Finds the tokens of nested forms, by index. Brackets without a partner are left unchanged, so that the
/// grammar reports the error where the user made it.
class NestedFormFinder {
 public:
  explicit NestedFormFinder(const StatementTokens& tokens) : tokens_(tokens) {}

  std::map<size_t, NestedToken> Run() {
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
  enum class Bracket : uint8_t { kOther, kStructType, kStruct, kList };
  struct OpenBracket {
    Bracket kind = Bracket::kOther;
    char closing = ')';
    std::vector<size_t> marks;  // indexes in forms_, to be erased if the bracket is not closed; first its own
  };

  bool IsWord(size_t index) const {
    if (index >= tokens_.size()) return false;
    const char first = tokens_.TextOf(index)[0];
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' || first == '"' ||
           (first & 0x80) != 0;
  }
  /// Returns whether the token is a plain string or a name.
  bool IsKey(size_t index) const {
    return tokens_[index].type == TokenType::kString ? tokens_.TextOf(index)[0] == '\'' : IsWord(index);
  }
  /// Returns whether an expression may begin at a token, by the token before it. This tells a list [a, b]
  /// from a subscript x[1].
  bool BeginsExpression(size_t index) const {
    if (index == 0) return false;
    const Token& before = tokens_[index - 1];
    switch (before.type) {
      case TokenType::kIdentifier:
      case TokenType::kString:
      case TokenType::kInteger:
      case TokenType::kParameter:
      case TokenType::kRightBracket: return false;
      case TokenType::kRightParen: return tokens_.EndsDistinctOn(index - 1);
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

  /// Returns whether the token is TABLE in the list of a function's arguments.
  bool IsRowsType(size_t index) const {
    if (!tokens_.Is(index, TokenType::kTable) || index < 3) return false;
    const auto begins_argument = [&](size_t i) { return tokens_.Is(i, '(') || tokens_.Is(i, ','); };
    if (!begins_argument(index - 1) && !begins_argument(index - 2)) return false;
    const bool is_definition = tokens_.IsWord(0, "create") || tokens_.IsWord(0, "drop") ||
                               tokens_.IsWord(0, "alter") || tokens_.IsWord(0, "comment");
    if (!is_definition) return false;
    size_t word = 1;
    while (word < index && word < 5 && !tokens_.IsWord(word, "function")) word++;
    return tokens_.IsWord(word, "function");
  }

  void Open(size_t index) {
    OpenBracket bracket;
    const Token& token = tokens_[index];
    bracket.closing = token.Is('(') ? ')' : token.Is('[') ? ']' : '}';
    const bool has_fields = token.Is('(') && index > 0 && IsWord(index + 1) && IsWord(index + 2);
    const bool is_rows_type = has_fields && IsRowsType(index - 1);
    if (is_rows_type) forms_[index - 1] = {NestedForm::kRowsType};
    if (has_fields && (is_rows_type || tokens_.IsWord(index - 1, "struct"))) {
      bracket.kind = Bracket::kStructType;
    } else if (token.Is('[') && BeginsExpression(index)) {
      bracket.kind = Bracket::kList;
      forms_[index] = {NestedForm::kListOpen};
      bracket.marks.push_back(index);
    } else if (token.Is('{')) {
      bracket.kind = Bracket::kStruct;
      forms_[index] = {NestedForm::kStructOpen};
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
    } else if (bracket.kind == Bracket::kStruct || bracket.kind == Bracket::kList) {
      const bool has_parentheses = tokens_.Is(index + 1, '[') || tokens_.Is(index + 1, '.');
      const auto close = bracket.kind == Bracket::kList ? NestedForm::kListClose : NestedForm::kStructClose;
      forms_[bracket.marks.front()].is_in_parentheses = has_parentheses;
      forms_[index] = {close, has_parentheses};
    }
  }

  void BeginItem(size_t index) {
    OpenBracket& bracket = open_.back();
    if (bracket.kind == Bracket::kStructType && IsWord(index) && IsWord(index + 1)) {
      forms_[index] = {NestedForm::kFieldName};
    } else if (bracket.kind == Bracket::kStruct && index + 1 < tokens_.size() && tokens_[index + 1].Is(':') &&
               IsKey(index)) {
      forms_[index] = {NestedForm::kKey};
      forms_[index + 1] = {NestedForm::kColon};
      bracket.marks.push_back(index);
      bracket.marks.push_back(index + 1);
    }
  }

  const StatementTokens& tokens_;
  std::vector<OpenBracket> open_;
  std::map<size_t, NestedToken> forms_;
};

class NestedForms final : public FormRewriter {
 public:
  explicit NestedForms(const StatementTokens& tokens) : forms_(NestedFormFinder(tokens).Run()) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const auto found = forms_.find(index);
    if (found == forms_.end()) return index;
    const NestedToken& token = found->second;
    switch (token.form) {
      case NestedForm::kRowsType:
        rewriter.Write(index, "struct", TokenType::kIdentifier).mark = TokenMark::kRowsArgument;
        break;
      case NestedForm::kFieldName:
        rewriter.WriteName(index);
        rewriter.Write(index, "::", TokenType::kTypeCast);
        break;
      case NestedForm::kListOpen:
        if (token.is_in_parentheses) rewriter.Write(index, "(", TokenType::kLeftParen);
        rewriter.Write(index, "ARRAY", TokenType::kIdentifier);
        rewriter.Copy(index);
        break;
      case NestedForm::kListClose:
        rewriter.Copy(index);
        if (token.is_in_parentheses) rewriter.Write(index, ")", TokenType::kRightParen);
        break;
      case NestedForm::kStructOpen:
        if (token.is_in_parentheses) rewriter.Write(index, "(", TokenType::kLeftParen);
        rewriter.Write(index, "struct_pack", TokenType::kIdentifier);
        rewriter.Write(index, "(", TokenType::kLeftParen);
        break;
      case NestedForm::kKey: rewriter.WriteName(index); break;
      case NestedForm::kColon: rewriter.Write(index, ":=", TokenType::kColonEquals); break;
      case NestedForm::kStructClose:
        rewriter.Write(index, ")", TokenType::kRightParen);
        if (token.is_in_parentheses) rewriter.Write(index, ")", TokenType::kRightParen);
        break;
    }
    return index + 1;
  }

 private:
  std::map<size_t, NestedToken> forms_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeNestedForms(const StatementTokens& tokens) {
  return std::make_unique<NestedForms>(tokens);
}

}  // namespace scaup
