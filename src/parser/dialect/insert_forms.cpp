// INSERT OR REPLACE, INSERT OR IGNORE and INSERT INTO t BY NAME: become an INSERT with marked tokens.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class InsertForms final : public FormRewriter {
 public:
  explicit InsertForms(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (tokens_.Is(index, TokenType::kInsert)) return RewriteHead(rewriter, index);
    if (IsByName(index)) {
      rewriter.result().tokens.back().mark = TokenMark::kByName;
      return index + 2;
    }
    return index;
  }

 private:
  size_t RewriteHead(Rewriter& rewriter, size_t index) const {
    const bool replaces = tokens_.AreWords(index + 1, {"or", "replace", "into"});
    if (!replaces && !tokens_.AreWords(index + 1, {"or", "ignore", "into"})) return index;
    rewriter.Copy(index);
    rewriter.Write(index + 2, "INTO", TokenType::kInto).mark =
        replaces ? TokenMark::kOrReplace : TokenMark::kOrIgnore;
    return index + 4;
  }

  /// Returns whether BY NAME follows INSERT INTO t or INSERT INTO t AS a, before a query.
  bool IsByName(size_t index) const {
    if (index < 3 || !tokens_.AreWords(index, {"by", "name"}) || !tokens_.BeginsQuery(index + 2))
      return false;
    size_t name = index - 1;
    if (tokens_.Is(name - 1, TokenType::kAs)) name -= 2;
    while (name >= 2 && tokens_.Is(name - 1, '.')) name -= 2;
    return name >= 2 && tokens_.Is(name - 1, TokenType::kInto);
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeInsertForms(const StatementTokens& tokens) {
  return std::make_unique<InsertForms>(tokens);
}

}  // namespace scaup
