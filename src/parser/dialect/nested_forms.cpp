// Nested forms: lists, structs, maps and their types, as [a, b], {'a': b}, MAP {a: b}, STRUCT(a INTEGER),
// UNION(a INTEGER, b VARCHAR) and MAP(VARCHAR, INTEGER).
#include <map>
#include <vector>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// The role of a token in a nested form, and its replacement.
enum class NestedForm : uint8_t {
  kRowsType,    ///< TABLE of an argument TABLE (name TYPE, ...) of a function: struct
  kUnionType,   ///< UNION of UNION(name TYPE, ...): "union", since the word is an operator of queries
  kFieldName,   ///< the name of a field in STRUCT(name TYPE, ...) or UNION(...): name ::
  kListOpen,    ///< the [ of [a, b]: ARRAY [
  kListClose,   ///< the ] of a list: ]
  kStructOpen,  ///< the { of {'a': 1, b: 2}: struct_pack (
  kKey,         ///< a key 'a' or b of a struct: "a"
  kColon,       ///< the colon after a key: :=
  kMapOpen,     ///< MAP { of MAP {a: b}: map_pack (
  kMapColon,    ///< the colon after a key of a map: ,
  kMapPart,     ///< the ( or , before a type of MAP(VARCHAR, INTEGER): itself, NULL ::
  kCallOpen,    ///< MAP of MAP(keys, values)[a]: ( map
  kCallClose,   ///< the ) of the call: ) )
  kStructClose  ///< the } of a struct or map: )
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
      } else if (token.Is(':') && !open_.empty()) {
        EndKey(i);
      }
    }
    return std::move(forms_);
  }

 private:
  enum class Bracket : uint8_t { kOther, kStructType, kMapType, kMapCall, kStruct, kMap, kList };
  struct OpenBracket {
    Bracket kind = Bracket::kOther;
    char closing = ')';
    bool is_cast = false;    // that of CAST ( or TRY_CAST (
    bool is_broken = false;  // of a map: it has a key without a value
    bool has_key = false;    // of a map: the colon of the current entry has come
    size_t item_begin = 0;
    size_t opened_at = 0;       // of a call of MAP
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

  /// Returns whether MAP before a parenthesis begins a type, rather than a call. `index` is that of MAP.
  bool IsMapType(size_t index) const {
    if (index == 0) return false;
    const Token& before = tokens_[index - 1];
    if (before.type == TokenType::kTypeCast) return true;
    const OpenBracket outer = open_.empty() ? OpenBracket() : open_.back();
    if (outer.kind == Bracket::kMapType) return before.Is('(') || before.Is(',');
    if (tokens_.IsWord(index - 1, "as"))
      return outer.is_cast || tokens_.AreWords(0, {"create", "domain"}) ||
             tokens_.AreWords(0, {"create", "type"});
    if (!IsWord(index - 1)) return false;
    if (outer.kind == Bracket::kStructType) return true;
    // The type of a column or argument comes after its name.
    const bool is_named = before.type == TokenType::kIdentifier && !open_.empty() && index >= 2 &&
                          (tokens_.Is(index - 2, '(') || tokens_.Is(index - 2, ','));
    const bool is_definition = tokens_.IsWord(0, "create") || tokens_.IsWord(0, "alter");
    return is_named ||
           (is_definition && (before.type == TokenType::kIdentifier || !BeginsExpression(index)) &&
            !tokens_.IsWord(index - 1, "return"));
  }

  void Open(size_t index) {
    OpenBracket bracket;
    const Token& token = tokens_[index];
    bracket.closing = token.Is('(') ? ')' : token.Is('[') ? ']' : '}';
    const bool has_fields = token.Is('(') && index > 0 && IsWord(index + 1) && IsWord(index + 2);
    const bool is_rows_type = has_fields && IsRowsType(index - 1);
    if (is_rows_type) forms_[index - 1] = {NestedForm::kRowsType};
    const bool is_union = has_fields && tokens_.BeginsUnionType(index - 1);
    if (is_union) forms_[index - 1] = {NestedForm::kUnionType};
    bracket.is_cast = token.Is('(') && index > 0 &&
                      (tokens_.IsWord(index - 1, "cast") || tokens_.IsWord(index - 1, "try_cast"));
    if (token.Is('(') && index > 0 && tokens_.IsName(index - 1, "map")) {
      bracket.kind = IsMapType(index - 1) ? Bracket::kMapType : Bracket::kMapCall;
      bracket.opened_at = index;
    } else if (token.Is('{') && index > 0 && tokens_.IsName(index - 1, "map")) {
      bracket.kind = Bracket::kMap;
      forms_[index - 1] = {NestedForm::kMapOpen};
      bracket.marks.push_back(index - 1);
    } else if (has_fields && (is_rows_type || is_union || tokens_.IsWord(index - 1, "struct"))) {
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
    EndEntry(index);
    const OpenBracket bracket = std::move(open_.back());
    open_.pop_back();
    if (!tokens_[index].Is(bracket.closing) || bracket.is_broken) {
      for (const size_t mark : bracket.marks) forms_.erase(mark);
    } else if (bracket.kind == Bracket::kMapCall && tokens_.Is(index + 1, '[')) {
      forms_[bracket.opened_at - 1] = {NestedForm::kCallOpen};
      forms_[index] = {NestedForm::kCallClose};
    } else if (bracket.kind == Bracket::kStruct || bracket.kind == Bracket::kList ||
               bracket.kind == Bracket::kMap) {
      const bool has_parentheses = tokens_.Is(index + 1, '[') || tokens_.Is(index + 1, '.');
      const auto close = bracket.kind == Bracket::kList ? NestedForm::kListClose : NestedForm::kStructClose;
      forms_[bracket.marks.front()].is_in_parentheses = has_parentheses;
      forms_[index] = {close, has_parentheses};
    }
  }

  /// Ends the key of an entry of a map at a colon.
  void EndKey(size_t index) {
    OpenBracket& bracket = open_.back();
    if (bracket.kind != Bracket::kMap || bracket.has_key || index == bracket.item_begin) return;
    bracket.has_key = true;
    forms_[index] = {NestedForm::kMapColon};
    bracket.marks.push_back(index);
  }

  /// Ends an entry of a map before the token.
  void EndEntry(size_t index) {
    OpenBracket& bracket = open_.back();
    const bool is_empty_map = bracket.item_begin == index && bracket.marks.size() == 1;
    if (bracket.kind == Bracket::kMap && !bracket.has_key && !is_empty_map) bracket.is_broken = true;
  }

  void BeginItem(size_t index) {
    if (tokens_.Is(index - 1, ',')) EndEntry(index - 1);
    OpenBracket& bracket = open_.back();
    bracket.item_begin = index;
    bracket.has_key = false;
    if (bracket.kind == Bracket::kMapType) forms_[index - 1] = {NestedForm::kMapPart};
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
      case NestedForm::kUnionType: rewriter.Write(index, "\"union\"", TokenType::kIdentifier); break;
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
      case NestedForm::kCallOpen:
        rewriter.Write(index, "(", TokenType::kLeftParen);
        rewriter.Copy(index);
        break;
      case NestedForm::kCallClose:
        rewriter.Copy(index);
        rewriter.Write(index, ")", TokenType::kRightParen);
        break;
      case NestedForm::kMapOpen:
        if (token.is_in_parentheses) rewriter.Write(index, "(", TokenType::kLeftParen);
        rewriter.Write(index, "map_pack", TokenType::kIdentifier);
        rewriter.Write(index + 1, "(", TokenType::kLeftParen);
        return index + 2;
      case NestedForm::kMapColon: rewriter.Write(index, ",", TokenType::kComma); break;
      case NestedForm::kMapPart:
        rewriter.Copy(index);
        rewriter.Write(index, "NULL", TokenType::kIdentifier);
        rewriter.Write(index, "::", TokenType::kTypeCast);
        break;
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
