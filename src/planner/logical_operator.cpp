// Logical operators: constructors, output columns, expressions.
#include "planner/logical_operator.hpp"

#include <numeric>

#include "common/stack_bound.hpp"

namespace scaup {

namespace {

std::vector<ColumnBinding> NumberedBindings(size_t table_index, size_t count) {
  std::vector<ColumnBinding> bindings;
  bindings.reserve(count);
  for (size_t i = 0; i < count; i++) bindings.push_back({table_index, i});
  return bindings;
}

std::vector<std::string> NamesOf(const std::vector<ExpressionPtr>& expressions) {
  std::vector<std::string> names;
  names.reserve(expressions.size());
  for (const auto& expression : expressions) {
    names.push_back(expression->alias.empty() ? expression->ToString() : expression->alias);
  }
  return names;
}

std::vector<size_t> AllColumns(size_t count) {
  std::vector<size_t> columns(count);
  std::iota(columns.begin(), columns.end(), size_t{0});
  return columns;
}

template <typename T>
void Append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void VisitAll(std::vector<ExpressionPtr>& expressions, const std::function<void(ExpressionPtr&)>& visit) {
  for (auto& expression : expressions) visit(expression);
}

}  // namespace

// --- Sources
// -----------------------------------------------------------------------------------------------------

LogicalGet::LogicalGet(size_t table_index_in, TableEntryRef table_in)
    : LogicalOperator(LogicalKind::kGet), table_index(table_index_in), table(std::move(table_in)) {
  columns = AllColumns(table->columns.size());
}
std::vector<ColumnBinding> LogicalGet::Bindings() const {
  std::vector<ColumnBinding> bindings;
  for (const size_t column : columns) bindings.push_back({table_index, column});
  return bindings;
}
std::vector<LogicalType> LogicalGet::Types() const {
  std::vector<LogicalType> types;
  for (const size_t column : columns) {
    types.push_back(column == kRowNumberColumn ? LogicalType(TypeId::kBigInt) : table->columns[column].type);
  }
  return types;
}
std::vector<std::string> LogicalGet::Names() const {
  std::vector<std::string> names;
  for (const size_t column : columns)
    names.push_back(column == kRowNumberColumn ? "row number" : table->columns[column].name);
  return names;
}

LogicalTableFunction::LogicalTableFunction(size_t table_index_in, TableFunction function_in,
                                           std::shared_ptr<const BoundTableFunction> bound_in)
    : LogicalOperator(LogicalKind::kTableFunction),
      table_index(table_index_in),
      function(std::move(function_in)),
      bound(std::move(bound_in)) {
  columns = AllColumns(bound->column_types.size());
}
std::vector<ColumnBinding> LogicalTableFunction::Bindings() const {
  std::vector<ColumnBinding> bindings;
  for (const size_t column : columns) bindings.push_back({table_index, column});
  return bindings;
}
std::vector<LogicalType> LogicalTableFunction::Types() const {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(bound->column_types[column]);
  return types;
}
std::vector<std::string> LogicalTableFunction::Names() const {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(bound->column_names[column]);
  return names;
}

std::vector<ColumnBinding> LogicalValues::Bindings() const {
  return NumberedBindings(table_index, types.size());
}
void LogicalValues::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (auto& row : rows) VisitAll(row, visit);
}

// --- One child
// ---------------------------------------------------------------------------------------------------

LogicalFilter::LogicalFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates_in)
    : LogicalOperator(LogicalKind::kFilter), predicates(std::move(predicates_in)) {
  children.push_back(std::move(child));
}
void LogicalFilter::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(predicates, visit);
}

LogicalProject::LogicalProject(size_t table_index_in, LogicalOperatorPtr child,
                               std::vector<ExpressionPtr> expressions_in)
    : LogicalOperator(LogicalKind::kProject),
      table_index(table_index_in),
      expressions(std::move(expressions_in)) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalProject::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, expressions.size());
}
std::vector<LogicalType> LogicalProject::Types() const {
  CheckStack();
  return TypesOf(expressions);
}
std::vector<std::string> LogicalProject::Names() const {
  CheckStack();
  return NamesOf(expressions);
}
void LogicalProject::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(expressions, visit);
}

LogicalExpand::LogicalExpand(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> columns_in, std::vector<std::vector<size_t>> sets_in)
    : LogicalOperator(LogicalKind::kExpand),
      table_index(table_index_in),
      columns(std::move(columns_in)),
      sets(std::move(sets_in)) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalExpand::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, columns.size() + 1));
  return bindings;
}
std::vector<LogicalType> LogicalExpand::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  Append(types, TypesOf(columns));
  types.emplace_back(TypeId::kInteger);
  return types;
}
std::vector<std::string> LogicalExpand::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  Append(names, NamesOf(columns));
  names.emplace_back("grouping set");
  return names;
}
void LogicalExpand::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(columns, visit);
}

LogicalAggregate::LogicalAggregate(size_t group_index_in, size_t aggregate_index_in, LogicalOperatorPtr child,
                                   std::vector<ExpressionPtr> groups_in,
                                   std::vector<ExpressionPtr> aggregates_in)
    : LogicalOperator(LogicalKind::kAggregate),
      group_index(group_index_in),
      aggregate_index(aggregate_index_in),
      groups(std::move(groups_in)),
      aggregates(std::move(aggregates_in)) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalAggregate::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = NumberedBindings(group_index, groups.size());
  Append(bindings, NumberedBindings(aggregate_index, aggregates.size()));
  return bindings;
}
std::vector<LogicalType> LogicalAggregate::Types() const {
  CheckStack();
  std::vector<LogicalType> types = TypesOf(groups);
  Append(types, TypesOf(aggregates));
  return types;
}
std::vector<std::string> LogicalAggregate::Names() const {
  CheckStack();
  std::vector<std::string> names = NamesOf(groups);
  Append(names, NamesOf(aggregates));
  return names;
}
void LogicalAggregate::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(groups, visit);
  VisitAll(aggregates, visit);
}

LogicalWindow::LogicalWindow(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> partition_by_in, std::vector<SortKey> order_by_in,
                             std::vector<ExpressionPtr> functions_in)
    : LogicalOperator(LogicalKind::kWindow),
      table_index(table_index_in),
      partition_by(std::move(partition_by_in)),
      order_by(std::move(order_by_in)),
      functions(std::move(functions_in)) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalWindow::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, functions.size()));
  return bindings;
}
std::vector<LogicalType> LogicalWindow::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  Append(types, TypesOf(functions));
  return types;
}
std::vector<std::string> LogicalWindow::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  Append(names, NamesOf(functions));
  return names;
}
void LogicalWindow::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(partition_by, visit);
  for (SortKey& key : order_by) visit(key.expression);
  VisitAll(functions, visit);
}

LogicalUnnest::LogicalUnnest(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> lists_in, bool has_ordinality_in, bool is_outer_in)
    : LogicalOperator(LogicalKind::kUnnest),
      table_index(table_index_in),
      lists(std::move(lists_in)),
      has_ordinality(has_ordinality_in),
      is_outer(is_outer_in) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalUnnest::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, lists.size() + (has_ordinality ? 1 : 0)));
  return bindings;
}
std::vector<LogicalType> LogicalUnnest::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  for (const ExpressionPtr& list : lists) types.push_back(list->type().element());
  if (has_ordinality) types.push_back(TypeId::kBigInt);
  return types;
}
std::vector<std::string> LogicalUnnest::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  names.resize(names.size() + lists.size(), "unnest");
  if (has_ordinality) names.push_back("ordinality");
  return names;
}
void LogicalUnnest::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(lists, visit);
}

LogicalDistinct::LogicalDistinct(LogicalOperatorPtr child, std::vector<ExpressionPtr> on_in)
    : LogicalOperator(LogicalKind::kDistinct), on(std::move(on_in)) {
  children.push_back(std::move(child));
}
void LogicalDistinct::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(on, visit);
}

LogicalSort::LogicalSort(LogicalOperatorPtr child, std::vector<SortKey> keys_in)
    : LogicalOperator(LogicalKind::kSort), keys(std::move(keys_in)) {
  children.push_back(std::move(child));
}
void LogicalSort::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (SortKey& key : keys) visit(key.expression);
}

LogicalTopN::LogicalTopN(LogicalOperatorPtr child, std::vector<SortKey> keys_in, uint64_t limit_in,
                         uint64_t offset_in)
    : LogicalOperator(LogicalKind::kTopN), keys(std::move(keys_in)), limit(limit_in), offset(offset_in) {
  children.push_back(std::move(child));
}
void LogicalTopN::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (SortKey& key : keys) visit(key.expression);
}

LogicalLimit::LogicalLimit(LogicalOperatorPtr child, ExpressionPtr limit_in, ExpressionPtr offset_in,
                           LogicalOperatorPtr counts)
    : LogicalOperator(LogicalKind::kLimit), limit(std::move(limit_in)), offset(std::move(offset_in)) {
  children.push_back(std::move(child));
  if (counts) children.push_back(std::move(counts));
}
void LogicalLimit::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  if (limit) visit(limit);
  if (offset) visit(offset);
}

// --- Several children
// --------------------------------------------------------------------------------------------

LogicalJoin::LogicalJoin(LogicalJoinType join_type_in, LogicalOperatorPtr left, LogicalOperatorPtr right)
    : LogicalOperator(LogicalKind::kJoin), join_type(join_type_in) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}
std::optional<LogicalJoinType> SwappedType(LogicalJoinType type) {
  switch (type) {
    case LogicalJoinType::kInner: return LogicalJoinType::kInner;
    case LogicalJoinType::kLeft: return LogicalJoinType::kRight;
    case LogicalJoinType::kRight: return LogicalJoinType::kLeft;
    case LogicalJoinType::kFull: return LogicalJoinType::kFull;
    case LogicalJoinType::kSemi: return LogicalJoinType::kRightSemi;
    case LogicalJoinType::kAnti: return LogicalJoinType::kRightAnti;
    case LogicalJoinType::kRightSemi: return LogicalJoinType::kSemi;
    case LogicalJoinType::kRightAnti: return LogicalJoinType::kAnti;
    case LogicalJoinType::kMark:
    case LogicalJoinType::kSingle: return std::nullopt;
  }
  return std::nullopt;
}

void LogicalJoin::SwapChildren() {
  join_type = SwappedType(join_type).value();
  std::swap(children[0], children[1]);
  for (JoinCondition& condition : conditions) {
    std::swap(condition.left, condition.right);
    condition.op = FlipComparison(condition.op);
  }
}

std::vector<ColumnBinding> LogicalJoin::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings;
  if (EmitsLeft(join_type)) bindings = children[0]->Bindings();
  if (EmitsRight(join_type)) Append(bindings, children[1]->Bindings());
  if (join_type == LogicalJoinType::kMark) bindings.push_back({mark_index, 0});
  return bindings;
}
std::vector<LogicalType> LogicalJoin::Types() const {
  CheckStack();
  std::vector<LogicalType> types;
  if (EmitsLeft(join_type)) types = children[0]->Types();
  if (EmitsRight(join_type)) Append(types, children[1]->Types());
  if (join_type == LogicalJoinType::kMark) types.push_back(TypeId::kBoolean);
  return types;
}
std::vector<std::string> LogicalJoin::Names() const {
  CheckStack();
  std::vector<std::string> names;
  if (EmitsLeft(join_type)) names = children[0]->Names();
  if (EmitsRight(join_type)) Append(names, children[1]->Names());
  if (join_type == LogicalJoinType::kMark) names.push_back("mark");
  return names;
}
void LogicalJoin::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (JoinCondition& condition : conditions) {
    visit(condition.left);
    visit(condition.right);
  }
  VisitAll(residual, visit);
}

LogicalMaterialize::LogicalMaterialize(size_t share_in, std::string label_in, LogicalOperatorPtr definition,
                                       LogicalOperatorPtr reader)
    : LogicalOperator(LogicalKind::kMaterialize), share(share_in), label(std::move(label_in)) {
  children.push_back(std::move(definition));
  children.push_back(std::move(reader));
}

LogicalSharedScan::LogicalSharedScan(size_t share_in, std::string label_in, size_t table_index,
                                     std::vector<LogicalType> types_in, std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kSharedScan),
      share(share_in),
      label(std::move(label_in)),
      columns(AllColumns(types_in.size())),
      bindings(NumberedBindings(table_index, types_in.size())),
      types(std::move(types_in)),
      names(std::move(names_in)) {}
void LogicalSharedScan::Keep(const std::vector<size_t>& places) {
  for (size_t i = 0; i < places.size(); i++) {
    columns[i] = columns[places[i]];
    bindings[i] = bindings[places[i]];
    types[i] = types[places[i]];
    if (i != places[i]) names[i] = std::move(names[places[i]]);
  }
  columns.resize(places.size());
  bindings.resize(places.size());
  types.resize(places.size(), LogicalType(TypeId::kNull));
  names.resize(places.size());
}

LogicalRecursion::LogicalRecursion(size_t table_index_in, size_t share_in, std::string label_in,
                                   bool is_distinct_in, LogicalOperatorPtr first, LogicalOperatorPtr next,
                                   std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kRecursion),
      table_index(table_index_in),
      share(share_in),
      label(std::move(label_in)),
      is_distinct(is_distinct_in),
      names(std::move(names_in)) {
  children.push_back(std::move(first));
  children.push_back(std::move(next));
}
std::vector<ColumnBinding> LogicalRecursion::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, names.size());
}

void ForEachSharedScan(LogicalOperator& plan, size_t share,
                       const std::function<void(LogicalSharedScan&)>& visit) {
  CheckStack();
  if (plan.kind() == LogicalKind::kSharedScan && plan.As<LogicalSharedScan>().share == share)
    visit(plan.As<LogicalSharedScan>());
  for (const LogicalOperatorPtr& child : plan.children) ForEachSharedScan(*child, share, visit);
}

LogicalUnionAll::LogicalUnionAll(size_t table_index_in, std::vector<LogicalOperatorPtr> inputs,
                                 std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kUnionAll), table_index(table_index_in), names(std::move(names_in)) {
  children = std::move(inputs);
}
std::vector<ColumnBinding> LogicalUnionAll::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, names.size());
}

// --- Statements
// --------------------------------------------------------------------------------------------------

LogicalWrite::LogicalWrite(LogicalKind kind, size_t table_index_in, TableEntryRef table_in,
                           LogicalOperatorPtr child)
    : LogicalOperator(kind), table_index(table_index_in), table(std::move(table_in)) {
  children.push_back(std::move(child));
}
std::vector<ColumnBinding> LogicalWrite::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, returning.size());
}
std::vector<LogicalType> LogicalWrite::Types() const {
  CheckStack();
  return TypesOf(returning);
}
std::vector<std::string> LogicalWrite::Names() const {
  CheckStack();
  return NamesOf(returning);
}
void LogicalWrite::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (RowCheck& check : checks) visit(check.condition);
  VisitAll(returning, visit);
}

InsertConflict InsertConflict::Clone() const {
  CheckStack();
  InsertConflict copy;
  copy.indexes = indexes;
  copy.does_update = does_update;
  copy.existing_index = existing_index;
  for (const ExpressionPtr& value : values) copy.values.push_back(value->Clone());
  copy.set_columns = set_columns;
  if (where) copy.where = where->Clone();
  return copy;
}

void LogicalInsert::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  LogicalWrite::ForEachExpression(visit);
  if (!on_conflict) return;
  VisitAll(on_conflict->values, visit);
  if (on_conflict->where) visit(on_conflict->where);
}

LogicalCreateTableAs::LogicalCreateTableAs(std::string schema_in, std::string table_in,
                                           std::vector<ColumnDefinition> columns_in, LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kCreateTableAs),
      schema(std::move(schema_in)),
      table(std::move(table_in)),
      columns(std::move(columns_in)) {
  children.push_back(std::move(child));
}

LogicalCopyTo::LogicalCopyTo(CopyTarget target_in, LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kCopyTo), target(std::move(target_in)) {
  children.push_back(std::move(child));
}

LogicalExplain::LogicalExplain(size_t table_index_in, bool analyze_in, ExplainFormat format_in,
                               LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kExplain),
      table_index(table_index_in),
      analyze(analyze_in),
      format(format_in) {
  children.push_back(std::move(child));
}

}  // namespace scaup
