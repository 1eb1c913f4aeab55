// ScanPredicate: which rows a scan wants.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "type/scan_filter.hpp"

namespace scaup {

class TextQuery;

/// A condition on rows: their texts match a query.
struct TextSearch {
  /// The stored column that holds the texts, or the documents that contain them.
  size_t column;
  /// The number of the document path whose texts, including those below it, are searched.
  uint32_t path = 0;
  std::shared_ptr<const TextQuery> query;
};

/// A scan filter whose constant is the value of a parameter. No row passes if the value is NULL.
struct ParameterFilter {
  ScanFilter filter;
  size_t parameter;  ///< 0 for $1
};

/// Which rows a scan wants: those that meet all of its terms. The optimizer makes it of a query's predicates;
/// estimates, EXPLAIN, the choice of an index, zone maps, the scan and precision locking all read this one
/// object. Runtime filters of joins are added to it. A plain value.
///
/// Filters are exact: the scan applies them, and nobody else does. The other terms are hints, which a filter
/// above the scan repeats: the scan may skip rows that do not meet them.
struct ScanPredicate {
  std::vector<ScanFilter> filters = {};
  /// Filters by parameters, in a generic plan; exact, once WithParameters has given them values.
  std::vector<ParameterFilter> parameter_filters = {};
  /// Hints: a row must pass at least one filter of each list.
  std::vector<std::vector<ScanFilter>> alternatives = {};
  /// Hints: a row's texts must match all of these. Only an index can use them.
  std::vector<TextSearch> text_searches = {};

  /// Returns whether every row meets the predicate.
  bool is_true() const {
    return filters.empty() && parameter_filters.empty() && alternatives.empty() && text_searches.empty();
  }
  /// Calls `test` with each term that values of columns decide, as the list of filters of which a row must
  /// pass one, until it returns false. Returns whether it never did.
  template <typename Test>
  bool AllTerms(Test&& test) const {
    return std::all_of(filters.begin(), filters.end(),
                       [&](const ScanFilter& filter) { return test(std::span(&filter, 1)); }) &&
           std::all_of(alternatives.begin(), alternatives.end(),
                       [&](const auto& any) { return test(std::span<const ScanFilter>(any)); });
  }
  /// Returns whether a row may meet the terms, if `may_pass` tells for each filter whether it may pass.
  template <typename MayPass>
  bool MayBeMet(MayPass&& may_pass) const {
    return AllTerms([&](std::span<const ScanFilter> any) { return std::ranges::any_of(any, may_pass); });
  }
  /// Calls `visit` with each filter that has its constant, those of alternatives last.
  template <typename Visit>
  void ForEachFilter(Visit&& visit) const {
    AllTerms([&](std::span<const ScanFilter> any) {
      for (const ScanFilter& filter : any) visit(filter);
      return true;
    });
  }
  /// Returns the predicate with the values of parameters; nullopt if no row can pass, as one of them is NULL.
  std::optional<ScanPredicate> WithParameters(std::span<const Value> values) const;
};

}  // namespace scaup
