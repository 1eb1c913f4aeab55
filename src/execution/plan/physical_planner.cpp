// Physical planner: one case per logical operator.
#include "execution/plan/physical_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/aggregate/hash_aggregate.hpp"
#include "execution/aggregate/ungrouped_aggregate.hpp"
#include "execution/foreign/batched_calls.hpp"
#include "execution/foreign/rows_call.hpp"
#include "execution/plan/explain_operator.hpp"
#include "execution/plan/planned_expressions.hpp"
#include "execution/scan/array_unnest.hpp"
#include "execution/scan/scan_operators.hpp"
#include "execution/scan/table_count.hpp"
#include "execution/scan/unnest_operator.hpp"
#include "execution/sort/sort_operators.hpp"
#include "execution/stream/share_operators.hpp"
#include "execution/stream/streaming_operators.hpp"
#include "execution/window/streamed_window.hpp"
#include "execution/window/window_operator.hpp"
#include "execution/write/change_rows.hpp"
#include "execution/write/copy_operator.hpp"
#include "execution/write/merge_operator.hpp"
#include "execution/write/upsert_operator.hpp"
#include "execution/write/write_operators.hpp"
#include "expression/expression_executor.hpp"
#include "expression/expression_index.hpp"
#include "expression/window_expression.hpp"
#include "planner/indexed_scan.hpp"
#include "planner/nodes.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table_index/access_path.hpp"

namespace scaup {

namespace {

/// The input columns of an operator, without duplicate expressions.
class InputList {
 public:
  void Add(ExpressionPtr expression) {
    known_.Add(*expression, list_.size());
    list_.push_back(std::move(expression));
  }
  /// Returns the position of an equal expression, or adds this one. A volatile expression is always added,
  /// since each of its occurrences is evaluated by itself.
  size_t FindOrAdd(ExpressionPtr expression) {
    const auto found = known_.Find(*expression);
    if (found && IsDeterministic(*expression)) return *found;
    Add(std::move(expression));
    return list_.size() - 1;
  }
  size_t size() const { return list_.size(); }
  std::vector<ExpressionPtr> Take() { return std::move(list_); }

 private:
  std::vector<ExpressionPtr> list_;
  ExpressionIndex known_;
};

/// Returns whether the projection emits its input unchanged.
bool IsIdentity(const LogicalProject& project) {
  const std::vector<ColumnBinding> input = project.children[0]->Bindings();
  return std::equal(project.expressions.begin(), project.expressions.end(), input.begin(), input.end(),
                    [](const ExpressionPtr& expression, const ColumnBinding& binding) {
                      return expression->kind() == ExpressionKind::kColumnRef &&
                             expression->As<ColumnRefExpression>().binding == binding;
                    });
}

WrittenRowRules PlanRules(LogicalWrite& write) {
  const BindingResolver resolver(write.children[0]->Bindings());
  WrittenRowRules rules;
  rules.assigned = write.assigned;
  rules.is_in_order = write.is_in_order;
  for (RowCheck& check : write.checks) {
    resolver.Resolve(check.condition);
    rules.checks.push_back(std::move(check));
  }
  for (ExpressionPtr& expression : write.returning) {
    resolver.Resolve(expression);
    rules.returning.push_back(std::move(expression));
  }
  return rules;
}

/// Adds the index that a scan would use now to the lines of EXPLAIN.
void AddIndexDetails(const LogicalGet& get, std::vector<std::string>& details) {
  const auto paths = AccessPathsOf(get.table->storage->indexes().List(), get.predicate);
  if (paths.empty()) return;
  const AccessPath& path = paths[0];
  const std::string& name = path.index->name();
  switch (path.kind) {
    case AccessPath::Kind::kValues:
      details.push_back(fmt::format("index: {}, {} values of {}", name, path.values->list->values().size(),
                                    get.table->columns[path.index->columns()[path.values->place]].name));
      return;
    case AccessPath::Kind::kRange: details.push_back("index: " + name); return;
    case AccessPath::Kind::kTexts:
      for (const TableIndexRef& index : path.text_indexes) details.push_back("text index: " + index->name());
      return;
  }
}

/// Adds a join's type and index to the lines of EXPLAIN. An index join has no scan below it, so it shows the
/// details of the scan, too.
void AddJoinDetails(LogicalJoin& join, std::vector<std::string>& details) {
  if (join.join_type != LogicalJoinType::kInner)
    details.insert(details.begin(), fmt::format("type: {}", JoinTypeName(join.join_type)));
  if (!join.by_index) return;
  details.push_back("index: " + join.by_index->index->name());
  const IndexedScan scan = AsIndexedScan(*join.children[join.by_index->looks_up_left ? 0 : 1]).value();
  const std::vector<std::string> lines = scan.get->Details();
  details.insert(details.end(), lines.begin(), lines.end());
  if (scan.filter == nullptr) return;
  const std::vector<std::string> conditions = scan.filter->Details();
  details.insert(details.end(), conditions.begin(), conditions.end());
}

/// Adds the index of a top-N by index to the lines of EXPLAIN. Without a fallback it has no scan below it, so
/// it shows the details of the scan, too.
void AddIndexDetails(const LogicalTopN& top_n, std::vector<std::string>& details) {
  if (!top_n.by_index) return;
  details.push_back(fmt::format("in the order of index: {}{}", top_n.by_index->index->name(),
                                top_n.by_index->descending ? ", descending" : ""));
  if (top_n.by_index->most_entries) {
    details.push_back(fmt::format("sorts after entries: {}", *top_n.by_index->most_entries));
    return;
  }
  const std::vector<std::string> scan = top_n.children[0]->Details();
  details.insert(details.end(), scan.begin(), scan.end());
}

/// Makes the columns that a call is given, and its keys, positions in its input.
void ResolveRows(LogicalRowsCall& node) {
  if (node.children.empty()) return;
  const BindingResolver resolver(node.children[0]->Bindings());
  for (ExpressionPtr& argument : node.arguments) resolver.Resolve(argument);
  for (SortKey& key : node.keys) resolver.Resolve(key.expression);
}

/// Makes a call of a function of the program over the planned input, which is null if there is none.
PhysicalOperatorPtr CallWithRows(LogicalRowsCall& node, PhysicalOperatorPtr input) {
  RowsCall::Specification specification{std::static_pointer_cast<const ForeignRowsCall>(node.call),
                                        node.columns, std::move(node.values), std::move(node.required)};
  if (!input) return std::make_unique<RowsCall>(std::move(specification), nullptr, node.Types());
  // The rows that are given, and behind them the keys.
  std::vector<ExpressionPtr> given = std::move(node.arguments), keys;
  specification.input_count = given.size();
  std::vector<SortOrder> orders;
  for (SortKey& key : node.keys) {
    orders.push_back({key.expression->type(), key.descending, key.nulls_first});
    keys.push_back(std::make_unique<ReferenceExpression>(key.expression->type(), given.size(), ""));
    given.push_back(std::move(key.expression));
  }
  specification.partition_keys.assign(orders.begin(),
                                      orders.begin() + static_cast<ptrdiff_t>(node.partition_count));
  input = BatchForeignCalls(std::move(input), given);
  input = ProjectUnlessIdentity(std::move(input), std::move(given));
  if (!orders.empty()) {
    input = std::make_unique<SortOperator>(std::move(input), std::move(keys), std::move(orders),
                                           SortOperator::kNoLimit, 0);
  }
  if (node.partition_count == 0) {
    std::vector<ExpressionPtr> columns;
    for (size_t k = 0; k < specification.input_count; k++)
      columns.push_back(std::make_unique<ReferenceExpression>(input->types()[k], k, ""));
    input = ProjectUnlessIdentity(std::move(input), std::move(columns));
  }
  return std::make_unique<RowsCall>(std::move(specification), std::move(input), node.Types());
}

PhysicalOperatorPtr ScanFunction(LogicalTableFunction& scan) {
  return std::make_unique<TableFunctionOperator>(scan.function, scan.bound, scan.columns, scan.filters,
                                                 scan.Types());
}

}  // namespace

PhysicalOperatorPtr PhysicalPlanner::PlanChange(LogicalWrite& write, std::vector<size_t> columns) {
  WrittenRowRules rules = PlanRules(write);
  rules.counts_rows = !is_in_with_;
  return std::make_unique<ChangeRowsOperator>(write.Name(), write.table, std::move(columns),
                                              PlanNode(*write.children[0]), std::move(rules));
}

PhysicalOperatorPtr PhysicalPlanner::PlanUpsert(LogicalInsert& insert) {
  WrittenRowRules rules = PlanRules(insert);
  rules.counts_rows = !is_in_with_;
  InsertConflict conflict = std::move(*insert.on_conflict);
  // Expressions of ON CONFLICT see the existing row's columns first, then those of the row to insert.
  std::vector<ColumnBinding> bindings, updated;
  for (size_t i = 0; i < insert.table->columns.size(); i++) {
    bindings.push_back({conflict.existing_index, i});
    updated.push_back({conflict.updated_index, i});
  }
  BindingResolver resolver(bindings);
  resolver.Add(insert.children[0]->Bindings());
  for (ExpressionPtr& value : conflict.values) resolver.Resolve(value);
  for (ExpressionPtr& value : conflict.generated) BindingResolver(updated).Resolve(value);
  if (conflict.where) resolver.Resolve(conflict.where);
  return std::make_unique<UpsertOperator>(insert.table, std::move(conflict), PlanNode(*insert.children[0]),
                                          std::move(rules));
}

PhysicalOperatorPtr PhysicalPlanner::Plan(LogicalOperatorPtr plan) {
  CheckStack();
  is_explained_ = plan->kind() == LogicalKind::kExplain;
  return PlanNode(*plan);
}

PhysicalOperatorPtr PhysicalPlanner::PlanNode(LogicalOperator& node) {
  CheckStack();
  if (node.kind() == LogicalKind::kProject && IsIdentity(node.As<LogicalProject>()))
    return PlanNode(*node.children[0]);
  std::vector<std::string> details;
  if (is_explained_) details = node.Details();
  if (is_explained_ && node.kind() == LogicalKind::kAggregate && CountsTable(node.As<LogicalAggregate>()))
    details = {node.children[0]->Details()[0]};  // the table, since a table count has no scan below it
  // Details are collected before planning moves the expressions away.
  if (is_explained_ && node.kind() == LogicalKind::kJoin) AddJoinDetails(node.As<LogicalJoin>(), details);
  PhysicalOperatorPtr result;
  switch (node.kind()) {
    case LogicalKind::kGet: result = PlanGet(node.As<LogicalGet>()); break;
    case LogicalKind::kTableFunction: result = ScanFunction(node.As<LogicalTableFunction>()); break;
    case LogicalKind::kRowsCall:
      ResolveRows(node.As<LogicalRowsCall>());
      result = CallWithRows(node.As<LogicalRowsCall>(),
                            node.children.empty() ? nullptr : PlanNode(*node.children[0]));
      break;
    case LogicalKind::kValues: {
      auto& values = node.As<LogicalValues>();
      result = std::make_unique<ValuesOperator>(std::move(values.rows), values.types);
      break;
    }
    case LogicalKind::kFilter: result = PlanFilter(node.As<LogicalFilter>()); break;
    case LogicalKind::kProject: result = PlanProject(node.As<LogicalProject>()); break;
    case LogicalKind::kAggregate: result = PlanAggregate(node.As<LogicalAggregate>()); break;
    case LogicalKind::kDistinct: result = PlanDistinct(node.As<LogicalDistinct>()); break;
    case LogicalKind::kWindow: result = PlanWindow(node.As<LogicalWindow>()); break;
    case LogicalKind::kUnnest: result = PlanUnnest(node.As<LogicalUnnest>()); break;
    case LogicalKind::kJoin: result = PlanJoin(node.As<LogicalJoin>()); break;
    case LogicalKind::kOnDemand: {
      const BindingResolver resolver(node.children[0]->Bindings());
      auto left = PlanNode(*node.children[0]);
      result =
          JoinOnDemand(node.As<LogicalOnDemand>(), resolver, std::move(left), PlanNode(*node.children[1]));
      break;
    }
    case LogicalKind::kSort:
      result = PlanSort(*node.children[0], node.As<LogicalSort>().keys, SortOperator::kNoLimit, 0);
      break;
    case LogicalKind::kTopN: result = PlanTopN(node.As<LogicalTopN>()); break;
    case LogicalKind::kLimit: result = PlanLimit(node.As<LogicalLimit>()); break;
    case LogicalKind::kExpand: result = PlanExpand(node.As<LogicalExpand>()); break;
    case LogicalKind::kMaterialize: result = PlanMaterialize(node.As<LogicalMaterialize>()); break;
    case LogicalKind::kSharedScan: {
      auto& scan = node.As<LogicalSharedScan>();
      result = std::make_unique<SharedScanOperator>(scan.share, std::move(scan.columns), scan.types);
      break;
    }
    case LogicalKind::kRecursion: {
      const auto& recursion = node.As<LogicalRecursion>();
      auto first = PlanNode(*node.children[0]);
      result = std::make_unique<RecursionOperator>(recursion.share, recursion.is_distinct, std::move(first),
                                                   PlanNode(*node.children[1]));
      break;
    }
    case LogicalKind::kUnionAll: {
      std::vector<LogicalType> types =
          node.Types();  // taken before planning moves the children's expressions away
      std::vector<PhysicalOperatorPtr> inputs;
      for (auto& child : node.children) inputs.push_back(PlanNode(*child));
      result = std::make_unique<UnionAllOperator>(std::move(inputs), std::move(types));
      break;
    }
    case LogicalKind::kInsert: result = PlanInsert(node.As<LogicalInsert>()); break;
    case LogicalKind::kUpdate:
      result = PlanChange(node.As<LogicalUpdate>(), std::move(node.As<LogicalUpdate>().columns));
      break;
    case LogicalKind::kDelete: result = PlanChange(node.As<LogicalDelete>(), {}); break;
    case LogicalKind::kMerge: {
      auto& merge = node.As<LogicalMerge>();
      WrittenRowRules rules = PlanRules(merge);
      rules.counts_rows = !is_in_with_;
      result =
          std::make_unique<MergeOperator>(merge.table, std::move(merge.actions), std::move(merge.row_columns),
                                          PlanNode(*node.children[0]), std::move(rules));
      break;
    }
    case LogicalKind::kCreateTableAs: {
      auto& create = node.As<LogicalCreateTableAs>();
      result =
          std::make_unique<InsertOperator>(create.database, create.schema, create.table, create.or_replace,
                                           create.on_commit, create.columns, PlanNode(*node.children[0]));
      break;
    }
    case LogicalKind::kCopyTo: result = PlanCopyTo(node.As<LogicalCopyTo>()); break;
    case LogicalKind::kExplain: {
      const auto& explain = node.As<LogicalExplain>();
      result =
          std::make_unique<ExplainOperator>(explain.analyze, explain.format, PlanNode(*node.children[0]));
      break;
    }
  }
  if (is_explained_ && node.kind() == LogicalKind::kGet) AddIndexDetails(node.As<LogicalGet>(), details);
  if (is_explained_ && node.kind() == LogicalKind::kTopN) AddIndexDetails(node.As<LogicalTopN>(), details);
  result->details = std::move(details);
  result->estimated_rows = node.estimated_rows;
  return result;
}

PhysicalOperatorPtr PhysicalPlanner::PlanUnnest(LogicalUnnest& unnest) {
  const BindingResolver resolver(unnest.children[0]->Bindings());
  std::vector<LogicalType> types = unnest.Types();
  for (ExpressionPtr& list : unnest.lists) resolver.Resolve(list);
  if (ArrayUnnest::CanRun(unnest.lists)) {
    return std::make_unique<ArrayUnnest>(PlanNode(*unnest.children[0]), std::move(unnest.lists),
                                         unnest.has_ordinality, std::move(types));
  }
  return std::make_unique<UnnestOperator>(PlanNode(*unnest.children[0]), std::move(unnest.lists),
                                          unnest.has_ordinality, unnest.is_outer, std::move(types));
}

PhysicalOperatorPtr PhysicalPlanner::PlanInsert(LogicalInsert& insert) {
  if (insert.on_conflict) return PlanUpsert(insert);
  WrittenRowRules rules = PlanRules(insert);
  rules.counts_rows = !is_in_with_;
  return std::make_unique<InsertOperator>(insert.table, PlanNode(*insert.children[0]), std::move(rules));
}

PhysicalOperatorPtr PhysicalPlanner::PlanLimit(LogicalLimit& limit) {
  PhysicalOperatorPtr counts;
  if (limit.children.size() > 1) {
    const BindingResolver resolver(limit.children[1]->Bindings());
    if (limit.limit) resolver.Resolve(limit.limit);
    if (limit.offset) resolver.Resolve(limit.offset);
    counts = PlanNode(*limit.children[1]);
  }
  return std::make_unique<LimitOperator>(PlanNode(*limit.children[0]), std::move(limit.limit),
                                         std::move(limit.offset), std::move(counts));
}

PhysicalOperatorPtr PhysicalPlanner::PlanMaterialize(LogicalMaterialize& kept) {
  // Only the main part of a statement counts its rows, as in PostgreSQL. The flag is restored behind the
  // definition, because the main part may write as well.
  const bool was_in_with = std::exchange(is_in_with_, is_in_with_ || (kept.is_change && !kept.is_returning));
  auto definition = PlanNode(*kept.children[0]);
  is_in_with_ = was_in_with;
  auto result = std::make_unique<MaterializeOperator>(kept.share, std::move(definition),
                                                      PlanNode(*kept.children[1]), kept.is_change);
  if (!kept.is_statement) return result;
  return std::make_unique<StatementOperator>(std::move(result));
}

PhysicalOperatorPtr PhysicalPlanner::PlanGet(LogicalGet& get) {
  return std::make_unique<TableScanOperator>(get.table, ScanOf(get), get.Types());
}

PhysicalOperatorPtr PhysicalPlanner::PlanProject(LogicalProject& project) {
  const BindingResolver resolver(project.children[0]->Bindings());
  auto child = PlanNode(*project.children[0]);
  for (auto& expression : project.expressions) resolver.Resolve(expression);
  child = BatchForeignCalls(std::move(child), project.expressions);
  return std::make_unique<ProjectOperator>(std::move(child), std::move(project.expressions));
}

PhysicalOperatorPtr PhysicalPlanner::PlanExpand(LogicalExpand& expand) {
  const BindingResolver resolver(expand.children[0]->Bindings());
  auto child = PlanNode(*expand.children[0]);
  std::vector<ExpressionPtr> inputs;
  for (size_t i = 0; i < child->types().size(); i++)
    inputs.push_back(std::make_unique<ReferenceExpression>(child->types()[i], i, ""));
  const size_t column_count = expand.columns.size();
  for (auto& column : expand.columns) {
    resolver.Resolve(column);
    inputs.push_back(std::move(column));
  }
  return std::make_unique<ExpandOperator>(ProjectUnlessIdentity(std::move(child), std::move(inputs)),
                                          column_count, std::move(expand.sets));
}

/// Returns the groups of grouping sets without columns: they have a result row even if there is no input row.
static std::vector<std::vector<Value>> GroupsOfEmptySets(const std::vector<int32_t>& empty_sets,
                                                         const std::vector<LogicalType>& group_types) {
  std::vector<std::vector<Value>> groups;
  for (const int32_t set : empty_sets) {
    auto& group = groups.emplace_back();
    for (size_t i = 0; i + 1 < group_types.size(); i++) group.push_back(Value(group_types[i]));
    group.push_back(Value::Integer(set));
  }
  return groups;
}

/// Returns whether all aggregates are DISTINCT over the same arguments, without filters, and in any order.
/// The input then has no columns but groups and arguments, so that it can be deduplicated as a whole.
static bool ShareDistinctArguments(const std::vector<AggregateSpecification>& specifications) {
  return std::ranges::all_of(specifications, [&](const AggregateSpecification& specification) {
    return specification.distinct && !specification.filter && specification.function.ignores_order &&
           specification.arguments == specifications[0].arguments;
  });
}

PhysicalOperatorPtr PhysicalPlanner::PlanAggregate(LogicalAggregate& aggregate) {
  if (CountsTable(aggregate))
    return std::make_unique<TableCountOperator>(aggregate.children[0]->As<LogicalGet>().table,
                                                aggregate.Types());
  const BindingResolver resolver(aggregate.children[0]->Bindings());
  std::vector<LogicalType> types = aggregate.Types();
  auto child = PlanNode(*aggregate.children[0]);
  // The input of the aggregation is the groups, then each argument and filter, without duplicates.
  InputList inputs;
  for (auto& group : aggregate.groups) {
    resolver.Resolve(group);
    inputs.Add(std::move(group));
  }
  const size_t group_count = inputs.size();
  bool any_distinct = false;
  std::vector<AggregateSpecification> specifications;
  for (auto& expression : aggregate.aggregates) {
    auto& call = expression->As<AggregateExpression>();
    AggregateSpecification specification;
    for (auto& argument : call.arguments) {
      resolver.Resolve(argument);
      specification.arguments.push_back(inputs.FindOrAdd(std::move(argument)));
    }
    if (call.filter) {
      resolver.Resolve(call.filter);
      specification.filter = inputs.FindOrAdd(std::move(call.filter));
    }
    specification.function = call.function;
    specification.data = call.data;
    // min() and max(), for example, need no deduplication.
    specification.distinct = call.distinct && !call.function.ignores_duplicates && !call.arguments.empty();
    any_distinct = any_distinct || specification.distinct;
    specifications.push_back(std::move(specification));
  }
  auto input = ProjectUnlessIdentity(std::move(child), inputs.Take());
  if (any_distinct && ShareDistinctArguments(specifications)) {
    // A first aggregation by groups and arguments removes duplicates. Unlike the sets of a DISTINCT
    // aggregate, it runs in parallel and can spill.
    std::vector<LogicalType> row_types = input->types();
    const size_t column_count = row_types.size();
    input = std::make_unique<HashAggregate>(std::move(input), column_count,
                                            std::vector<AggregateSpecification>{}, std::move(row_types));
    for (AggregateSpecification& specification : specifications) specification.distinct = false;
    any_distinct = false;
  }
  if (group_count == 0 && !any_distinct) {
    return std::make_unique<UngroupedAggregate>(std::move(input), std::move(specifications),
                                                std::move(types));
  }
  const std::vector<LogicalType> group_types(types.begin(),
                                             types.begin() + static_cast<std::ptrdiff_t>(group_count));
  return std::make_unique<HashAggregate>(std::move(input), group_count, std::move(specifications),
                                         std::move(types),
                                         GroupsOfEmptySets(aggregate.empty_sets, group_types));
}

FrameSpecification PhysicalPlanner::PlanFrame(WindowFrame& frame, const AddColumn& add) {
  FrameSpecification result;
  result.unit = frame.unit;
  result.exclusion = frame.exclusion;
  const auto plan_bound = [&](WindowFrameBound& from, FrameBoundSpecification& to) {
    to.kind = from.kind;
    if (from.offset) {
      // An offset without columns is the same for all rows, so it is evaluated once, here.
      bool has_columns = false;
      ForEachColumnRef(*from.offset, [&](const ColumnRefExpression&) { has_columns = true; });
      to.offset_type = from.offset->type();
      if (!has_columns) to.offset = EvaluateConstant(context_, *from.offset);
      if (has_columns) to.offset_column = add(std::move(from.offset));
    }
    if (from.limit) to.limit = add(std::move(from.limit));
  };
  plan_bound(frame.start, result.start);
  plan_bound(frame.end, result.end);
  if (frame.range_key) result.range_key = add(std::move(frame.range_key));
  return result;
}

PhysicalOperatorPtr PhysicalPlanner::PlanWindow(LogicalWindow& window) {
  const std::vector<ColumnBinding> bindings = window.children[0]->Bindings();
  const BindingResolver resolver(bindings);
  std::vector<LogicalType> types = window.Types();
  auto child = PlanNode(*window.children[0]);
  // The operator's input is the child's columns, which it emits again, then keys, arguments and offsets.
  InputList inputs;
  for (size_t i = 0; i < bindings.size(); i++)
    inputs.Add(std::make_unique<ReferenceExpression>(child->types()[i], i, ""));
  const auto add = [&](ExpressionPtr expression) {
    resolver.Resolve(expression);
    return inputs.FindOrAdd(std::move(expression));
  };
  WindowSpecification specification;
  for (auto& key : window.partition_by) {
    specification.orders.push_back({key->type(), false, false});
    specification.partition_by.push_back(add(std::move(key)));
  }
  for (SortKey& key : window.order_by) {
    specification.orders.push_back({key.expression->type(), key.descending, key.nulls_first});
    specification.order_by.push_back(add(std::move(key.expression)));
  }
  for (auto& expression : window.functions) {
    auto& call = expression->As<WindowExpression>();
    WindowFunctionSpecification& function = specification.functions.emplace_back();
    function.kind = call.function;
    function.ignores_nulls = call.ignores_nulls;
    function.return_type = call.type();
    for (auto& argument : call.arguments) function.arguments.push_back(add(std::move(argument)));
    if (call.function == WindowFunctionKind::kAggregate) {
      function.aggregate.function = call.aggregate;
      function.aggregate.data = call.data;
      function.aggregate.arguments = function.arguments;
      if (call.filter) function.aggregate.filter = add(std::move(call.filter));
      if (call.previous) function.previous = add(std::move(call.previous));
    }
    // Functions with equal frames share one frame, so that its bounds are computed once per row.
    const FrameSpecification frame = PlanFrame(call.frame, add);
    auto& frames = specification.frames;
    function.frame = static_cast<size_t>(std::find(frames.begin(), frames.end(), frame) - frames.begin());
    if (function.frame == frames.size()) frames.push_back(frame);
  }
  PhysicalOperatorPtr key_scan = PlanKeyScan(*window.children[0], specification);
  return std::make_unique<WindowOperator>(ProjectUnlessIdentity(std::move(child), inputs.Take()),
                                          std::move(key_scan), std::move(specification), std::move(types));
}

PhysicalOperatorPtr PhysicalPlanner::PlanKeyScan(const LogicalOperator& input,
                                                 const WindowSpecification& specification) {
  const StreamedOrder asked = StreamedWindow::AskedOrder(specification);
  // Only a plain scan is read twice. Anything else could cost more than it saves, or yield other rows the
  // second time.
  if (asked == StreamedOrder::kNever || input.kind() != LogicalKind::kGet) return nullptr;
  const auto& get = input.As<LogicalGet>();
  std::vector<size_t> keys = specification.partition_by;
  keys.insert(keys.end(), specification.order_by.begin(), specification.order_by.end());
  const auto is_computed = [&](size_t key) { return key >= get.columns.size(); };
  if (keys.empty() || get.table->is_collection() || std::any_of(keys.begin(), keys.end(), is_computed))
    return nullptr;
  TableScanSpecification scan = ScanOf(get);
  scan.columns.clear();
  std::vector<LogicalType> types;
  for (const size_t key : keys) {
    scan.columns.push_back(get.columns[key]);
    types.push_back(specification.orders[types.size()].type);
  }
  return std::make_unique<TableScanOperator>(get.table, std::move(scan), std::move(types));
}

PhysicalOperatorPtr PhysicalPlanner::PlanCopyTo(LogicalCopyTo& copy) {
  return std::make_unique<CopyToOperator>(copy.target, copy.column_names, PlanNode(*copy.children[0]));
}

}  // namespace scaup
