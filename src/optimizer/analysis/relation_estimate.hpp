// Estimates of a relation: its rows, and the distinct values, bounds and NULLs of its columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "expression/expression.hpp"
#include "storage/filter/column_statistics.hpp"

namespace scaup {

class SampledRows;

/// Estimates of a column. Values are points on a line: integers and decimals by their stored integer, strings
/// by their first bytes.
struct ColumnEstimate {
  /// Distinct values of the domain. Filters on other columns do not reduce it, so a key and its foreign key
  /// still agree after either side was filtered. Zero if unknown.
  double distinct = 0;
  double null_fraction = 0;
  std::optional<std::pair<double, double>> bounds;
  /// Rows of the column's table, which bounds the number of combinations of its columns.
  double base_rows = 0;
};

struct RelationEstimate {
  double rows = 0;
  std::map<ColumnBinding, ColumnEstimate> columns;
  /// A sample of the table's rows, for a table or a filter of one; otherwise null.
  std::shared_ptr<const SampledRows> sample;
  /// The sampled rows that passed the filters so far; empty means all.
  std::vector<uint8_t> passing;
};

/// Estimates of rows that are materialized for several readers; columns by position.
struct ShareEstimate {
  double rows = 0;
  std::vector<ColumnEstimate> columns;
};

/// The expected number of the `distinct` values that remain among `rows` of `base_rows` rows chosen at
/// random.
inline double RemainingDistinct(double distinct, double base_rows, double rows) {
  if (rows >= base_rows || base_rows <= 0 || distinct <= 0) return std::min(distinct, rows);
  const double per_value = base_rows / distinct;
  return std::min(rows, distinct * (1 - std::pow(1 - rows / base_rows, per_value)));
}

/// The number of distinct values of a composite key, given the most combinations that either side can have,
/// and the distinct values of its largest single column. The smaller side is taken as the one whose key it
/// is: all of its combinations exist.
inline double CompositeDomain(double left_most, double right_most, double largest_column) {
  return std::max(std::min(left_most, right_most), largest_column);
}

/// The position of a value on its column's line; nullopt for NULL and for types without such an order.
std::optional<double> PointOf(const Value& value);

/// Estimates a table's column from its statistics. `rows` are the table's.
ColumnEstimate EstimateColumn(const ColumnStatistics& statistics, const LogicalType& type, double rows);

/// Estimates the fraction of rows that pass predicates, and distinct values. Stateless.
class SelectivityEstimator {
 public:
  explicit SelectivityEstimator(const RelationEstimate& relation) : relation_(relation) {}

  /// The selectivity of a predicate, between 0 and 1.
  double Selectivity(const Expression& predicate) const;
  /// The distinct values of an expression; at least 1.
  double Distinct(const Expression& expression) const;

 private:
  double Comparison(const ComparisonExpression& comparison) const;
  double CompareColumn(const ColumnEstimate& column, ComparisonOp op, const Value& constant) const;
  double Conjunction(const ConjunctionExpression& conjunction) const;
  const ColumnEstimate* Find(const Expression& expression) const;

  const RelationEstimate& relation_;
};

/// Combines the selectivities of ANDed predicates, which are not independent: each further one counts less
/// (exponential backoff).
double CombineSelectivities(std::vector<double> selectivities);

/// Combines a sample's result, `passed` of `tried` rows, with the selectivity `otherwise` estimated without
/// it. The fewer rows have passed, the more `otherwise` counts; if none has, the result is small in any case.
/// `is_whole`: the sample is the whole table.
double BlendWithSample(size_t passed, size_t tried, double otherwise, bool is_whole);

/// Reduces the estimate by ANDed predicates. If there is a sample, they are evaluated on its rows, one by one
/// and all together. Otherwise ranges of the same column are intersected instead of multiplied.
void ApplyPredicates(RelationEstimate& relation, const std::vector<const Expression*>& predicates);

}  // namespace scaup
