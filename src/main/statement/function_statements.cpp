// CREATE, ALTER and DROP of functions: what names a function follows it, or goes with it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "catalog/catalog_changes.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "main/statement/broken_texts.hpp"
#include "main/statement/statement_execution.hpp"
#include "main/statement/utility_statement.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// Returns what cannot be bound now and could be before.
std::vector<BrokenText> NewlyBroken(const UtilityContext& utility, const std::set<std::string>& before) {
  std::vector<BrokenText> broken = BrokenTextsAndBodies(utility);
  std::erase_if(broken, [&](const BrokenText& text) { return before.contains(text.Describe()); });
  return broken;
}

/// Returns descriptions of what is broken already. Most databases have nothing that could be.
std::set<std::string> DescribeBroken(const UtilityContext& utility) {
  std::set<std::string> descriptions;
  for (const BrokenText& text : BrokenTextsAndBodies(utility)) descriptions.insert(text.Describe());
  return descriptions;
}

bool Calls(const TriggerDefinition& trigger, const FunctionEntry& function) {
  return function.is_trigger() && trigger.function_schema == function.schema &&
         trigger.function == function.name;
}

/// Returns all tables with a trigger that calls the function.
std::vector<TableEntryRef> TablesCalling(const UtilityContext& utility, const FunctionEntry& function) {
  std::vector<TableEntryRef> tables;
  if (!function.is_trigger()) return tables;
  for (TableEntryRef& table : utility.catalog().ListAll<TableEntry>(utility.transaction())) {
    const auto& triggers = table->constraints.triggers;
    if (std::any_of(triggers.begin(), triggers.end(),
                    [&](const TriggerDefinition& trigger) { return Calls(trigger, function); }))
      tables.push_back(std::move(table));
  }
  return tables;
}

/// Gives triggers the new name of the function that they call.
void FollowInTriggers(UtilityContext& utility, const FunctionEntry& old, const FunctionEntry& function) {
  for (const TableEntryRef& table : TablesCalling(utility, old)) {
    auto changed = std::make_shared<TableEntry>(*table);
    for (TriggerDefinition& trigger : changed->constraints.triggers) {
      if (!Calls(trigger, old)) continue;
      trigger.function_schema = function.schema;
      trigger.function = function.name;
    }
    ReplaceTable(utility.catalog(), utility.transaction(), {table, std::move(changed), {}});
  }
}

}  // namespace

void DropTriggersCalling(UtilityContext& utility, const std::vector<FunctionEntryRef>& functions,
                         const std::string& dropped, bool cascade, const std::string& dropped_schema) {
  for (const FunctionEntryRef& function : functions) {
    for (const TableEntryRef& table : TablesCalling(utility, *function)) {
      if (table->schema == dropped_schema) continue;
      auto changed = std::make_shared<TableEntry>(*table);
      std::erase_if(changed->constraints.triggers, [&](const TriggerDefinition& trigger) {
        if (!Calls(trigger, *function)) return false;
        if (!cascade) {
          ThrowError(ErrorKind::kCatalog, sqlstate::kDependentObjects,
                     fmt::format("cannot drop {} because trigger \"{}\" on table \"{}\" depends on it; use "
                                 "CASCADE to drop that too",
                                 dropped, trigger.name, table->name));
        }
        return true;
      });
      ReplaceTable(utility.catalog(), utility.transaction(), {table, std::move(changed), {}});
    }
  }
}

void CreateFunction(UtilityContext& utility, const BoundCreateFunction& statement) {
  if (!statement.function) return;
  Catalog& catalog = utility.catalog();
  if (!statement.old) return CreateFunction(catalog, utility.transaction(), statement.function);
  const std::set<std::string> before =
      statement.takes_name ? DescribeBroken(utility) : std::set<std::string>();
  ReplaceFunction(catalog, utility.transaction(), *statement.old, statement.function);
  if (!statement.takes_name) return;
  FollowInTriggers(utility, *statement.old, *statement.function);
  const std::vector<BrokenText> broken = NewlyBroken(utility, before);
  if (broken.empty()) return;
  ThrowNotSupported(
      fmt::format("cannot rename function {}: {} calls it by its name; drop that first, and make "
                  "it again afterwards",
                  statement.old->signature(), broken[0].Describe()));
}

void DropFunctions(UtilityContext& utility, const BoundDropFunction& statement) {
  if (statement.functions.empty()) return;
  DropTriggersCalling(utility, statement.functions,
                      fmt::format("function {}", statement.functions[0]->signature()), statement.cascade);
  std::vector<BrokenText> texts = TextsCalling(utility, statement.functions);
  if (statement.cascade) {
    // Rows are written anew without the column, as for ALTER TABLE, while all texts can still be bound.
    for (const BrokenText& text : texts) {
      if (text.kind != BrokenText::Kind::kGenerated) continue;
      const auto column = text.table->FindColumn(text.name);
      if (column && text.table->columns[*column].is_hidden()) {
        DropIndexesOver(utility, *text.table, text.name);
        continue;
      }
      utility.run_statement(
          *Parser()
               .Parse(fmt::format("ALTER TABLE {}.{} DROP COLUMN IF EXISTS {} CASCADE",
                                  QuotedIdentifier(text.table->schema), QuotedIdentifier(text.table->name),
                                  QuotedIdentifier(text.name)))
               .at(0));
    }
    std::erase_if(texts, [](const BrokenText& text) { return text.kind == BrokenText::Kind::kGenerated; });
  }
  DropTexts(utility, texts, fmt::format("function {}", statement.functions[0]->signature()),
            statement.cascade);
  for (const FunctionEntryRef& function : statement.functions)
    DropFunction(utility.catalog(), utility.transaction(), *function);
}

}  // namespace scaup
