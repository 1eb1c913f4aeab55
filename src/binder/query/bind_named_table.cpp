// Binds names in FROM: WITH queries, tables, views, files, system relations and tables of the program.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/query/foreign_table.hpp"
#include "binder/query/from_item.hpp"
#include "binder/query/table_sample.hpp"
#include "binder/query/table_scope.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/indexed_expressions.hpp"
#include "binder/scope/trigger_names.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "format/arrow/arrow_scan.hpp"
#include "format/arrow/file/read_arrow.hpp"
#include "format/csv/read_csv.hpp"
#include "format/json/json_options.hpp"
#include "format/parquet/read_parquet.hpp"
#include "system/listing.hpp"
#include "system/system_relations.hpp"
#include "system/table_function_registry.hpp"
#include "type/scan_filter.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// Returns a relation of information_schema or pg_catalog; the latter is also found without its schema.
/// Returns null if there is none.
const TableFunction* FindSystemRelation(const ast::NamedTable& table) {
  const std::string schema = table.schema.empty() ? kPgCatalog : table.schema;
  if (!IsSystemSchema(schema)) return nullptr;
  return TableFunctionRegistry::Builtin().Find(schema + "." + table.name);
}

/// Returns true for the name of a file, as in FROM 'data.csv'.
bool LooksLikeFile(const std::string& name) {
  return LooksLikeCsvPath(name) || LooksLikeJsonPath(name) || LooksLikeParquetPath(name) ||
         LooksLikeArrowPath(name);
}

void NoteRead(BindSession& session, const ast::NamedTable& table, CatalogEntryRef entry, size_t table_index) {
  session.reads->push_back(
      {std::move(entry), table_index, table.position, !table.alias.empty(), table.sample != nullptr});
}

/// Returns the columns of a table or view that the query may see. The query of a view does not see columns
/// that are newer than the view.
std::vector<size_t> VisibleColumns(BindSession& session, const std::string& schema, const std::string& name,
                                   const std::vector<std::string>& columns) {
  const ViewSource* source = session.view == nullptr ? nullptr : session.view->FindSource(schema, name);
  std::vector<size_t> visible;
  for (size_t i = 0; i < columns.size(); i++) {
    if (source == nullptr ||
        std::find(source->columns.begin(), source->columns.end(), columns[i]) != source->columns.end())
      visible.push_back(i);
  }
  return visible;
}

BoundFrom BindCollection(BindSession& session, const ast::NamedTable& table, const TableEntry& collection,
                         size_t table_index) {
  auto use = std::make_shared<CollectionUse>(session, collection, table_index);
  session.AddCollection(use);
  if (const ViewSource* source =
          session.view == nullptr ? nullptr : session.view->FindSource(collection.schema, collection.name);
      source != nullptr && HasPaths(*source))
    use->Keep(PathsOf(*source));
  if (session.reads != nullptr) NoteRead(session, table, use->entry(), table_index);
  auto reference = std::make_unique<BoundBaseTable>(table_index, use->entry());
  reference->has_row_number = true;  // for document_id; dropped if it is not read
  const std::string schema = session.ScopeSchema(collection.schema);
  if (!table.column_aliases.empty()) {
    Scope scope = NamedScope(table, collection.name, schema, use->AllColumns());
    return {std::move(reference), std::move(scope)};
  }
  ScopeTable entry;
  entry.alias = table.alias.empty() ? table.name : table.alias;
  entry.schema = table.alias.empty() ? schema : "";
  entry.documents = std::move(use);
  return {std::move(reference), Scope::OfTable(std::move(entry))};
}

BoundFrom BindBase(BindSession& session, const ast::NamedTable& table, TableEntryRef entry) {
  const size_t table_index = session.NewTableIndex();
  if (table.locks_rows || session.locks_rows) session.locked_tables.push_back(entry->storage->id());
  if (entry->is_collection()) return BindCollection(session, table, *entry, table_index);
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  for (const auto& column : entry->columns) {
    names.push_back(column.name);
    types.push_back(column.type);
  }
  NoteCollations(session, entry->columns, table_index);
  if (session.reads != nullptr) NoteRead(session, table, entry, table_index);
  std::vector<size_t> columns = VisibleColumns(session, entry->schema, entry->name, names);
  std::erase_if(columns, [&](size_t column) { return entry->columns[column].is_hidden(); });
  Scope scope =
      MakeScope(table, table.name, table_index, names, types, session.ScopeSchema(entry->schema), columns);
  auto reference = std::make_unique<BoundBaseTable>(table_index, std::move(entry));
  reference->indexed = IndexedExpressionsOf(session.context(), *reference->table);
  scope.tables().front().stored = reference.get();
  return {std::move(reference), std::move(scope)};
}

/// Completes a query that selects all columns of a sampled relation.
BoundFrom FromSample(BindSession& session, const ast::NamedTable& table, const std::string& name,
                     const std::string& schema, BoundFrom source, std::unique_ptr<BoundSelect> select) {
  select->table_index = select->item_index = session.NewTableIndex();
  for (ScopeTable& scope_table : source.scope.tables()) {
    for (ScopeColumn& column : scope_table.AllColumns()) {
      select->names.push_back(column.name);
      select->types.push_back(column.value->type());
      select->items.push_back(column.value->Clone());
      select->items.back()->alias = column.name;
    }
  }
  NoteDocumentColumns(session, *select, select->table_index);
  select->from = std::move(source.table);
  Scope scope = MakeScope(table, name, select->table_index, select->names, select->types, schema);
  return {std::make_unique<BoundQueryTable>(std::move(select)), std::move(scope)};
}

/// TABLESAMPLE: SELECT * FROM table WHERE the row is in the sample.
BoundFrom BindSample(BindSession& session, QueryLevel& level, const ast::NamedTable& table,
                     TableEntryRef entry) {
  BoundFrom base = BindBase(session, table, entry);
  auto& reference = base.table->As<BoundBaseTable>();
  reference.has_row_number = true;
  auto select = std::make_unique<BoundSelect>();
  select->where = BindSampleTest(session, level, *table.sample, {reference.table_index, kRowNumberColumn});
  const std::string schema = session.ScopeSchema(entry->schema);
  return FromSample(session, table, entry->name, schema, std::move(base), std::move(select));
}

/// TABLESAMPLE of what has no row numbers: SELECT * FROM it QUALIFY row_number() OVER () is in the sample.
BoundFrom SampleOf(BindSession& session, QueryLevel& level, const ast::NamedTable& table,
                   const std::string& schema, BoundFrom source) {
  if (!table.sample) return source;
  BoundWindow window;
  window.table_index = session.NewTableIndex();
  window.functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  auto select = std::make_unique<BoundSelect>();
  select->qualify = BindSampleTest(session, level, *table.sample, {window.table_index, 0});
  select->windows.push_back(std::move(window));
  const std::string name = source.scope.tables().front().alias;
  return FromSample(session, table, name, schema, std::move(source), std::move(select));
}

BoundFrom BindView(BindSession& session, const ViewEntryRef& view, const ast::NamedTable& table) {
  const bool locks_rows = std::exchange(session.locks_rows, session.locks_rows || table.locks_rows);
  BoundQueryPtr query = BindViewQuery(session, view, table.position);
  session.locks_rows = locks_rows;
  NoteDocumentColumns(session, *query, query->table_index);
  if (session.reads != nullptr) NoteRead(session, table, view, query->table_index);
  std::vector<std::string> names;
  const std::vector<LogicalType> types = query->types;
  for (const ViewEntry::Column& column : view->columns) names.push_back(column.name);
  const std::vector<size_t> columns = VisibleColumns(session, view->schema, view->name, names);
  Scope scope = MakeScope(table, view->name, query->table_index, names, types,
                          session.ScopeSchema(view->schema), columns);
  return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
}

BoundFrom BindFile(BindSession& session, const ast::NamedTable& table) {
  TableFunctionArguments arguments;
  arguments.positional.push_back(Value::Varchar(table.name));
  size_t begin = table.name.find_last_of('/');
  begin = begin == std::string::npos ? 0 : begin + 1;
  const char* function = LooksLikeParquetPath(table.name) ? "read_parquet"
                         : LooksLikeArrowPath(table.name) ? "read_arrow"
                         : LooksLikeJsonPath(table.name)  ? "read_json"
                                                          : "read_csv";
  const std::string stem =
      table.name == "-" ? "stdin" : table.name.substr(begin, table.name.find('.', begin) - begin);
  return BindTableFunctionCall(session, *TableFunctionRegistry::Builtin().Find(function), arguments, table,
                               stem, table.position);
}

BoundFrom BindWith(BindSession& session, QueryLevel& level, const FoundWith& with,
                   const ast::NamedTable& table) {
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  size_t table_index = 0;
  BoundTableRefPtr bound = BindWithTable(session, with, level, table, names, types, table_index);
  if (bound->kind == BoundTableRefKind::kQuery) {
    NoteDocumentColumns(session, *bound->As<BoundQueryTable>().query, table_index);
  } else if (const BoundQueryPtr& query = bound->As<BoundCteTable>().cte->query) {
    NoteDocumentColumns(session, *query, table_index);
  }
  Scope scope = MakeScope(table, table.name, table_index, names, types, "");
  return {std::move(bound), std::move(scope)};
}

/// Lets the columns of a relation be named with its database.
BoundFrom WithDatabase(const BindSession& session, const ast::NamedTable& table, const std::string& schema,
                       BoundFrom bound) {
  if (!table.alias.empty()) return bound;
  ScopeTable& entry = bound.scope.tables().front();
  entry.database = session.DatabaseName();
  entry.database_schema = schema;
  return bound;
}

/// Adds what `tableoid` is of a table that is in the database in use.
BoundFrom WithNumber(const BindSession& session, const std::string& schema, const std::string& name,
                     BoundFrom bound) {
  if (session.context().elsewhere == nullptr) {
    bound.scope.tables().front().relation = QuotedIdentifier(schema) + "." + QuotedIdentifier(name);
  }
  return bound;
}

/// Returns the transition table of that name, if the statement is one of a trigger's function; otherwise
/// null. Views and functions that it uses do not see it.
const TriggerNames::Transition* FindTransition(const BindSession& session, const std::string& name) {
  const TriggerNames* const trigger = session.statement_context().trigger;
  if (trigger == nullptr || session.view != nullptr || !session.functions.empty()) return nullptr;
  const auto found = std::ranges::find(trigger->transitions, name, &TriggerNames::Transition::name);
  return found == trigger->transitions.end() ? nullptr : &*found;
}

/// Records the collations of a transition table, which has the columns of the trigger's table.
void NoteTransition(BindSession& session, Scope& scope) {
  const TableEntry& table = *session.statement_context().trigger->table;
  const std::vector<size_t> visible = table.VisibleColumns();
  const std::vector<ScopeColumn>& columns = scope.tables().front().columns;
  for (size_t i = 0; i < std::min(columns.size(), visible.size()); i++) {
    const std::string& collation = table.columns[visible[i]].collation;
    if (collation.empty()) continue;
    session.has_collations = true;
    NoteCollation(session, columns[i].value->As<ColumnRefExpression>().binding,
                  {DerivedCollation::Strength::kImplicit, FindStoredCollation(collation)});
  }
}

}  // namespace

BoundFrom BindNamedTable(BindSession& session, QueryLevel& level, const ast::NamedTable& table) {
  const bool is_bare = table.schema.empty() && table.database.empty();
  if (is_bare) {
    if (const auto with = FindWith(level, table.name))
      return SampleOf(session, level, table, "", BindWith(session, level, *with, table));
    if (const TriggerNames::Transition* rows = FindTransition(session, table.name)) {
      BoundFrom bound = MakeTableFunctionCall(session, rows->function, {}, rows->rows, table, table.name, "");
      NoteTransition(session, bound.scope);
      return SampleOf(session, level, table, "", std::move(bound));
    }
  }
  const BindSession::NamePlace place = session.PlaceOf(table);
  const DatabaseScope scope(session, place.database);
  const BinderContext& context = session.context();
  const CatalogEntryRef relation =
      context.catalog.FindRelation(context.transaction, place.schema, table.name);
  if (relation && relation->kind == CatalogEntryKind::kView) {
    const auto view = std::static_pointer_cast<const ViewEntry>(relation);
    return WithDatabase(
        session, table, view->schema,
        SampleOf(session, level, table, session.ScopeSchema(view->schema), BindView(session, view, table)));
  }
  TableEntryRef entry;
  if (relation && relation->kind == CatalogEntryKind::kTable)
    entry = std::static_pointer_cast<const TableEntry>(relation);
  if (!entry && is_bare && LooksLikeFile(table.name))
    return SampleOf(session, level, table, "", BindFile(session, table));
  if (!entry) {
    if (const TableFunction* system = FindSystemRelation(table)) {
      const std::string schema = system->name.substr(0, system->name.find('.'));
      auto bound = system->bind(context.functions, {});
      // A system relation lists its own database.
      if (context.elsewhere != nullptr) static_cast<BoundListing&>(*bound).database = context.elsewhere->name;
      BoundFrom listed =
          SampleOf(session, level, table, schema,
                   MakeTableFunctionCall(session, *system, {}, std::move(bound), table, table.name, schema));
      return WithDatabase(session, table, schema, WithNumber(session, schema, table.name, std::move(listed)));
    }
    if (auto foreign = BindForeignTable(session, table)) {
      return SampleOf(
          session, level, table, "",
          MakeTableFunctionCall(session, ArrowScanFunction(), {}, std::move(foreign), table, table.name, ""));
    }
    entry = FindTableIn(session, place.schema, table);
  }
  const std::string schema = entry->schema;
  BoundFrom bound = table.sample ? BindSample(session, level, table, std::move(entry))
                                 : BindBase(session, table, std::move(entry));
  return WithDatabase(session, table, schema, WithNumber(session, schema, table.name, std::move(bound)));
}

}  // namespace scaup
