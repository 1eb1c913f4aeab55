// CREATE TABLE, ALTER TABLE, CREATE INDEX and TRUNCATE.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/table_reading.hpp"
#include "common/throw.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "main/key/deferred_checks.hpp"
#include "main/key/key_enforcement.hpp"
#include "main/statement/broken_texts.hpp"
#include "main/statement/statement_execution.hpp"
#include "main/statement/utility_statement.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/limit.hpp"
#include "planner/query_planner.hpp"
#include "planner/statement/insert.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> TypesOf(const std::vector<ColumnDefinition>& columns) {
  std::vector<LogicalType> types;
  for (const ColumnDefinition& column : columns) types.push_back(column.type);
  return types;
}

/// Logs a read of the whole table, which is validated at the commit at every isolation level.
void LogWholeRead(UtilityContext& utility, const TableEntry& table) {
  ReaderOf(utility.transaction(), table, table.StorageColumns(), TableReader::Purpose::kChecks)
      .Read(table.AllColumns(), {});
}

/// Throws if rows break what ALTER TABLE demands of them.
void CheckRows(UtilityContext& utility, BoundAlterTable& statement, const LogicalOperator& rows) {
  const auto find = [&](ExpressionPtr violation) {
    std::vector<ExpressionPtr> predicates;
    predicates.push_back(std::move(violation));
    auto filter = std::make_unique<LogicalFilter>(ClonePlan(rows), std::move(predicates));
    // One violation is enough, so the scan stops at the first.
    auto one = std::make_unique<ConstantExpression>(Value::BigInt(1));
    return utility.run_plan(
               {std::make_unique<LogicalLimit>(std::move(filter), std::move(one), nullptr), {}, {}, false}) !=
           0;
  };
  for (const size_t column : statement.new_not_null) {
    const ColumnDefinition& definition = statement.columns[column];
    auto value = std::make_unique<ColumnRefExpression>(
        definition.type, ColumnBinding{statement.rows->table_index, column}, definition.name);
    if (find(std::make_unique<IsNullExpression>(std::move(value), false))) {
      ThrowError(
          ErrorKind::kConstraint, sqlstate::kNotNullViolation,
          fmt::format("column \"{}\" of table \"{}\" contains null values", definition.name, statement.name));
    }
  }
  for (BoundCheck& check : statement.new_checks) {
    // A condition that is NULL does not violate a CHECK, and NOT of it does not pass the filter.
    if (find(std::make_unique<NotExpression>(std::move(check.condition)))) {
      ThrowError(ErrorKind::kConstraint, check.state,
                 check.refusal.empty()
                     ? fmt::format("check constraint \"{}\" of table \"{}\" is violated by some row",
                                   check.name, statement.name)
                     : check.refusal);
    }
  }
}

/// Checks the rows of an altered table, or inserts them into its new storage.
void CheckOrRewriteRows(UtilityContext& utility, BoundAlterTable& statement, const TableEntryRef& entry) {
  QueryPlanner planner(statement.next_table_index);
  LogicalOperatorPtr rows = planner.PlanQuery(*statement.rows);
  if (!statement.rewrites) return CheckRows(utility, statement, *rows);
  auto insert = std::make_unique<LogicalInsert>(planner.NewTableIndex(), entry, std::move(rows));
  for (BoundCheck& check : statement.new_checks)
    insert->checks.push_back({check.name, std::move(check.condition), check.state, check.refusal});
  // Triggers do not fire: the rows only move.
  const auto row_changes = std::exchange(utility.context.row_changes, nullptr);
  utility.run_plan({std::move(insert), {}, {}, false});
  utility.context.row_changes = row_changes;
  // ALTER TABLE reports no changed rows.
  utility.context.rows_changed.store(0);
}

/// Checks the rows of a table against its new foreign keys.
void CheckForeignKeys(UtilityContext& utility, const TableEntry& table,
                      const std::vector<std::string>& names) {
  for (const ForeignKey& key : table.constraints.foreign_keys) {
    if (std::find(names.begin(), names.end(), key.name) == names.end()) continue;
    const TableEntryRef referenced = utility.catalog().Find<TableEntry>(
        utility.transaction(), key.referenced_schema, key.referenced_table);
    LogWholeRead(utility, *referenced);
    referenced->storage->locks().BeginRuleChange({utility.transaction(), referenced->name});
    KeyEnforcement(utility.context, *utility.home, utility.run_sql).CheckAll(table, key);
  }
}

/// Returns whether the table and its columns just get other names, under which deferred checks find them.
bool OnlyRenames(const BoundAlterTable& statement) {
  const TableEntry& old = *statement.table;
  return !statement.rewrites &&
         (!statement.renamed_columns.empty() || statement.schema != old.schema || statement.name != old.name);
}

/// Looks after the texts that name sequences which went with a table, or with columns of it.
void DropTextsOfLost(UtilityContext& utility, const std::vector<SequenceEntryRef>& before,
                     const std::string& dropped, bool cascade) {
  std::vector<SequenceName> lost;
  for (const SequenceEntryRef& sequence : before) {
    if (!utility.catalog().Find<SequenceEntry>(utility.transaction(), sequence->schema, sequence->name))
      lost.push_back({sequence->schema, sequence->name});
  }
  if (!lost.empty()) DropTextsNaming(utility, lost, dropped, cascade);
}

}  // namespace

void CreateTable(UtilityContext& utility, const BoundCreateTable& statement) {
  Catalog& catalog = utility.catalog();
  if (statement.if_not_exists &&
      catalog.Find<TableEntry>(utility.transaction(), statement.schema, statement.table))
    return;
  std::vector<SequenceEntryRef> replaced;
  if (statement.or_replace) {
    if (const auto old = catalog.Find<TableEntry>(utility.transaction(), statement.schema, statement.table)) {
      utility.checks.RequireNonePending(*old, "CREATE OR REPLACE TABLE");
      replaced = SequencesOf(catalog, utility.transaction(), *old);
    }
    DropTableIfExists(catalog, utility.transaction(), statement.schema, statement.table);
  }
  for (const SequenceEntryRef& sequence : statement.sequences)
    CreateSequence(catalog, utility.transaction(), sequence);
  DropTextsOfLost(utility, replaced, fmt::format("table \"{}\"", statement.table), false);
  auto storage =
      catalog.MakeTable(statement.schema, TypesOf(statement.columns), utility.context.memory(),
                        statement.is_collection ? std::make_shared<AttributeDictionary>() : nullptr);
  const TableEntryRef& collection = statement.elements_of.collection;
  if (collection) {
    storage->SetElementSource({collection->storage, collection->storage->id(), statement.elements_of.path});
    // Documents that other transactions have changed since this one began would have no elements.
    LogWholeRead(utility, *collection);
  }
  auto created = std::make_shared<TableEntry>(statement.schema, statement.table, statement.columns, storage,
                                              statement.constraints);
  created->on_commit = statement.on_commit;
  created->materialization = statement.materialization;
  CreateTable(catalog, utility.transaction(), std::move(created));
  for (const IndexEntryRef& index : statement.indexes) CreateIndex(catalog, utility.transaction(), index);
  if (collection)
    collection->storage->documents()->elements().Fill({utility.transaction(), collection->name}, *storage);
  // Transactions that began before do not know of the foreign key. They must not delete rows that it may
  // refer to.
  for (const ForeignKey& key : statement.constraints.foreign_keys) {
    const TableEntryRef referenced =
        catalog.Find<TableEntry>(utility.transaction(), key.referenced_schema, key.referenced_table);
    referenced->storage->locks().BeginRuleChange({utility.transaction(), referenced->name});
  }
}

void AlterTable(UtilityContext& utility, BoundAlterTable& statement) {
  if (!statement.table) return;
  if (!OnlyRenames(statement)) utility.checks.RequireNonePending(*statement.table, "ALTER TABLE");
  Catalog& catalog = utility.catalog();
  const std::shared_ptr<Table>& old_storage = statement.table->storage;
  // Rows that other transactions change meanwhile would be missing in the new storage, or would not be
  // checked. The read is validated at the commit, and such a change makes it fail.
  const bool reads_rows =
      statement.rewrites || !statement.new_not_null.empty() || !statement.new_checks.empty();
  if (reads_rows || !statement.new_uniques.empty() || !statement.new_foreign_keys.empty())
    LogWholeRead(utility, *statement.table);
  // Transactions that began before do not know the new constraints, so they must not write any more.
  if (!statement.new_not_null.empty() || !statement.new_checks.empty() ||
      !statement.new_foreign_keys.empty() || statement.adds_not_valid)
    old_storage->locks().BeginRuleChange({utility.transaction(), statement.table->name});
  // Sequences are created before the columns whose defaults use them.
  for (const SequenceEntryRef& sequence : statement.new_sequences)
    CreateSequence(catalog, utility.transaction(), sequence);
  const auto storage = statement.rewrites ? catalog.MakeTable(statement.schema, TypesOf(statement.columns),
                                                              utility.context.memory())
                                          : old_storage;
  // Noted before the commit, as appenders may look for the table right after it. A note of a transaction that
  // rolls back is harmless.
  if (storage != old_storage) utility.instance().table_succession().Note(old_storage->id(), storage->id());
  // ReplaceTable refuses a change that breaks views, so views get their new texts first.
  for (const BoundViewChange& change : statement.readers)
    ReplaceView(catalog, utility.transaction(), *change.old, change.view);
  const auto owned = SequencesOf(catalog, utility.transaction(), *statement.table);
  auto altered = std::make_shared<TableEntry>(statement.schema, statement.name, statement.columns, storage,
                                              statement.constraints);
  altered->comment = statement.table->comment;
  altered->on_commit = statement.table->on_commit;
  altered->materialization = statement.materialization;
  const auto entry =
      ReplaceTable(catalog, utility.transaction(),
                   {statement.table, std::move(altered), statement.renamed_columns, statement.cascade});
  for (const SequenceEntryRef& sequence : statement.dropped_sequences)
    DropSequence(catalog, utility.transaction(), sequence->schema, sequence->name);
  DropTextsOfLost(utility, owned, fmt::format("columns of table \"{}\"", statement.name), statement.cascade);
  // The rows are written after the catalog has the new entry, since the INSERT runs against that.
  if (reads_rows) CheckOrRewriteRows(utility, statement, entry);
  CheckForeignKeys(utility, *entry, statement.new_foreign_keys);
}

void CreateIndex(UtilityContext& utility, const BoundCreateIndex& statement) {
  if (!statement.index) return;
  if (statement.alter) {
    statement.alter->next_table_index = statement.next_table_index;
    AlterTable(utility, *statement.alter);
    return CreateIndex(utility.catalog(), utility.transaction(), statement.index);
  }
  // Rows that other transactions have changed since this one began would be missing in the index.
  LogWholeRead(utility, *statement.table);
  CreateIndex(utility.catalog(), utility.transaction(), statement.index);
}

void AlterDomain(UtilityContext& utility, const BoundAlterDomain& statement) {
  Catalog& catalog = utility.catalog();
  // Rows that other transactions change meanwhile would follow the old rules: the read is validated at the
  // commit, and those that have begun must not write any more.
  for (const BoundAlterDomain::Search& search : statement.searches) {
    LogWholeRead(utility, *search.table);
    search.table->storage->locks().BeginRuleChange({utility.transaction(), search.table->name});
    if (utility.run_sql(search.sql, {}) != 0)
      ThrowError(ErrorKind::kConstraint, search.state, search.message);
  }
  ReplaceDomain(catalog, utility.transaction(), *statement.old, statement.domain);
  if (!statement.takes_name) return;
  const auto broken = BrokenTexts(utility);
  if (broken.empty()) return;
  ThrowNotSupported(
      fmt::format("cannot rename what {} uses by its name ({}); drop it first, and make it again "
                  "afterwards",
                  broken[0].Describe(), broken[0].error));
}

void DeleteAllRows(Transaction& transaction, const TableEntry& entry, const KernelTable& kernels,
                   const std::function<void()>& check_interrupt) {
  Table& table = *entry.storage;
  // TRUNCATE reads only which rows there are, as does a scan without columns. Under SERIALIZABLE, a row that
  // another transaction has inserted since makes the commit fail.
  const TableRead read = ReaderOf(transaction, entry, entry.StorageColumns()).Read({}, {});
  TableScan scan(read.view, table.types(), {{kRowNumberColumn}, {}}, kernels, kBlocksPerRowGroup);
  TableScan::Position position;
  DataChunk chunk({LogicalType(TypeId::kBigInt)});
  std::vector<RowNumber> rows;
  for (; scan.Next(position, chunk); chunk.Release()) {
    check_interrupt();
    if (chunk.size() == 0) continue;
    rows.clear();
    const auto numbers = chunk.column(0).ViewAs<int64_t>(chunk.size());
    for (size_t row = 0; row < chunk.size(); row++) rows.push_back(static_cast<RowNumber>(numbers[row]));
    // Rows are deleted one by one and not with the storage: the transaction may roll back, and others still
    // see them.
    table.Delete({transaction, entry.name}, rows);
  }
}

void LockTables(UtilityContext& utility, const BoundLockTable& statement) {
  if (!utility.is_in_block) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kNoActiveTransaction,
               "LOCK TABLE can only be used in transaction blocks: BEGIN one first");
  }
  for (const TableEntryRef& table : statement.tables) LogWholeRead(utility, *table);
}

void SetConstraints(UtilityContext& utility, const BoundSetConstraints& statement) {
  // Outside of a block it has no effect, as in PostgreSQL: the transaction ends with it.
  if (!utility.is_in_block) return;
  if (statement.all) {
    utility.checks.SetAll(statement.is_deferred);
  } else {
    for (const auto& [schema, table, name] : statement.constraints)
      utility.checks.Set({schema, table, name}, statement.is_deferred);
  }
  if (!statement.is_deferred) utility.run_checks();
}

void Truncate(UtilityContext& utility, const BoundTruncate& statement) {
  for (const TableEntryRef& table : statement.tables) utility.checks.RequireNonePending(*table, "TRUNCATE");
  const FunctionContext& functions = utility.context.functions;
  for (const TableEntryRef& table : statement.tables)
    DeleteAllRows(utility.transaction(), *table, functions.kernels, [&] { functions.CheckInterrupt(); });
  for (const SequenceEntryRef& sequence : statement.restarted) {
    sequence->state->Set({sequence->options.start, false});
    NoteSequenceUse(utility.transaction(), sequence);
  }
}

}  // namespace scaup
