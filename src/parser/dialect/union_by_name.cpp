// UNION BY NAME: becomes two UNIONs, with a marked operand between them.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class UnionByName final : public FormRewriter {
 public:
  explicit UnionByName(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.Is(index, TokenType::kUnion)) return index;
    const bool is_all = tokens_.Is(index + 1, TokenType::kAll);
    const size_t by = index + (is_all || tokens_.Is(index + 1, TokenType::kDistinct) ? 2 : 1);
    if (!tokens_.AreWords(by, {"by", "name"})) return index;
    for (size_t i = index; i < by; i++) rewriter.Copy(i);
    rewriter.Write(by, "SELECT", TokenType::kSelect);
    rewriter.Write(by, "\"name\"", TokenType::kIdentifier).mark = TokenMark::kUnionByName;
    rewriter.Write(by, "UNION", TokenType::kUnion);
    if (is_all) rewriter.Write(by, "ALL", TokenType::kAll);
    // A query that begins with FROM is recognized by the UNION in front of it, which BY NAME hides.
    if (!tokens_.Is(by + 2, TokenType::kFrom)) return by + 2;
    size_t end = by + 2;
    while (end < tokens_.size() && !tokens_.Is(end, ')') && !IsSetOperation(tokens_[end].type)) {
      const bool opens = tokens_.Is(end, '(') || tokens_.Is(end, '[');
      end = opens && tokens_.Partner(end) < tokens_.size() ? tokens_.Partner(end) + 1 : end + 1;
    }
    rewriter.Rewrite(by + 2, end, by + 2);
    return end;
  }

 private:
  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeUnionByName(const StatementTokens& tokens) {
  return std::make_unique<UnionByName>(tokens);
}

}  // namespace scaup
