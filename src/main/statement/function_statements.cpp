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

}  // namespace

void CreateFunction(UtilityContext& utility, const BoundCreateFunction& statement) {
  if (!statement.function) return;
  Catalog& catalog = utility.catalog();
  if (!statement.old) return CreateFunction(catalog, utility.transaction(), statement.function);
  const std::set<std::string> before =
      statement.takes_name ? DescribeBroken(utility) : std::set<std::string>();
  ReplaceFunction(catalog, utility.transaction(), *statement.old, statement.function);
  if (!statement.takes_name) return;
  const std::vector<BrokenText> broken = NewlyBroken(utility, before);
  if (broken.empty()) return;
  ThrowNotSupported(
      fmt::format("cannot rename function {}: {} calls it by its name; drop that first, and make "
                  "it again afterwards",
                  statement.old->signature(), broken[0].Describe()));
}

void DropFunctions(UtilityContext& utility, const BoundDropFunction& statement) {
  if (statement.functions.empty()) return;
  const std::set<std::string> before = DescribeBroken(utility);
  for (const FunctionEntryRef& function : statement.functions)
    DropFunction(utility.catalog(), utility.transaction(), *function);
  const std::string dropped = fmt::format("function {}", statement.functions[0]->signature());
  // Others may have needed what is dropped with the function.
  for (auto broken = NewlyBroken(utility, before); !broken.empty(); broken = NewlyBroken(utility, before))
    DropTexts(utility, broken, dropped, statement.cascade);
}

}  // namespace scaup
