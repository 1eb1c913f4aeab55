// Looks after the texts of the catalog that a change of names has broken.
#pragma once

#include <string>
#include <vector>

#include "binder/statement/catalog_texts.hpp"
#include "main/statement/utility_statement.hpp"

namespace scaup {

/// Returns the SQL texts of the catalog that can no longer be bound. The catalog itself does not understand
/// texts, so they are found by binding all of them.
std::vector<BrokenText> BrokenTexts(const UtilityContext& utility);
/// Returns also functions with broken bodies.
std::vector<BrokenText> BrokenTextsAndBodies(const UtilityContext& utility);
/// Returns the texts and bodies that call one of these functions, also within the bodies of other functions.
std::vector<BrokenText> TextsCalling(const UtilityContext& utility,
                                     const std::vector<FunctionEntryRef>& functions);
/// Drops what CASCADE drops with broken texts. Throws Error(kCatalog, 2BP01) without CASCADE, and for
/// generated columns.
void DropTexts(UtilityContext& utility, const std::vector<BrokenText>& texts, const std::string& dropped,
               bool cascade);

/// Drops the indexes over a hidden column of a table, as statements, so that the column goes, too.
void DropIndexesOver(UtilityContext& utility, const TableEntry& table, const std::string& column);

}  // namespace scaup
