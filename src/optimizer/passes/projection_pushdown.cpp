// Pass: prunes columns that are not read above.
#include "optimizer/passes/projection_pushdown.hpp"

#include <algorithm>
#include <set>

#include "common/stack_bound.hpp"
#include "planner/nodes.hpp"
#include "type/physical_type.hpp"

namespace scaup {

LogicalOperatorPtr ProjectionPushdown::Rewrite(LogicalOperatorPtr plan) {
  const BindingSet all = OutputColumns(*plan);
  return Prune(std::move(plan), all);
}

ColumnBinding ProjectionPushdown::Current(ColumnBinding original) const {
  const auto found = renamed_.find(original);
  return found == renamed_.end() ? original : found->second;
}

LogicalOperatorPtr ProjectionPushdown::Prune(LogicalOperatorPtr plan, const BindingSet& required) {
  CheckStack();
  switch (plan->kind()) {
    case LogicalKind::kGet: {
      auto& get = plan->As<LogicalGet>();
      const std::vector<ColumnBinding> bindings = get.Bindings();
      const bool only_counts = std::none_of(bindings.begin(), bindings.end(),
                                            [&](const auto& binding) { return required.contains(binding); });
      if (only_counts && get.table->is_collection()) {
        get.columns = {kRowNumberColumn};  // no document needs to be read
      } else {
        PruneColumns(get.table_index, get.columns, get.Types(), required);
      }
      return plan;
    }
    case LogicalKind::kTableFunction: {
      auto& function = plan->As<LogicalTableFunction>();
      PruneColumns(function.table_index, function.columns, function.Types(), required);
      return plan;
    }
    case LogicalKind::kRowsCall: {
      auto& call = plan->As<LogicalRowsCall>();
      PruneColumns(call.table_index, call.columns, call.Types(), required);
      if (!plan->children.empty()) PruneChild(*plan, 0, {});
      return plan;
    }
    case LogicalKind::kValues: return plan;
    case LogicalKind::kProject: PruneProject(plan->As<LogicalProject>(), required); return plan;
    case LogicalKind::kAggregate: PruneAggregate(plan->As<LogicalAggregate>(), required); return plan;
    case LogicalKind::kWindow: return PruneWindow(std::move(plan), required);
    case LogicalKind::kUnnest: {
      BindingSet needed = required;
      plan->ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, needed); });
      NarrowChild(*plan, 0, needed);
      RenameColumns(*plan, renamed_);
      return plan;
    }
    case LogicalKind::kJoin: PruneJoin(plan->As<LogicalJoin>(), required); return plan;
    case LogicalKind::kOnDemand: {
      BindingSet wanted = required;
      plan->ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, wanted); });
      for (size_t i = 0; i < 2; i++) NarrowChild(*plan, i, wanted);
      RenameColumns(*plan, renamed_);
      return plan;
    }
    case LogicalKind::kUnionAll: PruneUnion(plan->As<LogicalUnionAll>(), required); return plan;
    case LogicalKind::kExpand: {
      BindingSet wanted = required;
      plan->ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, wanted); });
      NarrowChild(*plan, 0, wanted);
      RenameColumns(*plan, renamed_);
      return plan;
    }
    case LogicalKind::kMaterialize: PruneShare(plan->As<LogicalMaterialize>(), required); return plan;
    case LogicalKind::kSharedScan: PruneSharedScan(plan->As<LogicalSharedScan>(), required); return plan;
    case LogicalKind::kRecursion:
      // Each round reads all columns of the previous one.
      for (size_t i = 0; i < 2; i++) PruneToColumns(plan->children[i], plan->children[i]->Bindings());
      return plan;
    case LogicalKind::kFilter: PruneChild(*plan, 0, required); return plan;
    case LogicalKind::kLimit:
      PruneChild(*plan, 0, required);
      if (plan->children.size() > 1) PruneChild(*plan, 1, OutputColumns(*plan->children[1]));
      return plan;
    case LogicalKind::kSort:
    case LogicalKind::kTopN: PruneSort(*plan, required); return plan;
    case LogicalKind::kDistinct:
      // Without keys, every column decides which rows are distinct.
      PruneChild(*plan, 0, plan->As<LogicalDistinct>().on.empty() ? OutputColumns(*plan) : required);
      return plan;
    default:
      // For other nodes, assume that all columns are read.
      for (size_t i = 0; i < plan->children.size(); i++)
        PruneChild(*plan, i, OutputColumns(*plan->children[i]));
      return plan;
  }
}

void ProjectionPushdown::PruneChild(LogicalOperator& plan, size_t child, BindingSet required) {
  plan.ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, required); });
  plan.children[child] = Prune(std::move(plan.children[child]), required);
  RenameColumns(plan, renamed_);
}

void ProjectionPushdown::NarrowChild(LogicalOperator& plan, size_t child, const BindingSet& required) {
  const BindingSet before = OutputColumns(*plan.children[child]);
  LogicalOperatorPtr input = Prune(std::move(plan.children[child]), required);
  BindingMap original_of;
  for (const ColumnBinding& binding : before) {
    if (required.contains(binding)) original_of[Current(binding)] = binding;
  }
  std::vector<ExpressionPtr> references = ReferenceColumns(*input);
  const size_t column_count = references.size();
  std::erase_if(references, [&](const ExpressionPtr& e) {
    return !original_of.contains(e->As<ColumnRefExpression>().binding);
  });
  // A scan that retains one column only to count rows is narrow enough.
  if (!references.empty() && references.size() < column_count) {
    const size_t table_index = context_.NewTableIndex();
    for (size_t i = 0; i < references.size(); i++) {
      renamed_[original_of.at(references[i]->As<ColumnRefExpression>().binding)] = {table_index, i};
    }
    input = std::make_unique<LogicalProject>(table_index, std::move(input), std::move(references));
  }
  plan.children[child] = std::move(input);
}

void ProjectionPushdown::PruneSort(LogicalOperator& sort, BindingSet required) {
  sort.ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, required); });
  NarrowChild(sort, 0, required);
  RenameColumns(sort, renamed_);
}

void ProjectionPushdown::PruneColumns(size_t table_index, std::vector<size_t>& columns,
                                      const std::vector<LogicalType>& types, const BindingSet& required) {
  // Scans name the table's columns, so nothing is renamed. At least one column must remain to count the rows:
  // the cheapest.
  size_t cheapest = 0;
  for (size_t i = 1; i < columns.size(); i++) {
    if (PhysicalSize(types[i]) < PhysicalSize(types[cheapest])) cheapest = i;
  }
  std::vector<size_t> kept;
  for (const size_t column : columns) {
    if (required.contains({table_index, column})) kept.push_back(column);
  }
  if (kept.empty() && !columns.empty()) kept.push_back(columns[cheapest]);
  columns = std::move(kept);
}

void ProjectionPushdown::KeepRequired(size_t table_index, std::vector<ExpressionPtr>& expressions,
                                      const BindingSet& required, size_t least) {
  std::vector<ExpressionPtr> kept;
  for (size_t i = 0; i < expressions.size(); i++) {
    const size_t rest = expressions.size() - i;
    const bool must_stay = kept.size() + rest <= least || !IsDeterministic(*expressions[i]);
    if (!required.contains({table_index, i}) && !must_stay) continue;
    if (kept.size() != i) renamed_[{table_index, i}] = {table_index, kept.size()};
    kept.push_back(std::move(expressions[i]));
  }
  expressions = std::move(kept);
}

void ProjectionPushdown::PruneProject(LogicalProject& project, const BindingSet& required) {
  KeepRequired(project.table_index, project.expressions, required, 1);
  // The expressions refer to the child, whose columns are renamed only by this call; no column of this node
  // is affected.
  PruneChild(project, 0, {});
}

void ProjectionPushdown::PruneAggregate(LogicalAggregate& aggregate, const BindingSet& required) {
  KeepRequired(aggregate.aggregate_index, aggregate.aggregates, required, aggregate.groups.empty() ? 1 : 0);
  PruneChild(aggregate, 0, {});
}

LogicalOperatorPtr ProjectionPushdown::PruneWindow(LogicalOperatorPtr plan, BindingSet required) {
  auto& window = plan->As<LogicalWindow>();
  KeepRequired(window.table_index, window.functions, required, 0);
  if (window.functions.empty()) return Prune(std::move(plan->children[0]), required);
  window.ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, required); });
  NarrowChild(window, 0, required);
  RenameColumns(window, renamed_);
  return plan;
}

void ProjectionPushdown::PruneJoin(LogicalJoin& join, BindingSet required) {
  join.ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, required); });
  NarrowChild(join, 0, required);
  NarrowChild(join, 1, required);
  RenameColumns(join, renamed_);
}

void ProjectionPushdown::PruneToColumns(LogicalOperatorPtr& plan, const std::vector<ColumnBinding>& columns) {
  plan = Prune(std::move(plan), BindingSet(columns));
  std::vector<ColumnBinding> in_order;
  for (const ColumnBinding& column : columns) in_order.push_back(Current(column));
  if (plan->Bindings() == in_order) return;
  std::vector<ExpressionPtr> references = ReferenceColumns(*plan), chosen;
  for (const ColumnBinding& binding : in_order) {
    for (const ExpressionPtr& reference : references) {
      if (reference->As<ColumnRefExpression>().binding == binding) chosen.push_back(reference->Clone());
    }
  }
  plan = std::make_unique<LogicalProject>(context_.NewTableIndex(), std::move(plan), std::move(chosen));
}

void ProjectionPushdown::PruneSharedScan(LogicalSharedScan& scan, const BindingSet& required) {
  std::vector<size_t> kept;
  size_t cheapest = 0;
  for (size_t i = 0; i < scan.columns.size(); i++) {
    if (required.contains(scan.bindings[i])) kept.push_back(i);
    if (PhysicalSize(scan.types[i]) < PhysicalSize(scan.types[cheapest])) cheapest = i;
  }
  if (kept.empty() && !scan.columns.empty()) kept.push_back(cheapest);
  scan.Keep(kept);
}

void ProjectionPushdown::PruneShare(LogicalMaterialize& node, const BindingSet& required) {
  PruneChild(node, 1, required);
  // Pruning the results of RETURNING saves little, and their errors count even if they are not read.
  if (node.is_change) return PruneChild(node, 0, OutputColumns(*node.children[0]));
  std::set<size_t> read;
  const auto each_scan = [&](const std::function<void(LogicalSharedScan&)>& visit) {
    ForEachSharedScan(*node.children[1], node.share, visit);
  };
  each_scan([&](LogicalSharedScan& scan) { read.insert(scan.columns.begin(), scan.columns.end()); });
  const std::vector<ColumnBinding> bindings = node.children[0]->Bindings();
  if (read.empty() && !bindings.empty()) read.insert(0);
  std::vector<ColumnBinding> wanted;
  std::vector<size_t> new_place(bindings.size());
  for (const size_t column : read) {
    new_place[column] = wanted.size();
    wanted.push_back(bindings[column]);
  }
  PruneToColumns(node.children[0], wanted);
  each_scan([&](LogicalSharedScan& scan) {
    for (size_t& column : scan.columns) column = new_place[column];
  });
}

void ProjectionPushdown::PruneUnion(LogicalUnionAll& node, const BindingSet& required) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < node.names.size(); i++) {
    if (required.contains({node.table_index, i})) kept.push_back(i);
  }
  if (kept.empty() && !node.names.empty()) kept.push_back(0);  // collections without keys have no columns
  for (LogicalOperatorPtr& child : node.children) {
    const std::vector<ColumnBinding> bindings = child->Bindings();
    std::vector<ColumnBinding> wanted;
    for (const size_t i : kept) wanted.push_back(bindings[i]);
    PruneToColumns(child, wanted);
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < kept.size(); i++) {
    names.push_back(std::move(node.names[kept[i]]));
    if (kept[i] != i) renamed_[{node.table_index, kept[i]}] = {node.table_index, i};
  }
  node.names = std::move(names);
}

}  // namespace scaup
