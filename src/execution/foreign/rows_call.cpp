// Rows calls: runs get all rows, a partition or a batch; what they return goes on in chunks.
#include "execution/foreign/rows_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "common/lock/mutex.hpp"
#include "common/stack_bound.hpp"
#include "execution/foreign/foreign_function.hpp"
#include "execution/rows/result_parts.hpp"
#include "execution/sort/neighbour_comparer.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

namespace {

MaterializedResult ResultOf(ResultAppender& rows) {
  MaterializedResult result;
  result.row_count = rows.row_count();
  result.columns = std::move(rows.columns());
  result.heaps.push_back(rows.TakeHeap());
  return result;
}

/// No rows and no columns, for functions that get none.
class NoInput final : public ForeignRowsInput {
 public:
  MaterializedResult Next(size_t) override { return {}; }
  MaterializedResult All() override { return {}; }
};

/// The rows of an operator, which are computed when the function asks for them: all at once by all threads,
/// or some at a time by its own.
class PulledInput final : public ForeignRowsInput {
 public:
  PulledInput(QueryContext& context, const PhysicalOperator& child, SharedState& shared)
      : context_(context), child_(child), shared_(shared), parts_(context, child, shared) {}

  MaterializedResult Next(size_t most_rows) override {
    has_begun_ = true;
    return parts_.Next(most_rows);
  }
  MaterializedResult All() override {
    if (std::exchange(has_begun_, true)) return parts_.Next(SIZE_MAX);
    return CollectResult(context_, child_, shared_);
  }

 private:
  QueryContext& context_;
  const PhysicalOperator& child_;
  SharedState& shared_;
  ResultParts parts_;
  bool has_begun_ = false;
};

/// Rows in memory.
class GivenInput final : public ForeignRowsInput {
 public:
  GivenInput(MaterializedResult rows, const std::vector<LogicalType>& types, const ResultMemory& memory)
      : rows_(std::make_shared<MaterializedResult>(std::move(rows))), types_(types), memory_(memory) {}

  MaterializedResult Next(size_t most_rows) override {
    const size_t begin = next_row_;
    const size_t end = begin + std::min(most_rows, rows_->row_count - begin);
    next_row_ = end;
    if (begin == 0 && end == rows_->row_count) {
      const size_t row_count = rows_->row_count;
      MaterializedResult all = std::move(*rows_);
      next_row_ = rows_->row_count = all.row_count = row_count;
      return all;
    }
    ResultAppender part(types_, memory_);
    DataChunk chunk(types_);
    for (size_t row = begin; row < end; row += kVectorSize) {
      const size_t count = std::min(kVectorSize, end - row);
      chunk.Release();
      for (size_t i = 0; i < types_.size(); i++) {
        ReferenceRows(BytewiseOf(rows_->columns[i], rows_), row, count, chunk.column(i));
      }
      chunk.SetSize(count);
      part.Append(chunk);
    }
    return ResultOf(part);
  }
  MaterializedResult All() override { return Next(SIZE_MAX); }

 private:
  const std::shared_ptr<MaterializedResult> rows_;
  const std::vector<LogicalType>& types_;
  const ResultMemory& memory_;
  size_t next_row_ = 0;
};

std::vector<LogicalType> FirstTypes(const PhysicalOperator* child, size_t count) {
  if (child == nullptr) return {};
  return {child->types().begin(), child->types().begin() + static_cast<ptrdiff_t>(count)};
}

}  // namespace

struct RowsCall::Shared final : SharedState {
  Shared(QueryContext& context, const Specification& specification)
      : memory(context), comparer(specification.partition_keys) {}

  /// Pulls the next sorted rows, and finds where partitions begin in them. Returns false at the end.
  bool Pull(QueryContext& context, const PhysicalOperator& child, size_t first_key)
      SCAUP_REQUIRES_LOCK(mutex);

  const ResultMemory memory;
  std::vector<Value> values;
  bool has_null = false;              // among the values that are required
  std::atomic<bool> is_taken{false};  // the only run, without partitions and batches
  std::atomic<uint64_t> run_count{0};
  // Partitions are cut from the sorted rows by one thread at a time.
  Mutex mutex;
  std::unique_ptr<LocalState> sorted SCAUP_GUARDED_BY(mutex);
  NeighbourComparer comparer SCAUP_GUARDED_BY(mutex);
  DataChunk chunk SCAUP_GUARDED_BY(mutex);
  std::array<uint16_t, kVectorSize> steps SCAUP_GUARDED_BY(mutex) = {};
  size_t next_in_chunk SCAUP_GUARDED_BY(mutex) = 0;
  uint64_t partition_count SCAUP_GUARDED_BY(mutex) = 0;
};

struct RowsCall::Local final : LocalState {
  // The run refers to its input, and its rows may refer to the run.
  std::unique_ptr<ForeignRowsInput> input;
  std::unique_ptr<ForeignRowsRun> run;
  std::unique_ptr<ForeignRows> rows;
  size_t next_row = 0;
  uint64_t batch = 0;
  // The chunk that was pulled last, for batches; it begins the next one.
  DataChunk pulled;
  size_t next_pulled = 0;  // the first row of it that is in no batch yet
};

RowsCall::RowsCall(Specification specification, PhysicalOperatorPtr child, std::vector<LogicalType> types)
    : PhysicalOperator("TableFunction", std::move(types)),
      specification_(std::move(specification)),
      input_types_(FirstTypes(child.get(), specification_.input_count)) {
  if (child) children.push_back(std::move(child));
}

std::unique_ptr<SharedState> RowsCall::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(context, specification_);
  if (!children.empty()) shared->children.push_back(children[0]->MakeShared(context));
  for (const ExpressionPtr& value : specification_.values)
    shared->values.push_back(EvaluateConstant(context.functions, *value));
  for (const size_t parameter : specification_.required)
    shared->has_null = shared->has_null || shared->values[parameter].is_null();
  return shared;
}

std::unique_ptr<LocalState> RowsCall::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<Local>();
  if (!has_batches() || children.empty()) return local;
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  local->pulled.Initialize(children[0]->types());
  return local;
}

size_t RowsCall::MaxTasks(QueryContext& context, SharedState& shared) const {
  CheckStack();
  if (children.empty()) return 1;
  if (has_partitions()) return context.scheduler().thread_count();
  return has_batches() ? children[0]->MaxTasks(context, *shared.children[0]) : 1;
}

std::vector<std::string> RowsCall::RunDetails(const SharedState& shared) const {
  return {fmt::format("calls: {}", static_cast<const Shared&>(shared).run_count.load())};
}

bool RowsCall::Shared::Pull(QueryContext& context, const PhysicalOperator& child, size_t first_key) {
  if (!sorted) {
    sorted = child.MakeLocal(context, *children[0]);
    chunk.Initialize(child.types());
  }
  child.Next(context, *children[0], *sorted, chunk);
  next_in_chunk = 0;
  if (chunk.size() == 0) return false;
  std::vector<Vector*> keys;
  for (size_t i = 0; i < comparer.key_count(); i++) keys.push_back(&chunk.column(first_key + i));
  comparer.Compare(keys, chunk.size(), steps.data());
  return true;
}

MaterializedResult RowsCall::TakePartition(QueryContext& context, Shared& shared, uint64_t& number) const {
  ResultAppender rows(input_types_, shared.memory);
  DataChunk part(input_types_), range(input_types_);
  const MutexLock lock(shared.mutex);
  while (shared.next_in_chunk != shared.chunk.size() ||
         shared.Pull(context, *children[0], input_types_.size())) {
    const size_t begin = shared.next_in_chunk, size = shared.chunk.size();
    size_t end = begin + (rows.row_count() == 0 ? 1 : 0);
    while (end < size && shared.steps[end] == specification_.partition_keys.size()) end++;
    if (end != begin) {
      for (size_t i = 0; i < input_types_.size(); i++) part.column(i).Reference(shared.chunk.column(i));
      part.SetSize(size);
      range.SliceRange(part, begin, end - begin);
      rows.Append(range);
    }
    shared.next_in_chunk = end;
    if (end < size) break;
  }
  number = shared.partition_count++;
  return ResultOf(rows);
}

MaterializedResult RowsCall::TakeBatch(QueryContext& context, Shared& shared, Local& local) const {
  ResultAppender rows(input_types_, shared.memory);
  DataChunk range(input_types_);
  const size_t most_rows = specification_.call->batch_rows;
  while (rows.row_count() < most_rows) {
    if (local.next_pulled == local.pulled.size()) {
      children[0]->Next(context, *shared.children[0], *local.children[0], local.pulled);
      local.next_pulled = 0;
      if (local.pulled.size() == 0) break;
    }
    // The rows of a run have one place in their source, as what it returns has one.
    if (rows.row_count() == 0) local.batch = local.pulled.batch_index;
    if (local.batch != local.pulled.batch_index) break;
    const size_t count = std::min(local.pulled.size() - local.next_pulled, most_rows - rows.row_count());
    range.SliceRange(local.pulled, local.next_pulled, count);
    rows.Append(range);
    local.next_pulled += count;
  }
  return ResultOf(rows);
}

std::unique_ptr<ForeignRowsInput> RowsCall::NextInput(QueryContext& context, Shared& shared,
                                                      Local& local) const {
  if (shared.has_null) return nullptr;
  if (children.empty() || (!has_partitions() && !has_batches())) {
    if (shared.is_taken.exchange(true)) return nullptr;
    if (children.empty()) return std::make_unique<NoInput>();
    return std::make_unique<PulledInput>(context, *children[0], *shared.children[0]);
  }
  MaterializedResult rows =
      has_partitions() ? TakePartition(context, shared, local.batch) : TakeBatch(context, shared, local);
  if (rows.row_count == 0) return nullptr;
  return std::make_unique<GivenInput>(std::move(rows), input_types_, shared.memory);
}

void RowsCall::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                       DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  while (!local.rows || local.next_row == local.rows->row_count()) {
    local.rows.reset();
    local.next_row = 0;
    context.functions.CheckInterrupt();
    if (!local.run) {
      local.input = NextInput(context, shared, local);
      if (!local.input) return;
      local.run = specification_.call->Start(context.functions, shared.values);
      shared.run_count++;
    }
    local.rows = local.run->Next(*local.input);
    if (!local.rows) local.run.reset();
  }
  const size_t count = std::min(kVectorSize, local.rows->row_count() - local.next_row);
  for (size_t i = 0; i < specification_.columns.size(); i++)
    local.rows->Read(specification_.columns[i], local.next_row, count, output.column(i));
  output.SetSize(count);
  output.batch_index = local.batch;
  local.next_row += count;
}

}  // namespace scaup
