// Binds what CREATE MATERIALIZED VIEW adds to CREATE VIEW, and REFRESH MATERIALIZED VIEW.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/bound_definition.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

namespace {

/// Returns a query of the rows that a materialized view gets: those of its own query, and what indexes on
/// expressions of them hold.
BoundQueryPtr RowsOf(BindSession& session, const TableEntry& table, BoundQueryPtr query, bool with_no_data) {
  auto rows = std::make_unique<BoundSelect>();
  rows->table_index = rows->item_index = session.NewTableIndex();
  std::vector<ExpressionPtr> values;
  size_t next = 0;
  for (const ColumnDefinition& column : table.columns) {
    rows->names.push_back(column.name);
    rows->types.push_back(column.type);
    if (column.is_hidden()) {
      values.push_back(nullptr);
      continue;
    }
    values.push_back(std::make_unique<ColumnRefExpression>(
        query->types[next], ColumnBinding{query->table_index, next}, column.name));
    next++;
  }
  FillGenerated(session.context(), table, values);
  for (size_t i = 0; i < values.size(); i++) values[i]->alias = table.columns[i].name;
  rows->items = std::move(values);
  rows->from = std::make_unique<BoundQueryTable>(std::move(query));
  if (with_no_data) rows->where = MakeConstant(Value::Boolean(false));
  return rows;
}

/// Returns the change of the table that gives it the rows of the query.
std::unique_ptr<BoundAlterTable> FillOf(BindSession& session, const TableEntry& table, BoundQueryPtr query,
                                        bool with_no_data) {
  auto fill = std::make_unique<BoundAlterTable>();
  fill->schema = table.schema;
  fill->name = table.name;
  fill->columns = table.columns;
  fill->constraints = table.constraints;
  fill->rewrites = true;
  fill->materialization = with_no_data ? Materialization::kEmpty : Materialization::kPopulated;
  fill->rows = RowsOf(session, table, std::move(query), with_no_data);
  return fill;
}

}  // namespace

void MakeMaterialized(BindSession& session, const ast::CreateViewStatement& statement, BoundQueryPtr query,
                      BoundCreateView& create) {
  auto view = std::make_shared<ViewEntry>(*create.view);
  if (IsTemporarySchema(view->schema)) {
    ThrowNotSupported("materialized views must not use temporary tables, views or sequences",
                      statement.view.position);
  }
  TableEntry table(view->schema, view->name, {}, nullptr);
  for (const ViewEntry::Column& column : view->columns) {
    table.columns.push_back(
        {column.name, column.type.IsNested() ? WithoutModifier(column.type) : column.type});
    table.columns.back().collation = column.collation;
  }
  create.table = std::make_unique<BoundCreateTable>();
  create.table->schema = table.schema;
  create.table->table = table.name;
  create.table->columns = table.columns;
  create.table->materialization = Materialization::kEmpty;
  if (!statement.with_no_data) create.fill = FillOf(session, table, std::move(query), false);
  view->materialized = view->name;
  view->name = QueryNameOf(view->name);
  create.view = std::move(view);
}

BoundStatementPtr BindRefresh(BindSession& session, const ast::RefreshStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.view;
  const auto relation = context.catalog.FindRelation(context.transaction, name.schema, name.name);
  const auto table = EntryAs<TableEntry>(relation ? relation : FindTableOrThrow(session, name));
  if (!table || !table->is_materialized()) {
    // PostgreSQL's SQLSTATE, which is not that of a wrong kind of object.
    ThrowError(ErrorKind::kCatalog, sqlstate::kFeatureNotSupported,
               fmt::format("\"{}\" is {}, not a materialized view", name.name, KindWithArticle(*relation)),
               name.position);
  }
  const ViewEntryRef query = QueryOf(context.catalog, context.transaction, *table);
  SCAUP_CHECK(query);
  auto refresh = std::make_unique<BoundRefresh>();
  refresh->fill =
      FillOf(session, *table, BindViewQuery(session, query, name.position), statement.with_no_data);
  return refresh;
}

}  // namespace scaup
