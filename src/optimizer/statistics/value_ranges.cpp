// Value ranges: proven facts on the values of columns and expressions, for types stored as integers.
#include "optimizer/statistics/value_ranges.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "function/function_registry.hpp"
#include "function/scalar/nested/element_test.hpp"
#include "optimizer/analysis/null_rejection.hpp"
#include "storage/filter/element_test.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/physical_type.hpp"
#include "type/time/date_time.hpp"
#include "vector/filter/in_list.hpp"

namespace scaup {
namespace {

using Bounds = ValueFacts::Bounds;

/// The bounds of a type's values; nullopt for types not stored as integers.
std::optional<Bounds> TypeBounds(const LogicalType& type) {
  if (type.id() == TypeId::kDecimal)
    return Bounds{-(PowerOfTen(type.width()) - 1), PowerOfTen(type.width()) - 1};
  const auto bits = [](int count) {
    return Bounds{-(int128_t{1} << (count - 1)), (int128_t{1} << (count - 1)) - 1};
  };
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kBool: return Bounds{0, 1};
    case PhysicalType::kInt8: return bits(8);
    case PhysicalType::kInt16: return bits(16);
    case PhysicalType::kInt32: return bits(32);
    case PhysicalType::kInt64: return bits(64);
    case PhysicalType::kInt128: return Bounds{kInt128Min, kInt128Max};
    case PhysicalType::kUInt8: return Bounds{0, UINT8_MAX};
    case PhysicalType::kUInt16: return Bounds{0, UINT16_MAX};
    case PhysicalType::kUInt32: return Bounds{0, UINT32_MAX};
    case PhysicalType::kUInt64: return Bounds{0, UINT64_MAX};
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Bounds> CastBounds(const Bounds& bounds, const LogicalType& from, const LogicalType& to) {
  const auto is_exact = [](const LogicalType& type) {
    return type.IsInteger() || type.id() == TypeId::kDecimal;
  };
  if (from.id() == TypeId::kDate && to.id() == TypeId::kTimestamp) {
    int64_t low, high;
    const auto low_day = static_cast<int32_t>(bounds.minimum),
               high_day = static_cast<int32_t>(bounds.maximum);
    if (!DateToTimestamp(low_day, low) || !DateToTimestamp(high_day, high)) return std::nullopt;
    return Bounds{low, high};
  }
  if (!is_exact(from) || !is_exact(to)) return std::nullopt;
  Bounds result;
  if (!RescaleDecimal(bounds.minimum, from.scale(), to.scale(), result.minimum)) return std::nullopt;
  if (!RescaleDecimal(bounds.maximum, from.scale(), to.scale(), result.maximum)) return std::nullopt;
  return result;
}

bool AnyChildMayBeNull(const Expression& expression, const ColumnFacts& columns) {
  bool any = false;
  expression.ForEachChild([&](const Expression& child) { any = any || FactsOf(child, columns).may_be_null; });
  return any;
}

ValueFacts FactsOfFunction(const FunctionExpression& call, const ColumnFacts& columns) {
  ValueFacts facts;
  if (call.function.range == nullptr) return facts;
  std::vector<std::optional<ValueRange>> ranges;
  std::vector<LogicalType> types;
  for (const ExpressionPtr& argument : call.arguments) {
    const ValueFacts of_argument = FactsOf(*argument, columns);
    types.push_back(argument->type());
    if (of_argument.bounds) {
      ranges.push_back(
          ValueRange{of_argument.bounds->minimum, of_argument.bounds->maximum, of_argument.may_be_null});
    } else {
      ranges.push_back(std::nullopt);
    }
  }
  const std::optional<ValueRange> range = call.function.range(ranges, types, call.type());
  if (!range) return facts;
  facts.bounds = Bounds{range->minimum, range->maximum};
  facts.may_be_null = range->may_be_null;
  return facts;
}

ValueFacts FactsOfCast(const CastExpression& cast, const ColumnFacts& columns) {
  const ValueFacts child = FactsOf(*cast.child, columns);
  ValueFacts facts;
  facts.may_be_null = child.may_be_null || cast.is_try;
  if (child.bounds) facts.bounds = CastBounds(*child.bounds, cast.child->type(), cast.type());
  return facts;
}

ValueFacts Unite(const ValueFacts& a, const ValueFacts& b) {
  ValueFacts facts;
  facts.may_be_null = a.may_be_null || b.may_be_null;
  if (a.bounds && b.bounds) {
    facts.bounds = Bounds{std::min(a.bounds->minimum, b.bounds->minimum),
                          std::max(a.bounds->maximum, b.bounds->maximum)};
  }
  return facts;
}

ValueFacts FactsOfAggregate(const AggregateExpression& aggregate, const ColumnFacts& columns) {
  ValueFacts facts;
  const std::string& name = aggregate.function.name;
  if (name == "count" || name == "count_star") return {Bounds{0, INT64_MAX}, false};
  if ((name == "min" || name == "max") && aggregate.arguments.size() == 1)
    facts.bounds = FactsOf(*aggregate.arguments[0], columns).bounds;
  return facts;
}

std::optional<bool> Compare(ComparisonOp op, const Bounds& a, const Bounds& b) {
  switch (op) {
    case ComparisonOp::kLess:
      if (a.maximum < b.minimum) return true;
      if (a.minimum >= b.maximum) return false;
      return std::nullopt;
    case ComparisonOp::kLessEqual:
      if (a.maximum <= b.minimum) return true;
      if (a.minimum > b.maximum) return false;
      return std::nullopt;
    case ComparisonOp::kGreater: return Compare(ComparisonOp::kLess, b, a);
    case ComparisonOp::kGreaterEqual: return Compare(ComparisonOp::kLessEqual, b, a);
    case ComparisonOp::kEqual:
      if (a.maximum < b.minimum || b.maximum < a.minimum) return false;
      if (a.minimum == a.maximum && b.minimum == b.maximum && a.minimum == b.minimum) return true;
      return std::nullopt;
    case ComparisonOp::kNotEqual: {
      const std::optional<bool> equal = Compare(ComparisonOp::kEqual, a, b);
      return equal ? std::optional(!*equal) : std::nullopt;
    }
    case ComparisonOp::kDistinctFrom:
    case ComparisonOp::kNotDistinctFrom: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> OutcomeOfConjunction(const ConjunctionExpression& conjunction,
                                         const ColumnFacts& columns) {
  bool all_settled = true;
  for (const ExpressionPtr& child : conjunction.children) {
    const std::optional<bool> outcome = OutcomeOf(*child, columns);
    if (outcome && *outcome != conjunction.is_and) return !conjunction.is_and;
    all_settled = all_settled && outcome.has_value();
  }
  return all_settled ? std::optional(conjunction.is_and) : std::nullopt;
}

}  // namespace

bool IsStoredAsInteger(const LogicalType& type) {
  return type.id() != TypeId::kNull && TypeBounds(type).has_value();
}

bool FitsType(const Bounds& bounds, const LogicalType& type) {
  const std::optional<Bounds> limits = TypeBounds(type);
  return limits && bounds.minimum >= limits->minimum && bounds.maximum <= limits->maximum;
}

ValueFacts FactsOfColumn(const ColumnStatistics& statistics, const ColumnDefinition& definition) {
  ValueFacts facts;
  facts.may_be_null = !definition.not_null;
  if (statistics.null_count == 0) facts.may_be_null = false;
  if (statistics.zone.has_bounds && IsStoredAsInteger(definition.type)) {
    facts.bounds = Bounds{statistics.zone.minimum.integer, statistics.zone.maximum.integer};
  }
  return facts;
}

void ColumnFacts::AddTable(size_t table_index, TableEntryRef table, TableStatistics statistics) {
  sources_.push_back({table_index, std::move(table), std::move(statistics)});
}

ValueFacts ColumnFacts::FactsOfSource(ColumnBinding binding) const {
  for (const Source& source : sources_) {
    if (source.table_index == binding.table_index && binding.column_index < source.statistics->size())
      return FactsOfColumn((*source.statistics)[binding.column_index],
                           source.table->columns[binding.column_index]);
  }
  return {};
}

ValueFacts& ColumnFacts::operator[](ColumnBinding binding) {
  const auto place = facts_.lower_bound(binding);
  if (place != facts_.end() && place->first == binding) return place->second;
  return facts_.emplace_hint(place, binding, FactsOfSource(binding))->second;
}

ValueFacts ColumnFacts::Find(ColumnBinding binding) const {
  const auto found = facts_.find(binding);
  return found == facts_.end() ? FactsOfSource(binding) : found->second;
}

ValueFacts FactsOf(const Expression& expression, const ColumnFacts& columns) {
  CheckStack();
  switch (expression.kind()) {
    case ExpressionKind::kConstant: {
      const Value& value = expression.As<ConstantExpression>().value;
      ValueFacts facts;
      facts.may_be_null = value.is_null();
      if (!value.is_null() && IsStoredAsInteger(value.type()))
        facts.bounds = Bounds{value.GetInteger(), value.GetInteger()};
      return facts;
    }
    case ExpressionKind::kColumnRef: return columns.Find(expression.As<ColumnRefExpression>().binding);
    case ExpressionKind::kFunction: return FactsOfFunction(expression.As<FunctionExpression>(), columns);
    case ExpressionKind::kCast: return FactsOfCast(expression.As<CastExpression>(), columns);
    case ExpressionKind::kAggregate: return FactsOfAggregate(expression.As<AggregateExpression>(), columns);
    case ExpressionKind::kComparison: {
      const ComparisonOp op = expression.As<ComparisonExpression>().op;
      const bool sees_nulls = op == ComparisonOp::kDistinctFrom || op == ComparisonOp::kNotDistinctFrom;
      return {Bounds{0, 1}, !sees_nulls && AnyChildMayBeNull(expression, columns)};
    }
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot: return {Bounds{0, 1}, AnyChildMayBeNull(expression, columns)};
    case ExpressionKind::kIsNull: return {Bounds{0, 1}, false};
    case ExpressionKind::kInList: {
      const auto& values = expression.As<InListExpression>().values;
      const bool has_null =
          std::any_of(values.begin(), values.end(), [](const Value& value) { return value.is_null(); });
      return {Bounds{0, 1}, has_null || AnyChildMayBeNull(expression, columns)};
    }
    case ExpressionKind::kCase: {
      const auto& case_of = expression.As<CaseExpression>();
      ValueFacts facts = FactsOf(*case_of.otherwise, columns);
      // A constant NULL has no bounds and must not widen those of the other branches.
      const bool is_null = case_of.otherwise->kind() == ExpressionKind::kConstant &&
                           case_of.otherwise->As<ConstantExpression>().value.is_null();
      if (is_null) facts.bounds = FactsOf(*case_of.branches[0].result, columns).bounds;
      for (const CaseExpression::Branch& branch : case_of.branches)
        facts = Unite(facts, FactsOf(*branch.result, columns));
      return facts;
    }
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return {};
  }
  return {};
}

std::optional<bool> OutcomeOf(const Expression& predicate, const ColumnFacts& columns) {
  switch (predicate.kind()) {
    case ExpressionKind::kConstant: {
      const Value& value = predicate.As<ConstantExpression>().value;
      return !value.is_null() && value.GetBoolean();
    }
    case ExpressionKind::kComparison: {
      const auto& comparison = predicate.As<ComparisonExpression>();
      if (!CannotFail(predicate)) return std::nullopt;  // its error must still be raised
      const ValueFacts left = FactsOf(*comparison.left, columns), right = FactsOf(*comparison.right, columns);
      if (!left.bounds || !right.bounds) return std::nullopt;
      const std::optional<bool> outcome = Compare(comparison.op, *left.bounds, *right.bounds);
      if (outcome == true && (left.may_be_null || right.may_be_null)) return std::nullopt;
      return outcome;
    }
    case ExpressionKind::kConjunction:
      return OutcomeOfConjunction(predicate.As<ConjunctionExpression>(), columns);
    case ExpressionKind::kIsNull: {
      const auto& test = predicate.As<IsNullExpression>();
      if (!CannotFail(*test.child) || FactsOf(*test.child, columns).may_be_null) return std::nullopt;
      return test.negated;
    }
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kFunction:
    case ExpressionKind::kCast:
    case ExpressionKind::kNot:
    case ExpressionKind::kInList:
    case ExpressionKind::kCase:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return std::nullopt;
  }
  return std::nullopt;
}

namespace {

ExpressionPtr ListContains(ExpressionPtr list, Value element) {
  const BindArgument types[] = {{list->type(), nullptr}, {element.type(), &element}};
  ResolvedScalar contains = ResolveScalar(FunctionRegistry::Builtin(), kListContainsFunctions[0], types);
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(list));
  arguments.push_back(std::make_unique<ConstantExpression>(std::move(element)));
  return std::make_unique<FunctionExpression>(std::move(contains.function), std::move(contains.data),
                                              std::move(arguments));
}

}  // namespace

ExpressionPtr PredicateOf(const ScanFilter& filter, size_t table_index, const LogicalType& type) {
  auto column = std::make_unique<ColumnRefExpression>(type, ColumnBinding{table_index, filter.column}, "");
  const auto compare = [&](ComparisonOp op) {
    return std::make_unique<ComparisonExpression>(op, std::move(column),
                                                  std::make_unique<ConstantExpression>(filter.constant));
  };
  switch (filter.op) {
    case ScanFilter::Op::kEqual: return compare(ComparisonOp::kEqual);
    case ScanFilter::Op::kNotEqual: return compare(ComparisonOp::kNotEqual);
    case ScanFilter::Op::kLess: return compare(ComparisonOp::kLess);
    case ScanFilter::Op::kLessEqual: return compare(ComparisonOp::kLessEqual);
    case ScanFilter::Op::kGreater: return compare(ComparisonOp::kGreater);
    case ScanFilter::Op::kGreaterEqual: return compare(ComparisonOp::kGreaterEqual);
    case ScanFilter::Op::kIsNull: return std::make_unique<IsNullExpression>(std::move(column), false);
    case ScanFilter::Op::kIsNotNull: return std::make_unique<IsNullExpression>(std::move(column), true);
    case ScanFilter::Op::kTest:
      if (const ElementTest* test = ElementTest::Of(filter))
        return ListContains(std::move(column), test->element());
      if (const InListTest* test = InListTest::Of(filter))
        return std::make_unique<InListExpression>(std::move(column), test->values(), false);
      break;
  }
  return nullptr;
}

namespace {

void NarrowTo(ValueFacts& facts, ComparisonOp op, int128_t constant, const LogicalType& type) {
  if (!facts.bounds) facts.bounds = TypeBounds(type);
  if (!facts.bounds) return;
  Bounds narrowed = *facts.bounds;
  switch (op) {
    case ComparisonOp::kEqual:
      narrowed = {std::max(narrowed.minimum, constant), std::min(narrowed.maximum, constant)};
      break;
    case ComparisonOp::kLess:
      if (constant == kInt128Min) return;
      narrowed.maximum = std::min(narrowed.maximum, constant - 1);
      break;
    case ComparisonOp::kLessEqual: narrowed.maximum = std::min(narrowed.maximum, constant); break;
    case ComparisonOp::kGreater:
      if (constant == kInt128Max) return;
      narrowed.minimum = std::max(narrowed.minimum, constant + 1);
      break;
    case ComparisonOp::kGreaterEqual: narrowed.minimum = std::max(narrowed.minimum, constant); break;
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinctFrom:
    case ComparisonOp::kNotDistinctFrom: return;
  }
  if (narrowed.minimum <= narrowed.maximum)
    facts.bounds = narrowed;  // otherwise no row passes, and nothing follows
}

}  // namespace

void NarrowByPredicate(const Expression& predicate, ColumnFacts& columns) {
  CheckStack();
  std::set<ColumnBinding> used;
  ForEachColumnRef(predicate, [&](const ColumnRefExpression& ref) { used.insert(ref.binding); });
  for (const ColumnBinding& binding : used) {
    if (RejectsNulls(predicate, {binding})) columns[binding].may_be_null = false;
  }
  if (predicate.kind() == ExpressionKind::kComparison) {
    const auto& comparison = predicate.As<ComparisonExpression>();
    if (comparison.left->kind() != ExpressionKind::kColumnRef ||
        comparison.right->kind() != ExpressionKind::kConstant)
      return;
    const Value& constant = comparison.right->As<ConstantExpression>().value;
    if (constant.is_null() || !IsStoredAsInteger(constant.type())) return;
    NarrowTo(columns[comparison.left->As<ColumnRefExpression>().binding], comparison.op,
             constant.GetInteger(), constant.type());
  } else if (predicate.kind() == ExpressionKind::kInList) {
    const auto& list = predicate.As<InListExpression>();
    if (list.negated || list.child->kind() != ExpressionKind::kColumnRef ||
        !IsStoredAsInteger(list.child->type()))
      return;
    int128_t low = kInt128Max, high = kInt128Min;
    for (const Value& value : list.values) {
      if (value.is_null()) continue;
      low = std::min(low, value.GetInteger());
      high = std::max(high, value.GetInteger());
    }
    if (low > high) return;
    ValueFacts& facts = columns[list.child->As<ColumnRefExpression>().binding];
    NarrowTo(facts, ComparisonOp::kGreaterEqual, low, list.child->type());
    NarrowTo(facts, ComparisonOp::kLessEqual, high, list.child->type());
  } else if (predicate.kind() == ExpressionKind::kConjunction &&
             predicate.As<ConjunctionExpression>().is_and) {
    for (const ExpressionPtr& child : predicate.As<ConjunctionExpression>().children)
      NarrowByPredicate(*child, columns);
  }
}

void NarrowByEquality(ColumnBinding a, ColumnBinding b, ColumnFacts& columns) {
  ValueFacts &left = columns[a], &right = columns[b];
  left.may_be_null = false;
  right.may_be_null = false;
  if (!left.bounds && !right.bounds) return;
  if (!left.bounds) left.bounds = right.bounds;
  if (!right.bounds) right.bounds = left.bounds;
  const Bounds shared{std::max(left.bounds->minimum, right.bounds->minimum),
                      std::min(left.bounds->maximum, right.bounds->maximum)};
  if (shared.minimum > shared.maximum) return;
  left.bounds = shared;
  right.bounds = shared;
}

}  // namespace scaup
