// Estimates the selectivity of predicates, from column statistics where they exist.
#include <cstring>
#include <limits>

#include "common/stack_bound.hpp"
#include "optimizer/analysis/relation_estimate.hpp"
#include "optimizer/statistics/sampled_rows.hpp"
#include "type/number/int128.hpp"

namespace scaup {
namespace {

// The selectivities of predicates of which nothing is known.
constexpr double kUnknownEquality = 0.1;
constexpr double kUnknownRange = 1.0 / 3;
constexpr double kUnknownPredicate = 0.25;
constexpr double kLikePrefix = 0.05;
constexpr double kLikeContains = 0.07;
constexpr double kLeastSelectivity = 1e-9;

double Clamp(double selectivity) { return std::clamp(selectivity, kLeastSelectivity, 1.0); }

bool IsRange(ComparisonOp op) { return op >= ComparisonOp::kLess && op <= ComparisonOp::kGreaterEqual; }

/// The fraction of [bounds] that [low, high] covers. On a line of integers, a closed end includes its whole
/// point.
double Overlap(const std::pair<double, double>& bounds, double low, double high) {
  const double from = std::max(low, bounds.first), to = std::min(high, bounds.second);
  if (from > to) return 0;
  const double width = bounds.second - bounds.first;
  return width <= 0 ? 1 : std::clamp((to - from) / width, 0.0, 1.0);
}

/// The most values that x % constant can have; infinity for other expressions.
double MostRemainders(const Expression& expression) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (expression.kind() != ExpressionKind::kFunction) return kAny;
  const auto& call = expression.As<FunctionExpression>();
  if (call.function.name != "%" || call.arguments[1]->kind() != ExpressionKind::kConstant) return kAny;
  const std::optional<double> divisor = PointOf(call.arguments[1]->As<ConstantExpression>().value);
  return divisor && *divisor != 0 ? std::max(std::abs(*divisor), 1.0) : kAny;
}

double LikeSelectivity(const FunctionExpression& call) {
  double selectivity = kLikeContains;
  if (call.arguments.size() >= 2 && call.arguments[1]->kind() == ExpressionKind::kConstant) {
    const Value& pattern = call.arguments[1]->As<ConstantExpression>().value;
    if (!pattern.is_null() && pattern.type().id() == TypeId::kVarchar) {
      const std::string& text = pattern.GetString();
      if (!text.empty() && text[0] != '%' && text[0] != '_') selectivity = kLikePrefix;
    }
  }
  return call.function.name[0] == '!' ? 1 - selectivity : selectivity;
}

bool IsLike(const std::string& name) {
  return name == "~~" || name == "!~~" || name == "~~*" || name == "!~~*";
}

}  // namespace

std::optional<double> PointOf(const Value& value) {
  if (value.is_null()) return std::nullopt;
  switch (PhysicalTypeOf(value.type())) {
    case PhysicalType::kBool:
    case PhysicalType::kInt8:
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64:
    case PhysicalType::kInt128: return Int128ToDouble(value.GetInteger());
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
      return std::isfinite(value.GetDouble()) ? std::optional(value.GetDouble()) : std::nullopt;
    case PhysicalType::kString: {
      double point = 0;
      const std::string& text = value.GetString();
      for (size_t i = 0; i < 8; i++)
        point = point * 256 + (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
      return point;
    }
    case PhysicalType::kInterval: return std::nullopt;
  }
  return std::nullopt;
}

ColumnEstimate EstimateColumn(const ColumnStatistics& statistics, const LogicalType& type, double rows) {
  ColumnEstimate estimate;
  estimate.base_rows = rows;
  const double counted = static_cast<double>(statistics.row_count);
  estimate.null_fraction = counted > 0 ? static_cast<double>(statistics.null_count) / counted : 0;
  if (statistics.sampled_rows > 0)
    estimate.distinct = std::clamp(statistics.EstimateDistinct(), 1.0, std::max(rows, 1.0));
  const PhysicalType physical = PhysicalTypeOf(type);
  if (!statistics.zone.has_bounds || physical == PhysicalType::kInterval) return estimate;
  const bool is_real = physical == PhysicalType::kFloat || physical == PhysicalType::kDouble;
  const auto point = [&](const ZoneBound& bound) {
    return is_real ? bound.real : Int128ToDouble(bound.integer);
  };
  const double least = point(statistics.zone.minimum), greatest = point(statistics.zone.maximum);
  if (!std::isfinite(least) || !std::isfinite(greatest)) return estimate;
  estimate.bounds = {least, greatest};
  // Integers in a small range cannot have more values than the range.
  if (!is_real && physical != PhysicalType::kString && estimate.distinct > 0) {
    estimate.distinct = std::min(estimate.distinct, estimate.bounds->second - estimate.bounds->first + 1);
  }
  return estimate;
}

const ColumnEstimate* SelectivityEstimator::Find(const Expression& expression) const {
  const Expression* current = &expression;
  while (current->kind() == ExpressionKind::kCast) current = current->As<CastExpression>().child.get();
  if (current->kind() != ExpressionKind::kColumnRef) return nullptr;
  const auto found = relation_.columns.find(current->As<ColumnRefExpression>().binding);
  return found == relation_.columns.end() ? nullptr : &found->second;
}

double SelectivityEstimator::Distinct(const Expression& expression) const {
  const double rows = std::max(relation_.rows, 1.0);
  if (const ColumnEstimate* column = Find(expression))
    return column->distinct > 0 ? column->distinct : std::max(rows * kUnknownEquality, 1.0);
  if (expression.kind() == ExpressionKind::kConstant) return 1;
  if (expression.kind() == ExpressionKind::kColumnRef)
    return std::max(rows * kUnknownEquality, 1.0);  // nothing is known
  double distinct = 1;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& ref) { distinct *= Distinct(ref); });
  return std::min({distinct, MostRemainders(expression), rows});
}

double SelectivityEstimator::CompareColumn(const ColumnEstimate& column, ComparisonOp op,
                                           const Value& constant) const {
  const double present = 1 - column.null_fraction;
  const double equal = column.distinct > 0 ? 1 / column.distinct : kUnknownEquality;
  const std::optional<double> point = PointOf(constant);
  if (op == ComparisonOp::kEqual || op == ComparisonOp::kNotEqual) {
    const bool outside =
        point && column.bounds && (*point < column.bounds->first || *point > column.bounds->second);
    const double selectivity = outside ? 0 : equal;
    return present * (op == ComparisonOp::kEqual ? selectivity : 1 - selectivity);
  }
  if (!IsRange(op)) return kUnknownPredicate;
  if (!point || !column.bounds) return present * kUnknownRange;
  const double infinity = std::numeric_limits<double>::infinity();
  const bool is_below = op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual;
  return present *
         (is_below ? Overlap(*column.bounds, -infinity, *point) : Overlap(*column.bounds, *point, infinity));
}

double SelectivityEstimator::Comparison(const ComparisonExpression& comparison) const {
  const bool is_constant = comparison.right->kind() == ExpressionKind::kConstant;
  const ColumnEstimate* left = Find(*comparison.left);
  // Under a cast, the constant is on another line than the column, so only equality can be estimated.
  if (is_constant && left != nullptr && comparison.left->kind() == ExpressionKind::kColumnRef) {
    return CompareColumn(*left, comparison.op, comparison.right->As<ConstantExpression>().value);
  }
  switch (comparison.op) {
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotDistinctFrom:
      return 1 / std::max({Distinct(*comparison.left), Distinct(*comparison.right), 1.0});
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinctFrom:
      return 1 - 1 / std::max({Distinct(*comparison.left), Distinct(*comparison.right), 2.0});
    case ComparisonOp::kLess:
    case ComparisonOp::kLessEqual:
    case ComparisonOp::kGreater:
    case ComparisonOp::kGreaterEqual: return kUnknownRange;
  }
  return kUnknownPredicate;
}

double SelectivityEstimator::Conjunction(const ConjunctionExpression& conjunction) const {
  std::vector<double> parts;
  for (const ExpressionPtr& child : conjunction.children) parts.push_back(Selectivity(*child));
  if (conjunction.is_and) return CombineSelectivities(std::move(parts));
  double none = 1;
  for (const double part : parts) none *= 1 - part;
  return 1 - none;
}

double SelectivityEstimator::Selectivity(const Expression& predicate) const {
  CheckStack();
  switch (predicate.kind()) {
    case ExpressionKind::kConstant: {
      const Value& value = predicate.As<ConstantExpression>().value;
      return value.is_null() || !value.GetBoolean() ? 0 : 1;
    }
    case ExpressionKind::kComparison: return Clamp(Comparison(predicate.As<ComparisonExpression>()));
    case ExpressionKind::kConjunction: return Clamp(Conjunction(predicate.As<ConjunctionExpression>()));
    case ExpressionKind::kNot: return Clamp(1 - Selectivity(*predicate.As<NotExpression>().child));
    case ExpressionKind::kIsNull: {
      const auto& test = predicate.As<IsNullExpression>();
      const ColumnEstimate* column = Find(*test.child);
      const double null_fraction = column != nullptr ? column->null_fraction : 0.05;
      return Clamp(test.negated ? 1 - null_fraction : null_fraction);
    }
    case ExpressionKind::kInList: {
      const auto& list = predicate.As<InListExpression>();
      const double found = std::min(1.0, static_cast<double>(list.values.size()) / Distinct(*list.child));
      return Clamp(list.negated ? 1 - found : found);
    }
    case ExpressionKind::kFunction: {
      const auto& call = predicate.As<FunctionExpression>();
      return IsLike(call.function.name) ? LikeSelectivity(call) : kUnknownPredicate;
    }
    case ExpressionKind::kColumnRef: return 0.5;
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kCast:
    case ExpressionKind::kCase:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return kUnknownPredicate;
  }
  return kUnknownPredicate;
}

double CombineSelectivities(std::vector<double> selectivities) {
  std::sort(selectivities.begin(), selectivities.end());
  double combined = 1, exponent = 1;
  for (const double selectivity : selectivities) {
    combined *= std::pow(selectivity, exponent);
    exponent /= 2;
  }
  return combined;
}

namespace {

/// The constant bounds that predicates set for one column.
struct ColumnRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Merges a predicate such as column < constant into the column's range. Returns nullopt for other
/// predicates.
std::optional<ColumnBinding> AddToRanges(const Expression& predicate, const RelationEstimate& relation,
                                         std::map<ColumnBinding, ColumnRange>& ranges) {
  if (predicate.kind() != ExpressionKind::kComparison) return std::nullopt;
  const auto& comparison = predicate.As<ComparisonExpression>();
  if (!IsRange(comparison.op) || comparison.left->kind() != ExpressionKind::kColumnRef) return std::nullopt;
  if (comparison.right->kind() != ExpressionKind::kConstant) return std::nullopt;
  const ColumnBinding binding = comparison.left->As<ColumnRefExpression>().binding;
  const auto column = relation.columns.find(binding);
  const std::optional<double> point = PointOf(comparison.right->As<ConstantExpression>().value);
  if (column == relation.columns.end() || !column->second.bounds || !point) return std::nullopt;
  ColumnRange& range = ranges[binding];
  if (comparison.op == ComparisonOp::kLess || comparison.op == ComparisonOp::kLessEqual) {
    range.high = std::min(range.high, *point);
  } else {
    range.low = std::max(range.low, *point);
  }
  return binding;
}

/// Reduces the distinct values of a column: column = constant leaves one, column IN (...) as many as listed.
void NarrowDistinct(const Expression& predicate, RelationEstimate& relation) {
  const auto limit = [&](const Expression& operand, double count) {
    if (operand.kind() != ExpressionKind::kColumnRef) return;
    const auto column = relation.columns.find(operand.As<ColumnRefExpression>().binding);
    if (column != relation.columns.end() && column->second.distinct > count) column->second.distinct = count;
  };
  if (predicate.kind() == ExpressionKind::kComparison) {
    const auto& comparison = predicate.As<ComparisonExpression>();
    const bool is_constant = comparison.right->kind() == ExpressionKind::kConstant;
    if (comparison.op == ComparisonOp::kEqual && is_constant) limit(*comparison.left, 1);
  } else if (predicate.kind() == ExpressionKind::kInList && !predicate.As<InListExpression>().negated) {
    const auto& list = predicate.As<InListExpression>();
    limit(*list.child, static_cast<double>(std::max<size_t>(list.values.size(), 1)));
  }
}

}  // namespace

double BlendWithSample(size_t passed, size_t tried, double otherwise, bool is_whole) {
  if (tried == 0) return otherwise;
  // If no row passes, at most half a row is assumed to pass.
  const double most_if_none = 0.5 / static_cast<double>(tried);
  if (passed == 0) return std::min(otherwise, most_if_none);
  const double part = static_cast<double>(passed) / static_cast<double>(tried);
  if (is_whole) return part;
  // A weighted geometric mean: the more rows have passed, the more the sample counts.
  const double weight = static_cast<double>(passed) / (static_cast<double>(passed) + 1);
  return std::pow(part, weight) * std::pow(std::max(otherwise, kLeastSelectivity), 1 - weight);
}

namespace {

/// A predicate, or all predicates that bound one column.
struct PredicatePart {
  double selectivity;                           ///< without the sample
  std::optional<std::vector<uint8_t>> passing;  ///< by sampled row; nullopt if it cannot be evaluated on them
};

void KeepCommon(std::vector<uint8_t>& rows, const std::vector<uint8_t>& others) {
  if (rows.empty()) {
    rows = others;
    return;
  }
  for (size_t i = 0; i < rows.size(); i++) rows[i] &= others[i];
}

size_t CountPassing(const std::vector<uint8_t>& rows) {
  return static_cast<size_t>(std::count(rows.begin(), rows.end(), uint8_t{1}));
}

/// The fraction of rows that pass all predicates; also narrows relation.passing.
double CombineWithSample(RelationEstimate& relation, const std::vector<PredicatePart>& parts) {
  std::vector<double> tried, untried;
  std::vector<uint8_t> together = relation.passing;
  const bool is_whole = relation.sample && relation.sample->is_whole();
  size_t row_count = 0;
  for (const PredicatePart& part : parts) {
    if (!part.passing) {
      untried.push_back(part.selectivity);
      continue;
    }
    // Each predicate by itself, and all of them together: the difference reveals correlations between them.
    std::vector<uint8_t> alone = relation.passing;
    KeepCommon(alone, *part.passing);
    row_count = relation.passing.empty() ? alone.size() : CountPassing(relation.passing);
    tried.push_back(BlendWithSample(CountPassing(alone), row_count, part.selectivity, is_whole));
    KeepCommon(together, *part.passing);
  }
  const size_t tried_count = tried.size();
  if (tried_count != 0) {
    double all = CombineSelectivities(std::move(tried));
    if (tried_count > 1) all = BlendWithSample(CountPassing(together), row_count, all, is_whole);
    untried.push_back(Clamp(all));
    relation.passing = std::move(together);
  }
  return CombineSelectivities(std::move(untried));
}

}  // namespace

void ApplyPredicates(RelationEstimate& relation, const std::vector<const Expression*>& predicates) {
  if (predicates.empty()) return;
  std::map<ColumnBinding, ColumnRange> ranges;
  std::map<ColumnBinding, PredicatePart> range_parts;
  std::vector<PredicatePart> parts;
  const SelectivityEstimator estimator(relation);
  for (const Expression* predicate : predicates) {
    auto passing = relation.sample ? relation.sample->Try(*predicate) : std::nullopt;
    const std::optional<ColumnBinding> column = AddToRanges(*predicate, relation, ranges);
    if (!column) {
      parts.push_back({estimator.Selectivity(*predicate), std::move(passing)});
      continue;
    }
    const auto [part, is_first] = range_parts.try_emplace(*column, PredicatePart{1, passing});
    if (is_first) continue;
    if (part->second.passing && passing) {
      KeepCommon(*part->second.passing, *passing);
    } else {
      part->second.passing.reset();
    }
  }
  for (const auto& [binding, range] : ranges) {
    ColumnEstimate& column = relation.columns[binding];
    const double covered = Overlap(*column.bounds, range.low, range.high);
    // A point range still contains one value.
    const double least = column.distinct > 0 ? 1 / column.distinct : kLeastSelectivity;
    const bool is_empty =
        range.low > column.bounds->second || range.high < column.bounds->first || range.low > range.high;
    const double part = is_empty ? kLeastSelectivity : std::max(covered, least);
    parts.push_back({Clamp(part * (1 - column.null_fraction)), std::move(range_parts.at(binding).passing)});
    // NULLs fail the comparison.
    column.null_fraction = 0;
    if (is_empty) continue;
    column.bounds = {std::max(column.bounds->first, range.low), std::min(column.bounds->second, range.high)};
    if (column.distinct > 0) column.distinct = std::max(1.0, column.distinct * part);
  }
  for (const Expression* predicate : predicates) NarrowDistinct(*predicate, relation);
  relation.rows *= CombineWithSample(relation, parts);
}

}  // namespace scaup
