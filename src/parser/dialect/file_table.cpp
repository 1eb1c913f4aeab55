// FROM 'file.csv': a file in single quotes, as in double quotes.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class FileTable final : public FormRewriter {
 public:
  explicit FileTable(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (index == 0 || !tokens_.Is(index, TokenType::kString) || tokens_.TextOf(index)[0] != '\'')
      return index;
    const Token& before = tokens_[index - 1];
    const bool is_table = before.type == TokenType::kJoin ||
                          (before.type == TokenType::kFrom && NamesTables(index - 1)) ||
                          (before.Is(',') && IsInFrom(index - 1));
    if (!is_table) return index;
    if (tokens_.TextOf(index) == "''") tokens_.ThrowSyntaxError(index);
    rewriter.WriteName(index);
    return index + 1;
  }

 private:
  /// Visits the tokens before `index` within the same brackets, backwards, until `visit` returns true.
  template <typename Visit>
  bool AnyBefore(size_t index, const Visit& visit) const {
    for (size_t i = index; i-- > 0;) {
      const Token& token = tokens_[i];
      if (token.Is(')') || token.Is(']')) {
        if (tokens_.Partner(i) == tokens_.size()) return false;
        i = tokens_.Partner(i);
        continue;
      }
      if (token.Is('(') || token.Is('[')) return false;
      if (visit(i)) return true;
    }
    return false;
  }

  /// Returns whether FROM begins the tables of a query, unlike those of EXTRACT(x FROM y), of TRIM and of
  /// IS DISTINCT FROM, and that of COPY.
  bool NamesTables(size_t from) const {
    if (from == 0) return true;
    const Token& before = tokens_[from - 1];
    if (before.Is('.')) return false;
    if (before.type == TokenType::kDistinct && from >= 2 && !tokens_.Is(from - 2, TokenType::kSelect))
      return false;
    if (before.Is('(')) return from < 2 || tokens_[from - 2].type != TokenType::kTrim;
    const bool is_query = AnyBefore(from, [&](size_t i) {
      switch (tokens_[i].type) {
        case TokenType::kSelect:
        case TokenType::kWith:
        case TokenType::kUnion:
        case TokenType::kIntersect:
        case TokenType::kExcept:
        case TokenType::kExplain:
        case TokenType::kInsert:
        case TokenType::kCreate: return true;
        default: return false;
      }
    });
    return is_query || tokens_.IsName(0, "describe") || tokens_.IsName(0, "summarize");
  }

  /// Returns whether the comma separates items of FROM.
  bool IsInFrom(size_t comma) const {
    bool is_table = false;
    AnyBefore(comma, [&](size_t i) {
      switch (tokens_[i].type) {
        case TokenType::kFrom: is_table = NamesTables(i); return true;
        case TokenType::kSelect:
        case TokenType::kWhere:
        case TokenType::kBy:
        case TokenType::kOn:
        case TokenType::kHaving:
        case TokenType::kWindow:
        case TokenType::kReturning:
        case TokenType::kValues:
        case TokenType::kSet: return true;
        default: return false;
      }
    });
    return is_table;
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeFileTable(const StatementTokens& tokens) {
  return std::make_unique<FileTable>(tokens);
}

}  // namespace scaup
