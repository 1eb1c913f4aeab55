// Pass: pushes predicates down to where they drop rows earliest, and into joins and scans.
#include "optimizer/passes/filter_pushdown.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "function/scalar/nested/element_test.hpp"
#include "optimizer/passes/implied_predicates.hpp"
#include "optimizer/passes/indexed_predicates.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "planner/nodes.hpp"
#include "storage/filter/element_test.hpp"
#include "vector/filter/in_list.hpp"

namespace scaup {
namespace {

/// Moves the predicates that `wanted` accepts from one list to another.
template <typename Wanted>
std::vector<ExpressionPtr> TakeIf(std::vector<ExpressionPtr>& predicates, Wanted wanted) {
  std::vector<ExpressionPtr> taken, kept;
  for (ExpressionPtr& predicate : predicates)
    (wanted(*predicate) ? taken : kept).push_back(std::move(predicate));
  predicates = std::move(kept);
  return taken;
}

std::optional<ScanFilter::Op> ScanOp(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kEqual: return ScanFilter::Op::kEqual;
    case ComparisonOp::kNotEqual: return ScanFilter::Op::kNotEqual;
    case ComparisonOp::kLess: return ScanFilter::Op::kLess;
    case ComparisonOp::kLessEqual: return ScanFilter::Op::kLessEqual;
    case ComparisonOp::kGreater: return ScanFilter::Op::kGreater;
    case ComparisonOp::kGreaterEqual: return ScanFilter::Op::kGreaterEqual;
    case ComparisonOp::kDistinctFrom:
    case ComparisonOp::kNotDistinctFrom: return std::nullopt;
  }
  return std::nullopt;
}

struct ElementArguments {
  const Expression* list;
  const Value& element;
};

/// The arguments of a call that tests whether a list contains an element, which is a constant and not NULL.
std::optional<ElementArguments> ArgumentsOfElementTest(const FunctionExpression& call) {
  const bool is_any = call.function.name == kEqualsAnyFunction;
  if (!is_any && !IsListContains(call.function.name)) return std::nullopt;
  const Expression& list = *call.arguments[is_any ? 1 : 0];
  const Expression& element = *call.arguments[is_any ? 0 : 1];
  if (list.kind() != ExpressionKind::kColumnRef || !IsConstant(element) || ConstantOf(element).is_null() ||
      !(element.type() == list.type().element()))
    return std::nullopt;
  return ElementArguments{&list, ConstantOf(element)};
}

bool HaveType(const std::vector<Value>& values, const LogicalType& type) {
  return std::all_of(values.begin(), values.end(),
                     [&](const Value& value) { return value.is_null() || value.type() == type; });
}

ScanFilter TestOf(size_t column, std::shared_ptr<const ScanTest> test) {
  return {column, ScanFilter::Op::kTest, {}, std::move(test)};
}

/// Converts the predicate to a scan filter on the table, if possible.
std::optional<ScanFilter> ToScanFilter(const Expression& predicate, size_t table_index) {
  const auto column_of = [&](const Expression& expression) -> std::optional<size_t> {
    if (expression.kind() != ExpressionKind::kColumnRef) return std::nullopt;
    const ColumnBinding binding = expression.As<ColumnRefExpression>().binding;
    if (binding.table_index != table_index || binding.column_index == kRowNumberColumn) return std::nullopt;
    return binding.column_index;
  };
  ScanFilter filter;
  if (predicate.kind() == ExpressionKind::kIsNull) {
    const auto& test = predicate.As<IsNullExpression>();
    const auto column = column_of(*test.child);
    if (!column) return std::nullopt;
    filter.column = *column;
    filter.op = test.negated ? ScanFilter::Op::kIsNotNull : ScanFilter::Op::kIsNull;
    return filter;
  }
  if (predicate.kind() == ExpressionKind::kFunction) {
    const auto& call = predicate.As<FunctionExpression>();
    const auto arguments = ArgumentsOfElementTest(call);
    if (!arguments) return std::nullopt;
    const auto column = column_of(*arguments->list);
    if (!column) return std::nullopt;
    return TestOf(*column, std::make_shared<ElementTest>(arguments->element));
  }
  if (predicate.kind() == ExpressionKind::kInList) {
    const auto& list = predicate.As<InListExpression>();
    const auto column = column_of(*list.child);
    if (!column || list.negated || !HaveType(list.values, list.child->type())) return std::nullopt;
    // A NULL in the list turns false into unknown; the row does not pass either way.
    std::vector<Value> values;
    std::copy_if(list.values.begin(), list.values.end(), std::back_inserter(values),
                 [](const Value& value) { return !value.is_null(); });
    return TestOf(*column, std::make_shared<InListTest>(list.child->type(), std::move(values)));
  }
  if (predicate.kind() != ExpressionKind::kComparison) return std::nullopt;
  const auto& comparison = predicate.As<ComparisonExpression>();
  const auto column = column_of(*comparison.left);
  const auto op = ScanOp(comparison.op);
  if (!column || !op || !IsConstant(*comparison.right) || ConstantOf(*comparison.right).is_null())
    return std::nullopt;
  if (comparison.left->type().id() == TypeId::kInterval) return std::nullopt;  // no zone maps
  filter.column = *column;
  filter.op = *op;
  filter.constant = ConstantOf(*comparison.right);
  return filter;
}

/// Converts the predicate to a scan filter with a parameter, if possible; only in generic plans.
std::optional<ParameterFilter> ToParameterFilter(const Expression& predicate, size_t table_index) {
  if (predicate.kind() != ExpressionKind::kComparison) return std::nullopt;
  const auto& comparison = predicate.As<ComparisonExpression>();
  const auto op = ScanOp(comparison.op);
  if (!op || comparison.left->kind() != ExpressionKind::kColumnRef ||
      comparison.right->kind() != ExpressionKind::kParameter ||
      comparison.left->type().id() == TypeId::kInterval)
    return std::nullopt;
  const ColumnBinding binding = comparison.left->As<ColumnRefExpression>().binding;
  if (binding.table_index != table_index || binding.column_index == kRowNumberColumn) return std::nullopt;
  return ParameterFilter{{binding.column_index, *op, {}}, comparison.right->As<ParameterExpression>().index};
}

/// Converts an OR of scan filters to the list of alternatives, one of which a row must pass.
std::optional<std::vector<ScanFilter>> ToAlternatives(const Expression& predicate, size_t table_index) {
  constexpr size_t kMostAlternatives = 8;  // each is tested separately
  if (predicate.kind() != ExpressionKind::kConjunction) return std::nullopt;
  const auto& any = predicate.As<ConjunctionExpression>();
  if (any.is_and || any.children.size() > kMostAlternatives) return std::nullopt;
  std::vector<ScanFilter> filters;
  for (const ExpressionPtr& child : any.children) {
    auto filter = ToScanFilter(*child, table_index);
    if (!filter) return std::nullopt;
    filters.push_back(std::move(*filter));
  }
  return filters;
}

}  // namespace

LogicalOperatorPtr FilterPushdown::Push(LogicalOperatorPtr plan, Predicates predicates) {
  CheckStack();
  switch (plan->kind()) {
    case LogicalKind::kFilter: return PushFilter(std::move(plan), std::move(predicates));
    case LogicalKind::kProject: return PushProject(std::move(plan), std::move(predicates));
    case LogicalKind::kAggregate: return PushAggregate(std::move(plan), std::move(predicates));
    case LogicalKind::kDistinct: return PushDistinct(std::move(plan), std::move(predicates));
    case LogicalKind::kWindow: return PushWindow(std::move(plan), std::move(predicates));
    case LogicalKind::kUnnest: return PushUnnest(std::move(plan), std::move(predicates));
    case LogicalKind::kUnionAll: return PushUnion(std::move(plan), std::move(predicates));
    case LogicalKind::kGet: return PushGet(std::move(plan), std::move(predicates));
    case LogicalKind::kExpand: return PushExpand(std::move(plan), std::move(predicates));
    case LogicalKind::kMaterialize: return PushMaterialize(std::move(plan), std::move(predicates));
    case LogicalKind::kJoin: return PushJoin(std::move(plan), std::move(predicates));
    case LogicalKind::kOnDemand: return PushOnDemand(std::move(plan), std::move(predicates));
    case LogicalKind::kSort:
      plan->children[0] = Push(std::move(plan->children[0]), std::move(predicates));
      return plan;
    case LogicalKind::kSharedScan:
      NoteScan(plan->As<LogicalSharedScan>(), predicates);
      return MakeFilter(std::move(plan), std::move(predicates));
    case LogicalKind::kTableFunction:
      NoteFilters(plan->As<LogicalTableFunction>(), predicates);  // takes those that the function applies
      return MakeFilter(std::move(plan), std::move(predicates));
    case LogicalKind::kRecursion:
    case LogicalKind::kRowsCall:
    case LogicalKind::kValues:
    case LogicalKind::kTopN:
    case LogicalKind::kLimit:
    case LogicalKind::kInsert:
    case LogicalKind::kUpdate:
    case LogicalKind::kMerge:
    case LogicalKind::kDelete:
    case LogicalKind::kCreateTableAs:
    case LogicalKind::kCopyTo:
    case LogicalKind::kExplain: return Stop(std::move(plan), std::move(predicates));
  }
  return Stop(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::Stop(LogicalOperatorPtr plan, Predicates predicates) {
  for (LogicalOperatorPtr& child : plan->children) child = Push(std::move(child), {});
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushFilter(LogicalOperatorPtr plan, Predicates predicates) {
  for (ExpressionPtr& predicate : plan->As<LogicalFilter>().predicates)
    SplitAnd(std::move(predicate), predicates);
  Predicates staying = TakeIf(predicates, [](const Expression& e) { return !IsDeterministic(e); });
  return MakeFilter(Push(std::move(plan->children[0]), std::move(predicates)), std::move(staying));
}

LogicalOperatorPtr FilterPushdown::PushProject(LogicalOperatorPtr plan, Predicates predicates) {
  auto& project = plan->As<LogicalProject>();
  // A volatile expression must be evaluated once per row, so predicates on it stay above.
  Predicates moving = TakeIf(predicates, [&](const Expression& predicate) {
    bool is_repeatable = true;
    ForEachColumnRef(predicate, [&](const ColumnRefExpression& ref) {
      if (ref.binding.table_index != project.table_index) return;
      is_repeatable = is_repeatable && IsDeterministic(*project.expressions[ref.binding.column_index]);
    });
    return is_repeatable;
  });
  Predicates below;
  for (ExpressionPtr& predicate : moving) {
    SubstituteColumns(predicate, project.table_index, project.expressions);
    // After substitution, columns may have become constants or casts.
    SplitAnd(SimplifyExpression(context_.optimizer.functions, std::move(predicate)), below);
  }
  plan->children[0] = Push(std::move(plan->children[0]), std::move(below));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushMaterialize(LogicalOperatorPtr plan, Predicates predicates) {
  const size_t share = plan->As<LogicalMaterialize>().share;
  // The reader first: its scans record their predicates before the definition takes them.
  plan->children[1] = Push(std::move(plan->children[1]), std::move(predicates));
  // Rows that every scan drops need not be materialized. A data-modifying statement must run to its end
  // nevertheless.
  Predicates kept = TakeNotedScans(share, plan->children[0]->Bindings());
  if (plan->As<LogicalMaterialize>().is_change) kept.clear();
  plan->children[0] = Push(std::move(plan->children[0]), std::move(kept));
  return plan;
}

void FilterPushdown::NoteFilters(LogicalTableFunction& scan, Predicates& predicates) {
  if (!scan.function.takes_filters) return;
  if (!scan.function.applies_filters) scan.filters.clear();
  TakeIf(predicates, [&](const Expression& predicate) {
    auto filter = ToScanFilter(predicate, scan.table_index);
    if (filter) scan.filters.push_back(std::move(*filter));
    return filter.has_value() && scan.function.applies_filters;
  });
}

void FilterPushdown::NoteScan(const LogicalSharedScan& scan, const Predicates& predicates) {
  scans_[scan.share].push_back({scan.columns, scan.bindings, CloneExpressions(predicates)});
}

FilterPushdown::Predicates FilterPushdown::TakeNotedScans(size_t share,
                                                          const std::vector<ColumnBinding>& columns) {
  std::vector<NotedScan> scans = std::move(scans_[share]);
  scans_.erase(share);
  std::vector<ExpressionPtr> alternatives;
  for (NotedScan& scan : scans) {
    // This scan needs all rows.
    if (scan.predicates.empty()) return {};
    BindingMap renamed;
    for (size_t i = 0; i < scan.columns.size(); i++) renamed[scan.bindings[i]] = columns[scan.columns[i]];
    ExpressionPtr all = MakeAnd(std::move(scan.predicates));
    RenameColumns(all, renamed);
    alternatives.push_back(std::move(all));
  }
  Predicates predicates;
  if (alternatives.empty()) return predicates;
  ExpressionPtr any = alternatives.size() == 1
                          ? std::move(alternatives[0])
                          : std::make_unique<ConjunctionExpression>(false, std::move(alternatives));
  SplitAnd(SimplifyExpression(context_.optimizer.functions, std::move(any)), predicates);
  return predicates;
}

LogicalOperatorPtr FilterPushdown::PushAggregate(LogicalOperatorPtr plan, Predicates predicates) {
  auto& aggregate = plan->As<LogicalAggregate>();
  AddPredicatesOfDisjunctions(predicates);  // The implied predicates on groups alone can move.
  // Without groups (or for an empty grouping set) even an empty input yields one row, and filtering the input
  // would not drop it.
  Predicates moving;
  if (!aggregate.groups.empty() && aggregate.empty_sets.empty()) {
    moving = TakeIf(predicates, [&](const Expression& predicate) {
      bool uses_groups_only = true;
      ForEachColumnRef(predicate, [&](const ColumnRefExpression& ref) {
        uses_groups_only = uses_groups_only && ref.binding.table_index == aggregate.group_index &&
                           IsDeterministic(*aggregate.groups[ref.binding.column_index]);
      });
      return uses_groups_only;
    });
  }
  for (ExpressionPtr& predicate : moving)
    SubstituteColumns(predicate, aggregate.group_index, aggregate.groups);
  plan->children[0] = Push(std::move(plan->children[0]), std::move(moving));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushDistinct(LogicalOperatorPtr plan, Predicates predicates) {
  const auto& on = plan->As<LogicalDistinct>().on;
  Predicates moving;
  if (on.empty()) {
    moving = std::move(predicates);
    predicates.clear();
  } else {
    // DISTINCT ON retains one row per group, so only predicates on whole groups may be pushed below.
    BindingSet keys;
    for (const ExpressionPtr& key : on) {
      if (key->kind() == ExpressionKind::kColumnRef) keys.insert(key->As<ColumnRefExpression>().binding);
    }
    moving =
        TakeIf(predicates, [&](const Expression& predicate) { return Contains(keys, ColumnsOf(predicate)); });
  }
  plan->children[0] = Push(std::move(plan->children[0]), std::move(moving));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushWindow(LogicalOperatorPtr plan, Predicates predicates) {
  // Only predicates that drop whole partitions leave the rows of the others unchanged.
  BindingSet keys;
  for (const ExpressionPtr& key : plan->As<LogicalWindow>().partition_by) {
    if (key->kind() == ExpressionKind::kColumnRef) keys.insert(key->As<ColumnRefExpression>().binding);
  }
  Predicates moving = TakeIf(predicates, [&](const Expression& predicate) {
    const BindingSet columns = ColumnsOf(predicate);
    return columns.begin() != columns.end() && Contains(keys, columns);
  });
  plan->children[0] = Push(std::move(plan->children[0]), std::move(moving));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushExpand(LogicalOperatorPtr plan, Predicates predicates) {
  auto& expand = plan->As<LogicalExpand>();
  // A column that is in all sets has the same value in each copy of a row.
  const auto is_in_all_sets = [&](size_t column) {
    return std::all_of(expand.sets.begin(), expand.sets.end(),
                       [&](const auto& set) { return std::binary_search(set.begin(), set.end(), column); });
  };
  Predicates moving = TakeIf(predicates, [&](const Expression& predicate) {
    bool holds_for_row = true;
    ForEachColumnRef(predicate, [&](const ColumnRefExpression& ref) {
      if (ref.binding.table_index != expand.table_index) return;
      holds_for_row = holds_for_row && ref.binding.column_index < expand.columns.size() &&
                      is_in_all_sets(ref.binding.column_index) &&
                      IsDeterministic(*expand.columns[ref.binding.column_index]);
    });
    return holds_for_row;
  });
  for (ExpressionPtr& predicate : moving) SubstituteColumns(predicate, expand.table_index, expand.columns);
  plan->children[0] = Push(std::move(plan->children[0]), std::move(moving));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushUnnest(LogicalOperatorPtr plan, Predicates predicates) {
  const size_t table_index = plan->As<LogicalUnnest>().table_index;
  Predicates moving = TakeIf(predicates, [&](const Expression& predicate) {
    if (!IsDeterministic(predicate)) return false;
    const BindingSet columns = ColumnsOf(predicate);
    return std::none_of(columns.begin(), columns.end(),
                        [&](const ColumnBinding& binding) { return binding.table_index == table_index; });
  });
  plan->children[0] = Push(std::move(plan->children[0]), std::move(moving));
  return MakeFilter(std::move(plan), std::move(predicates));
}

LogicalOperatorPtr FilterPushdown::PushUnion(LogicalOperatorPtr plan, Predicates predicates) {
  const size_t table_index = plan->As<LogicalUnionAll>().table_index;
  for (LogicalOperatorPtr& child : plan->children) {
    const std::vector<ExpressionPtr> columns = ReferenceColumns(*child);
    Predicates copies = CloneExpressions(predicates);
    for (ExpressionPtr& predicate : copies) SubstituteColumns(predicate, table_index, columns);
    child = Push(std::move(child), std::move(copies));
  }
  return plan;
}

LogicalOperatorPtr FilterPushdown::PushGet(LogicalOperatorPtr plan, Predicates predicates) {
  auto& get = plan->As<LogicalGet>();
  UseHiddenColumns(context_.optimizer.functions, get, predicates);
  Predicates staying;
  for (ExpressionPtr& predicate : predicates) {
    if (auto filter = ToScanFilter(*predicate, get.table_index)) {
      get.predicate.filters.push_back(std::move(*filter));
    } else if (auto by_parameter = ToParameterFilter(*predicate, get.table_index)) {
      get.predicate.parameter_filters.push_back(std::move(*by_parameter));
    } else {
      if (auto any = ToAlternatives(*predicate, get.table_index))
        get.predicate.alternatives.push_back(std::move(*any));
      staying.push_back(std::move(predicate));
    }
  }
  return MakeFilter(std::move(plan), std::move(staying));
}

}  // namespace scaup
