// Lambdas, lambda x, y: ... and x -> ..., as arguments of functions; list comprehensions, [... for x in
// list].
#include <map>
#include <vector>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// The functions to which x -> ... is a lambda. For all others, -> is the operator of JSON.
constexpr std::string_view kTakeLambdas[] = {
    "list_transform", "list_apply", "array_transform", "array_apply",  "apply", "list_filter",
    "array_filter",   "filter",     "list_reduce",     "array_reduce", "reduce"};

/// The tokens of a lambda: its parameters, and those from `body_begin` to before `end`.
struct LambdaTokens {
  std::vector<size_t> parameters;
  size_t body_begin = 0;
  size_t end = 0;
};

/// Returns the index of the first token from `begin` to before `end` that `test` accepts, outside of
/// brackets; `end` if there is none.
template <typename Test>
size_t FindOutsideBrackets(const StatementTokens& tokens, size_t begin, size_t end, const Test& test) {
  for (size_t i = begin; i < end; i++) {
    if (test(i)) return i;
    if (tokens.Is(i, '(') || tokens.Is(i, '[') || tokens.Is(i, '{')) i = tokens.Partner(i);
  }
  return end;
}

size_t FindComma(const StatementTokens& tokens, size_t begin, size_t end) {
  return FindOutsideBrackets(tokens, begin, end, [&](size_t index) { return tokens.Is(index, ','); });
}

/// Reads names with commas between them. Returns the index of the token after them; `begin` if there are
/// none.
size_t ReadNames(const StatementTokens& tokens, size_t begin, std::vector<size_t>& names) {
  const auto is_name = [&](size_t index) {
    return tokens.Is(index, TokenType::kIdentifier) || (index < tokens.size() && tokens[index].is_keyword);
  };
  names.clear();
  size_t at = begin;
  while (is_name(at)) {
    names.push_back(at);
    if (!tokens.Is(at + 1, ',') || !is_name(at + 2)) return at + 1;
    at += 2;
  }
  return begin;
}

/// Writes lambda(x, y, body) for a lambda whose first token is `begin`.
void WriteLambda(Rewriter& rewriter, size_t begin, const LambdaTokens& lambda) {
  rewriter.Write(begin, "lambda", TokenType::kIdentifier).mark = TokenMark::kLambda;
  rewriter.Write(begin, "(", TokenType::kLeftParen);
  for (const size_t parameter : lambda.parameters) {
    rewriter.Copy(parameter);
    rewriter.Write(parameter, ",", TokenType::kComma);
  }
  rewriter.Rewrite(lambda.body_begin, lambda.end);
  rewriter.Write(lambda.end - 1, ")", TokenType::kRightParen);
}

/// Finds the lambdas among the arguments of calls.
class LambdaFinder {
 public:
  explicit LambdaFinder(const StatementTokens& tokens) : tokens_(tokens) {}

  /// Returns the lambdas by their first token.
  std::map<size_t, LambdaTokens> Run() {
    for (size_t open = 1; open < tokens_.size(); open++) {
      if (tokens_.Is(open, '(') && tokens_.Partner(open) < tokens_.size()) VisitArguments(open);
    }
    return std::move(lambdas_);
  }

 private:
  void VisitArguments(size_t open) {
    const size_t close = tokens_.Partner(open);
    bool has_arrows = false;
    for (const std::string_view function : kTakeLambdas)
      has_arrows = has_arrows || tokens_.IsWord(open - 1, function);
    for (size_t begin = open + 1; begin < close;) {
      LambdaTokens lambda;
      const bool is_lambda = ReadWord(begin, lambda) || (has_arrows && ReadArrow(begin, lambda));
      lambda.end = FindComma(tokens_, is_lambda ? lambda.body_begin : begin, close);
      const size_t first = begin;
      begin = lambda.end + 1;
      if (is_lambda && lambda.end > lambda.body_begin) lambdas_.emplace(first, std::move(lambda));
    }
  }

  /// Reads lambda x, y:
  bool ReadWord(size_t begin, LambdaTokens& lambda) const {
    if (!tokens_.IsName(begin, "lambda")) return false;
    const size_t end = ReadNames(tokens_, begin + 1, lambda.parameters);
    lambda.body_begin = end + 1;
    return end > begin + 1 && tokens_.Is(end, ':');
  }

  /// Reads x -> or (x, y) ->
  bool ReadArrow(size_t begin, LambdaTokens& lambda) const {
    const bool has_parentheses = tokens_.Is(begin, '(');
    const size_t first = begin + (has_parentheses ? 1 : 0);
    const size_t end = ReadNames(tokens_, first, lambda.parameters);
    if (end == first || (has_parentheses ? !tokens_.Is(end, ')') : lambda.parameters.size() > 1))
      return false;
    const size_t arrow = end + (has_parentheses ? 1 : 0);
    lambda.body_begin = arrow + 1;
    return tokens_.Is(arrow, TokenType::kOperator) && tokens_.TextOf(arrow) == "->";
  }

  const StatementTokens& tokens_;
  std::map<size_t, LambdaTokens> lambdas_;
};

class Lambdas final : public FormRewriter {
 public:
  explicit Lambdas(std::map<size_t, LambdaTokens> lambdas) : lambdas_(std::move(lambdas)) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const auto found = lambdas_.find(index);
    if (found == lambdas_.end()) return index;
    WriteLambda(rewriter, index, found->second);
    return found->second.end;
  }

 private:
  std::map<size_t, LambdaTokens> lambdas_;
};

/// [result for x in list if condition] becomes list_transform(list, lambda x: result, lambda x: condition).
class ListComprehensions final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    if (!tokens.Is(index, '[') || tokens.Partner(index) >= tokens.size()) return index;
    const size_t close = tokens.Partner(index);
    const auto find = [&](size_t begin, TokenType type) {
      return FindOutsideBrackets(tokens, begin, close, [&](size_t at) { return tokens.Is(at, type); });
    };
    LambdaTokens result, condition;
    const size_t for_word = find(index + 1, TokenType::kFor);
    const size_t in_word = ReadNames(tokens, for_word + 1, result.parameters);
    if (for_word >= close || for_word == index + 1 || !tokens.Is(in_word, TokenType::kIn)) return index;
    const size_t if_word = find(in_word + 2, TokenType::kIf);
    if (if_word == in_word + 1 || if_word + 1 == close) return index;
    result.body_begin = index + 1;
    result.end = for_word;
    // The grammar allows subscripts and field names after parentheses only.
    const bool has_parentheses = tokens.Is(close + 1, '[') || tokens.Is(close + 1, '.');
    if (has_parentheses) rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "list_transform", TokenType::kIdentifier);
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Rewrite(in_word + 1, if_word);
    rewriter.Write(for_word, ",", TokenType::kComma);
    WriteLambda(rewriter, index + 1, result);
    if (if_word < close) {
      condition = {result.parameters, if_word + 1, close};
      rewriter.Write(if_word, ",", TokenType::kComma);
      WriteLambda(rewriter, if_word + 1, condition);
    }
    rewriter.Write(close, ")", TokenType::kRightParen);
    if (has_parentheses) rewriter.Write(close, ")", TokenType::kRightParen);
    return close + 1;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeLambdas(const StatementTokens& tokens) {
  bool may_have = false;
  for (size_t i = 0; i < tokens.size(); i++) {
    may_have = may_have || tokens.IsName(i, "lambda") ||
               (tokens.Is(i, TokenType::kOperator) && tokens.TextOf(i) == "->");
  }
  if (!may_have) return nullptr;
  auto lambdas = LambdaFinder(tokens).Run();
  return lambdas.empty() ? nullptr : std::make_unique<Lambdas>(std::move(lambdas));
}

std::unique_ptr<FormRewriter> MakeListComprehensions(const StatementTokens& tokens) {
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens.Is(i, TokenType::kFor)) return std::make_unique<ListComprehensions>();
  }
  return nullptr;
}

}  // namespace scaup
