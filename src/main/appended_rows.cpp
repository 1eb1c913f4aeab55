// Rows that an appender has collected, as the source of an INSERT.
#include "main/appended_rows.hpp"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <utility>

#include "catalog/create_statement.hpp"
#include "common/throw.hpp"
#include "function/table_function.hpp"
#include "main/statement_execution.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

/// The relation of the rows. It has as many columns as the table, so that it can stand for a scan of it;
/// those that were not appended are NULL, and nobody reads them.
struct BoundAppendedRows final : BoundTableFunction {
  std::vector<std::optional<size_t>> sources;  ///< of each column, in the row groups
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  std::vector<std::pair<size_t, size_t>> blocks;  ///< row group and block in it
};

class AppendedShared final : public TableFunctionShared {
 public:
  std::atomic<size_t> next_block{0};
};

class AppendedLocal final : public TableFunctionLocal {
 public:
  size_t row_group = SIZE_MAX;
  std::vector<std::unique_ptr<SegmentReader>> readers;  // Of that row group; null of columns without source.
};

void ReadNext(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local_state,
              DataChunk& output) {
  const auto& bound = static_cast<const BoundAppendedRows&>(call.bound);
  auto& local = static_cast<AppendedLocal&>(local_state);
  const size_t number = static_cast<AppendedShared&>(shared).next_block.fetch_add(1);
  if (number >= bound.blocks.size()) return;
  const auto [row_group, block] = bound.blocks[number];
  const RowGroup& rows = *bound.row_groups[row_group];
  if (std::exchange(local.row_group, row_group) != row_group) {
    local.readers.clear();
    for (const size_t column : call.columns) {
      const std::optional<size_t> source = bound.sources[column];
      local.readers.push_back(source ? rows.column(*source)->MakeReader(call.context.kernels) : nullptr);
    }
  }
  const size_t count = rows.BlockRows(block);
  for (size_t i = 0; i < call.columns.size(); i++) {
    if (local.readers[i]) {
      local.readers[i]->Read(block, count, output.column(i));
    } else {
      output.column(i).SetConstantNull();
    }
  }
  output.SetSize(count);
  output.batch_index = number;
}

TableFunction AppendedFunction() {
  TableFunction function;
  function.name = "appended rows";
  function.create_shared = [](const TableFunctionCall&) -> std::unique_ptr<TableFunctionShared> {
    return std::make_unique<AppendedShared>();
  };
  function.create_local = [](const TableFunctionCall&,
                             TableFunctionShared&) -> std::unique_ptr<TableFunctionLocal> {
    return std::make_unique<AppendedLocal>();
  };
  function.next = &ReadNext;
  return function;
}

/// The column of the table as it is now that an appended one goes to, or its name where there is none.
std::optional<size_t> PresentColumn(const AppendedRows& rows, const TableEntry& present, size_t column) {
  if (present.storage == rows.table->storage) return column;
  return present.FindColumn(rows.table->columns[column].name);
}

/// INSERT INTO the table as it is now, and a SELECT of the same columns of the table itself, whose scan
/// stands for the rows.
std::string InsertionOf(const AppendedRows& rows, const TableEntry& present) {
  std::string columns;
  for (const size_t column : rows.columns) {
    const std::optional<size_t> now = PresentColumn(rows, present, column);
    if (!now) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" of table \"{}\" was dropped or renamed: make a new appender",
                             rows.table->columns[column].name, present.name));
    }
    columns += (columns.empty() ? "" : ", ") + QuotedIdentifier(present.columns[*now].name);
  }
  const std::string name = QuotedIdentifier(present.schema) + "." + QuotedIdentifier(present.name);
  return fmt::format("INSERT INTO {} ({}) SELECT {} FROM {}", name, columns, columns, name);
}

/// Puts the rows in the place of the scan. Throws Error(kCatalog, 42804) where a column has another type now.
void ReplaceScan(LogicalOperatorPtr& plan, const AppendedRows& rows, const TableEntry& present) {
  if (plan->kind() != LogicalKind::kGet) {
    SCAUP_CHECK(plan->children.size() == 1);
    return ReplaceScan(plan->children[0], rows, present);
  }
  auto bound = std::make_shared<BoundAppendedRows>();
  for (const ColumnDefinition& column : present.columns) {
    bound->column_names.push_back(column.name);
    bound->column_types.push_back(column.type);
  }
  bound->sources.resize(present.columns.size());
  for (size_t i = 0; i < rows.columns.size(); i++) {
    const ColumnDefinition& before = rows.table->columns[rows.columns[i]];
    const size_t now = PresentColumn(rows, present, rows.columns[i]).value();
    if (present.columns[now].type != before.type) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kDatatypeMismatch,
                 fmt::format("column \"{}\" of table \"{}\" is of type {} now, not {}: make a new appender",
                             present.columns[now].name, present.name, present.columns[now].type.ToString(),
                             before.type.ToString()));
    }
    bound->sources[now] = i;
  }
  bound->row_groups = rows.row_groups;
  uint64_t row_count = 0;
  for (size_t i = 0; i < rows.row_groups.size(); i++) {
    row_count += rows.row_groups[i]->row_count();
    for (size_t block = 0; block < rows.row_groups[i]->block_count(); block++)
      bound->blocks.push_back({i, block});
  }
  bound->estimated_row_count = row_count;
  plan =
      std::make_unique<LogicalTableFunction>(plan->As<LogicalGet>().table_index, AppendedFunction(), bound);
}

}  // namespace

TableEntryRef FindAppendedTable(DatabaseInstance& database, const Transaction& transaction,
                                const TableEntry& table) {
  TableEntryRef present = database.catalog().FindTable(transaction, table.schema, table.name);
  if (present && present->storage == table.storage) return present;
  present = database.table_succession().Find(database.catalog(), transaction, table.storage->id());
  if (present) return present;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("table \"{}\" was dropped", table.name));
}

void StatementExecution::InsertAppended(const AppendedRows& rows) {
  const TableEntryRef present = FindAppendedTable(*session_.database, *transaction_, *rows.table);
  try {
    const auto statements = Parser().Parse(InsertionOf(rows, *present));
    PreparedPlan prepared = Prepare(*statements.at(0));
    ReplaceScan(prepared.plan->root, rows, *present);
    Start(std::move(*prepared.plan), {});
    Finish();
  } catch (const Error& error) {
    // The text is ours: positions in it mean nothing to anybody else.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

}  // namespace scaup
