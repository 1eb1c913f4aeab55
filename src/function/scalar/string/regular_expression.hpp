// A wrapper of RE2: compiled patterns for ~, SIMILAR TO and the regexp_ functions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "function/scalar_function.hpp"

namespace scaup {

/// The options that PostgreSQL's flags express.
struct RegularExpressionOptions {
  bool ignore_case = false;        ///< i
  bool is_literal = false;         ///< q: the pattern is literal text
  bool is_expanded = false;        ///< x: white space and comments (# to the line's end) are ignored
  bool dot_skips_newline = false;  ///< n, m, p: . and [^...] do not match a line's end
  bool anchors_at_lines = false;   ///< n, m, w: ^ and $ match at the ends of lines
  bool all_matches = false;        ///< g: for functions that replace
  friend bool operator==(const RegularExpressionOptions&, const RegularExpressionOptions&) = default;
};

/// Parses PostgreSQL's flags. Throws Error(22023) for unknown ones, and for g unless `allows_all`.
RegularExpressionOptions ParseRegularExpressionFlags(std::string_view flags, bool allows_all);

/// A compiled regular expression. Matching takes linear time in the text, whatever the pattern. Of the
/// matches that begin at one position the longest is taken, as in PostgreSQL, unless a quantifier such as *?
/// asks for the shortest. Immutable; thread-safe.
class RegularExpression {
 public:
  /// Throws Error(kOutOfRange, 2201B) if `pattern` is not a valid regular expression.
  RegularExpression(std::string_view pattern, const RegularExpressionOptions& options);
  ~RegularExpression();
  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;

  /// Whether a part of `text` matches.
  bool Finds(std::string_view text) const;
  /// Whether all of `text` matches.
  bool MatchesAll(std::string_view text) const;
  /// The number of capturing groups.
  size_t group_count() const;
  /// Finds the first match at or after byte `begin`; ^ and \b see the text before it. Sets parts[0] to the
  /// match and parts[i] to the text of group i, with null data() if the group took no part. REQUIRES: begin
  /// <= text.size(), parts.size() <= group_count() + 1.
  bool Match(std::string_view text, size_t begin, std::span<std::string_view> parts) const;

  /// Calls visit(parts) for one match after the other from byte `begin` on, until it returns false. After an
  /// empty match, the search continues at the next character.
  template <typename Visit>
  void ForEachMatch(std::string_view text, size_t begin, std::span<std::string_view> parts,
                    Visit&& visit) const {
    while (begin <= text.size() && Match(text, begin, parts) && visit(parts)) {
      begin = static_cast<size_t>(parts[0].data() - text.data()) + parts[0].size();
      if (!parts[0].empty()) continue;
      begin++;
      while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) begin++;
    }
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Caches a compiled expression for runs of rows that share pattern and flags; constants are compiled once
/// per vector.
class RegularExpressionCache {
 public:
  explicit RegularExpressionCache(bool allows_all) : allows_all_(allows_all) {}
  const RegularExpression& Get(std::string_view pattern, std::string_view flags);
  /// The options of the last Get.
  const RegularExpressionOptions& options() const { return options_; }

 private:
  bool allows_all_;
  std::string pattern_;
  std::string flags_;
  RegularExpressionOptions options_;
  std::optional<RegularExpression> compiled_;
};

/// Converts a SIMILAR TO pattern to a regular expression for the whole text. Returns false if it ends with
/// the escape character.
bool PatternFromSimilarTo(std::string_view pattern, std::string_view escape, std::string& regular_expression);

/// Converts the pattern of substring(text SIMILAR pattern ESCAPE escape) to a regular expression, whose only
/// group is the part between the two escaped quotation marks. Returns false if it ends with the escape
/// character. Throws Error(2200C) for more than two marks.
bool PatternOfSimilarPart(std::string_view pattern, std::string_view escape, std::string& regular_expression);

/// A constant pattern, compiled when the call is bound.
struct RegularExpressionData final : FunctionData {
  explicit RegularExpressionData(RegularExpression expression_in) : expression(std::move(expression_in)) {}
  RegularExpression expression;
};

/// Compiles a constant pattern (argument `pattern`) with constant flags (argument `flags`, if it exists), so
/// that errors appear before the query runs.
void CheckConstantPattern(std::span<const BindArgument> arguments, size_t pattern, size_t flags,
                          bool allows_all);

/// The bytes of a constant VARCHAR argument; null if it is not one.
const std::string* ConstantText(const BindArgument& argument);

}  // namespace scaup
