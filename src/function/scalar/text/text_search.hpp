// What the functions that search in text share, those over columns and those over documents.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "function/scalar_function.hpp"
#include "text/text_matcher.hpp"

namespace scaup {

/// The names of the functions that search in text.
inline constexpr const char* kMatchesFunction = "matches";
inline constexpr const char* kScoreFunction = "score";

/// The queries of a call, one for each row, that are all the same or not: each is parsed when it differs from
/// the one of the row before. One thread.
class RowQueries {
 public:
  /// `constant`, which may be null, is the query of all rows.
  explicit RowQueries(const TextQuery* constant, bool stops_early);
  /// Where no query was given for all rows. Throws Error(42601).
  TextMatcher& MatcherFor(std::string_view query);
  bool is_constant() const { return is_constant_; }
  TextMatcher& matcher() { return *matcher_; }

 private:
  bool is_constant_;
  bool stops_early_;
  std::string last_;
  std::unique_ptr<const TextQuery> parsed_;
  std::unique_ptr<TextMatcher> matcher_;
};

/// Puts the result of `matches` or `score` for a row whose texts `matcher` has been given.
inline void PutResult(const TextMatcher& matcher, size_t row, uint8_t* out) { out[row] = matcher.Matches(); }
inline void PutResult(const TextMatcher& matcher, size_t row, double* out) { out[row] = matcher.Score(); }

}  // namespace scaup
