// TABLESAMPLE of a query in FROM: the query becomes one in WITH, whose name can be sampled.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

constexpr std::string_view kName = "\"sampled query\"";

class SampledQuery final : public FormRewriter {
 public:
  explicit SampledQuery(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.Is(index, '(') || !tokens_.BeginsQuery(index + 1)) return index;
    const size_t close = tokens_.Partner(index);
    const size_t sample = AliasEnd(close + 1);
    if (close == tokens_.size() || !tokens_.IsWord(sample, "tablesample")) return index;
    const size_t end = SampleEnd(sample);
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "WITH", TokenType::kWith);
    rewriter.Write(index, kName, TokenType::kIdentifier);
    rewriter.Write(index, "AS", TokenType::kAs);
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Rewrite(index + 1, close, index + 1);
    rewriter.Write(close, ")", TokenType::kRightParen);
    rewriter.Write(sample, "SELECT", TokenType::kSelect);
    rewriter.Write(sample, "*", TokenType::kStar);
    rewriter.Write(sample, "FROM", TokenType::kFrom);
    rewriter.Write(sample, kName, TokenType::kIdentifier);
    rewriter.Rewrite(sample, end);
    rewriter.Write(end - 1, ")", TokenType::kRightParen);
    rewriter.Rewrite(close + 1, sample);
    return end;
  }

 private:
  /// Returns the index of the token after [AS] alias [(columns)].
  size_t AliasEnd(size_t index) const {
    if (tokens_.IsWord(index, "tablesample")) return index;
    if (tokens_.Is(index, TokenType::kAs)) index++;
    index++;
    return tokens_.Is(index, '(') ? tokens_.Partner(index) + 1 : index;
  }
  /// Returns the index of the token after TABLESAMPLE method (arguments) [REPEATABLE (seed)].
  size_t SampleEnd(size_t sample) const {
    const size_t open = tokens_.NameEnd(sample + 1);
    if (!tokens_.Is(open, '(')) tokens_.ThrowSyntaxError(open);
    size_t end = PartnerOf(open) + 1;
    if (tokens_.IsWord(end, "repeatable") && tokens_.Is(end + 1, '(')) end = PartnerOf(end + 1) + 1;
    return end;
  }
  size_t PartnerOf(size_t open) const {
    if (tokens_.Partner(open) == tokens_.size()) tokens_.ThrowSyntaxError(tokens_.size());
    return tokens_.Partner(open);
  }

  const StatementTokens& tokens_;
};

bool HasSample(const StatementTokens& tokens) {
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens.IsWord(i, "tablesample")) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<FormRewriter> MakeSampledQuery(const StatementTokens& tokens) {
  return HasSample(tokens) ? std::make_unique<SampledQuery>(tokens) : nullptr;
}

}  // namespace scaup
