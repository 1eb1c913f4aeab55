// Runs ON COMMIT DELETE ROWS, ON COMMIT DROP and DISCARD TEMP.
#include "main/statement/commit_actions.hpp"

#include "catalog/catalog_changes.hpp"
#include "catalog/function_changes.hpp"
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

void DropTemporaryRelations(Catalog& catalog, Transaction& transaction) {
  const TemporarySchema* const temporary = TemporarySchema::Of(transaction);
  if (temporary == nullptr) return;
  const SchemaEntry& schema = *temporary->entry();
  DropViews(catalog, transaction, catalog.List<ViewEntry>(transaction, schema), true);
  DropTables(catalog, transaction, catalog.List<TableEntry>(transaction, schema), true);
  for (const auto& sequence : catalog.List<SequenceEntry>(transaction, schema))
    DropSequence(catalog, transaction, schema.name, sequence->name);
  for (const FunctionEntryRef& function : AllFunctions(catalog, transaction)) {
    if (function->schema == schema.name) DropFunction(catalog, transaction, *function);
  }
}

}  // namespace scaup
