// Parameters: checks $1, $2, ..., and replaces each ? by such a number, from left to right.
#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

constexpr size_t kMostParameters = 65535;  ///< PostgreSQL's own limit

void CheckCount(size_t number, size_t position) {
  if (number <= kMostParameters) return;
  ThrowError(ErrorKind::kSyntax, sqlstate::kProgramLimitExceeded,
             fmt::format("a statement can have at most {} parameters", kMostParameters), position);
}

/// Distinguishes the operators ?, ?|, ?& and @? of JSONB from parameters: an operator is between two
/// operands.
class JsonOperators {
 public:
  explicit JsonOperators(const StatementTokens& tokens) : tokens_(tokens) {}

  bool Has(size_t index) const {
    const std::string_view text = tokens_.TextOf(index);
    if ((text != "?" && text != "?|" && text != "?&" && text != "@?") || index == 0) return false;
    return EndsOperand(index - 1) && BeginsOperand(index + 1);
  }

 private:
  bool EndsOperand(size_t index) const {
    const Token& token = tokens_[index];
    // A parameter cannot follow an operand, so a ? after one is an operator.
    if (token.Is(')')) return !tokens_.EndsDistinctOn(index);
    return token.Is(']') || token.type == TokenType::kString || token.type == TokenType::kIdentifier ||
           token.type == TokenType::kParameter || (token.is_keyword && IsColumnWord(index));
  }

  /// Returns whether the keyword is likely the name of a column. The list has unreserved keywords that are
  /// common names of columns, and after which the grammar allows no operand.
  bool IsColumnWord(size_t index) const {
    static constexpr std::string_view kWords[] = {"attribute", "comment", "content", "data", "document",
                                                  "header",    "key",     "label",   "name", "object",
                                                  "options",   "text",    "type",    "value"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view lower) { return tokens_.IsWord(index, lower); });
  }

  bool BeginsOperand(size_t index) const {
    if (index >= tokens_.size()) return false;
    const Token& token = tokens_[index];
    return token.Is('(') || token.type == TokenType::kString || token.type == TokenType::kIdentifier ||
           token.type == TokenType::kParameter || tokens_.TextOf(index) == "?" ||
           tokens_.IsWord(index, "null") || tokens_.IsWord(index, "array") || tokens_.IsWord(index, "cast");
  }

  const StatementTokens& tokens_;
};

class Parameters final : public FormRewriter {
 public:
  explicit Parameters(const StatementTokens& tokens) : tokens_(tokens), json_operators_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (tokens_[index].type == TokenType::kParameter) {
      TakeNumbered(rewriter, index);
      rewriter.Copy(index);
      return index + 1;
    }
    const bool has_question_mark = tokens_[index].type == TokenType::kOperator &&
                                   tokens_.TextOf(index).find('?') != std::string_view::npos;
    if (!has_question_mark || json_operators_.Has(index)) return index;
    RewriteQuestionMarks(rewriter, index);
    return index + 1;
  }

 private:
  [[noreturn]] static void ThrowMixed(size_t position) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "a statement takes its parameters either as ? or as $1, $2, ..., not both", position);
  }

  void TakeNumbered(Rewriter& rewriter, size_t index) {
    const size_t position = tokens_[index].origin;
    if (has_question_marks_) ThrowMixed(position);
    has_numbered_ = true;
    size_t number = 0;
    // The number stops growing beyond the limit, so that many digits cannot overflow it.
    for (const char digit : tokens_.TextOf(index).substr(1))
      number = std::min<size_t>(number * 10 + static_cast<size_t>(digit - '0'), kMostParameters + 1);
    if (number == 0) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kUndefinedParameter,
                 "there is no parameter $0: they begin with $1", position);
    }
    CheckCount(number, position);
    size_t& count = rewriter.result().parameter_count;
    count = std::max(count, number);
  }

  /// Splits an operator token into operators and parameters. The scanner takes ? for an operator character,
  /// so that "=?" is one token.
  void RewriteQuestionMarks(Rewriter& rewriter, size_t index) {
    const std::string_view text = tokens_.TextOf(index);
    for (size_t i = 0; i < text.size();) {
      const size_t origin = tokens_[index].origin + i;
      if (text[i] != '?') {
        const size_t end = std::min(text.find('?', i), text.size());
        rewriter.WriteAt(origin, tokens_[index].origin + end, text.substr(i, end - i), TokenType::kOperator);
        i = end;
        continue;
      }
      if (has_numbered_) ThrowMixed(origin);
      has_question_marks_ = true;
      const size_t number = ++rewriter.result().parameter_count;
      CheckCount(number, origin);
      rewriter.WriteAt(origin, origin + 1, fmt::format("${}", number), TokenType::kParameter);
      ++i;
    }
  }

  const StatementTokens& tokens_;
  JsonOperators json_operators_;
  bool has_question_marks_ = false;
  bool has_numbered_ = false;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeParameters(const StatementTokens& tokens) {
  return std::make_unique<Parameters>(tokens);
}

}  // namespace scaup
