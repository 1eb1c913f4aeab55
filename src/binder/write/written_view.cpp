// Binds views for statements that change their rows.
#include "binder/scope/written_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/star_columns.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowUnchangeable(const std::string& view, const std::string& reason, size_t position) {
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
      fmt::format("cannot change the rows of view \"{}\": {}; change those of the tables that it reads", view,
                  reason),
      position);
}

/// Returns what in a query, besides its FROM, makes other rows than those of one relation; "" if there is
/// nothing.
std::string WhyOtherRows(const ast::SelectStatement& query) {
  if (!query.with.empty()) return "it has WITH";
  if (query.set_operation != ast::SetOperation::kNone) return "it has UNION, INTERSECT or EXCEPT";
  if (query.distinct || !query.distinct_on.empty()) return "it has DISTINCT";
  if (!query.group_by.empty() || query.group_by_all) return "it has GROUP BY";
  if (query.having) return "it has HAVING";
  if (query.qualify) return "it has QUALIFY";
  if (query.limit || query.offset) return "it has LIMIT or OFFSET";
  return "";
}

/// Returns the only relation in FROM; null if there is another or none.
const ast::NamedTable* OnlyTable(const ast::SelectStatement& query) {
  const bool is_one = query.from.size() == 1 && query.from[0]->kind == ast::TableRefKind::kTable;
  return is_one && query.partition.empty() ? &query.from[0]->As<ast::NamedTable>() : nullptr;
}

/// Returns the subquery in FROM if it only names columns of a relation anew: the texts of views get such ones
/// when columns that they read are renamed. Returns null for all others.
const ast::SelectStatement* RenamingSubquery(const ast::SelectStatement& query) {
  if (query.from.size() != 1 || query.from[0]->kind != ast::TableRefKind::kSubquery) return nullptr;
  const ast::SelectStatement& inner = *query.from[0]->As<ast::SubqueryTable>().query;
  const bool is_plain = std::all_of(inner.items.begin(), inner.items.end(), [](const ast::SelectItem& item) {
    return item.expression->kind == ast::ExpressionKind::kColumn;
  });
  return is_plain && WhyOtherRows(inner).empty() && !inner.where && OnlyTable(inner) != nullptr ? &inner
                                                                                                : nullptr;
}

void ForgetTextPositions(ExpressionPtr& expression) {
  CheckStack();
  expression->position.reset();
  expression->ForEachChild([](ExpressionPtr& child) { ForgetTextPositions(child); });
}

/// Sets the view whose query is being bound, and restores the previous one at the end.
class WrittenViewScope {
 public:
  WrittenViewScope(BindSession& session, const ViewEntry& view)
      : session_(session), view_(session.view), reads_(session.reads) {
    session.view = &view;
    session.reads = nullptr;
  }
  ~WrittenViewScope() {
    session_.view = view_;
    session_.reads = reads_;
  }
  WrittenViewScope(const WrittenViewScope&) = delete;
  WrittenViewScope& operator=(const WrittenViewScope&) = delete;

 private:
  BindSession& session_;
  const ViewEntry* view_;
  std::vector<ReadRelation>* reads_;
};

/// Binds a view, and the views that it reads, over the columns of the table below. Used for one view.
class WrittenViewBinder {
 public:
  WrittenViewBinder(BindSession& session, size_t position, size_t table_index)
      : session_(session), position_(position), table_index_(table_index) {}

  /// `checks_all` says whether a view above has WITH CASCADED CHECK OPTION.
  WrittenView Bind(const ViewEntry& view, bool checks_all) {
    CheckStack();
    const WrittenViewScope scope(session_, view);
    const auto statements = ParseViewQuery(session_, view);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    const auto& query = statements[0]->As<ast::SelectStatement>();
    const std::string reason = WhyOtherRows(query);
    if (!reason.empty()) ThrowUnchangeable(view.name, reason, position_);
    const bool cascades = checks_all || view.check_option == ViewCheckOption::kCascaded;
    WrittenView below = BindFrom(view, query, cascades);
    const Scope columns = ScopeOfSource(*query.from[0], below);
    QueryLevel level;
    level.scope = &columns;
    WrittenView result;
    result.schema = view.schema;
    result.name = view.name;
    result.table = below.table;
    result.conditions = std::move(below.conditions);
    result.checks = std::move(below.checks);
    BindItems(view, query, level, result);
    if (query.where)
      AddCondition(view, *query.where, level, cascades || view.check_option != ViewCheckOption::kNone,
                   result);
    return result;
  }

 private:
  /// Returns what FROM is, with the columns that the view may see.
  WrittenView BindFrom(const ViewEntry& view, const ast::SelectStatement& query, bool checks_all) {
    if (const ast::NamedTable* table = OnlyTable(query)) return BindSource(view, *table, checks_all);
    const ast::SelectStatement* renaming = RenamingSubquery(query);
    if (renaming == nullptr)
      ThrowUnchangeable(view.name, "it does not select from a single table or view", position_);
    WrittenView source = BindSource(view, *OnlyTable(*renaming), checks_all);
    const Scope scope = ScopeOfSource(*renaming->from[0], source);
    QueryLevel level;
    level.scope = &scope;
    WrittenView below;
    below.table = source.table;
    below.conditions = std::move(source.conditions);
    below.checks = std::move(source.checks);
    for (const ast::SelectItem& item : renaming->items) {
      AddColumn(view, BindItem(view, *item.expression, level), below);
      below.columns.back().name = item.alias.empty() ? ColumnNameOf(*item.expression) : item.alias;
    }
    return below;
  }

  /// Returns a table or view in FROM, with the columns that the view may see.
  WrittenView BindSource(const ViewEntry& view, const ast::NamedTable& from, bool checks_all) {
    if (from.sample) ThrowUnchangeable(view.name, "it has TABLESAMPLE", position_);
    const BinderContext& context = session_.context();
    const std::string schema = session_.PlaceOf(from).schema;
    const auto inner = context.catalog.Find<ViewEntry>(context.transaction, schema, from.name);
    if (inner) {
      WrittenView below = Bind(*inner, checks_all);
      RemoveNewer(view, inner->schema, inner->name, below);
      return below;
    }
    WrittenView below;
    below.table = context.catalog.Find<TableEntry>(context.transaction, schema, from.name);
    if (!below.table) ThrowUnchangeable(view.name, "it does not select from a table or view", position_);
    if (below.table->is_collection()) ThrowUnchangeable(view.name, "it reads documents", position_);
    NoteCollations(session_, below.table->columns, table_index_);
    for (const size_t i : below.table->VisibleColumns()) {
      const ColumnDefinition& column = below.table->columns[i];
      below.columns.push_back(
          {column.name, i,
           std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{table_index_, i}, column.name)});
    }
    RemoveNewer(view, below.table->schema, below.table->name, below);
    return below;
  }

  /// Removes the columns that the source got after the view was made.
  static void RemoveNewer(const ViewEntry& view, const std::string& schema, const std::string& name,
                          WrittenView& below) {
    const ViewSource* source = view.FindSource(schema, name);
    if (source == nullptr) return;
    std::erase_if(below.columns, [&](const WrittenView::Column& column) {
      return std::find(source->columns.begin(), source->columns.end(), column.name) == source->columns.end();
    });
  }

  Scope ScopeOfSource(const ast::TableRef& from, WrittenView& below) const {
    const bool is_named = from.kind == ast::TableRefKind::kTable;
    const std::string name = is_named ? from.As<ast::NamedTable>().name : "";
    const std::string schema = is_named ? from.As<ast::NamedTable>().schema : "";
    std::vector<std::string> names;
    for (const WrittenView::Column& column : below.columns) names.push_back(column.name);
    RenameColumns(names, from.column_aliases, from.alias.empty() ? name : from.alias, position_);
    for (size_t i = 0; i < names.size(); i++) below.columns[i].name = names[i];
    return below.MakeScope(from.alias.empty() ? session_.ScopeSchema(schema) : "",
                           from.alias.empty() ? name : from.alias);
  }

  void BindItems(const ViewEntry& view, const ast::SelectStatement& query, QueryLevel& level,
                 WrittenView& result) {
    for (const ast::SelectItem& item : query.items) {
      if (item.expression->kind != ast::ExpressionKind::kStar) {
        AddColumn(view, BindItem(view, *item.expression, level), result);
        continue;
      }
      for (StarColumn& column : ColumnsOfStar(level, item.expression->As<ast::Star>())) {
        AddColumn(view,
                  column.replacement != nullptr ? BindItem(view, *column.replacement, level)
                                                : std::move(column.value),
                  result);
      }
    }
    if (result.columns.size() == view.columns.size()) return;
    ThrowUnchangeable(view.name, "its query no longer gives the columns that it has", position_);
  }

  ExpressionPtr BindItem(const ViewEntry& view, const ast::Expression& item, QueryLevel& level) {
    ExpressionPtr value;
    try {
      // RETURNING allows what is computed of one row alone.
      value = ExpressionBinder(session_, level, Clause::kReturning).BindSettled(item);
    } catch (const Error& error) {
      const std::string_view state = error.sqlstate();
      // A listing has no functions of the program, and asks only which columns are those of a table.
      if (state == sqlstate::kUndefinedFunction && session_.context().hosted == nullptr)
        return std::make_unique<ConstantExpression>(Value());
      if (state == sqlstate::kGroupingError)
        ThrowUnchangeable(view.name, "it has aggregate functions", position_);
      if (state == sqlstate::kWindowingError)
        ThrowUnchangeable(view.name, "it has window functions", position_);
      if (state == sqlstate::kFeatureNotSupported)
        ThrowUnchangeable(view.name, "it has functions that return sets", position_);
      RefuseRowIds(view, error);
      throw;
    }
    // A subquery has one place in a statement, but a column may be used in several.
    if (HasSubquery(*value)) ThrowUnchangeable(view.name, "a column of it is a subquery", position_);
    return value;
  }

  /// Says what is wrong with a name that only reading the view finds: rowid, which is no column.
  void RefuseRowIds(const ViewEntry& view, const Error& error) const {
    if (error.sqlstate() == std::string_view(sqlstate::kUndefinedColumn))
      ThrowUnchangeable(view.name, "it reads row ids", position_);
  }

  void AddColumn(const ViewEntry& view, ExpressionPtr value, WrittenView& result) {
    ForgetTextPositions(value);
    WrittenView::Column column;
    if (result.columns.size() < view.columns.size()) column.name = view.columns[result.columns.size()].name;
    if (value->kind() == ExpressionKind::kColumnRef)
      column.column = value->As<ColumnRefExpression>().binding.column_index;
    column.value = std::move(value);
    result.columns.push_back(std::move(column));
  }

  void AddCondition(const ViewEntry& view, const ast::Expression& where, QueryLevel& level, bool is_checked,
                    WrittenView& result) {
    ExpressionPtr condition;
    try {
      condition = ExpressionBinder(session_, level, Clause::kWhere).BindBoolean(where, "WHERE");
    } catch (const Error& error) {
      RefuseRowIds(view, error);
      throw;
    }
    ForgetTextPositions(condition);
    if (is_checked) {
      if (HasSubquery(*condition)) {
        ThrowNotSupported(
            fmt::format("WITH CHECK OPTION cannot check view \"{}\", whose WHERE has a subquery", view.name),
            position_);
      }
      // Unlike that of a CHECK, a condition that is NULL is violated.
      result.checks.push_back({view.name, std::make_unique<ComparisonExpression>(
                                              ComparisonOp::kNotDistinctFrom, condition->Clone(),
                                              MakeConstant(Value::Boolean(true)))});
    }
    result.conditions.push_back(std::move(condition));
  }

  BindSession& session_;
  size_t position_;
  size_t table_index_;
};

}  // namespace

std::vector<std::string> WrittenView::TableColumns(const std::vector<std::string>& names,
                                                   const std::vector<size_t>& positions,
                                                   size_t statement_position, const char* verb) const {
  std::vector<std::string> found;
  for (size_t i = 0; i < names.size(); i++) {
    const size_t position = i < positions.size() ? positions[i] : statement_position;
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const Column& each) { return each.name == names[i]; });
    if (column == columns.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" of view \"{}\" does not exist", names[i], name), position);
    }
    if (!column->column) {
      ThrowNotSupported(
          fmt::format("cannot {} column \"{}\" of view \"{}\": it is computed, and no column of "
                      "table \"{}\"",
                      verb, names[i], name, table->name),
          position);
    }
    found.push_back(table->columns[*column->column].name);
  }
  return found;
}

std::vector<std::string> WrittenView::LeadingColumns() const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (!column.column) break;
    names.push_back(table->columns[*column.column].name);
  }
  return names;
}

Scope WrittenView::ScopeFor(const ast::NamedTable& named) const {
  return MakeScope(named.alias.empty() ? schema : "", named.alias.empty() ? name : named.alias);
}

Scope WrittenView::MakeScope(std::string scope_schema, std::string alias) const {
  ScopeTable entry;
  entry.schema = std::move(scope_schema);
  entry.alias = std::move(alias);
  for (const Column& column : columns) {
    ExpressionPtr value = column.value->Clone();
    if (value->kind() == ExpressionKind::kColumnRef) value->As<ColumnRefExpression>().name = column.name;
    entry.columns.push_back({column.name, std::move(value)});
  }
  return Scope::OfTable(std::move(entry));
}

bool NamesView(BindSession& session, const ast::NamedTable& name) {
  const BindSession::NamePlace place = session.PlaceOf(name);
  const DatabaseScope scope(session, place.database);
  const BinderContext& context = session.context();
  return context.catalog.Find<ViewEntry>(context.transaction, place.schema, name.name) != nullptr;
}

std::optional<WrittenView> FindWrittenView(BindSession& session, const ast::NamedTable& name,
                                           size_t table_index) {
  const BindSession::NamePlace place = session.PlaceOf(name);
  const DatabaseScope scope(session, place.database);
  const BinderContext& context = session.context();
  const auto view = context.catalog.Find<ViewEntry>(context.transaction, place.schema, name.name);
  if (!view) return std::nullopt;
  return BindWrittenView(session, view, name.position, table_index);
}

WrittenView BindWrittenView(BindSession& session, const ViewEntryRef& view, size_t position,
                            size_t table_index) {
  try {
    return WrittenViewBinder(session, position, table_index).Bind(*view, false);
  } catch (const Error& error) {
    // A position within the text of the view says nothing about the statement.
    throw Error(error.kind(), error.sqlstate(), error.message(), position);
  }
}

std::vector<bool> UpdatableColumns(const BinderContext& context, const ViewEntryRef& view) {
  std::vector<bool> updatable;
  try {
    BindSession session(context);
    for (const WrittenView::Column& column :
         BindWrittenView(session, view, 0, session.NewTableIndex()).columns)
      updatable.push_back(column.column.has_value());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted) throw;
    updatable.clear();
  }
  return updatable;
}

}  // namespace scaup
