// ALTER TYPE and DROP TYPE: what uses an enum follows it, or keeps it.
#include <fmt/format.h>

#include <algorithm>

#include "binder/statement/catalog_texts.hpp"
#include "catalog/create_statement.hpp"
#include "common/throw.hpp"
#include "main/statement/statement_execution.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

void StatementExecution::AlterType(const BoundAlterType& statement) {
  if (!statement.old) return;
  Catalog& catalog = context_.catalog;
  catalog.ReplaceType(*transaction_, *statement.old, statement.type);
  for (const auto& part : statement.tables) {
    part->next_table_index = statement.next_table_index;
    part->table = catalog.FindTable(*transaction_, part->schema, part->name);
    AlterTable(*part);
  }
  if (!statement.takes_name) return;
  const auto broken = BrokenTexts();
  if (broken.empty()) return;
  ThrowNotSupported(
      fmt::format("cannot rename what {} uses by its name ({}); drop it first, and make it "
                  "again afterwards",
                  broken[0].Describe(), broken[0].error));
}

std::vector<BrokenText> StatementExecution::BrokenTexts() const {
  return FindBrokenTexts(
      {context_.catalog, *transaction_, context_.functions, FunctionRegistry::Builtin(), settings_});
}

void StatementExecution::DropTypes(const std::vector<TypeEntryRef>& types, bool cascade) {
  for (const TypeEntryRef& type : types) {
    if (cascade) DropUsers(*type, "");
    context_.catalog.DropType(*transaction_, *type);
  }
  if (!types.empty()) DropBrokenTexts(fmt::format("type \"{}\"", types[0]->name), cascade);
}

/// Columns and views of a type, but for those of a schema that goes anyway.
void StatementExecution::DropUsers(const TypeEntry& type, const std::string& dropped_schema) {
  Catalog& catalog = context_.catalog;
  for (const TableEntryRef& table : catalog.TablesUsing(*transaction_, type.type)) {
    if (table->schema == dropped_schema) continue;
    std::string actions;
    for (const ColumnDefinition& column : table->columns) {
      if (!UsesType(column.type, type.type)) continue;
      actions += fmt::format("{} DROP COLUMN IF EXISTS {} CASCADE", actions.empty() ? "" : ",",
                             QuotedIdentifier(column.name));
    }
    RunWithin(*Parser()
                   .Parse(fmt::format("ALTER TABLE {}.{}{}", QuotedIdentifier(table->schema),
                                      QuotedIdentifier(table->name), actions))
                   .at(0));
  }
  auto views = catalog.ViewsUsing(*transaction_, type.type);
  std::erase_if(views, [&](const ViewEntryRef& view) { return view->schema == dropped_schema; });
  catalog.DropViews(*transaction_, views, true);
}

void StatementExecution::DropBrokenTexts(const std::string& dropped, bool cascade) {
  Catalog& catalog = context_.catalog;
  for (const BrokenText& text : BrokenTexts()) {
    if (!cascade || text.kind == BrokenText::Kind::kGenerated) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
                 fmt::format("cannot drop {} because {} depends on it; {}", dropped, text.Describe(),
                             cascade ? "drop that column first" : "use CASCADE to drop that too"));
    }
    if (text.kind == BrokenText::Kind::kView) {
      catalog.DropViews(*transaction_, {text.view}, true);
      continue;
    }
    // An earlier text may have changed the table.
    const TableEntryRef table = catalog.FindTable(*transaction_, text.table->schema, text.table->name);
    auto changed = std::make_shared<TableEntry>(*table);
    for (ColumnDefinition& column : changed->columns) {
      if (text.kind == BrokenText::Kind::kDefault && column.name == text.name) column.default_text.clear();
    }
    std::erase_if(changed->constraints.checks, [&](const CheckConstraint& check) {
      return text.kind == BrokenText::Kind::kCheck && check.name == text.name;
    });
    catalog.ReplaceTable(*transaction_, {table, std::move(changed), {}});
  }
}

}  // namespace scaup
