// Binds expressions over written rows: checks, generated columns, RETURNING.
#include "binder/write/written_row.hpp"

#include <fmt/format.h>

#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/domain_rules.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/star_columns.hpp"
#include "binder/scope/written_view.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

/// Table index of references in a text that is bound separately; no session assigns it.
constexpr size_t kApartIndex = ~size_t{0} - 1;

void Replace(ExpressionPtr& expression, size_t table_index, const std::vector<const Expression*>& values) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kColumnRef) {
    const auto& reference = expression->As<ColumnRefExpression>();
    if (reference.binding.table_index != table_index) return;
    const Expression* value = values[reference.binding.column_index];
    SCAUP_ASSERT(value != nullptr);
    expression = value->Clone();
    return;
  }
  expression->ForEachChild([&](ExpressionPtr& child) { Replace(child, table_index, values); });
}

void ForgetPositions(ExpressionPtr& expression) {
  CheckStack();
  expression->position.reset();
  expression->ForEachChild([](ExpressionPtr& child) { ForgetPositions(child); });
}

}  // namespace

Scope ScopeOfColumns(BindSession& session, std::string schema, std::string alias,
                     const std::vector<ColumnDefinition>& columns, size_t table_index) {
  NoteCollations(session, columns, table_index);
  ScopeTable entry;
  entry.schema = std::move(schema);
  entry.alias = std::move(alias);
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].is_hidden()) continue;
    entry.columns.push_back(
        {columns[i].name, std::make_unique<ColumnRefExpression>(
                              columns[i].type, ColumnBinding{table_index, i}, columns[i].name)});
  }
  return Scope::OfTable(std::move(entry));
}

ExpressionPtr BindTableText(const BinderContext& given, const TableEntry& table, size_t table_index,
                            const std::string& text, Clause clause, const LogicalType& type) {
  std::optional<BinderContext> other;
  const BinderContext& context = ContextOf(given, table, other);
  try {
    const auto statements = Parser().Parse("SELECT " + text);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    const auto& items = statements[0]->As<ast::SelectStatement>().items;
    SCAUP_CHECK(items.size() == 1);
    BindSession session(context);
    session.is_stored_text = true;
    // The arguments of functions get an index of their own while their bodies are bound. Callers that have no
    // other table take a large number, which a binding does not reach.
    constexpr size_t kLarge = 1 << 16;
    while (table_index < kLarge && session.next_table_index() <= table_index) session.NewTableIndex();
    const Scope scope = ScopeOfColumns(session, table.schema, table.name, table.columns, table_index);
    QueryLevel level;
    level.scope = &scope;
    ExpressionBinder binder(session, level, clause);
    ExpressionPtr bound;
    if (clause == Clause::kCheck || clause == Clause::kIndexPredicate) {
      bound = binder.BindBoolean(*items[0].expression, clause == Clause::kCheck ? "CHECK" : "WHERE");
    } else if (type.id() == TypeId::kNull) {
      bound = binder.BindSettled(*items[0].expression);
    } else {
      bound = CoerceForAssignment(session, binder.Bind(*items[0].expression), type, "generated column");
    }
    ForgetPositions(bound);
    return bound;
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(),
                fmt::format("in ({}) of table \"{}\": {}", text, table.name, error.message()));
  }
}

std::vector<BoundCheck> BindChecks(const BinderContext& context, const TableEntry& table,
                                   size_t table_index) {
  std::vector<BoundCheck> checks;
  for (const CheckConstraint& check : table.constraints.checks) {
    checks.push_back({check.name, BindTableText(context, table, table_index, check.text, Clause::kCheck,
                                                TypeId::kBoolean)});
  }
  AddDomainChecks(context, table, table_index, checks);
  return checks;
}

void AddViewChecks(const WrittenView& view, std::vector<BoundCheck>& checks) {
  for (const WrittenView::Check& check : view.checks)
    checks.push_back({check.view, check.condition->Clone(), sqlstate::kWithCheckOptionViolation,
                      fmt::format("new row violates check option for view \"{}\"", check.view)});
}

void ForEachColumnOf(ExpressionPtr& expression, size_t table_index,
                     const std::function<void(ColumnRefExpression&)>& visit) {
  ForEachColumnRef(expression, [&](ColumnRefExpression& reference) {
    if (reference.binding.table_index == table_index) visit(reference);
  });
}

std::vector<bool> ColumnsOf(const Expression& expression, size_t table_index, size_t column_count) {
  std::vector<bool> occurs(column_count);
  ForEachColumnRef(expression, [&](const ColumnRefExpression& reference) {
    if (reference.binding.table_index == table_index) occurs[reference.binding.column_index] = true;
  });
  return occurs;
}

void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<const Expression*>& values) {
  Replace(expression, table_index, values);
}

BoundReturning BindReturning(BindSession& session, QueryLevel& level,
                             const std::vector<ast::SelectItem>& items) {
  BoundReturning returning;
  returning.table_index = session.NewTableIndex();
  ExpressionBinder binder(session, level, Clause::kReturning);
  for (const ast::SelectItem& item : items) {
    if (item.expression->kind != ast::ExpressionKind::kStar) {
      returning.items.push_back(binder.BindSettled(*item.expression));
      returning.names.push_back(item.alias.empty() ? ColumnNameOf(*item.expression) : item.alias);
      returning.items.back()->alias = returning.names.back();
      continue;
    }
    for (StarColumn& column : ColumnsOfStar(level, item.expression->As<ast::Star>())) {
      returning.items.push_back(column.replacement != nullptr ? binder.BindSettled(*column.replacement)
                                                              : std::move(column.value));
      returning.items.back()->alias = column.name;
      returning.names.push_back(std::move(column.name));
    }
  }
  // Later the items are over other rows.
  for (size_t i = 0; i < returning.items.size(); i++)
    NoteCollation(session, {returning.table_index, i}, CollationOf(session, *returning.items[i]));
  return returning;
}

void ThrowGeneratedColumn(const ColumnDefinition& column, const char* what, size_t position) {
  const bool is_identity = column.identity != IdentityKind::kNone;
  ThrowError(ErrorKind::kBinder, sqlstate::kGeneratedAlways,
             fmt::format("column \"{}\" is {} always: it cannot be {} but with DEFAULT{}", column.name,
                         is_identity ? "an identity column, generated" : "generated", what,
                         is_identity ? "; OVERRIDING SYSTEM VALUE in INSERT allows it" : ""),
             position);
}

void FillGenerated(const BinderContext& context, const TableEntry& table,
                   std::vector<ExpressionPtr>& values) {
  std::vector<const Expression*> plain;
  // Generated columns do not refer to each other, and what is in their places is replaced below.
  for (size_t i = 0; i < values.size(); i++)
    plain.push_back(IsGenerated(table.columns[i]) ? nullptr : values[i].get());
  for (size_t i = 0; i < values.size(); i++) {
    if (!IsGenerated(table.columns[i])) continue;
    // Bind under an index of its own: the values may contain columns of any table index.
    ExpressionPtr value = BindTableText(context, table, kApartIndex, table.columns[i].generated_text,
                                        Clause::kGenerated, table.columns[i].type);
    SubstituteColumns(value, kApartIndex, plain);
    values[i] = std::move(value);
    values[i]->alias = table.columns[i].name;
  }
}

void CompleteUpdate(const BinderContext& context, const TableEntry& table, std::vector<ExpressionPtr> set,
                    BoundOnConflict& conflict) {
  SCAUP_ASSERT(conflict.updated_index != conflict.existing_index);
  std::vector<bool> is_set(set.size());
  for (size_t i = 0; i < set.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    is_set[i] = set[i] != nullptr && !IsGenerated(column);
    if (!is_set[i]) {
      set[i] = std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{conflict.existing_index, i},
                                                     column.name);
    }
    set[i]->alias = column.name;
  }
  for (size_t i = 0; i < set.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    if (IsGenerated(column)) {
      ExpressionPtr value = BindTableText(context, table, conflict.updated_index, column.generated_text,
                                          Clause::kGenerated, column.type);
      // Generated columns of which nothing changes retain their stored values.
      const std::vector<bool> uses = ColumnsOf(*value, conflict.updated_index, set.size());
      bool is_affected = false;
      for (size_t j = 0; j < uses.size(); j++) is_affected = is_affected || (uses[j] && is_set[j]);
      if (!is_affected) continue;
      value->alias = column.name;
      conflict.generated_columns.push_back(i);
      conflict.generated.push_back(std::move(value));
    } else if (!is_set[i]) {
      continue;
    }
    conflict.set_columns.push_back(i);
  }
  conflict.values = std::move(set);
}

}  // namespace scaup
