// Changes of entries that follow from a change of another one. They get no log record: replay derives them
// from the record of the change itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_writer.hpp"

namespace scaup {

/// Renames an index in the storage of a table, and its key in the messages of errors. A rollback restores the
/// old names.
void RenameTableIndex(Transaction& transaction, const std::shared_ptr<TableIndex>& index,
                      const TableEntry& table, const std::string& name,
                      const std::vector<std::string>& columns);
/// Puts a new version of every enum that the columns use, so that changing or dropping it at the same time is
/// a conflict.
void TouchTypes(CatalogWriter& writer, const TableEntry& table);
void TouchTypes(CatalogWriter& writer, const ViewEntry& view);
/// Drops the views over a table that is dropped; 2BP01 without CASCADE. These have log records.
void DropViewsOver(CatalogWriter& writer, const TableEntry& table, bool cascade);
/// Checks that views can stay as they are when a table is replaced, and drops those that CASCADE allows; see
/// ReplaceTable.
void CheckViews(CatalogWriter& writer, const TableReplacement& replacement);

}  // namespace scaup
