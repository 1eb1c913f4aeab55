// DROP, ALTER TYPE and ALTER SCHEMA: what depends on a type or is in a schema follows it, or goes with it.
#include <fmt/format.h>

#include <algorithm>

#include "binder/statement/sequence_texts.hpp"
#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/enum_use.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "main/key/deferred_checks.hpp"
#include "main/statement/broken_texts.hpp"
#include "main/statement/statement_execution.hpp"
#include "main/statement/utility_statement.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

BinderContext ContextOf(const UtilityContext& utility) {
  BinderContext context{utility.catalog(), utility.transaction(), utility.context.functions,
                        FunctionRegistry::Builtin(), utility.settings};
  context.hosted = &utility.session.hosted;
  return context;
}

}  // namespace

std::vector<BrokenText> BrokenTexts(const UtilityContext& utility) {
  return FindBrokenTexts(ContextOf(utility));
}

std::vector<BrokenText> BrokenTextsAndBodies(const UtilityContext& utility) {
  return FindBrokenTextsAndBodies(ContextOf(utility));
}

std::vector<BrokenText> TextsCalling(const UtilityContext& utility,
                                     const std::vector<FunctionEntryRef>& functions) {
  return FindTextsCalling(ContextOf(utility), functions);
}

void DropTexts(UtilityContext& utility, const std::vector<BrokenText>& texts, const std::string& dropped,
               bool cascade) {
  Catalog& catalog = utility.catalog();
  for (const BrokenText& text : texts) {
    if (!cascade || text.kind == BrokenText::Kind::kGenerated || text.kind == BrokenText::Kind::kDomain) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
                 fmt::format("cannot drop {} because {} depends on it; {}", dropped, text.Describe(),
                             cascade ? "drop that first" : "use CASCADE to drop that too"));
    }
    if (text.kind == BrokenText::Kind::kView) {
      // CASCADE may have dropped it with an earlier one.
      if (const auto view = catalog.Find<ViewEntry>(utility.transaction(), text.view->schema, text.name))
        DropViews(catalog, utility.transaction(), {view}, true);
      continue;
    }
    if (text.kind == BrokenText::Kind::kFunction) {
      const FunctionEntry& function = *text.function;
      if (FindFunction(catalog, utility.transaction(), function.schema, FunctionKey(function)))
        DropFunction(catalog, utility.transaction(), function);
      continue;
    }
    // The table is looked up again, as an earlier text may have changed it.
    const TableEntryRef table =
        catalog.Find<TableEntry>(utility.transaction(), text.table->schema, text.table->name);
    auto changed = std::make_shared<TableEntry>(*table);
    for (ColumnDefinition& column : changed->columns) {
      if (text.kind == BrokenText::Kind::kDefault && column.name == text.name) column.default_text.clear();
    }
    std::erase_if(changed->constraints.checks, [&](const CheckConstraint& check) {
      return text.kind == BrokenText::Kind::kCheck && check.name == text.name;
    });
    ReplaceTable(catalog, utility.transaction(), {table, std::move(changed), {}});
  }
}

namespace {

/// Drops the columns and views of a type, except those of a schema that is dropped anyway.
void DropUsers(UtilityContext& utility, const TypeEntry& type, const std::string& dropped_schema) {
  Catalog& catalog = utility.catalog();
  for (const TableEntryRef& table : TablesUsing(catalog, utility.transaction(), type.type)) {
    if (table->schema == dropped_schema) continue;
    std::string actions;
    for (const ColumnDefinition& column : table->columns) {
      if (!UsesType(column.type, type.type) || column.is_hidden()) continue;
      actions += fmt::format("{} DROP COLUMN IF EXISTS {} CASCADE", actions.empty() ? "" : ",",
                             QuotedIdentifier(column.name));
    }
    if (actions.empty()) continue;
    // Run as a statement, so that the rows are rewritten and dependents dropped as for ALTER TABLE. An
    // earlier CASCADE may have dropped a column already.
    utility.run_statement(*Parser()
                               .Parse(fmt::format("ALTER TABLE {}.{}{}", QuotedIdentifier(table->schema),
                                                  QuotedIdentifier(table->name), actions))
                               .at(0));
  }
  auto views = ViewsUsing(catalog, utility.transaction(), type.type);
  std::erase_if(views, [&](const ViewEntryRef& view) { return view->schema == dropped_schema; });
  DropViews(catalog, utility.transaction(), views, true);
}

}  // namespace

void DropIndexesOver(UtilityContext& utility, const TableEntry& table, const std::string& column) {
  for (const IndexEntryRef& index : IndexesOf(utility.catalog(), utility.transaction(), table)) {
    if (std::find(index->columns.begin(), index->columns.end(), column) == index->columns.end()) continue;
    utility.run_statement(*Parser()
                               .Parse(fmt::format("DROP INDEX {}.{}", QuotedIdentifier(index->schema),
                                                  QuotedIdentifier(index->name)))
                               .at(0));
  }
}

namespace {

void DropBrokenTexts(UtilityContext& utility, const std::string& dropped, bool cascade) {
  DropTexts(utility, BrokenTexts(utility), dropped, cascade);
}

/// Returns the names of the sequences that go with these tables.
std::vector<SequenceName> OwnedSequences(const UtilityContext& utility,
                                         const std::vector<TableEntryRef>& tables) {
  std::vector<SequenceName> names;
  for (const TableEntryRef& table : tables) {
    for (const SequenceEntryRef& sequence : SequencesOf(utility.catalog(), utility.transaction(), *table))
      names.push_back({sequence->schema, sequence->name});
  }
  return names;
}

/// Throws 2BP01 if an identity column needs the sequence: it ends with the column only.
void CheckNoIdentity(const UtilityContext& utility, const SequenceEntry& sequence) {
  if (sequence.owner_table.empty()) return;
  const auto table =
      utility.catalog().Find<TableEntry>(utility.transaction(), sequence.schema, sequence.owner_table);
  const auto column = table ? table->FindColumn(sequence.owner_column) : std::nullopt;
  if (!column || table->columns[*column].identity == IdentityKind::kNone) return;
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kDependentObjects,
      fmt::format("cannot drop sequence \"{}\" because identity column \"{}\" of table \"{}\" requires "
                  "it; drop the identity of the column instead",
                  sequence.name, sequence.owner_column, table->name));
}

void DropSequences(UtilityContext& utility, const std::vector<SequenceEntryRef>& sequences, bool cascade) {
  std::vector<SequenceName> names;
  for (const SequenceEntryRef& sequence : sequences) {
    CheckNoIdentity(utility, *sequence);
    names.push_back({sequence->schema, sequence->name});
    DropSequence(utility.catalog(), utility.transaction(), sequence->schema, sequence->name);
  }
  if (!sequences.empty())
    DropTextsNaming(utility, names, fmt::format("sequence \"{}\"", sequences[0]->name), cascade);
}

/// Drops the tables, and what uses the sequences that go with them.
void DropTables(UtilityContext& utility, const std::vector<TableEntryRef>& tables, bool cascade) {
  for (const TableEntryRef& table : tables) utility.checks.RequireNonePending(*table, "DROP TABLE");
  const std::vector<SequenceName> sequences = OwnedSequences(utility, tables);
  DropTables(utility.catalog(), utility.transaction(), tables, cascade);
  if (!sequences.empty())
    DropTextsNaming(utility, sequences, fmt::format("table \"{}\"", tables[0]->name), cascade);
}

/// Drops the functions with arguments or results of a type; 2BP01 without CASCADE.
void DropFunctionsOf(UtilityContext& utility, const TypeEntry& type, bool cascade) {
  BoundDropFunction drop;
  drop.cascade = cascade;
  for (const FunctionEntryRef& function : AllFunctions(utility.catalog(), utility.transaction())) {
    bool uses = UsesType(function->result_type, type.type);
    for (const FunctionArgument& argument : function->arguments) uses |= UsesType(argument.type, type.type);
    if (uses) drop.functions.push_back(function);
  }
  if (drop.functions.empty()) return;
  if (!cascade) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kDependentObjects,
        fmt::format("cannot drop type \"{}\" because function {} depends on it; use CASCADE to drop that "
                    "too",
                    type.name, drop.functions[0]->signature()));
  }
  DropFunctions(utility, drop);
}

void DropTypes(UtilityContext& utility, const std::vector<TypeEntryRef>& types, bool cascade) {
  for (const TypeEntryRef& type : types) {
    if (cascade) DropUsers(utility, *type, "");
    DropFunctionsOf(utility, *type, cascade);
    DropType(utility.catalog(), utility.transaction(), *type);
  }
  if (!types.empty()) DropBrokenTexts(utility, fmt::format("type \"{}\"", types[0]->name), cascade);
}

/// Drops the columns of a domain, and the domains that were made of it, except those of a schema that is
/// dropped anyway.
void DropUsersOf(UtilityContext& utility, const DomainEntry& domain, const std::string& dropped_schema) {
  Catalog& catalog = utility.catalog();
  const DomainName name{domain.schema, domain.name};
  for (const TableEntryRef& table : TablesOfDomain(catalog, utility.transaction(), domain)) {
    if (table->schema == dropped_schema) continue;
    std::string actions;
    for (const ColumnDefinition& column : table->columns) {
      if (!(column.domain == name)) continue;
      actions += fmt::format("{} DROP COLUMN IF EXISTS {} CASCADE", actions.empty() ? "" : ",",
                             QuotedIdentifier(column.name));
    }
    utility.run_statement(*Parser()
                               .Parse(fmt::format("ALTER TABLE {}.{}{}", QuotedIdentifier(table->schema),
                                                  QuotedIdentifier(table->name), actions))
                               .at(0));
  }
  for (const DomainEntryRef& other : DomainsOver(catalog, utility.transaction(), domain)) {
    if (other->schema == dropped_schema) continue;
    DropUsersOf(utility, *other, dropped_schema);
    DropDomain(catalog, utility.transaction(), *other);
  }
}

void DropDomains(UtilityContext& utility, const std::vector<DomainEntryRef>& domains, bool cascade) {
  Catalog& catalog = utility.catalog();
  for (const DomainEntryRef& domain : domains) {
    // CASCADE may have dropped it with an earlier one.
    if (!catalog.Find<DomainEntry>(utility.transaction(), domain->schema, domain->name)) continue;
    if (cascade) DropUsersOf(utility, *domain, "");
    DropDomain(catalog, utility.transaction(), *domain);
  }
  if (!domains.empty()) DropBrokenTexts(utility, fmt::format("domain \"{}\"", domains[0]->name), cascade);
}

void DropSchema(UtilityContext& utility, const std::string& schema, bool cascade) {
  Catalog& catalog = utility.catalog();
  const auto domains =
      catalog.List<DomainEntry>(utility.transaction(), *catalog.FindSchema(utility.transaction(), schema));
  for (const DomainEntryRef& domain : domains) {
    if (cascade) DropUsersOf(utility, *domain, schema);
  }
  const auto types =
      catalog.List<TypeEntry>(utility.transaction(), *catalog.FindSchema(utility.transaction(), schema));
  if (cascade) {
    for (const TypeEntryRef& type : types) DropUsers(utility, *type, schema);
  }
  std::vector<SequenceName> sequences;
  for (const auto& sequence :
       catalog.List<SequenceEntry>(utility.transaction(), *catalog.FindSchema(utility.transaction(), schema)))
    sequences.push_back({schema, sequence->name});
  if (cascade) {
    std::vector<FunctionEntryRef> functions = AllFunctions(catalog, utility.transaction());
    std::erase_if(functions, [&](const FunctionEntryRef& function) { return function->schema != schema; });
    DropTriggersCalling(utility, functions, fmt::format("schema \"{}\"", schema), true, schema);
  }
  DropSchema(catalog, utility.transaction(), schema, cascade);
  if (!sequences.empty()) DropTextsNaming(utility, sequences, fmt::format("schema \"{}\"", schema), cascade);
  if (!types.empty() || !domains.empty())
    DropBrokenTexts(utility, fmt::format("schema \"{}\"", schema), cascade);
}

}  // namespace

void DropTextsNaming(UtilityContext& utility, const std::vector<SequenceName>& sequences,
                     const std::string& dropped, bool cascade) {
  DropTexts(utility, FindTextsNaming(ContextOf(utility), sequences), dropped, cascade);
}

void AlterType(UtilityContext& utility, const BoundAlterType& statement) {
  if (!statement.old) return;
  Catalog& catalog = utility.catalog();
  ReplaceType(catalog, utility.transaction(), *statement.old, statement.type);
  for (const auto& part : statement.tables) {
    // Tables are altered one after the other, and one may have been replaced with an earlier one; so the
    // present entry is looked up.
    part->next_table_index = statement.next_table_index;
    part->table = catalog.Find<TableEntry>(utility.transaction(), part->schema, part->name);
    AlterTable(utility, *part);
  }
  // Only a new name can break texts, which refer to types and labels by their names.
  if (!statement.takes_name) return;
  const auto broken = BrokenTexts(utility);
  if (broken.empty()) return;
  ThrowNotSupported(
      fmt::format("cannot rename what {} uses by its name ({}); drop it first, and make it "
                  "again afterwards",
                  broken[0].Describe(), broken[0].error));
}

namespace {

/// Moves all of one kind by ALTER ... SET SCHEMA, which looks after what names them. Sequences that tables
/// own go with these.
void MoveAll(UtilityContext& utility, const BoundRenameSchema& statement, CatalogEntryKind kind) {
  const SchemaEntryRef schema = utility.catalog().FindSchema(utility.transaction(), statement.from);
  for (const CatalogEntryRef& entry : schema->relations->List(utility.transaction())) {
    if (entry->kind != kind) continue;
    const bool is_sequence = kind == CatalogEntryKind::kSequence;
    if (is_sequence && !static_cast<const SequenceEntry&>(*entry).owner_table.empty()) continue;
    utility.run_statement(
        *Parser()
             .Parse(fmt::format("ALTER {} {}.{} SET SCHEMA {}", KindName(kind),
                                QuotedIdentifier(statement.from), QuotedIdentifier(entry->name),
                                QuotedIdentifier(statement.to)))
             .at(0));
  }
}

/// Throws 0A000 for what cannot leave its schema.
void RequireMovable(const UtilityContext& utility, const std::string& schema) {
  const Catalog& catalog = utility.catalog();
  for (const TableEntryRef& table :
       catalog.List<TableEntry>(utility.transaction(), *catalog.FindSchema(utility.transaction(), schema))) {
    if (!table->is_materialized() && !table->is_element_table()) continue;
    ThrowNotSupported(
        fmt::format("cannot rename schema \"{}\" while it has {} \"{}\": drop that first, and make it "
                    "again afterwards",
                    schema, table->is_materialized() ? "materialized view" : "element table", table->name));
  }
}

}  // namespace

void RenameSchema(UtilityContext& utility, const BoundRenameSchema& statement) {
  Catalog& catalog = utility.catalog();
  Transaction& transaction = utility.transaction();
  RequireMovable(utility, statement.from);
  CreateSchema(catalog, transaction, statement.to);
  const std::string comment = catalog.FindSchema(transaction, statement.from)->comment;
  if (!comment.empty())
    SetComment(catalog, transaction, {CommentTarget::Kind::kSchema, statement.to, "", ""}, comment);
  using Kind = CatalogEntryKind;
  for (const Kind kind : {Kind::kType, Kind::kDomain, Kind::kSequence, Kind::kTable, Kind::kView})
    MoveAll(utility, statement, kind);
  for (const FunctionEntryRef& function : AllFunctions(catalog, transaction)) {
    if (function->schema != statement.from) continue;
    BoundCreateFunction move;
    move.old = function;
    auto moved = std::make_shared<FunctionEntry>(*function);
    moved->schema = statement.to;
    move.function = std::move(moved);
    move.takes_name = true;
    CreateFunction(utility, move);
  }
  DropSchema(catalog, transaction, statement.from, false);
}

void Drop(UtilityContext& utility, const BoundDrop& statement) {
  Catalog& catalog = utility.catalog();
  // Each kind is dropped in the order in which kinds depend on each other: views read tables, tables use
  // types.
  DropViews(catalog, utility.transaction(), statement.views, statement.cascade);
  DropTables(utility, statement.table_entries, statement.cascade);
  for (const IndexEntryRef& index : statement.indexes)
    DropIndex(catalog, utility.transaction(), index->schema, index->name);
  for (const auto& alter : statement.alters) {
    // The present entry is looked up, as dropping other objects may have replaced it.
    alter->next_table_index = statement.next_table_index;
    alter->table = catalog.Find<TableEntry>(utility.transaction(), alter->schema, alter->name);
    AlterTable(utility, *alter);
  }
  DropSequences(utility, statement.sequences, statement.cascade);
  DropDomains(utility, statement.domains, statement.cascade);
  DropTypes(utility, statement.types, statement.cascade);
  for (const auto& schema : statement.schemas) DropSchema(utility, schema, statement.cascade);
}

}  // namespace scaup
