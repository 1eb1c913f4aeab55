// What the optimizer believes of a relation: its rows, and of its columns distinct values, bounds and NULLs.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "expression/expression.hpp"

namespace scaup {

class SampledRows;

/// A column's values as points on a line: integers and decimals by their stored integer, strings by their
/// first bytes.
struct ColumnEstimate {
  /// Distinct values of the domain: filters on other columns do not lower it, so that a key and its foreign
  /// key still agree on it after either side was filtered. Zero: unknown.
  double distinct = 0;
  double null_fraction = 0;
  std::optional<std::pair<double, double>> bounds;
  /// Rows of the table that the column comes from: no more combinations of its columns exist.
  double base_rows = 0;
};

struct RelationEstimate {
  double rows = 0;
  std::map<ColumnBinding, ColumnEstimate> columns;
  /// Rows of a table whose rows were filtered at most; null: none.
  std::shared_ptr<const SampledRows> sample;
  /// Which rows of the sample passed the filters so far; empty: all.
  std::vector<uint8_t> passing;
};

/// The estimate of rows that are materialized for several readers; columns by position.
struct ShareEstimate {
  double rows = 0;
  std::vector<ColumnEstimate> columns;
};

/// How many of `distinct` values are still there among `rows` of `base_rows` rows, picked at random.
inline double RemainingDistinct(double distinct, double base_rows, double rows) {
  if (rows >= base_rows || base_rows <= 0 || distinct <= 0) return std::min(distinct, rows);
  const double per_value = base_rows / distinct;
  return std::min(rows, distinct * (1 - std::pow(1 - rows / base_rows, per_value)));
}

/// How many values a composite key has, given how many combinations either side can have at most, and the
/// values of its largest single column. The smaller side is the one whose key it is: there all combinations
/// are known to exist.
inline double CompositeDomain(double left_most, double right_most, double largest_column) {
  return std::max(std::min(left_most, right_most), largest_column);
}

/// Where a value lies on its column's line; nullopt for NULL and types without order there.
std::optional<double> PointOf(const Value& value);

/// The estimate of a table's column. `rows` are the table's.
ColumnEstimate EstimateColumn(const ColumnStatistics& statistics, const LogicalType& type, double rows);

/// Estimates how many rows pass predicates, and what the passing rows look like. Stateless.
class SelectivityEstimator {
 public:
  explicit SelectivityEstimator(const RelationEstimate& relation) : relation_(relation) {}

  /// Between 0 and 1.
  double Selectivity(const Expression& predicate) const;
  /// Distinct values of an expression; at least 1.
  double Distinct(const Expression& expression) const;

 private:
  double Comparison(const ComparisonExpression& comparison) const;
  double CompareColumn(const ColumnEstimate& column, ComparisonOp op, const Value& constant) const;
  double Conjunction(const ConjunctionExpression& conjunction) const;
  const ColumnEstimate* Find(const Expression& expression) const;

  const RelationEstimate& relation_;
};

/// ANDed predicates that are not independent: each further one counts for less (exponential backoff).
double CombineSelectivities(std::vector<double> selectivities);

/// The part of rows that pass, where `passed` of `tried` sampled rows do, and `otherwise` would be believed
/// without them: the fewer have passed, the more it counts. Where none has, the part is small at any rate.
/// `is_whole`: there are no other rows.
double BlendWithSample(size_t passed, size_t tried, double otherwise, bool is_whole);

/// Lowers the estimate by ANDed predicates. Where there is a sample, they are tried on its rows, one by one
/// and all together. Otherwise ranges of one column are intersected rather than multiplied.
void ApplyPredicates(RelationEstimate& relation, const std::vector<const Expression*>& predicates);

}  // namespace scaup
