// Rows that an appender has collected, as the source of an INSERT.
#include "main/statement/appended_rows.hpp"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <utility>

#include "catalog/create_statement.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "function/cast_function.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "function/scalar/json/json_printer.hpp"
#include "function/table_function.hpp"
#include "main/statement/statement_execution.hpp"
#include "parser/parser.hpp"
#include "planner/node/get.hpp"
#include "planner/node/table_function.hpp"
#include "storage/row_group/column_segment.hpp"
#include "type/text/json_text.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// The rows as a table function. It has as many columns as the table, so that it can replace a scan of it.
/// Columns that were not appended are NULL, and nothing reads them.
struct BoundAppendedRows final : BoundTableFunction {
  std::vector<std::optional<size_t>> sources;  ///< for each column of the table: the column of the pieces
  std::vector<AppendedRows::Piece> pieces;
  std::shared_ptr<AttributeDictionary> attributes;  ///< for a collection; null for tables
};

/// The state of one thread that reads a piece.
class PieceTurn {
 public:
  virtual ~PieceTurn() = default;
};

/// A scan of a piece. Shared by any number of threads, each with its turn.
class PieceScan {
 public:
  virtual ~PieceScan() = default;
  virtual std::unique_ptr<PieceTurn> MakeTurn(const TableFunctionCall& call) const = 0;
  /// Fills `output` with rows and their batch index within the piece. No rows mean the end.
  virtual void Next(const TableFunctionCall& call, PieceTurn& turn, DataChunk& output) = 0;
};

/// A scan of row groups. Each row group is read by one thread.
class RowGroupScan final : public PieceScan {
 public:
  RowGroupScan(const RowGroupList& row_groups, const BoundAppendedRows& bound)
      : row_groups_(row_groups), sources_(bound.sources) {}

  std::unique_ptr<PieceTurn> MakeTurn(const TableFunctionCall&) const override {
    return std::make_unique<Turn>();
  }

  void Next(const TableFunctionCall& call, PieceTurn& given, DataChunk& output) override {
    auto& turn = static_cast<Turn&>(given);
    if (turn.rows == nullptr || turn.block == turn.rows->block_count()) {
      turn.number = next_.fetch_add(1);
      if (turn.number >= row_groups_.size()) return;
      turn.rows = row_groups_[turn.number].get();
      turn.block = 0;
      turn.readers.clear();
      for (const size_t column : call.columns) {
        const std::optional<size_t> source = sources_[column];
        turn.readers.push_back(source ? turn.rows->column(*source)->MakeReader(call.context.kernels)
                                      : nullptr);
      }
    }
    const size_t count = turn.rows->BlockRows(turn.block);
    for (size_t i = 0; i < call.columns.size(); i++) {
      if (turn.readers[i]) {
        turn.readers[i]->Read(turn.block, count, output.column(i));
      } else {
        output.column(i).SetConstantNull();
      }
    }
    output.SetSize(count);
    output.batch_index = turn.number * kMostBlocks + turn.block++;
  }

 private:
  // An upper bound of the blocks of a row group, which makes the batch indexes of row groups disjoint.
  static constexpr size_t kMostBlocks = 2 * kBlocksPerRowGroup;
  struct Turn final : PieceTurn {
    size_t number = 0;
    const RowGroup* rows = nullptr;
    size_t block = 0;
    std::vector<std::unique_ptr<SegmentReader>> readers;  // Null of columns without source.
  };

  const RowGroupList& row_groups_;
  const std::vector<std::optional<size_t>>& sources_;
  std::atomic<size_t> next_{0};
};

/// A scan of Arrow arrays. Values are cast to the types of the columns.
class ArrowPieceScan final : public PieceScan {
 public:
  ArrowPieceScan(ArrowTable& arrow, const TableFunctionCall& call, const BoundAppendedRows& bound)
      : is_document_(bound.attributes != nullptr), places_(call.columns.size()) {
    if (is_document_) {
      for (size_t i = 0; i < arrow.column_types().size(); i++) columns_.push_back(i);
    } else {
      for (size_t i = 0; i < call.columns.size(); i++) {
        const std::optional<size_t> source = bound.sources[call.columns[i]];
        if (!source) continue;
        places_[i] = columns_.size();
        columns_.push_back(*source);
      }
    }
    for (const size_t column : columns_) {
      names_.push_back(arrow.column_names()[column]);
      types_.push_back(arrow.column_types()[column]);
    }
    scan_ = arrow.Open(columns_);
  }

  std::unique_ptr<PieceTurn> MakeTurn(const TableFunctionCall& call) const override {
    return std::make_unique<Turn>(types_, static_cast<const BoundAppendedRows&>(call.bound).attributes);
  }

  void Next(const TableFunctionCall& call, PieceTurn& given, DataChunk& output) override {
    auto& turn = static_cast<Turn&>(given);
    turn.rows.Release();
    scan_->Next(turn.arrow, turn.rows);
    const size_t count = turn.rows.size();
    if (count == 0) return;
    for (size_t i = 0; i < call.columns.size(); i++) {
      if (is_document_) {
        ReadDocuments(call, turn, output.column(i));
      } else if (places_[i]) {
        const LogicalType& type = call.bound.column_types[call.columns[i]];
        Cast(call, turn.rows.column(*places_[i]), count, type, output.column(i));
      } else {
        output.column(i).SetConstantNull();
      }
    }
    output.SetSize(count);
    output.batch_index = turn.rows.batch_index;
  }

 private:
  struct Turn final : PieceTurn {
    Turn(const std::vector<LogicalType>& types, const std::shared_ptr<AttributeDictionary>& attributes)
        : rows(types) {
      if (attributes) parser.emplace(attributes);
    }
    ArrowScan::Turn arrow;
    DataChunk rows;
    std::optional<DocumentParser> parser;
  };

  static void Cast(const TableFunctionCall& call, Vector& source, size_t count, const LogicalType& type,
                   Vector& output) {
    const LogicalType& from = source.type();
    if (from == type) return output.Reference(source);
    output.Reset();
    FindCast(from, type)->kernel({call.context, from, type}, source, count, output);
  }

  /// Makes records of the rows: from the only value if that is text, otherwise from an object with all
  /// values.
  void ReadDocuments(const TableFunctionCall& call, Turn& turn, Vector& output) const {
    const size_t count = turn.rows.size();
    const bool is_text = types_.size() == 1 && (types_[0].id() == TypeId::kVarchar || IsJson(types_[0]));
    std::vector<JsonPrinter> printers;
    for (Vector& values : turn.rows.columns()) {
      if (!is_text) printers.emplace_back(call.context, values, count);
    }
    const UnifiedView texts = turn.rows.column(0).View(count);
    output.Reset();
    std::string text, record;
    for (size_t row = 0; row < count; row++) {
      if (is_text && !texts.IsValid(row)) {
        output.SetNull(row);
        continue;
      }
      text = is_text ? texts.As<StringRef>()[row].ToString() : ObjectOf(printers, row);
      record.clear();
      AppendRecord(*turn.parser, text, record);
      output.MutableData<StringRef>()[row] = output.AddString(record);
    }
  }

  std::string ObjectOf(const std::vector<JsonPrinter>& printers, size_t row) const {
    std::string text = "{";
    for (size_t i = 0; i < printers.size(); i++) {
      if (i != 0) text += ',';
      AppendJsonString(names_[i], text);
      text += ':';
      printers[i].Append(row, text);
    }
    return text + '}';
  }

  const bool is_document_;
  std::vector<size_t> columns_;                // columns of the arrays that are read
  std::vector<std::optional<size_t>> places_;  // position of each output column in columns_
  std::vector<std::string> names_;
  std::vector<LogicalType> types_;
  std::unique_ptr<ArrowScan> scan_;
};

/// The shared state of the table function: all pieces.
class AppendedShared final : public TableFunctionShared {
 public:
  explicit AppendedShared(const TableFunctionCall& call) {
    const auto& bound = static_cast<const BoundAppendedRows&>(call.bound);
    for (const AppendedRows::Piece& piece : bound.pieces) {
      if (piece.arrow) {
        scans_.push_back(std::make_unique<ArrowPieceScan>(*piece.arrow, call, bound));
      } else {
        scans_.push_back(std::make_unique<RowGroupScan>(piece.row_groups, bound));
      }
    }
  }

  /// The state of one thread, which helps with each piece before it goes on to the next.
  struct Local final : TableFunctionLocal {
    size_t piece = 0;
    std::unique_ptr<PieceTurn> turn;
  };

  void Next(const TableFunctionCall& call, Local& local, DataChunk& output) const {
    for (; local.piece < scans_.size(); local.piece++, local.turn.reset()) {
      PieceScan& scan = *scans_[local.piece];
      if (!local.turn) local.turn = scan.MakeTurn(call);
      scan.Next(call, *local.turn, output);
      if (output.size() == 0) continue;
      // Batch indexes keep the order of the rows: later pieces have higher ones.
      output.batch_index += local.piece << kPieceShift;
      return;
    }
  }

 private:
  // No piece has as many vectors.
  static constexpr size_t kPieceShift = 40;
  std::vector<std::unique_ptr<PieceScan>> scans_;
};

TableFunction AppendedFunction() {
  TableFunction function;
  function.name = "appended rows";
  function.create_shared = [](const TableFunctionCall& call) -> std::unique_ptr<TableFunctionShared> {
    return std::make_unique<AppendedShared>(call);
  };
  function.create_local = [](const TableFunctionCall&,
                             TableFunctionShared&) -> std::unique_ptr<TableFunctionLocal> {
    return std::make_unique<AppendedShared::Local>();
  };
  function.next = [](const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
                     DataChunk& output) {
    static_cast<AppendedShared&>(shared).Next(call, static_cast<AppendedShared::Local&>(local), output);
  };
  return function;
}

/// Returns the column of the present table that an appended column goes to; none if it is gone. The same
/// storage has the same columns, perhaps renamed; another one is matched by names.
std::optional<size_t> PresentColumn(const AppendedRows& rows, const TableEntry& present, size_t column) {
  if (present.storage == rows.table->storage) return column;
  return present.FindColumn(rows.table->columns[column].name);
}

/// Returns an INSERT whose SELECT reads the table itself; ReplaceScan then replaces the scan by the rows.
/// Thus the binder adds defaults, generated columns, casts and checks as for any INSERT.
std::string InsertionOf(const AppendedRows& rows, const TableEntry& present) {
  const std::string name = QuotedIdentifier(present.schema) + "." + QuotedIdentifier(present.name);
  if (present.is_collection()) return fmt::format("INSERT INTO {} SELECT d FROM {} AS d", name, name);
  std::string columns, values;
  for (const size_t column : rows.columns) {
    const std::optional<size_t> now = PresentColumn(rows, present, column);
    if (!now) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" of table \"{}\" was dropped or renamed: make a new appender",
                             rows.table->columns[column].name, present.name));
    }
    const ColumnDefinition& definition = present.columns[*now];
    const char* separator = columns.empty() ? "" : ", ";
    columns += separator + QuotedIdentifier(definition.name);
    values += separator + QuotedIdentifier(definition.name);
    // Without the modifier, so that INSERT makes the values fit it.
    if (ModifierBits(definition.type) != 0) values += "::" + definition.type.ToString();
  }
  return fmt::format("INSERT INTO {} ({}) SELECT {} FROM {}", name, columns, values, name);
}

/// Returns the number of rows as far as it is known. Arrow streams do not tell it.
uint64_t RowCountOf(const AppendedRows& rows) {
  uint64_t row_count = 0;
  for (const AppendedRows::Piece& piece : rows.pieces) {
    for (const auto& row_group : piece.row_groups) row_count += row_group->row_count();
  }
  return row_count;
}

/// Returns the first scan of a table, which is that of the SELECT: subqueries of triggers come behind it.
/// Null if there is none.
LogicalOperatorPtr* ScanOf(LogicalOperatorPtr& plan, const Table& table) {
  CheckStack();
  if (plan->kind() == LogicalKind::kGet && plan->As<LogicalGet>().table->storage.get() == &table)
    return &plan;
  for (LogicalOperatorPtr& child : plan->children) {
    if (LogicalOperatorPtr* found = ScanOf(child, table)) return found;
  }
  return nullptr;
}

/// Replaces the scan by the rows. For a collection, whose rows are records already, it replaces everything
/// that the INSERT reads. Throws Error(kCatalog, 42804) if a column has another type now.
void ReplaceScan(LogicalOperatorPtr& insertion, const AppendedRows& rows, const TableEntry& present) {
  LogicalOperatorPtr* const place = ScanOf(insertion, *present.storage);
  SCAUP_CHECK(place != nullptr);
  LogicalOperatorPtr& scan = *place;
  auto bound = std::make_shared<BoundAppendedRows>();
  for (const ColumnDefinition& column : present.columns) {
    bound->column_names.push_back(column.name);
    bound->column_types.push_back(column.type);
  }
  bound->sources.resize(present.columns.size());
  for (size_t i = 0; i < rows.columns.size(); i++) {
    const ColumnDefinition& before = rows.table->columns[rows.columns[i]];
    const size_t now = PresentColumn(rows, present, rows.columns[i]).value();
    // The rows were converted to the former type when they were appended.
    if (present.columns[now].type != before.type) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kDatatypeMismatch,
                 fmt::format("column \"{}\" of table \"{}\" is of type {} now, not {}: make a new appender",
                             present.columns[now].name, present.name, present.columns[now].type.ToString(),
                             before.type.ToString()));
    }
    bound->sources[now] = i;
  }
  bound->pieces = rows.pieces;
  if (present.is_collection()) bound->attributes = present.storage->attributes();
  bound->estimated_row_count = RowCountOf(rows);
  auto function =
      std::make_unique<LogicalTableFunction>(scan->As<LogicalGet>().table_index, AppendedFunction(), bound);
  (present.is_collection() ? insertion->children[0] : scan) = std::move(function);
}

}  // namespace

TableEntryRef FindAppendedTable(DatabaseInstance& database, const Transaction& transaction,
                                const TableEntry& table) {
  TableEntryRef present = database.catalog().Find<TableEntry>(transaction, table.schema, table.name);
  if (present && present->storage == table.storage) return present;
  // The name may have been given to another table, so the storage decides. A table whose rows were rewritten
  // is found by its successors.
  present = database.table_succession().Find(database.catalog(), transaction, table.storage->id());
  if (present) return present;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("table \"{}\" was dropped", table.name));
}

void StatementExecution::InsertAppended(const AppendedRows& rows) {
  // The rows go to the database of the table, whichever one the session uses.
  const DatabaseView& database = databases_.Of(*rows.table->storage);
  const HomeScope home(utility_, database);
  const TableEntryRef present = FindAppendedTable(utility_.instance(), *database.transaction, *rows.table);
  try {
    const auto statements = Parser().Parse(InsertionOf(rows, *present));
    PreparedPlan prepared = preparer_.Prepare(*statements.at(0));
    ReplaceScan(prepared.plan->root, rows, *present);
    Start(std::move(*prepared.plan), {});
    Finish();
  } catch (const Error& error) {
    // The position is dropped, as it refers to a text that the user has not seen.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

}  // namespace scaup
