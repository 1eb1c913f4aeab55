// Binds CREATE TABLE, COLLECTION, ELEMENT TABLE, TABLE AS and SCHEMA, and DROP.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/binder.hpp"
#include "binder/statement/table_draft.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

namespace {

std::string SchemaOfNew(const BindSession& session, const ast::NamedTable& table) {
  return CreationSchema(session, table.schema, table.position);
}

void CheckSchemaExists(BindSession& session, const ast::NamedTable& table) {
  const BinderContext& context = session.context();
  if (context.catalog.FindSchema(context.transaction, table.schema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", table.schema), table.position);
}

/// Finds what has the name of a new relation, in the schema that the relation will be in.
CatalogEntryRef FindPresent(BindSession& session, const ast::NamedTable& name) {
  const BinderContext& context = session.context();
  return context.catalog.FindRelation(context.transaction, SchemaOfNew(session, name), name.name);
}

/// Finds a relation by its name, where a temporary one hides others.
CatalogEntryRef FindRelation(BindSession& session, const ast::NamedTable& name) {
  const BinderContext& context = session.context();
  return context.catalog.FindRelation(context.transaction, name.schema, name.name);
}

bool TableExists(BindSession& session, const ast::NamedTable& table) {
  const CatalogEntryRef found = FindPresent(session, table);
  return found && found->kind == CatalogEntryKind::kTable;
}

void CheckUniqueNames(const std::vector<ColumnDefinition>& columns, size_t position) {
  std::set<std::string_view> names;
  for (const auto& column : columns) {
    if (!names.insert(column.name).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("column \"{}\" specified more than once; give each column a name of its own",
                             column.name),
                 position);
    }
  }
}

std::vector<ColumnDefinition> ColumnsOfQuery(const BindSession& session, BoundQuery& query,
                                             const ast::CreateTableStatement& statement) {
  const auto& names = statement.column_names;
  if (names.size() > query.types.size()) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               fmt::format("too many column names were specified: {} for a query of {} columns", names.size(),
                           query.types.size()),
               statement.table.position);
  }
  std::vector<ColumnDefinition> columns;
  for (size_t i = 0; i < query.types.size(); i++) {
    columns.push_back({i < names.size() ? names[i] : query.names[i],
                       query.types[i].IsNested() ? WithoutModifier(query.types[i]) : query.types[i], false,
                       ""});
    columns.back().collation =
        StoredCollation(CollationOfColumn(session, query, i), columns.back().name, statement.query->position);
  }
  CheckUniqueNames(columns, statement.query->position);
  return columns;
}

CommitAction CommitActionOf(const ast::CreateTableStatement& statement, const std::string& schema) {
  if (!statement.on_commit) return CommitAction::kPreserveRows;
  if (!IsTemporarySchema(schema)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidTableDefinition,
               "ON COMMIT can only be used on temporary tables", statement.table.position);
  }
  switch (*statement.on_commit) {
    case ast::CommitAction::kPreserveRows: break;
    case ast::CommitAction::kDeleteRows: return CommitAction::kDeleteRows;
    case ast::CommitAction::kDrop: return CommitAction::kDrop;
  }
  return CommitAction::kPreserveRows;
}

std::unique_ptr<BoundCreateTable> MakeCreateTable(const BindSession& session,
                                                  const ast::CreateTableStatement& statement,
                                                  std::vector<ColumnDefinition> columns) {
  auto create = std::make_unique<BoundCreateTable>();
  create->schema = SchemaOfNew(session, statement.table);
  create->table = statement.table.name;
  create->if_not_exists = statement.if_not_exists;
  create->or_replace = statement.or_replace;
  create->on_commit = CommitActionOf(statement, create->schema);
  create->columns = std::move(columns);
  return create;
}

BoundStatementPtr DefineTable(BindSession& session, const ast::CreateTableStatement& statement) {
  if (statement.columns.empty() && statement.likes.empty())
    ThrowNotSupported("a table must have at least one column", statement.table.position);
  // With IF NOT EXISTS the table may exist. Then it does not matter which names its sequences and constraints
  // would get.
  TableDraft draft(session, SchemaOfNew(session, statement.table), statement.table.name);
  auto create = std::make_unique<BoundCreateTable>();
  create->schema = draft.schema;
  create->table = draft.name;
  create->if_not_exists = statement.if_not_exists;
  create->or_replace = draft.replaces = statement.or_replace;
  create->on_commit = draft.on_commit = CommitActionOf(statement, create->schema);
  if (!FindPresent(session, statement.table)) draft.ClaimRelationName(draft.name, statement.table.position);
  auto like = statement.likes.begin();
  for (size_t i = 0; i <= statement.columns.size(); i++) {
    for (; like != statement.likes.end() && like->before_column == i; ++like) draft.AddLikedColumns(*like);
    if (i < statement.columns.size()) draft.AddColumn(statement.columns[i]);
  }
  for (const auto& column : statement.columns) draft.CheckColumn(column);
  // Add keys before foreign keys, which may refer to them.
  using Kind = ast::TableConstraint::Kind;
  if (statement.or_replace || !TableExists(session, statement.table)) {
    for (const ast::LikeClause& liked : statement.likes) draft.AddLikedRules(liked);
    for (const auto& constraint : statement.constraints) {
      if (constraint.kind != Kind::kForeignKey) draft.AddConstraint(constraint);
    }
    for (const auto& constraint : statement.constraints) {
      if (constraint.kind == Kind::kForeignKey) draft.AddConstraint(constraint);
    }
  }
  create->columns = std::move(draft.columns);
  create->constraints = std::move(draft.constraints);
  create->sequences = std::move(draft.sequences);
  create->indexes = std::move(draft.indexes);
  return create;
}

BoundStatementPtr DefineCollection(const BindSession& session, const ast::CreateTableStatement& statement) {
  auto create = MakeCreateTable(session, statement, {CollectionColumn()});
  create->is_collection = true;
  return create;
}

/// Finds the index, sequence or view to drop. Returns null if IF EXISTS names a missing one.
CatalogEntryRef FindDropped(BindSession& session, const ast::NamedTable& name, CatalogEntryKind kind,
                            bool if_exists) {
  CatalogEntryRef found = FindRelation(session, name);
  if (found && found->kind == kind) return found;
  if (found) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, not a{} {}", name.name, KindWithArticle(*found),
                           kind == CatalogEntryKind::kIndex ? "n" : "", KindName(kind)),
               name.position);
  }
  if (if_exists) return nullptr;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("{} \"{}\" does not exist", KindName(kind), name.name), name.position);
}

/// Finds the table or collection to drop. Returns null if IF EXISTS names a missing one.
TableEntryRef FindDroppedTable(BindSession& session, const ast::DropStatement& statement,
                               const ast::NamedTable& name) {
  using Object = ast::DropStatement::Object;
  const bool is_collection = statement.object == Object::kCollection;
  const CatalogEntryRef found = FindRelation(session, name);
  if (!found && statement.if_exists) return nullptr;
  if (!found && is_collection) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("collection \"{}\" does not exist", name.name), name.position);
  }
  if (found && found->kind != CatalogEntryKind::kTable && is_collection) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, not a collection", name.name, KindWithArticle(*found)),
               name.position);
  }
  if (found && found->kind != CatalogEntryKind::kTable) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, not a table", name.name, KindWithArticle(*found)), name.position);
  }
  TableEntryRef table = FindTableOrThrow(session, name);
  const Object kind = table->is_materialized()    ? Object::kMaterializedView
                      : table->is_element_table() ? Object::kElementTable
                      : table->is_collection()    ? Object::kCollection
                                                  : Object::kTable;
  // DROP TABLE also accepts an element table.
  if (kind != statement.object && (kind != Object::kElementTable || statement.object != Object::kTable)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}; use DROP {}", name.name, KindWithArticle(*table),
                           kind == Object::kMaterializedView ? "MATERIALIZED VIEW"
                           : kind == Object::kElementTable   ? "ELEMENT TABLE"
                           : kind == Object::kCollection     ? "COLLECTION"
                                                             : "TABLE"),
               name.position);
  }
  return table;
}

}  // namespace

BoundStatementPtr BindCreateElementTable(BindSession& session, const ast::CreateIndexStatement& statement) {
  const BinderContext& context = session.context();
  const TableEntryRef collection = FindTableOrThrow(session, statement.table);
  if (!collection->is_collection()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is a table: element tables are of collections", collection->name),
               statement.table.position);
  }
  if (collection->is_element_table())
    ThrowNotSupported("element tables are of collections, not of element tables", statement.table.position);
  const ast::IndexColumn& path = statement.columns[0];
  if (statement.columns.size() > 1)
    ThrowNotSupported("an element table is of one path; make one for each", statement.columns[1].position);
  const auto keys = SplitPath(path.name);
  if (!keys || keys->empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidName,
               fmt::format("\"{}\" is no key path: keys are joined by dots, and \\. stands for a dot within "
                           "one",
                           path.name),
               path.position);
  }
  const CatalogEntryRef existing =
      context.catalog.FindRelation(context.transaction, collection->schema, statement.name);
  const bool is_table = existing && existing->kind == CatalogEntryKind::kTable;
  if (existing && !(statement.if_not_exists && is_table)) {
    ThrowError(ErrorKind::kCatalog, DuplicateState(existing->kind),
               fmt::format("{} \"{}\" already exists", KindName(*existing), statement.name),
               statement.table.position);
  }
  auto create = std::make_unique<BoundCreateTable>();
  create->schema = collection->schema;
  create->table = statement.name;
  create->if_not_exists = statement.if_not_exists;
  create->is_collection = true;
  create->columns = ElementTableColumns();
  create->elements_of = {collection, path.name};
  return create;
}

namespace {

/// Throws if CREATE TABLE finds a relation of its name that it can neither keep nor replace.
void CheckExisting(const CatalogEntry& existing, const ast::CreateTableStatement& statement) {
  const bool is_table = existing.kind == CatalogEntryKind::kTable;
  if (statement.or_replace) {
    const auto* table = is_table ? static_cast<const TableEntry*>(&existing) : nullptr;
    if (table != nullptr && !table->is_collection() && !table->is_element_table()) return;
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, not a table; drop it first", statement.table.name,
                           KindWithArticle(existing)),
               statement.table.position);
  }
  if (statement.if_not_exists) return;
  const std::string advice = is_table ? fmt::format("; use CREATE {} IF NOT EXISTS or drop it first",
                                                    statement.is_collection ? "COLLECTION" : "TABLE")
                                      : "";
  ThrowError(ErrorKind::kCatalog, is_table ? sqlstate::kDuplicateTable : DuplicateState(existing.kind),
             fmt::format("{} \"{}\" already exists{}", KindName(existing), statement.table.name, advice),
             statement.table.position);
}

}  // namespace

/// Binds the query of CREATE TABLE AS, which reads the session's database, wherever the table will be.
static BoundQueryPtr BindSourceQuery(BindSession& session, const ast::SelectStatement& query) {
  const DatabaseScope home = DatabaseScope::OfStatement(session);
  return BindQuery(session, query, nullptr);
}

BoundStatementPtr BindCreateTable(BindSession& session, const ast::CreateTableStatement& statement) {
  CheckSchemaExists(session, statement.table);
  const CatalogEntryRef existing = FindPresent(session, statement.table);
  const bool exists = existing != nullptr;
  if (exists) CheckExisting(*existing, statement);
  if (statement.is_collection) return DefineCollection(session, statement);
  if (!statement.query) return DefineTable(session, statement);
  BoundQueryPtr query = BindSourceQuery(session, *statement.query);
  std::vector<ColumnDefinition> columns = ColumnsOfQuery(session, *query, statement);
  if ((exists && !statement.or_replace) || statement.with_no_data)
    return MakeCreateTable(session, statement, std::move(columns));
  auto create = std::make_unique<BoundCreateTableAs>();
  create->schema = SchemaOfNew(session, statement.table);
  create->table = statement.table.name;
  create->or_replace = statement.or_replace;
  create->on_commit = CommitActionOf(statement, create->schema);
  create->columns = std::move(columns);
  create->query = std::move(query);
  return create;
}

BoundStatementPtr BindCreateSchema(BindSession& session, const ast::CreateSchemaStatement& statement) {
  const BinderContext& context = session.context();
  if (IsTemporarySchema(statement.name)) {
    ThrowError(ErrorKind::kCatalog, "42939",
               fmt::format("\"{}\" is the schema of temporary relations; take another name", statement.name),
               statement.position);
  }
  if (!statement.if_not_exists && context.catalog.FindSchema(context.transaction, statement.name)) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kDuplicateSchema,
        fmt::format("schema \"{}\" already exists{}", statement.name,
                    statement.name == Catalog::kDefaultSchema ? ", also under the name \"public\"" : ""),
        statement.position);
  }
  auto create = std::make_unique<BoundCreateSchema>();
  create->name = statement.name;
  create->if_not_exists = statement.if_not_exists;
  return create;
}

BoundStatementPtr BindDrop(BindSession& session, const ast::DropStatement& statement) {
  const BinderContext& context = session.context();
  auto drop = std::make_unique<BoundDrop>();
  drop->cascade = statement.cascade;
  drop->is_schema = statement.object == ast::DropStatement::Object::kSchema;
  for (const auto& name : statement.names) {
    if (drop->is_schema) {
      if (IsTemporarySchema(name.name)) {
        ThrowError(
            ErrorKind::kCatalog, sqlstate::kDependentObjects,
            "the schema of temporary relations cannot be dropped; it is gone when the connection closes",
            name.position);
      }
      if (context.catalog.FindSchema(context.transaction, name.name)) {
        drop->schemas.push_back(name.name);
      } else if (!statement.if_exists) {
        ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
                   fmt::format("schema \"{}\" does not exist", name.name), name.position);
      }
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kIndex) {
      if (auto index = FindDropped(session, name, CatalogEntryKind::kIndex, statement.if_exists))
        drop->indexes.push_back(std::static_pointer_cast<const IndexEntry>(std::move(index)));
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kSequence) {
      if (auto sequence = FindDropped(session, name, CatalogEntryKind::kSequence, statement.if_exists))
        drop->sequences.push_back(std::static_pointer_cast<const SequenceEntry>(std::move(sequence)));
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kType &&
        session.context().catalog.Find<DomainEntry>(session.context().transaction, name.schema, name.name)) {
      drop->domains.push_back(FindDroppedDomain(session, name, false));
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kType) {
      if (TypeEntryRef type = FindTypeOrThrow(session, name, statement.if_exists))
        drop->types.push_back(std::move(type));
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kDomain) {
      if (DomainEntryRef domain = FindDroppedDomain(session, name, statement.if_exists))
        drop->domains.push_back(std::move(domain));
      continue;
    }
    if (statement.object == ast::DropStatement::Object::kView) {
      if (auto view = FindDropped(session, name, CatalogEntryKind::kView, statement.if_exists))
        drop->views.push_back(std::static_pointer_cast<const ViewEntry>(std::move(view)));
      continue;
    }
    const TableEntryRef table = FindDroppedTable(session, statement, name);
    if (!table) continue;
    const std::pair<std::string, std::string> entry(table->schema, table->name);
    if (std::find(drop->tables.begin(), drop->tables.end(), entry) == drop->tables.end()) {
      drop->tables.push_back(entry);
      drop->table_entries.push_back(table);
    }
  }
  DropHiddenColumns(session, *drop);
  return drop;
}

}  // namespace scaup
