// Runs ON COMMIT DELETE ROWS and ON COMMIT DROP.
#include "main/statement/commit_actions.hpp"

#include "catalog/catalog_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "main/statement/utility_statement.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

void RunCommitActions(Catalog& catalog, Transaction& transaction) {
  const TemporarySchema* temporary = TemporarySchema::Of(transaction);
  // A transaction without changes has put no row into a table, and tables to be dropped went with the
  // transaction that made them.
  if (temporary == nullptr || !temporary->has_commit_actions() || !transaction.has_changes()) return;
  std::vector<TableEntryRef> dropped;
  for (const TableEntryRef& table : catalog.List<TableEntry>(transaction, *temporary->entry())) {
    if (table->on_commit == CommitAction::kDrop) {
      dropped.push_back(table);
    } else if (table->on_commit == CommitAction::kDeleteRows) {
      DeleteAllRows(transaction, *table, KernelsOf(BestKernelLevel()), [] {});
    }
  }
  if (!dropped.empty()) DropTables(catalog, transaction, dropped, true);
}

}  // namespace scaup
