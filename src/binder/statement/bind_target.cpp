// Finds tables by name, for reading and for statements that change their rows.
#include <fmt/format.h>

#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/indexed_expressions.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

std::string NumberedRelation(BindSession& session, const TableEntry& table) {
  const DatabaseScope scope(session, table);
  if (session.context().elsewhere != nullptr) return "";
  return QuotedIdentifier(table.schema) + "." + QuotedIdentifier(table.name);
}

BoundTarget BindTarget(BindSession& session, const ast::NamedTable& table) {
  BoundTarget target;
  target.table_index = session.NewTableIndex();
  if (auto view = FindWrittenView(session, table, target.table_index)) {
    target.view = std::make_shared<WrittenView>(std::move(*view));
    target.table = target.view->table;
    const DatabaseScope scope(session, *target.table);
    target.scope = target.view->ScopeFor(table);
    auto rows = std::make_unique<BoundBaseTable>(target.table_index, target.table);
    rows->has_row_number = true;
    rows->indexed = IndexedExpressionsOf(session.context(), *target.table);
    target.reference = std::move(rows);
    return target;
  }
  target.table = FindWrittenTable(session, table);
  NoteCollations(session, target.table->columns, target.table_index);
  ScopeTable entry;
  entry.alias = table.alias.empty() ? table.name : table.alias;
  const DatabaseScope scope(session, *target.table);
  if (table.alias.empty()) {
    entry.schema = session.ScopeSchema(target.table->schema);
    entry.database = session.DatabaseName();
    entry.database_schema = target.table->schema;
  }
  if (target.table->is_collection()) {
    auto use = std::make_shared<CollectionUse>(session, *target.table, target.table_index);
    session.AddCollection(use);
    target.table = use->entry();
    entry.documents = std::move(use);
  }
  for (size_t i = 0; !entry.documents && i < target.table->columns.size(); i++) {
    const ColumnDefinition& column = target.table->columns[i];
    if (column.is_hidden()) continue;
    entry.columns.push_back(
        {column.name, std::make_unique<ColumnRefExpression>(column.type, ColumnBinding{target.table_index, i},
                                                            column.name)});
  }
  auto reference = std::make_unique<BoundBaseTable>(target.table_index, target.table);
  if (!entry.documents) entry.stored = reference.get();
  entry.relation = NumberedRelation(session, *target.table);
  target.scope = Scope::OfTable(std::move(entry));
  reference->has_row_number = true;
  reference->indexed = IndexedExpressionsOf(session.context(), *target.table);
  target.reference = std::move(reference);
  return target;
}

TableEntryRef FindWrittenTable(BindSession& session, const ast::NamedTable& table) {
  const BindSession::NamePlace place = session.PlaceOf(table);
  const DatabaseScope scope(session, place.database);
  const BinderContext& context = session.context();
  if (context.catalog.Find<ViewEntry>(context.transaction, place.schema, table.name)) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
        fmt::format("cannot load rows into view \"{}\"; load them into the table that it reads", table.name),
        table.position);
  }
  TableEntryRef found = FindTableIn(session, place.schema, table);
  RequireNoElementTable(session, *found, table.position);
  RequireNotMaterialized(*found, table.position);
  return found;
}

void RequireNotMaterialized(const TableEntry& table, size_t position) {
  if (!table.is_materialized()) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
             fmt::format("cannot change materialized view \"{}\"; REFRESH gives it the rows of its query",
                         table.name),
             position);
}

void RequireNoElementTable(const BindSession& session, const TableEntry& table, size_t position) {
  if (!table.is_element_table()) return;
  const BinderContext& context = session.context();
  const TableEntryRef collection = FindTableOfStorage(context.catalog, context.transaction,
                                                      table.storage->element_source()->collection_id);
  ThrowError(ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("cannot change the rows of element table \"{}\"; change the documents of collection "
                         "\"{}\", whose arrays it follows",
                         table.name, collection ? collection->name : ""),
             position);
}

TableEntryRef FindTableOrThrow(BindSession& session, const ast::NamedTable& table) {
  const BindSession::NamePlace place = session.PlaceOf(table);
  const DatabaseScope scope(session, place.database);
  return FindTableIn(session, place.schema, table);
}

TableEntryRef FindTableIn(BindSession& session, const std::string& schema_name,
                          const ast::NamedTable& table) {
  const BinderContext& context = session.context();
  const SchemaEntryRef schema = context.catalog.FindSchema(context.transaction, schema_name);
  if (!schema && !schema_name.empty()) {
    // PostgreSQL's SQLSTATE is that of a missing table, not of a missing schema.
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("table \"{}.{}\" does not exist: there is no schema \"{}\"", table.schema,
                           table.name, table.schema),
               table.position);
  }
  if (TableEntryRef entry = context.catalog.Find<TableEntry>(context.transaction, schema_name, table.name))
    return entry;
  if (context.catalog.Find<ViewEntry>(context.transaction, schema_name, table.name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is a view, not a table", table.name), table.position);
  }
  std::vector<std::string> candidates;
  const auto present =
      schema ? context.catalog.List<TableEntry>(context.transaction, *schema) : std::vector<TableEntryRef>();
  for (const auto& entry : present) candidates.push_back(entry->name);
  const std::string similar = MostSimilar(table.name, candidates);
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("table \"{}{}{}\" does not exist{}", table.schema, table.schema.empty() ? "" : ".",
                         table.name, similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
             table.position);
}

}  // namespace scaup
