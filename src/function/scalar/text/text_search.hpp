// The shared part of the full-text search functions on columns and on documents.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "function/scalar_function.hpp"
#include "text/text_matcher.hpp"

namespace scaup {

/// The names of the full-text search functions.
inline constexpr const char* kMatchesFunction = "matches";
inline constexpr const char* kScoreFunction = "score";

/// The queries of a call, one per row. A query is parsed only if it differs from the previous row's. One
/// thread at a time.
class RowQueries {
 public:
  /// `constant` is the query of all rows, or null.
  explicit RowQueries(const TextQuery* constant, bool stops_early);
  /// The matcher for a row's query, which is not read if there is a constant one. Throws Error(42601).
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

/// Stores the result of `matches` or `score` for a row whose texts were added to `matcher`.
inline void PutResult(const TextMatcher& matcher, size_t row, uint8_t* out) { out[row] = matcher.Matches(); }
inline void PutResult(const TextMatcher& matcher, size_t row, double* out) { out[row] = matcher.Score(); }

}  // namespace scaup
