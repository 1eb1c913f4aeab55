// Binds the functions of BEFORE ROW triggers as expressions over the row that is written. So they cost what
// the same expressions would cost in the statement, and need no call for each row.
#include "binder/write/before_triggers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

/// Makes NEW.* of NEW alone, so that columns that stay as they are can be told.
void SpreadRow(std::vector<ast::SelectItem>& items) {
  if (items.size() != 1 || items[0].expression->kind != ast::ExpressionKind::kColumn) return;
  const auto& column = items[0].expression->As<ast::Column>();
  if (column.names.size() != 1 || (column.names[0] != "new" && column.names[0] != "old")) return;
  auto star = std::make_unique<ast::Star>();
  star->position = column.position;
  star->qualifier = column.names;
  items[0].expression = std::move(star);
}

/// Parses the function's body. Throws 0A000 unless it is a list of expressions, perhaps with WHERE.
std::unique_ptr<ast::SelectStatement> ParseRowBody(const FunctionEntry& function) {
  const auto refuse = [&] {
    ThrowNotSupported(
        fmt::format("the function of a BEFORE ROW trigger is one SELECT without FROM that gives the row, as "
                    "SELECT NEW.* REPLACE (lower(NEW.a) AS a); with a false WHERE the row is skipped. {} is "
                    "something else: read tables in subqueries, and write to tables in AFTER triggers",
                    function.signature()));
  };
  auto statements = Parser().Parse(WithArgumentsFromOne(function.body));
  if (statements.size() != 1 || statements[0]->kind != ast::StatementKind::kSelect) refuse();
  std::unique_ptr<ast::SelectStatement> query(static_cast<ast::SelectStatement*>(statements[0].release()));
  const bool is_plain = query->with.empty() && !query->distinct && query->distinct_on.empty() &&
                        !query->items.empty() && query->from.empty() && query->group_by.empty() &&
                        !query->group_by_all && !query->having && query->windows.empty() && !query->qualify &&
                        query->values.empty() && query->operands.empty() && query->order_by.empty() &&
                        !query->limit && !query->offset;
  if (!is_plain) refuse();
  SpreadRow(query->items);
  return query;
}

ExpressionPtr ColumnAt(const ColumnDefinition& column, size_t table_index, size_t i) {
  return std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{table_index, i}, column.name);
}

ExpressionPtr Otherwise(ExpressionPtr condition, ExpressionPtr then, ExpressionPtr otherwise) {
  std::vector<CaseExpression::Branch> branches;
  const LogicalType type = then->type();
  branches.push_back({std::move(condition), std::move(then)});
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(otherwise));
}

/// Binds one trigger.
class RowTriggerBinder {
 public:
  RowTriggerBinder(BindSession& session, const TriggerNames& names, size_t old_index, size_t new_index)
      : session_(session),
        names_(names),
        new_index_(new_index),
        function_(FunctionOf(session.context(), names.trigger)),
        scope_(ScopeOfTriggerRows(session, names, old_index, new_index)) {
    level_.scope = &scope_;
  }

  BoundRowTrigger Bind() {
    const std::unique_ptr<ast::SelectStatement> body = ParseRowBody(*function_);
    BoundRowTrigger bound;
    bound.values.resize(names_.table->columns.size());
    if (body->where)
      bound.condition = ExpressionBinder(session_, level_, Clause::kWhere).BindBoolean(*body->where, "WHERE");
    if (names_.event != kOnDelete) TakeValues(BindItems(*body), bound);
    if (names_.trigger.condition.empty()) return bound;
    const auto syntax = Parser().ParseExpression(names_.trigger.condition, 0);
    ExpressionBinder binder(session_, level_, Clause::kWhere);
    const ExpressionPtr when = binder.BindBoolean(*syntax, "WHEN");
    LimitTo(*when, bound);
    return bound;
  }

 private:
  /// Returns the values of the row; the fields of one that is given as a whole.
  std::vector<ExpressionPtr> BindItems(const ast::SelectStatement& body) {
    std::vector<ExpressionPtr> items = BindReturning(session_, level_, body.items).items;
    const bool is_row = items.size() == 1 && items[0]->type().id() == TypeId::kStruct &&
                        names_.table->VisibleColumns().size() == items[0]->type().fields().size();
    if (!is_row || (names_.table->VisibleColumns().size() == 1 && IsColumnType(*items[0]))) return items;
    std::vector<ExpressionPtr> fields;
    for (const StructField& field : items[0]->type().fields())
      fields.push_back(MakeFieldAccess(session_, items[0]->Clone(), field.name, std::nullopt));
    return fields;
  }

  bool IsColumnType(const Expression& item) const {
    return names_.table->columns[names_.table->VisibleColumns()[0]].type == item.type();
  }

  void TakeValues(std::vector<ExpressionPtr> items, BoundRowTrigger& bound) {
    const std::vector<size_t> columns = names_.table->VisibleColumns();
    if (items.size() != columns.size()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 fmt::format("{} gives {} values, but table \"{}\" has {} columns: begin with SELECT NEW.*",
                             function_->signature(), items.size(), names_.table->name, columns.size()));
    }
    for (size_t i = 0; i < columns.size(); i++) {
      const ColumnDefinition& column = names_.table->columns[columns[i]];
      // Generated columns are computed afterwards, whatever the function says.
      if (IsGenerated(column) || items[i]->Equals(*ColumnAt(column, new_index_, columns[i]))) continue;
      bound.values[columns[i]] = CoerceForAssignment(session_, std::move(items[i]), column.type, column.name);
    }
  }

  /// Leaves rows alone that do not satisfy WHEN.
  void LimitTo(const Expression& when, BoundRowTrigger& bound) const {
    for (size_t i = 0; i < bound.values.size(); i++) {
      if (!bound.values[i]) continue;
      bound.values[i] = Otherwise(when.Clone(), std::move(bound.values[i]),
                                  ColumnAt(names_.table->columns[i], new_index_, i));
    }
    if (!bound.condition) return;
    bound.condition = Otherwise(when.Clone(), std::move(bound.condition),
                                std::make_unique<ConstantExpression>(Value::Boolean(true)));
  }

  BindSession& session_;
  const TriggerNames& names_;
  const size_t new_index_;
  const FunctionEntryRef function_;
  const Scope scope_;
  QueryLevel level_;
};

/// Wraps the source of an INSERT in a query, which yields `values` instead. Returns the index of its columns.
size_t WrapSource(BindSession& session, BoundInsert& insert, std::vector<ExpressionPtr> values,
                  ExpressionPtr condition) {
  auto select = std::make_unique<BoundSelect>();
  select->from = std::move(insert.source);
  select->where = std::move(condition);
  select->table_index = select->item_index = session.NewTableIndex();
  const size_t index = select->table_index;
  insert.values.clear();
  for (size_t i = 0; i < values.size(); i++) {
    const ColumnDefinition& column = insert.table->columns[i];
    select->names.push_back(column.name);
    select->types.push_back(column.type);
    values[i]->alias = column.name;
    insert.values.push_back(ColumnAt(column, index, i));
    insert.values.back()->alias = column.name;
  }
  select->items = std::move(values);
  insert.source = std::make_unique<BoundQueryTable>(std::move(select));
  return index;
}

}  // namespace

FunctionEntryRef FunctionOf(const BinderContext& context, const TriggerDefinition& trigger) {
  const std::string key = FunctionKey(FunctionEntry(trigger.function_schema, trigger.function));
  FunctionEntryRef function =
      FindFunction(context.catalog, context.transaction, trigger.function_schema, key);
  if (function) return function;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedFunction,
             fmt::format("function {}() of trigger \"{}\" does not exist", trigger.function, trigger.name));
}

std::vector<TriggerDefinition> BeforeTriggersOf(const TableEntry& table, uint8_t event,
                                                const std::vector<size_t>& set_columns) {
  std::vector<TriggerDefinition> triggers;
  for (const TriggerDefinition& trigger : table.constraints.triggers) {
    if (trigger.timing == TriggerTiming::kBefore && trigger.is_for_each_row &&
        trigger.FiresFor(event, table, set_columns))
      triggers.push_back(trigger);
  }
  return triggers;
}

BoundRowTrigger BindRowTrigger(BindSession& session, const TriggerNames& names, size_t old_index,
                               size_t new_index) {
  // The trigger is in the catalog of its table, and so are the names in its function.
  const DatabaseScope scope(session, *names.table);
  try {
    return RowTriggerBinder(session, names, old_index, new_index).Bind();
  } catch (const Error& error) {
    // The position is one in another text than that of the statement.
    throw Error(error.kind(), error.sqlstate(),
                fmt::format("in trigger \"{}\" of table \"{}\": {}", names.trigger.name, names.table->name,
                            error.message()));
  }
}

void ApplyInsertTriggers(BindSession& session, BoundInsert& insert) {
  for (const TriggerDefinition& trigger : BeforeTriggersOf(*insert.table, kOnInsert)) {
    // The values become columns first, so that each is computed once however often the function uses it.
    const size_t index = WrapSource(session, insert, std::move(insert.values), nullptr);
    const TriggerNames names{insert.table, trigger, kOnInsert};
    BoundRowTrigger bound = BindRowTrigger(session, names, index, index);
    for (size_t i = 0; i < bound.values.size(); i++) {
      if (!bound.values[i]) bound.values[i] = ColumnAt(insert.table->columns[i], index, i);
    }
    WrapSource(session, insert, std::move(bound.values), std::move(bound.condition));
  }
}

/// Puts values in the places of the columns of a row.
static void PutValues(ExpressionPtr& expression, size_t table_index, const std::vector<ExpressionPtr>& row) {
  std::vector<const Expression*> values;
  for (const ExpressionPtr& value : row) values.push_back(value.get());
  SubstituteColumns(expression, table_index, values);
}

void ApplyRowTriggers(BindSession& session, const TableEntry& table, uint8_t event,
                      const std::vector<size_t>& set_columns, const char* statement, WrittenValues& row) {
  row.is_changed.resize(table.columns.size());
  for (const TriggerDefinition& trigger : BeforeTriggersOf(table, event, set_columns)) {
    const auto refuse = [&](const char* reason) {
      ThrowNotSupported(
          fmt::format("{} cannot run trigger \"{}\" of table \"{}\", {}; use plain INSERT, UPDATE "
                      "and DELETE",
                      statement, trigger.name, table.name, reason));
    };
    const size_t old_index = session.NewTableIndex(), new_index = session.NewTableIndex();
    // Borrowed: the names are used here only.
    const TriggerNames names{TableEntryRef(TableEntryRef(), &table), trigger, event};
    BoundRowTrigger bound = BindRowTrigger(session, names, old_index, new_index);
    const auto settle = [&](ExpressionPtr& expression) {
      if (HasSubquery(*expression)) refuse("whose function has a subquery");
      const std::vector<bool> uses = ColumnsOf(*expression, new_index, table.columns.size());
      for (size_t i = 0; i < uses.size(); i++) {
        if (uses[i] && row.new_row[i] && !IsDeterministic(*row.new_row[i]))
          refuse("whose function uses a value that is another one each time it is computed");
      }
      PutValues(expression, old_index, row.old_row);
      PutValues(expression, new_index, row.new_row);
    };
    for (ExpressionPtr& value : bound.values)
      if (value) settle(value);
    if (bound.condition) settle(bound.condition);
    for (size_t i = 0; i < bound.values.size(); i++) {
      if (!bound.values[i]) continue;
      row.new_row[i] = std::move(bound.values[i]);
      row.is_changed[i] = true;
    }
    if (!bound.condition) continue;
    std::vector<ExpressionPtr> conditions;
    if (row.condition) conditions.push_back(std::move(row.condition));
    conditions.push_back(std::move(bound.condition));
    row.condition = MakeAnd(std::move(conditions));
  }
}

ExpressionPtr ApplyClauseTriggers(BindSession& session, const TableEntry& table, BoundMergeClause& clause,
                                  std::vector<ExpressionPtr>& values,
                                  const std::function<ExpressionPtr(size_t)>& old_value) {
  using Action = ast::MergeClause::Action;
  const bool is_insert = clause.action == Action::kInsert, is_delete = clause.action == Action::kDelete;
  for (size_t i = 0; clause.action == Action::kUpdate && i < values.size(); i++)
    if (values[i]) clause.assigned.push_back(i);
  const uint8_t event = is_insert ? kOnInsert : is_delete ? kOnDelete : kOnUpdate;
  if (clause.action == Action::kNothing || BeforeTriggersOf(table, event, clause.assigned).empty())
    return nullptr;
  WrittenValues row;
  std::vector<bool> is_set(values.size());
  for (size_t i = 0; i < values.size(); i++) {
    is_set[i] = values[i] != nullptr;
    row.old_row.push_back(is_insert ? nullptr : old_value(i));
    ExpressionPtr& value = row.new_row.emplace_back(std::move(values[i]));
    // Generated columns of new rows have no value yet.
    if (!value && is_insert) value = std::make_unique<ConstantExpression>(Value(table.columns[i].type));
    if (!value && !is_delete) value = old_value(i);
  }
  ApplyRowTriggers(session, table, event, clause.assigned, "MERGE", row);
  for (size_t i = 0; i < values.size(); i++)
    if (is_set[i] || row.is_changed[i]) values[i] = std::move(row.new_row[i]);
  return std::move(row.condition);
}

ExpressionPtr ClauseWithConditions(ExpressionPtr clause, std::vector<ExpressionPtr> conditions) {
  std::vector<CaseExpression::Branch> branches;
  for (size_t i = 0; i < conditions.size(); i++) {
    if (!conditions[i]) continue;
    const auto number = [&] {
      return std::make_unique<ConstantExpression>(Value::Integer(static_cast<int32_t>(i)));
    };
    auto is_clause = std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, clause->Clone(), number());
    branches.push_back(
        {std::move(is_clause), Otherwise(std::move(conditions[i]), number(),
                                         std::make_unique<ConstantExpression>(Value(TypeId::kInteger)))});
  }
  if (branches.empty()) return clause;
  return std::make_unique<CaseExpression>(TypeId::kInteger, std::move(branches), std::move(clause));
}

}  // namespace scaup
