// Statements that write: INSERT, CREATE TABLE AS, COPY TO.
#include "execution/operator/write_operators.hpp"

#include <algorithm>
#include <optional>

#include "common/throw.hpp"
#include "function/table/csv/csv_writer.hpp"
#include "storage/table/row_group_joining.hpp"
#include "storage/table/row_group_writer.hpp"

namespace scaup {

namespace {

std::optional<Encoding> ForcedEncoding(const QueryContext& context) {
  return EncodingFromName(context.functions.settings.force_compression);
}

/// Row groups built from batches of the source that follow one another.
struct BuiltBatch {
  uint64_t batch;
  RowGroupList row_groups;
};

/// Builds row groups in one task. A gap in the batches of the source ends a row group, so that the rows of
/// several tasks can be put in the source's order afterwards. For a table in a file, large ones go there at
/// once.
class InsertSink final : public ChunkSink {
 public:
  InsertSink(QueryContext& context, const std::vector<ColumnDefinition>& columns, const Table& table,
             const WrittenRowRules& rules, ReturningShared& returning)
      : builder(table.types(), context.memory()),
        context_(context),
        columns_(columns),
        table_(table),
        handler_(context, rules, returning) {
    if (table.store()) writer_.emplace(table.store(), table.types().size(), ForcedEncoding(context));
  }

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < columns_.size(); i++) CheckNotNull(columns_[i], chunk.column(i), chunk.size());
    handler_.Handle(chunk);
    // The next batch may go on in the same row group; a later one may not, as another task has what is
    // between.
    if (row_count_ == 0) {
      batches.push_back({chunk.batch_index, {}});
    } else if (chunk.batch_index > batch_ + 1) {
      builder.Finish();
      TakeFinished();
      batches.push_back({chunk.batch_index, {}});
    }
    batch_ = chunk.batch_index;
    builder.Append(chunk);
    TakeFinished();
    row_count_ += chunk.size();
  }

  void Finish() override {
    builder.Finish();
    TakeFinished();
    if (writer_) {
      const auto stored = writer_->Finish();
      for (size_t i = 0; i < stored.size(); i++)
        batches[places_[i].first].row_groups[places_[i].second] = stored[i];
    }
    context_.rows_changed.fetch_add(row_count_);
  }

  RowGroupBuilder builder;
  std::vector<BuiltBatch> batches;

 private:
  void TakeFinished() {
    for (auto& row_group : builder.TakeFinished()) {
      if (writer_ && RowGroupWriter::IsLarge(*row_group)) {
        writer_->Add(*row_group, table_.types());
        places_.emplace_back(batches.size() - 1, batches.back().row_groups.size());
        row_group.reset();
      }
      batches.back().row_groups.push_back(std::move(row_group));
    }
  }

  QueryContext& context_;
  const std::vector<ColumnDefinition>& columns_;
  const Table& table_;
  WrittenRowHandler handler_;
  std::optional<RowGroupWriter> writer_;           // For a table in a file.
  std::vector<std::pair<size_t, size_t>> places_;  // Of what the writer has: batch, row group in it.
  uint64_t batch_ = 0;
  uint64_t row_count_ = 0;
};

class CopySink final : public ChunkSink {
 public:
  CopySink(QueryContext& context, CsvWriter& writer) : context_(context), writer_(writer) {}
  void Consume(DataChunk& chunk) override {
    buffer_.clear();
    writer_.Format(chunk, buffer_);
    writer_.Write(buffer_);
    context_.rows_changed.fetch_add(chunk.size());
  }

 private:
  QueryContext& context_;
  CsvWriter& writer_;
  std::string buffer_;
};

}  // namespace

InsertOperator::InsertOperator(TableEntryRef table, PhysicalOperatorPtr child, WrittenRowRules rules)
    : PhysicalOperator("Insert", rules.ReturnedTypes()),
      rules_(std::move(rules)),
      table_(std::move(table)),
      columns_(table_->columns) {
  children.push_back(std::move(child));
}

InsertOperator::InsertOperator(std::string schema, std::string table, std::vector<ColumnDefinition> columns,
                               PhysicalOperatorPtr child)
    : PhysicalOperator("CreateTableAs", {}),
      schema_(std::move(schema)),
      name_(std::move(table)),
      columns_(std::move(columns)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> InsertOperator::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<ReturningShared>(types(), context.memory());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void InsertOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

void InsertOperator::Prepare(QueryContext& context, SharedState& shared) const {
  RequireWritable(context.transaction, table_ ? "INSERT" : "CREATE TABLE AS");
  children[0]->Prepare(context, *shared.children[0]);
  TableEntryRef table = table_;
  if (!table) {
    auto storage = context.catalog.MakeTable(children[0]->types(), context.memory());
    table = std::make_shared<const TableEntry>(schema_, name_, columns_, std::move(storage));
    context.catalog.CreateTable(context.transaction, table);
  }
  const auto& store = table->storage->store();
  const uint64_t failed_syncs = store ? store->file().failed_syncs() : 0;
  auto& returning = static_cast<ReturningShared&>(shared);
  auto sinks = DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) {
        return std::make_unique<InsertSink>(context, columns_, *table->storage, rules_, returning);
      },
      types().empty() ? SIZE_MAX : 1);
  std::vector<BuiltBatch> batches;
  std::vector<ColumnStatistics> statistics(columns_.size());
  for (auto& sink : sinks) {
    auto& insert_sink = static_cast<InsertSink&>(*sink);
    std::move(insert_sink.batches.begin(), insert_sink.batches.end(), std::back_inserter(batches));
    for (size_t i = 0; i < columns_.size(); i++) {
      statistics[i].Merge(insert_sink.builder.statistics()[i], PhysicalTypeOf(columns_[i].type));
    }
  }
  std::stable_sort(batches.begin(), batches.end(),
                   [](const auto& a, const auto& b) { return a.batch < b.batch; });
  RowGroupList row_groups;
  for (auto& batch : batches)
    std::move(batch.row_groups.begin(), batch.row_groups.end(), std::back_inserter(row_groups));
  const auto& types = table->storage->types();
  row_groups =
      store ? StoreLargeRowGroups(std::move(row_groups), types, store, ForcedEncoding(context), failed_syncs)
            : JoinSmallRowGroups(std::move(row_groups), types, context.memory(), false);
  table->storage->Insert({context.transaction, table->name}, std::move(row_groups), statistics);
}

CopyToOperator::CopyToOperator(std::string path, CsvOptions options, std::vector<std::string> column_names,
                               PhysicalOperatorPtr child)
    : PhysicalOperator("CopyTo", {}),
      path_(std::move(path)),
      options_(std::move(options)),
      column_names_(std::move(column_names)) {
  children.push_back(std::move(child));
}

void CopyToOperator::Prepare(QueryContext& context, SharedState& shared) const {
  children[0]->Prepare(context, *shared.children[0]);
  CsvWriter writer(context.functions, path_, options_, column_names_, children[0]->types());
  // One task keeps the order of the rows without holding them.
  DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<CopySink>(context, writer); }, 1);
  writer.Finish();
}

}  // namespace scaup
