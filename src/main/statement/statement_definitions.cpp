// Statements that define, change and drop tables, schemas, indexes and sequences.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/table_reading.hpp"
#include "common/throw.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "main/statement/foreign_key_enforcement.hpp"
#include "main/statement/statement_execution.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/limit.hpp"
#include "planner/query_planner.hpp"
#include "planner/statement/insert.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> TypesOf(const std::vector<ColumnDefinition>& columns) {
  std::vector<LogicalType> types;
  for (const ColumnDefinition& column : columns) types.push_back(column.type);
  return types;
}

}  // namespace

void StatementExecution::CreateTable(const BoundCreateTable& statement) {
  Catalog& catalog = context_.catalog;
  if (statement.if_not_exists && catalog.FindTable(*transaction_, statement.schema, statement.table)) return;
  for (const SequenceEntryRef& sequence : statement.sequences)
    catalog.CreateSequence(*transaction_, sequence);
  auto storage =
      catalog.MakeTable(TypesOf(statement.columns), context_.memory(),
                        statement.is_collection ? std::make_shared<AttributeDictionary>() : nullptr);
  const TableEntryRef& collection = statement.elements_of.collection;
  if (collection) {
    storage->SetElementSource({collection->storage, collection->storage->id(), statement.elements_of.path});
    // Documents that others have changed since would have no elements.
    LogWholeRead(*collection);
  }
  catalog.CreateTable(*transaction_,
                      std::make_shared<const TableEntry>(statement.schema, statement.table, statement.columns,
                                                         storage, statement.constraints));
  if (collection)
    collection->storage->documents()->elements().Fill({*transaction_, collection->name}, *storage);
  // Who deletes what may be referred to from now on has to know of it.
  for (const ForeignKey& key : statement.constraints.foreign_keys) {
    const TableEntryRef referenced =
        catalog.FindTable(*transaction_, key.referenced_schema, key.referenced_table);
    referenced->storage->locks().BeginRuleChange({*transaction_, referenced->name});
  }
}

void StatementExecution::Drop(const BoundDrop& statement) {
  Catalog& catalog = context_.catalog;
  catalog.DropViews(*transaction_, statement.views, statement.cascade);
  catalog.DropTables(*transaction_, statement.table_entries, statement.cascade);
  for (const IndexEntryRef& index : statement.indexes)
    catalog.DropIndex(*transaction_, index->schema, index->name);
  for (const SequenceEntryRef& sequence : statement.sequences)
    catalog.DropSequence(*transaction_, sequence->schema, sequence->name, statement.cascade);
  DropTypes(statement.types, statement.cascade);
  for (const auto& schema : statement.schemas) DropSchema(schema, statement.cascade);
}

void StatementExecution::DropSchema(const std::string& schema, bool cascade) {
  Catalog& catalog = context_.catalog;
  const auto types = catalog.Types(*transaction_, *catalog.FindSchema(*transaction_, schema));
  if (cascade) {
    for (const TypeEntryRef& type : types) DropUsers(*type, schema);
  }
  catalog.DropSchema(*transaction_, schema, cascade);
  if (!types.empty()) DropBrokenTexts(fmt::format("schema \"{}\"", schema), cascade);
}

void StatementExecution::ReplaceViews(const std::vector<BoundViewChange>& changes) {
  for (const BoundViewChange& change : changes)
    context_.catalog.ReplaceView(*transaction_, *change.old, change.view);
}

void StatementExecution::AlterTable(BoundAlterTable& statement) {
  if (!statement.table) return;
  Catalog& catalog = context_.catalog;
  const std::shared_ptr<Table>& old_storage = statement.table->storage;
  // Rows that others change meanwhile would be missing in the new storage, or not checked.
  const bool reads_rows =
      statement.rewrites || !statement.new_not_null.empty() || !statement.new_checks.empty();
  if (reads_rows || !statement.new_uniques.empty() || !statement.new_foreign_keys.empty())
    LogWholeRead(*statement.table);
  // Statements of others that began before do not know what is demanded now.
  if (!statement.new_not_null.empty() || !statement.new_checks.empty() || !statement.new_foreign_keys.empty())
    old_storage->locks().BeginRuleChange({*transaction_, statement.table->name});
  for (const SequenceEntryRef& sequence : statement.new_sequences)
    catalog.CreateSequence(*transaction_, sequence);
  const auto storage =
      statement.rewrites ? catalog.MakeTable(TypesOf(statement.columns), context_.memory()) : old_storage;
  if (storage != old_storage) session_.database->table_succession().Note(old_storage->id(), storage->id());
  ReplaceViews(statement.readers);
  auto altered = std::make_shared<TableEntry>(statement.schema, statement.name, statement.columns, storage,
                                              statement.constraints);
  altered->comment = statement.table->comment;
  const auto entry = catalog.ReplaceTable(
      *transaction_, {statement.table, std::move(altered), statement.renamed_columns, statement.cascade});
  for (const SequenceEntryRef& sequence : statement.dropped_sequences)
    catalog.DropSequence(*transaction_, sequence->schema, sequence->name, true);
  if (reads_rows) CheckOrRewriteRows(statement, entry);
  CheckForeignKeys(*entry, statement.new_foreign_keys);
}

void StatementExecution::CheckOrRewriteRows(BoundAlterTable& statement, const TableEntryRef& entry) {
  QueryPlanner planner(statement.next_table_index);
  LogicalOperatorPtr rows = planner.PlanQuery(*statement.rows);
  if (!statement.rewrites) return CheckRows(statement, *rows);
  auto insert = std::make_unique<LogicalInsert>(planner.NewTableIndex(), entry, std::move(rows));
  for (BoundCheck& check : statement.new_checks)
    insert->checks.push_back({check.name, std::move(check.condition)});
  RunPlan({std::move(insert), {}, {}, false});
  context_.rows_changed.store(0);
}

void StatementExecution::CheckForeignKeys(const TableEntry& table, const std::vector<std::string>& names) {
  for (const ForeignKey& key : table.constraints.foreign_keys) {
    if (std::find(names.begin(), names.end(), key.name) == names.end()) continue;
    const TableEntryRef referenced =
        context_.catalog.FindTable(*transaction_, key.referenced_schema, key.referenced_table);
    LogWholeRead(*referenced);
    referenced->storage->locks().BeginRuleChange({*transaction_, referenced->name});
    Enforcement().CheckAll(table, key);
  }
}

void StatementExecution::CreateIndex(const BoundCreateIndex& statement) {
  if (!statement.index) return;
  // Rows that others have changed since would be missing.
  LogWholeRead(*statement.table);
  context_.catalog.CreateIndex(*transaction_, statement.index);
}

void StatementExecution::LogWholeRead(const TableEntry& table) {
  ReaderOf(*transaction_, table, table.StorageColumns(), TableReader::Purpose::kChecks)
      .Read(table.AllColumns(), {});
}

void StatementExecution::CheckRows(BoundAlterTable& statement, const LogicalOperator& rows) {
  const auto find = [&](ExpressionPtr violation) {
    std::vector<ExpressionPtr> predicates;
    predicates.push_back(std::move(violation));
    auto filter = std::make_unique<LogicalFilter>(ClonePlan(rows), std::move(predicates));
    auto one = std::make_unique<ConstantExpression>(Value::BigInt(1));
    return RunPlan(
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
    if (find(std::make_unique<NotExpression>(std::move(check.condition)))) {
      ThrowError(ErrorKind::kConstraint, sqlstate::kCheckViolation,
                 fmt::format("check constraint \"{}\" of table \"{}\" is violated by some row", check.name,
                             statement.name));
    }
  }
}

void StatementExecution::Truncate(const BoundTruncate& statement) {
  for (const TableEntryRef& entry : statement.tables) {
    const auto& table = entry->storage;
    // TRUNCATE reads which rows exist, as does a scan without columns.
    // No column is read, only which rows there are.
    const TableRead read = ReaderOf(*transaction_, *entry, entry->StorageColumns()).Read({}, {});
    TableScan scan(read.view, table->types(), {{kRowNumberColumn}, {}}, context_.functions.kernels,
                   kBlocksPerRowGroup);
    TableScan::Position position;
    DataChunk chunk({LogicalType(TypeId::kBigInt)});
    std::vector<RowNumber> rows;
    for (; scan.Next(position, chunk); chunk.Release()) {
      context_.functions.CheckInterrupt();
      if (chunk.size() == 0) continue;
      rows.clear();
      const auto numbers = chunk.column(0).ViewAs<int64_t>(chunk.size());
      for (size_t row = 0; row < chunk.size(); row++) rows.push_back(static_cast<RowNumber>(numbers[row]));
      table->Delete({*transaction_, entry->name}, rows);
    }
  }
  for (const SequenceEntryRef& sequence : statement.restarted) {
    sequence->state->Set({sequence->options.start, false});
    context_.catalog.NoteSequenceUse(*transaction_, sequence);
  }
}

std::vector<std::shared_ptr<Table>> StatementExecution::CollectionsToMaterialize(
    const BoundStatement& statement) const {
  std::vector<std::shared_ptr<Table>> collections;
  if (statement.kind != BoundStatementKind::kVacuum || !statement.As<BoundVacuum>().materialize)
    return collections;
  const std::vector<TableEntryRef>& named = statement.As<BoundVacuum>().tables;
  for (const TableEntryRef& table : named) collections.push_back(table->storage);
  if (!named.empty()) return collections;
  for (const auto& schema : context_.catalog.Schemas(*transaction_)) {
    for (const TableEntryRef& table : context_.catalog.Tables(*transaction_, *schema)) {
      if (table->is_collection()) collections.push_back(table->storage);
    }
  }
  return collections;
}

void StatementExecution::Analyze(const BoundVacuum& statement) {
  const auto analyze = [&](const TableEntryRef& table) {
    context_.functions.CheckInterrupt();
    table->storage->sampler().Analyze(*transaction_);
  };
  for (const TableEntryRef& table : statement.tables) analyze(table);
  if (!statement.tables.empty()) return;
  for (const auto& schema : context_.catalog.Schemas(*transaction_)) {
    for (const TableEntryRef& table : context_.catalog.Tables(*transaction_, *schema)) analyze(table);
  }
}

}  // namespace scaup
