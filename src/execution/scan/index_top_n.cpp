// Top-N by index: reads entries in key order, with a fallback to sorting when few rows pass the filter.
#include "execution/scan/index_top_n.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "catalog/table_reading.hpp"
#include "common/stack_bound.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/run/sole_reader.hpp"
#include "expression/expression_executor.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table_index/index_lookup.hpp"
#include "storage/table_index/index_order_scan.hpp"

namespace scaup {

namespace {

class IndexTopNShared final : public SharedState {
 public:
  IndexTopNShared(QueryContext& context, const IndexTopN::Specification& specification,
                  const std::vector<LogicalType>& types)
      : specification_(specification), to_skip_(specification.offset), left_(specification.limit) {
    if (left_ == 0) return;  // nothing is read, so nothing is logged
    const TableEntry& table = *specification.table;
    const auto first = specification.first_column;
    const TableColumns table_columns = table.StorageColumns();
    read_.emplace(ReaderOf(context.transaction, table, table_columns)
                      .ReadInOrder(specification.scan, first, first && !table.columns[*first].not_null,
                                   specification.descending));
    scan_.emplace(
        read_->view(), table_columns, specification.scan, context.functions.kernels,
        table.storage->indexes().WriterOf(context.transaction), specification.index,
        UseOf(*specification.index, specification.scan.predicate.filters).Range(*specification.index),
        specification.descending, context.memory());
    if (!specification.filter) return;
    filter_.emplace(context.functions, *specification.filter);
    unfiltered_.Initialize(types);
  }

  /// Fills `output` with the next rows of the result, possibly none. Returns false at the end.
  bool Next(DataChunk& output) {
    if (left_ == 0) return false;
    // The first batch has only as many entries as rows are wanted, so a small LIMIT reads little. While the
    // filter rejects rows, each batch is as large as all earlier ones together.
    const size_t most =
        static_cast<size_t>(std::min<uint64_t>(kVectorSize, std::max(to_skip_ + left_, entry_count())));
    if (!scan_->Next(most, filter_ ? unfiltered_ : output)) return false;
    SelectionRef kept = filter_ ? Filter(output) : nullptr;
    const size_t count = output.size();
    const size_t begin = std::min<uint64_t>(to_skip_, count), end = begin + std::min(left_, count - begin);
    to_skip_ -= begin;
    left_ -= end - begin;
    if (left_ == 0 && end != 0 && specification_.first_column)
      read_->EndAfter(scan_->KeyValue(*specification_.first_column, kept ? kept->rows[end - 1] : end - 1));
    if (begin != 0 || end != count) {
      auto selection = std::make_shared<SelectionVector>();
      for (size_t row = begin; row < end; row++) selection->rows[row - begin] = static_cast<sel_t>(row);
      output.Slice(selection, end - begin);
      output.SetSize(end - begin);
    }
    return true;
  }
  bool has_enough() const { return left_ == 0; }
  uint64_t entry_count() const { return scan_ ? scan_->entry_count() : 0; }

  SoleReader reader;
  // Used only if the filter may reject rows: the rows found, or else that the child runs instead.
  std::optional<ColumnCollection> found;
  size_t next_piece = 0;
  bool is_sorted = false;

 private:
  /// Fills `output` with the rows of the scan's chunk that pass the filter. Returns their positions in it;
  /// null if there are none.
  SelectionRef Filter(DataChunk& output) {
    output.Release();
    if (unfiltered_.size() == 0) return nullptr;
    auto selection = std::make_shared<SelectionVector>();
    const size_t count = filter_->Select(0, unfiltered_, *selection);
    if (count == 0) return nullptr;
    output.Slice(unfiltered_, selection, count);
    return selection;
  }

  const IndexTopN::Specification& specification_;
  std::optional<OrderedRead> read_;  // nullopt if LIMIT is 0
  std::optional<IndexOrderScan> scan_;
  std::optional<ExpressionExecutor> filter_;
  DataChunk unfiltered_;
  uint64_t to_skip_;
  uint64_t left_;
};

}  // namespace

IndexTopN::IndexTopN(Specification specification, std::vector<LogicalType> types, PhysicalOperatorPtr sort)
    : PhysicalOperator("TopN", std::move(types)), specification_(std::move(specification)) {
  if (sort) children.push_back(std::move(sort));
}

std::unique_ptr<SharedState> IndexTopN::MakeShared(QueryContext& context) const {
  return std::make_unique<IndexTopNShared>(context, specification_, types());
}

void IndexTopN::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  if (!specification_.most_entries) return;
  auto& shared = static_cast<IndexTopNShared&>(shared_state);
  shared.found.emplace(types(), context.memory());
  DataChunk chunk(types());
  bool is_at_end = false;
  while (!is_at_end && !shared.has_enough() && shared.entry_count() < *specification_.most_entries) {
    context.functions.CheckInterrupt();
    is_at_end = !shared.Next(chunk);
    if (!is_at_end && chunk.size() != 0) shared.found->Append(chunk);
  }
  if (is_at_end || shared.has_enough()) return;
  // The rows found so far are dropped, since the sort reads all rows again.
  shared.found.reset();
  shared.is_sorted = true;
  shared.children.push_back(children[0]->MakeShared(context));
  children[0]->Prepare(context, *shared.children[0]);
}

std::unique_ptr<LocalState> IndexTopN::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto local = std::make_unique<LocalState>();
  if (static_cast<IndexTopNShared&>(shared_state).is_sorted)
    local->children.push_back(children[0]->MakeLocal(context, *shared_state.children[0]));
  return local;
}

size_t IndexTopN::MaxTasks(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  const bool is_sorted = static_cast<IndexTopNShared&>(shared_state).is_sorted;
  return is_sorted ? children[0]->MaxTasks(context, *shared_state.children[0]) : 1;
}

void IndexTopN::Produce(QueryContext& context, SharedState& shared_state, LocalState& local,
                        DataChunk& output) const {
  auto& shared = static_cast<IndexTopNShared&>(shared_state);
  if (shared.is_sorted) {
    children[0]->Next(context, *shared.children[0], *local.children[0], output);
    return;
  }
  if (!shared.reader.IsTask(local)) return;
  if (shared.found) {
    if (shared.next_piece < shared.found->piece_count()) {
      output.batch_index = shared.next_piece;
      shared.found->Read(shared.next_piece++, output);
    }
    return;
  }
  while (shared.Next(output)) {
    if (output.size() != 0) return;
    context.functions.CheckInterrupt();
  }
}

std::vector<std::string> IndexTopN::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const IndexTopNShared&>(shared_state);
  return {fmt::format("entries of the index: {}{}", shared.entry_count(),
                      shared.is_sorted ? ", then sorted" : "")};
}

}  // namespace scaup
