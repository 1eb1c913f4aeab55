// INTERVAL 3 DAYS, INTERVAL '3' DAYS and INTERVAL (x) DAY: become an interval literal, or a product.
#include <algorithm>
#include <string>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

constexpr std::string_view kUnits[] = {
    "microsecond", "microseconds", "millisecond", "milliseconds", "second",    "seconds", "minute",
    "minutes",     "hour",         "hours",       "day",          "days",      "week",    "weeks",
    "month",       "months",       "quarter",     "quarters",     "year",      "years",   "decade",
    "decades",     "century",      "centuries",   "millennium",   "millennia",
};

class IntervalForms final : public FormRewriter {
 public:
  explicit IntervalForms(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.IsWord(index, "interval") || !BeginsValue(index)) return index;
    const size_t sign = tokens_.Is(index + 1, '-') ? 1 : 0;
    const size_t value = index + 1 + sign;
    if (IsNumber(value) && IsUnit(value + 1)) {
      const std::string text = std::string(tokens_.TextOf(value));
      WriteLiteral(rewriter, index, value + 1, (sign != 0 ? "-" : "") + text);
      return value + 2;
    }
    if (sign != 0) return index;
    if (tokens_.Is(value, TokenType::kString) && IsUnit(value + 1) && IsNumberText(value) &&
        !IsPostgresField(value + 1)) {
      const std::string_view quoted = tokens_.TextOf(value);
      WriteLiteral(rewriter, index, value + 1, std::string(quoted.substr(1, quoted.size() - 2)));
      return value + 2;
    }
    size_t end = value + 1;
    if (tokens_.Is(value, '(')) {
      end = tokens_.Partner(value) + 1;
    } else if (tokens_.Is(value, TokenType::kIdentifier)) {
      end = std::min(tokens_.NameEnd(value), tokens_.size());
    } else {
      return index;
    }
    if (end >= tokens_.size() || !IsUnit(end)) return index;
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Rewrite(value, end);
    rewriter.Write(end - 1, ")", TokenType::kRightParen);
    rewriter.Write(end, "*", CharacterToken('*'));
    WriteLiteral(rewriter, index, end, "1");
    rewriter.Write(end, ")", TokenType::kRightParen);
    return end + 1;
  }

 private:
  /// Returns whether the word can begin a literal: it does not name a type or a column.
  bool BeginsValue(size_t index) const {
    if (index == 0) return true;
    const Token& before = tokens_[index - 1];
    return !before.Is('.') && before.type != TokenType::kAs && before.type != TokenType::kTypeCast;
  }

  bool IsNumber(size_t index) const {
    return tokens_.Is(index, TokenType::kInteger) || tokens_.Is(index, TokenType::kDecimal);
  }

  /// Returns whether a string is a number, which has no unit of its own.
  bool IsNumberText(size_t index) const {
    const std::string_view text = tokens_.TextOf(index);
    if (text.size() < 3 || text[0] != '\'') return false;
    return std::all_of(text.begin() + 1, text.end() - 1, [](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == ' ';
    });
  }

  bool IsUnit(size_t index) const {
    return std::any_of(std::begin(kUnits), std::end(kUnits),
                       [&](std::string_view unit) { return tokens_.IsWord(index, unit); });
  }

  /// Returns whether the grammar itself takes the unit after a string.
  bool IsPostgresField(size_t index) const {
    constexpr std::string_view kFields[] = {"second", "minute", "hour", "day", "month", "year"};
    return std::any_of(std::begin(kFields), std::end(kFields),
                       [&](std::string_view unit) { return tokens_.IsWord(index, unit); });
  }

  void WriteLiteral(Rewriter& rewriter, size_t index, size_t unit, const std::string& number) const {
    std::string word(tokens_.TextOf(unit));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    // The texts of intervals know no quarters.
    const bool is_quarter = word == "quarter" || word == "quarters";
    if (is_quarter) {
      word = "months";
      rewriter.Write(index, "(", TokenType::kLeftParen);
      rewriter.Write(index, "3", TokenType::kInteger);
      rewriter.Write(index, "*", CharacterToken('*'));
    }
    rewriter.Write(index, "INTERVAL", TokenType::kIdentifier).is_keyword = true;
    rewriter.Write(index, "'" + number + " " + word + "'", TokenType::kString);
    if (is_quarter) rewriter.Write(unit, ")", TokenType::kRightParen);
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeInterval(const StatementTokens& tokens) {
  return std::make_unique<IntervalForms>(tokens);
}

}  // namespace scaup
