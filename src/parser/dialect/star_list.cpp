// * EXCLUDE (a) REPLACE (e AS b) RENAME (c AS d): becomes a marked subquery whose clauses carry the lists.
#include <algorithm>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class StarList final : public FormRewriter {
 public:
  explicit StarList(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!BeginsItem(index)) return index;
    size_t star = index;
    while (star + 1 < tokens_.size() && !tokens_.Is(star, '*') && tokens_.Is(star + 1, '.')) star += 2;
    if (!tokens_.Is(star, '*')) return index;
    const Lists lists = ListsAfter(star);
    if (lists.end == star + 1) return index;
    rewriter.Write(index, "(", TokenType::kLeftParen).mark = TokenMark::kStarList;
    rewriter.Write(index, "SELECT", TokenType::kSelect);
    for (size_t i = index; i <= star; ++i) rewriter.Copy(i);
    if (lists.replace.begin != 0) {
      rewriter.Write(lists.replace.begin, ",", TokenType::kComma);
      rewriter.Rewrite(lists.replace.begin, lists.replace.end);
    }
    if (lists.rename.begin != 0) {
      rewriter.Write(lists.rename.begin, "FROM", TokenType::kFrom);
      rewriter.Rewrite(lists.rename.begin, lists.rename.end);
    }
    if (lists.exclude.begin != 0) {
      rewriter.Write(lists.exclude.begin, "GROUP", TokenType::kGroup);
      rewriter.Write(lists.exclude.begin, "BY", TokenType::kBy);
      rewriter.Rewrite(lists.exclude.begin, lists.exclude.end);
    }
    rewriter.Write(lists.end - 1, ")", TokenType::kRightParen);
    return lists.end;
  }

 private:
  /// The tokens of a list without its parentheses; `begin` is 0 if there is none.
  struct List {
    size_t begin = 0;
    size_t end = 0;
  };
  struct Lists {
    List exclude, replace, rename;
    size_t end = 0;  ///< the token after the last list
  };

  /// Returns whether an item of a SELECT or RETURNING list begins: elsewhere, * is a multiplication.
  bool BeginsItem(size_t index) const {
    if (index == 0) return false;
    const Token& before = tokens_[index - 1];
    switch (before.type) {
      case TokenType::kSelect:
      case TokenType::kDistinct:
      case TokenType::kComma:
      case TokenType::kReturning: return true;
      case TokenType::kAll: return tokens_.Is(index - 2, TokenType::kSelect);
      case TokenType::kRightParen: return tokens_.EndsDistinctOn(index - 1);
      case TokenType::kLeftParen: return index > 1 && tokens_.IsWord(index - 2, "columns");
      default: return false;
    }
  }

  Lists ListsAfter(size_t star) const {
    Lists lists;
    lists.end = star + 1;
    while (true) {
      List* const list = tokens_.IsWord(lists.end, "exclude")   ? &lists.exclude
                         : tokens_.IsWord(lists.end, "replace") ? &lists.replace
                         : tokens_.IsWord(lists.end, "rename")  ? &lists.rename
                                                                : nullptr;
      if (list == nullptr) return lists;
      const size_t open = lists.end + 1;
      if (tokens_.Is(open, '(') && tokens_.Partner(open) < tokens_.size()) {
        if (list->begin != 0) tokens_.ThrowSyntaxError(lists.end);
        *list = {open + 1, tokens_.Partner(open)};
        if (list->begin == list->end) tokens_.ThrowSyntaxError(list->end);
        lists.end = list->end + 1;
      } else if (list == &lists.exclude && tokens_.Is(open, TokenType::kIdentifier)) {
        if (list->begin != 0) tokens_.ThrowSyntaxError(lists.end);
        *list = {open, std::min(tokens_.NameEnd(open), tokens_.size())};
        lists.end = list->end;
      } else {
        return lists;
      }
    }
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeStarList(const StatementTokens& tokens) {
  return std::make_unique<StarList>(tokens);
}

}  // namespace scaup
