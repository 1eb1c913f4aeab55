// POSITIONAL JOIN and ASOF JOIN: become a join whose left side ends with a marked table.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class MatchedJoin final : public FormRewriter {
 public:
  explicit MatchedJoin(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!FollowsTable(index)) return index;
    if (tokens_.IsName(index, "positional") && tokens_.Is(index + 1, TokenType::kJoin)) {
      WriteMark(rewriter, index, "\"positional\"", TokenMark::kPositionalJoin);
      WriteWord(rewriter, index, "CROSS");
      return index + 1;
    }
    if (!tokens_.IsName(index, "asof") || !BeginsJoin(index + 1)) return index;
    WriteMark(rewriter, index, "\"asof\"", TokenMark::kAsofJoin);
    return index + 1;
  }

 private:
  /// Returns whether the token follows a table of FROM, perhaps with an alias. After FROM and the like the
  /// word names a table.
  bool FollowsTable(size_t index) const {
    if (index == 0) return false;
    const Token& before = tokens_[index - 1];
    return before.type != TokenType::kFrom && before.type != TokenType::kJoin &&
           before.type != TokenType::kAs && !before.Is(',') && !before.Is('.') && !before.Is('(');
  }

  bool BeginsJoin(size_t index) const {
    size_t join = index;
    for (const auto word : {"inner", "left", "right", "full", "semi", "anti"}) {
      if (!tokens_.IsWord(index, word)) continue;
      join = index + 1;
      if (tokens_.IsWord(join, "outer")) ++join;
      break;
    }
    return tokens_.Is(join, TokenType::kJoin);
  }

  static void WriteWord(Rewriter& rewriter, size_t index, std::string_view word) {
    // CROSS has no type of its own, since nothing asks for it.
    rewriter.Write(index, word, TokenType::kIdentifier).is_keyword = true;
  }

  static void WriteMark(Rewriter& rewriter, size_t index, std::string_view name, TokenMark mark) {
    WriteWord(rewriter, index, "CROSS");
    rewriter.Write(index, "JOIN", TokenType::kJoin);
    rewriter.Write(index, name, TokenType::kIdentifier).mark = mark;
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeMatchedJoin(const StatementTokens& tokens) {
  return std::make_unique<MatchedJoin>(tokens);
}

}  // namespace scaup
