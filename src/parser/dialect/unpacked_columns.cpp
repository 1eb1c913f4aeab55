// *COLUMNS(...) in a list of values: becomes a marked COLUMNS(...), which stands for one value for each
// column.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class UnpackedColumns final : public FormRewriter {
 public:
  explicit UnpackedColumns(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const bool is_found = tokens_.Is(index, '*') && tokens_.IsWord(index + 1, "columns") &&
                          tokens_.Is(index + 2, '(') && BeginsValue(index);
    if (!is_found) return index;
    rewriter.Write(index, "columns", TokenType::kIdentifier).mark = TokenMark::kUnpacked;
    return index + 2;
  }

 private:
  /// Returns whether a value begins: elsewhere, * is a multiplication by COLUMNS(...).
  bool BeginsValue(size_t index) const {
    if (index == 0) return false;
    switch (tokens_[index - 1].type) {
      case TokenType::kLeftParen:
      case TokenType::kLeftBracket:
      case TokenType::kComma:
      case TokenType::kColonEquals:
      case TokenType::kEqualsGreater:
      case TokenType::kDistinct:
      case TokenType::kSelect: return true;
      default: return tokens_.Is(index - 1, ':');
    }
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeUnpackedColumns(const StatementTokens& tokens) {
  return std::make_unique<UnpackedColumns>(tokens);
}

}  // namespace scaup
