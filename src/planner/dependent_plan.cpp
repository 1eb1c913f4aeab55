// Dependent plans: pushes the domain of the outer columns down, with one function for each kind of node.
#include "planner/dependent_plan.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/numbered_limit.hpp"
#include "planner/plan_join.hpp"
#include "planner/plan_tables.hpp"

namespace scaup {

namespace {

ExpressionPtr ZeroWhereNull(ExpressionPtr column) {
  const LogicalType type = column->type();
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({std::make_unique<IsNullExpression>(column->Clone(), false),
                      AddCast(std::make_unique<ConstantExpression>(Value::BigInt(0)), type)});
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(column));
}

/// Returns whether a join gives the rows of its left child the value of a subquery, its right child.
bool IsSubqueryJoin(const LogicalOperator& plan) {
  if (plan.kind() != LogicalKind::kJoin) return false;
  const LogicalJoinType type = plan.As<LogicalJoin>().join_type;
  return type == LogicalJoinType::kSingle || type == LogicalJoinType::kMark;
}

bool ReadsShared(const LogicalOperator& plan) {
  CheckStack();
  if (plan.kind() == LogicalKind::kSharedScan) return true;
  return std::any_of(plan.children.begin(), plan.children.end(),
                     [](const LogicalOperatorPtr& child) { return ReadsShared(*child); });
}

/// Returns what is evaluated for each value in a child of a node of which `per_value` is.
EvaluatedPerValue PerValueOfChild(const LogicalOperator& plan, size_t child, EvaluatedPerValue per_value) {
  if (child != 1) return per_value;
  // A subquery without outer columns runs once, as its value is the same for all rows.
  if (IsSubqueryJoin(plan) && !ReadsShared(*plan.children[1])) per_value.volatile_ones = false;
  // One that runs on demand does not even run for an empty domain.
  if (plan.kind() == LogicalKind::kOnDemand) return {};
  return per_value;
}

}  // namespace

bool IsCount(const Expression& aggregate) {
  return aggregate.As<AggregateExpression>().function.name.find("count") != std::string::npos;
}

ColumnBinding DependentPlan::Current(ColumnBinding column) const {
  for (auto found = renamed_.find(column); found != renamed_.end(); found = renamed_.find(column))
    column = found->second;
  return column;
}

bool DependentPlan::IsDependent(const Expression& expression) const {
  CheckStack();
  bool found = false;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& column) {
    found = found || outer_place_.contains(column.binding);
  });
  return found;
}

bool DependentPlan::IsDependent(LogicalOperator& plan, EvaluatedPerValue per_value) const {
  CheckStack();
  const auto is_per_value = [&](const Expression& expression) {
    if (!IsDeterministic(expression)) return per_value.volatile_ones;
    return per_value.failing_ones && !CannotFail(expression);
  };
  bool found = false;
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    found = found || IsDependent(*expression) || is_per_value(*expression);
  });
  if (found) return true;
  if (plan.kind() == LogicalKind::kSharedScan &&
      dependent_shares_.contains(plan.As<LogicalSharedScan>().share))
    return true;
  for (size_t i = 0; i < plan.children.size(); i++) {
    if (IsDependent(*plan.children[i], PerValueOfChild(plan, i, per_value))) return true;
  }
  return false;
}

ExpressionPtr DependentPlan::Column(const Domain& domain, size_t i) const {
  return MakeColumn(types_[i], domain[i], kDomainName);
}

std::vector<ExpressionPtr> DependentPlan::Columns(const Domain& domain) const {
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < domain.size(); i++) columns.push_back(Column(domain, i));
  return columns;
}

DependentPlan::Result DependentPlan::ScanDomain() {
  auto scan = std::make_unique<LogicalSharedScan>(share_, "outer values", planner_.NewTableIndex(), types_,
                                                  std::vector<std::string>(types_.size(), kDomainName));
  Domain domain = scan->bindings;
  return {std::move(scan), std::move(domain)};
}

DependentPlan::Result DependentPlan::Cross(LogicalOperatorPtr plan) {
  Result result = ScanDomain();
  const bool is_one_row = plan->kind() == LogicalKind::kValues && plan->As<LogicalValues>().types.empty() &&
                          plan->As<LogicalValues>().rows.size() == 1;
  // A SELECT without FROM has one row without columns, so the product is the domain itself.
  if (is_one_row) return result;
  result.plan =
      std::make_unique<LogicalJoin>(LogicalJoinType::kInner, std::move(result.plan), std::move(plan));
  return result;
}

void DependentPlan::Rewrite(ExpressionPtr& expression, const Domain& domain) const {
  ForEachColumnRef(expression, [&](ColumnRefExpression& column) {
    const auto place = outer_place_.find(column.binding);
    if (place != outer_place_.end()) {
      column.binding = domain[place->second];
      column.outer_level = 0;
    } else {
      column.binding = Current(column.binding);
    }
  });
}

void DependentPlan::RewriteNode(LogicalOperator& node, const Domain& domain) const {
  node.ForEachExpression([&](ExpressionPtr& expression) { Rewrite(expression, domain); });
}

void DependentPlan::Compare(LogicalJoin& join, const Domain& left, const Domain& right) const {
  for (const size_t i : keys_)
    // NULL is a value of the domain like any other, so it must match itself.
    join.conditions.push_back({ComparisonOp::kNotDistinctFrom, Column(left, i), Column(right, i)});
}

LogicalOperatorPtr DependentPlan::LineUp(Result input, const std::vector<ColumnBinding>& columns) {
  const std::vector<ColumnBinding> bindings = input.plan->Bindings();
  const std::vector<LogicalType> types = input.plan->Types();
  const std::vector<std::string> names = input.plan->Names();
  std::vector<ExpressionPtr> expressions;
  for (const ColumnBinding& column : columns) {
    const ColumnBinding current = Current(column);
    const auto place =
        static_cast<size_t>(std::find(bindings.begin(), bindings.end(), current) - bindings.begin());
    expressions.push_back(MakeColumn(types.at(place), current, names.at(place)));
  }
  for (ExpressionPtr& column : Columns(input.domain)) expressions.push_back(std::move(column));
  return std::make_unique<LogicalProject>(planner_.NewTableIndex(), std::move(input.plan),
                                          std::move(expressions));
}

DependentPlan::Result DependentPlan::Push(LogicalOperatorPtr plan) {
  CheckStack();
  // The domain is joined as far down as possible: this part has the same rows for each value of the domain.
  if (!IsDependent(*plan, per_value_)) return Cross(std::move(plan));
  switch (plan->kind()) {
    case LogicalKind::kProject: return PushProject(std::move(plan));
    case LogicalKind::kAggregate: return PushAggregate(std::move(plan));
    case LogicalKind::kJoin: return PushJoin(std::move(plan));
    case LogicalKind::kOnDemand: return PushOnDemand(std::move(plan));
    case LogicalKind::kLimit: return PushLimit(std::move(plan));
    case LogicalKind::kUnionAll: return PushUnion(std::move(plan));
    case LogicalKind::kValues: return PushValues(std::move(plan));
    case LogicalKind::kMaterialize: return PushMaterialize(std::move(plan));
    case LogicalKind::kSharedScan: return PushSharedScan(std::move(plan));
    case LogicalKind::kRecursion: return PushRecursion(std::move(plan));
    case LogicalKind::kFilter:
    case LogicalKind::kExpand:
    case LogicalKind::kWindow:
    case LogicalKind::kUnnest:
    case LogicalKind::kDistinct:
    case LogicalKind::kSort: {
      Result child = Push(std::move(plan->children[0]));
      plan->children[0] = std::move(child.plan);
      RewriteNode(*plan, child.domain);
      // Windows and DISTINCT ON work within each value of the domain. Plain DISTINCT does so by itself, since
      // the domain's columns are among those that it compares.
      if (plan->kind() == LogicalKind::kWindow) {
        for (ExpressionPtr& column : Columns(child.domain))
          plan->As<LogicalWindow>().partition_by.push_back(std::move(column));
      }
      if (plan->kind() == LogicalKind::kDistinct && !plan->As<LogicalDistinct>().on.empty()) {
        for (ExpressionPtr& column : Columns(child.domain))
          plan->As<LogicalDistinct>().on.push_back(std::move(column));
      }
      return {std::move(plan), std::move(child.domain)};
    }
    default: break;
  }
  ThrowInternal("a plan of this kind cannot depend on outer columns: " + plan->Name());
}

DependentPlan::Result DependentPlan::PushProject(LogicalOperatorPtr plan) {
  auto& project = plan->As<LogicalProject>();
  Result child = Push(std::move(plan->children[0]));
  plan->children[0] = std::move(child.plan);
  RewriteNode(*plan, child.domain);
  Domain domain;
  for (ExpressionPtr& column : Columns(child.domain)) {
    domain.push_back({project.table_index, project.expressions.size()});
    project.expressions.push_back(std::move(column));
  }
  return {std::move(plan), std::move(domain)};
}

DependentPlan::Result DependentPlan::PushAggregate(LogicalOperatorPtr plan) {
  auto& aggregate = plan->As<LogicalAggregate>();
  Result child = Push(std::move(plan->children[0]));
  plan->children[0] = std::move(child.plan);
  RewriteNode(*plan, child.domain);
  const bool has_certain_rows = aggregate.groups.empty() || !aggregate.empty_sets.empty();
  if (!has_certain_rows) {
    Domain domain;
    for (ExpressionPtr& column : Columns(child.domain)) {
      domain.push_back({aggregate.group_index, aggregate.groups.size()});
      aggregate.groups.push_back(std::move(column));
    }
    return {std::move(plan), std::move(domain)};
  }
  // Each value of the domain must have a row, even if there is nothing to aggregate; with grouping sets, one
  // for each empty set. So the groups that exist are joined with those that must exist.
  const std::vector<ColumnBinding> before = plan->Bindings();
  const size_t group_count = aggregate.groups.size(), domain_count = child.domain.size();
  std::vector<bool> is_count(group_count, false);
  for (const auto& call : aggregate.aggregates) is_count.push_back(IsCount(*call));
  const std::vector<int32_t> empty_sets = std::move(aggregate.empty_sets);
  aggregate.empty_sets.clear();
  std::vector<ExpressionPtr> groups = Columns(child.domain);
  for (auto& group : aggregate.groups) groups.push_back(std::move(group));
  aggregate.groups = std::move(groups);
  aggregate.group_index = planner_.NewTableIndex();
  aggregate.aggregate_index = planner_.NewTableIndex();
  const std::vector<LogicalType> types = plan->Types();
  const std::vector<std::string> names = plan->Names();
  Domain inner;
  for (size_t i = 0; i < domain_count; i++) inner.push_back({aggregate.group_index, i});
  const ColumnBinding set{aggregate.group_index, domain_count + group_count - 1};
  const std::vector<ColumnBinding> columns = plan->Bindings();
  Result base = ScanDomain();
  ColumnBinding certain_set{};
  if (!empty_sets.empty()) {
    auto sets =
        std::make_unique<LogicalValues>(planner_.NewTableIndex(), std::vector<LogicalType>{TypeId::kInteger},
                                        std::vector<std::string>{"grouping set"});
    for (const int32_t number : empty_sets)
      sets->rows.emplace_back().push_back(std::make_unique<ConstantExpression>(Value::Integer(number)));
    certain_set = {sets->table_index, 0};
    base.plan = std::make_unique<LogicalJoin>(LogicalJoinType::kInner, std::move(base.plan), std::move(sets));
  }
  auto join =
      std::make_unique<LogicalJoin>(empty_sets.empty() ? LogicalJoinType::kLeft : LogicalJoinType::kFull,
                                    std::move(base.plan), std::move(plan));
  Compare(*join, base.domain, inner);
  if (!empty_sets.empty()) {
    join->conditions.push_back({ComparisonOp::kEqual,
                                MakeColumn(TypeId::kInteger, certain_set, "grouping set"),
                                MakeColumn(TypeId::kInteger, set, "grouping set")});
  }
  const size_t index = planner_.NewTableIndex();
  std::vector<ExpressionPtr> expressions;
  for (size_t i = 0; i < before.size(); i++) {
    const size_t place = domain_count + i;
    ExpressionPtr value = MakeColumn(types[place], columns[place], names[place]);
    // The outer join made the aggregates of missing groups NULL, but a count of no rows is 0.
    if (is_count[i]) value = ZeroWhereNull(std::move(value));
    if (columns[place] == set && !empty_sets.empty())
      value = FirstNotNull(std::move(value), MakeColumn(TypeId::kInteger, certain_set, "grouping set"));
    value->alias = names[place];
    // The aggregate's columns now come from the projection; expressions above still have the old bindings.
    renamed_[before[i]] = {index, i};
    expressions.push_back(std::move(value));
  }
  Domain domain;
  for (size_t i = 0; i < domain_count; i++) {
    domain.push_back({index, expressions.size()});
    ExpressionPtr value = Column(base.domain, i);
    if (!empty_sets.empty()) value = FirstNotNull(std::move(value), Column(inner, i));
    value->alias = kDomainName;
    expressions.push_back(std::move(value));
  }
  return {std::make_unique<LogicalProject>(index, std::move(join), std::move(expressions)),
          std::move(domain)};
}

DependentPlan::Result DependentPlan::PushJoin(LogicalOperatorPtr plan) {
  auto& join = plan->As<LogicalJoin>();
  const bool left_depends = IsDependent(*join.children[0], per_value_);
  const bool right_depends = IsDependent(*join.children[1], PerValueOfChild(join, 1, per_value_));
  bool push_left = left_depends, push_right = right_depends;
  // A side whose rows can appear without a match needs the domain, as its rows must belong to a value of it.
  // An inner join needs it on one side only.
  switch (join.join_type) {
    case LogicalJoinType::kInner: push_left = push_left || !push_right; break;
    case LogicalJoinType::kLeft:
    case LogicalJoinType::kSemi:
    case LogicalJoinType::kAnti:
    case LogicalJoinType::kMark:
    case LogicalJoinType::kAsof:
    case LogicalJoinType::kAsofLeft:
    case LogicalJoinType::kSingle: push_left = true; break;
    case LogicalJoinType::kRight:
    case LogicalJoinType::kRightSemi:
    case LogicalJoinType::kRightAnti: push_right = true; break;
    case LogicalJoinType::kFull: push_left = push_right = true; break;
    case LogicalJoinType::kPositional:
      ThrowNotSupported("a POSITIONAL JOIN of rows that depend on an outer query");
  }
  Domain left, right;
  if (push_left) {
    Result pushed = Push(std::move(join.children[0]));
    join.children[0] = std::move(pushed.plan);
    left = std::move(pushed.domain);
  }
  if (push_right) {
    Result pushed = Push(std::move(join.children[1]));
    join.children[1] = std::move(pushed.plan);
    right = std::move(pushed.domain);
  }
  const Domain& kept =
      !push_left || join.join_type == LogicalJoinType::kRight || !EmitsLeft(join.join_type) ? right : left;
  // A condition that used an outer column now uses the domain of one side, so it may be sorted into left and
  // right differently.
  std::vector<JoinCondition> conditions = std::move(join.conditions);
  std::vector<ExpressionPtr> residual = std::move(join.residual);
  join.conditions.clear();
  join.residual.clear();
  for (JoinCondition& condition : conditions) {
    Rewrite(condition.left, kept);
    Rewrite(condition.right, kept);
    // The sides of an ASOF JOIN's conditions are fixed. Outer columns are used on the left one alone.
    if (IsAsof(join.join_type)) {
      join.conditions.push_back(std::move(condition));
      continue;
    }
    AddJoinCondition(join, std::make_unique<ComparisonExpression>(condition.op, std::move(condition.left),
                                                                  std::move(condition.right)));
  }
  for (ExpressionPtr& predicate : residual) {
    Rewrite(predicate, kept);
    AddJoinCondition(join, std::move(predicate));
  }
  if (push_left && push_right) Compare(join, left, right);
  if (join.join_type == LogicalJoinType::kFull) return FinishFullJoin(std::move(plan), left, right);
  return {std::move(plan), kept};
}

/// Finishes a full join. A row without a match has the domain on its own side only, so both are combined. A
/// LogicalExpand with a single set does this because, unlike a projection, it passes the join's columns on
/// under their names, which nodes far above may use.
DependentPlan::Result DependentPlan::FinishFullJoin(LogicalOperatorPtr plan, const Domain& left,
                                                    const Domain& right) {
  const size_t index = planner_.NewTableIndex();
  std::vector<ExpressionPtr> columns;
  std::vector<size_t> set;
  Domain domain;
  for (size_t i = 0; i < outer_.size(); i++) {
    domain.push_back({index, i});
    set.push_back(i);
    columns.push_back(FirstNotNull(Column(left, i), Column(right, i)));
    columns.back()->alias = kDomainName;
  }
  return {std::make_unique<LogicalExpand>(index, std::move(plan), std::move(columns),
                                          std::vector<std::vector<size_t>>{std::move(set)}),
          std::move(domain)};
}

DependentPlan::Result DependentPlan::PushOnDemand(LogicalOperatorPtr plan) {
  auto& node = plan->As<LogicalOnDemand>();
  if (!IsDependent(*plan->children[1], {})) {
    Result child = Push(std::move(plan->children[0]));
    plan->children[0] = std::move(child.plan);
    RewriteNode(*plan, child.domain);
    return {std::move(plan), std::move(child.domain)};
  }
  // A subquery that reads shared rows with the domain has its own rows for each value, as in a plain join.
  auto join = std::make_unique<LogicalJoin>(node.join_type, std::move(plan->children[0]),
                                            std::move(plan->children[1]));
  if (node.needed) join->residual.push_back(std::move(node.needed));
  return PushJoin(std::move(join));
}

/// Replaces LIMIT by row numbers within each value of the domain, in the order of a Sort below.
DependentPlan::Result DependentPlan::PushLimit(LogicalOperatorPtr plan) {
  auto& limit = plan->As<LogicalLimit>();
  Result child = Push(std::move(plan->children[0]));
  const LogicalOperator* ordered = child.plan.get();
  while (ordered->kind() == LogicalKind::kDistinct && !ordered->As<LogicalDistinct>().on.empty())
    ordered = ordered->children[0].get();
  // The keys are taken now, as the order does not outlive a join.
  std::vector<SortKey> keys;
  if (ordered->kind() == LogicalKind::kSort) keys = CloneKeys(ordered->As<LogicalSort>().keys);
  // The counts are computed by a query, perhaps once for each value.
  if (limit.children.size() > 1) {
    LogicalOperatorPtr& source = limit.children[1];
    const bool depends = IsDependent(*source, per_value_);
    Result counts = depends ? Push(std::move(source)) : Result{std::move(source), {}};
    auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kSingle, std::move(child.plan),
                                              std::move(counts.plan));
    if (depends) Compare(*join, child.domain, counts.domain);
    child.plan = std::move(join);
    for (ExpressionPtr* count : {&limit.limit, &limit.offset})
      if (*count) Rewrite(*count, child.domain);
  }
  NumberedLimit numbered{Columns(child.domain), std::move(keys), std::move(limit.limit),
                         std::move(limit.offset), false};
  return {LimitByNumber(planner_, std::move(child.plan), std::move(numbered)), std::move(child.domain)};
}

DependentPlan::Result DependentPlan::PushUnion(LogicalOperatorPtr plan) {
  auto& node = plan->As<LogicalUnionAll>();
  for (LogicalOperatorPtr& child : node.children) {
    const std::vector<ColumnBinding> columns = child->Bindings();
    // Columns of a union correspond by position, so all children get the same order.
    child = LineUp(Push(std::move(child)), columns);
  }
  Domain domain;
  for (size_t i = 0; i < outer_.size(); i++) {
    domain.push_back({node.table_index, node.names.size()});
    node.names.emplace_back(kDomainName);
  }
  return {std::move(plan), std::move(domain)};
}

DependentPlan::Result DependentPlan::PushValues(LogicalOperatorPtr plan) {
  auto& values = plan->As<LogicalValues>();
  const size_t width = values.types.size();
  std::vector<LogicalOperatorPtr> rows;
  for (auto& row : values.rows) {
    Result scan = ScanDomain();
    for (size_t i = 0; i < width; i++) {
      Rewrite(row[i], scan.domain);
      row[i]->alias = values.names[i];
    }
    for (ExpressionPtr& column : Columns(scan.domain)) row.push_back(std::move(column));
    // A single row keeps the table index of the node. Several rows become a union, which takes it over.
    const size_t index = values.rows.size() == 1 ? values.table_index : planner_.NewTableIndex();
    rows.push_back(std::make_unique<LogicalProject>(index, std::move(scan.plan), std::move(row)));
  }
  Domain domain;
  std::vector<std::string> names = values.names;
  for (size_t i = 0; i < outer_.size(); i++) {
    domain.push_back({values.table_index, width + i});
    names.emplace_back(kDomainName);
  }
  if (rows.size() == 1) return {std::move(rows[0]), std::move(domain)};
  return {std::make_unique<LogicalUnionAll>(values.table_index, std::move(rows), std::move(names)),
          std::move(domain)};
}

DependentPlan::Result DependentPlan::PushMaterialize(LogicalOperatorPtr plan) {
  auto& shared = plan->As<LogicalMaterialize>();
  if (IsDependent(*plan->children[0], per_value_)) {
    const std::vector<ColumnBinding> columns = plan->children[0]->Bindings();
    plan->children[0] = LineUp(Push(std::move(plan->children[0])), columns);
    dependent_shares_[shared.share] = columns.size();
  }
  Result reader = Push(std::move(plan->children[1]));
  plan->children[1] = std::move(reader.plan);
  return {std::move(plan), std::move(reader.domain)};
}

DependentPlan::Result DependentPlan::PushSharedScan(LogicalOperatorPtr plan) {
  auto& scan = plan->As<LogicalSharedScan>();
  const size_t first = dependent_shares_.at(scan.share), index = planner_.NewTableIndex();
  Domain domain;
  for (size_t i = 0; i < outer_.size(); i++) {
    domain.push_back({index, i});
    scan.columns.push_back(first + i);
    scan.bindings.push_back(domain.back());
    scan.types.push_back(types_[i]);
    scan.names.emplace_back(kDomainName);
  }
  return {std::move(plan), std::move(domain)};
}

DependentPlan::Result DependentPlan::PushRecursion(LogicalOperatorPtr plan) {
  auto& recursion = plan->As<LogicalRecursion>();
  for (size_t i = 0; i < 2; i++) {
    const std::vector<ColumnBinding> columns = plan->children[i]->Bindings();
    plan->children[i] = LineUp(Push(std::move(plan->children[i])), columns);
    dependent_shares_[recursion.share] = columns.size();
  }
  Domain domain;
  for (size_t i = 0; i < outer_.size(); i++) {
    domain.push_back({recursion.table_index, recursion.names.size()});
    recursion.names.emplace_back(kDomainName);
  }
  return {std::move(plan), std::move(domain)};
}

}  // namespace scaup
