// RE2 behind a small class: compiled patterns for the operators ~ and SIMILAR TO and for the regexp_
// functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "function/scalar_function.hpp"

namespace scaup {

/// A compiled regular expression. Matching is linear in the text, whatever the pattern. Immutable; any
/// thread.
class RegularExpression {
 public:
  /// Throws Error(kOutOfRange, 2201B) when `pattern` is no regular expression.
  RegularExpression(std::string_view pattern, bool ignore_case);
  ~RegularExpression();
  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;

  /// Whether a part of `text` matches.
  bool Finds(std::string_view text) const;
  /// Whether all of `text` matches.
  bool MatchesAll(std::string_view text) const;
  /// Replaces in `text` the first match, or all of them, by `rewrite` (RE2's form, \0 .. \9).
  void Replace(std::string& text, const std::string& rewrite, bool all) const;
  /// True when `rewrite` names only groups that the pattern has.
  bool AcceptsRewrite(const std::string& rewrite) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A regular expression for a whole text from a SIMILAR TO pattern. False when it ends with the escape
/// character.
bool PatternFromSimilarTo(std::string_view pattern, std::string_view escape, std::string& regular_expression);

/// A constant pattern, compiled at bind.
struct RegularExpressionData final : FunctionData {
  explicit RegularExpressionData(RegularExpression expression_in) : expression(std::move(expression_in)) {}
  RegularExpression expression;
};

/// The bytes of a constant VARCHAR argument, or null if it is none.
const std::string* ConstantText(const BindArgument& argument);

}  // namespace scaup
