// Collects the definitions of a database.
#include "main/transfer/database_texts.hpp"

#include <algorithm>
#include <set>

#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/check.hpp"
#include "common/stack_bound.hpp"

namespace scaup {

namespace {

/// Returns the schemas to export: temporary relations are those of one session.
std::vector<SchemaEntryRef> PermanentSchemas(const QueryContext::Database& database) {
  std::vector<SchemaEntryRef> schemas = database.catalog.Schemas(database.transaction);
  std::erase_if(schemas, [](const SchemaEntryRef& schema) { return IsTemporarySchema(schema->name); });
  return schemas;
}

/// Returns whether CREATE TABLE makes the sequence, as for identity columns.
bool ComesWithTable(const QueryContext::Database& database, const SequenceEntry& sequence) {
  const auto table =
      database.catalog.Find<TableEntry>(database.transaction, sequence.schema, sequence.owner_table);
  const auto column = table ? table->FindColumn(sequence.owner_column) : std::nullopt;
  return column && table->columns[*column].identity != IdentityKind::kNone;
}

/// Returns CREATE ELEMENT TABLE for all element tables, in the order in which they were made, as some are
/// made from others.
std::string ElementTableStatements(const QueryContext::Database& database) {
  std::vector<TableEntryRef> tables;
  for (const auto& schema : PermanentSchemas(database)) {
    for (TableEntryRef& table : database.catalog.List<TableEntry>(database.transaction, *schema)) {
      if (table->is_element_table()) tables.push_back(std::move(table));
    }
  }
  std::sort(tables.begin(), tables.end(), [](const TableEntryRef& a, const TableEntryRef& b) {
    return a->storage->id() < b->storage->id();
  });
  std::string statements;
  for (const TableEntryRef& table : tables) {
    const uint64_t collection_id = table->storage->element_source()->collection_id;
    statements += CreateElementTableStatementOf(
        *table, *FindTableOfStorage(database.catalog, database.transaction, collection_id));
  }
  return statements;
}

/// Returns whether a view depends on documents or materialized views, which exist only once load.sql has run.
bool ReadsDocuments(const QueryContext::Database& database, const ViewEntry& view) {
  CheckStack();
  return std::any_of(view.sources.begin(), view.sources.end(), [&](const ViewSource& source) {
    if (const auto inner = database.catalog.Find<ViewEntry>(database.transaction, source.schema, source.name))
      return ReadsDocuments(database, *inner);
    const auto table = database.catalog.Find<TableEntry>(database.transaction, source.schema, source.name);
    return table && (table->is_collection() || table->is_materialized());
  });
}

/// Returns whether the sources of a view have other columns than the view knows.
bool KnowsOtherColumns(const QueryContext::Database& database, const ViewEntry& view) {
  return std::any_of(view.sources.begin(), view.sources.end(), [&](const ViewSource& source) {
    std::vector<std::string> columns;
    if (const auto inner =
            database.catalog.Find<ViewEntry>(database.transaction, source.schema, source.name)) {
      for (const ViewEntry::Column& column : inner->columns) columns.push_back(column.name);
    } else if (const auto table =
                   database.catalog.Find<TableEntry>(database.transaction, source.schema, source.name)) {
      for (const size_t column : table->VisibleColumns()) columns.push_back(table->columns[column].name);
    }
    return columns != source.columns;
  });
}

void AddView(const QueryContext::Database& database, const ViewEntryRef& view,
             std::set<const ViewEntry*>& added, std::string& text, std::string& document_text);

/// Adds a materialized view, if the source of a view is one.
void AddMaterialized(const QueryContext::Database& database, const ViewSource& source,
                     std::set<const ViewEntry*>& added, std::string& text, std::string& document_text) {
  const auto table = database.catalog.Find<TableEntry>(database.transaction, source.schema, source.name);
  const ViewEntryRef query = table ? QueryOf(database.catalog, database.transaction, *table) : nullptr;
  if (query) AddView(database, query, added, text, document_text);
}

/// Adds a view, after the views that it reads. Those that are materialized, and what reads them, come once
/// the rows are there.
void AddView(const QueryContext::Database& database, const ViewEntryRef& view,
             std::set<const ViewEntry*>& added, std::string& text, std::string& document_text) {
  CheckStack();
  if (!added.insert(view.get()).second) return;
  for (const ViewSource& source : view->sources) {
    if (const auto inner = database.catalog.Find<ViewEntry>(database.transaction, source.schema, source.name))
      AddView(database, inner, added, text, document_text);
  }
  for (const ViewSource& source : view->sources)
    AddMaterialized(database, source, added, text, document_text);
  if (!view->materialized.empty()) {
    const auto table =
        database.catalog.Find<TableEntry>(database.transaction, view->schema, view->materialized);
    document_text += CreateStatementOf(*table, *view);
    return;
  }
  const bool reads_documents = ReadsDocuments(database, *view);
  (reads_documents ? document_text : text) +=
      CreateStatementOf(*view, reads_documents || KnowsOtherColumns(database, *view));
}

/// Returns CREATE VIEW for all views, which may read tables and views of any schema. `document_text` gets the
/// views that can be made only once the documents exist.
std::string ViewStatements(const QueryContext::Database& database, std::string& document_text) {
  std::string text;
  std::set<const ViewEntry*> added;
  for (const auto& schema : PermanentSchemas(database)) {
    for (const auto& view : database.catalog.List<ViewEntry>(database.transaction, *schema))
      AddView(database, view, added, text, document_text);
  }
  return text;
}

std::vector<FunctionEntryRef> PermanentFunctions(const QueryContext::Database& database) {
  std::vector<FunctionEntryRef> functions = AllFunctions(database.catalog, database.transaction);
  std::erase_if(functions,
                [](const FunctionEntryRef& function) { return IsTemporarySchema(function->schema); });
  return functions;
}

std::string FunctionStatements(const QueryContext::Database& database) {
  std::string text;
  for (const FunctionEntryRef& function : PermanentFunctions(database)) text += CreateStatementOf(*function);
  return text;
}

/// Returns CREATE DOMAIN for all domains, each after the one that it was made of. Their rules call functions.
std::string DomainStatements(const QueryContext::Database& database) {
  std::vector<DomainEntryRef> domains = database.catalog.ListAll<DomainEntry>(database.transaction);
  std::string text;
  while (!domains.empty()) {
    const auto first = std::find_if(domains.begin(), domains.end(), [&](const DomainEntryRef& domain) {
      return std::none_of(domains.begin(), domains.end(), [&](const DomainEntryRef& other) {
        return domain->base == DomainName{other->schema, other->name};
      });
    });
    SCAUP_CHECK(first != domains.end());
    text += CreateStatementOf(**first);
    domains.erase(first);
  }
  return text;
}

/// Returns all comments of the database. They run last, when everything exists.
std::string CommentStatements(const QueryContext::Database& database) {
  const Catalog& catalog = database.catalog;
  std::string text;
  const auto add = [&](const auto& entries) {
    for (const auto& entry : entries) text += CommentStatementsOf(*entry);
  };
  add(PermanentSchemas(database));
  for (const auto& schema : PermanentSchemas(database)) {
    add(catalog.List<TableEntry>(database.transaction, *schema));
    auto views = catalog.List<ViewEntry>(database.transaction, *schema);
    std::erase_if(views, [](const ViewEntryRef& view) { return !view->materialized.empty(); });
    add(views);
    add(catalog.List<IndexEntry>(database.transaction, *schema));
    add(catalog.List<SequenceEntry>(database.transaction, *schema));
    add(catalog.List<TypeEntry>(database.transaction, *schema));
    add(catalog.List<DomainEntry>(database.transaction, *schema));
  }
  add(PermanentFunctions(database));
  return text;
}

}  // namespace

DatabaseTexts TextsOf(const QueryContext::Database& database) {
  DatabaseTexts texts;
  // Indexes and foreign keys are made once the rows exist, which is faster, and foreign keys may form cycles.
  // Triggers come last, so that they do not fire for the rows.
  std::string index_text, late_index_text, key_text, trigger_text;
  const auto schemas = PermanentSchemas(database);
  // All types come first, as tables of one schema may use types of another.
  for (const auto& schema : schemas) {
    texts.definitions += CreateStatementOf(*schema);
    for (const auto& type : database.catalog.List<TypeEntry>(database.transaction, *schema))
      texts.definitions += CreateStatementOf(*type);
  }
  // Bodies may read tables that come later. Tables and views call functions.
  texts.definitions += FunctionStatements(database);
  texts.definitions += DomainStatements(database);
  for (const auto& schema : schemas) {
    for (const auto& sequence : database.catalog.List<SequenceEntry>(database.transaction, *schema)) {
      const bool comes_with_table = ComesWithTable(database, *sequence);
      (comes_with_table ? texts.sequence_options : texts.definitions) +=
          comes_with_table ? AlterStatementOf(*sequence) : CreateStatementOf(*sequence);
      texts.sequences.push_back(sequence);
    }
    for (const auto& table : database.catalog.List<TableEntry>(database.transaction, *schema)) {
      // Rows of element tables follow from the documents.
      if (table->is_element_table() || table->is_materialized()) continue;
      // A foreign key may refer to a table that comes later, so it is not part of CREATE TABLE.
      texts.definitions += CreateStatementOf(*table, ForeignKeyText::kApart);
      key_text += ForeignKeyStatementsOf(*table);
      trigger_text += TriggerStatementsOf(*table);
      texts.tables.push_back(table);
    }
    for (const auto& index : database.catalog.List<IndexEntry>(database.transaction, *schema)) {
      if (index->is_of_constraint) continue;
      const auto table = database.catalog.Find<TableEntry>(database.transaction, index->schema, index->table);
      (table->is_materialized() ? late_index_text : index_text) += CreateStatementOf(*index, *table);
    }
  }
  std::string document_views;
  texts.definitions += ViewStatements(database, document_views);
  texts.after_rows += ElementTableStatements(database) + index_text + key_text + document_views +
                      late_index_text + CommentStatements(database) + trigger_text;
  return texts;
}

}  // namespace scaup
