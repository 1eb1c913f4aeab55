// Streamed window: row numbers, running aggregates, and sliding aggregates over a short history of rows.
#include "execution/window/streamed_window.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

bool IsRank(WindowFunctionKind kind) {
  return kind == WindowFunctionKind::kRank || kind == WindowFunctionKind::kDenseRank;
}

bool IsCountOfRows(const AggregateSpecification& aggregate) {
  return aggregate.arguments.empty() && !aggregate.filter && aggregate.function.name == "count_star";
}

bool BeginsWithPartition(const FrameSpecification& frame) {
  return frame.start.kind == FrameBoundKind::kUnboundedPreceding;
}

bool LooksBack(const FrameBoundSpecification& bound) {
  return bound.kind == FrameBoundKind::kPreceding || bound.kind == FrameBoundKind::kCurrentRow;
}

StreamedOrder OrderForAggregate(const AggregateSpecification& aggregate, const FrameSpecification& frame) {
  if (frame.exclusion != FrameExclusion::kNoOthers || aggregate.filter) return StreamedOrder::kNever;
  if (BeginsWithPartition(frame)) {
    if (frame.end.kind != FrameBoundKind::kCurrentRow) return StreamedOrder::kNever;
    if (!IsCountOfRows(aggregate) && aggregate.function.run == nullptr) return StreamedOrder::kNever;
    return frame.unit == FrameUnit::kRows ? StreamedOrder::kInOrder : StreamedOrder::kUnique;
  }
  const bool slides = aggregate.function.slide != nullptr && aggregate.arguments.size() == 1 &&
                      PhysicalTypeOf(aggregate.function.argument_types[0]) != PhysicalType::kString &&
                      LooksBack(frame.start) && LooksBack(frame.end) &&
                      frame.IsShort(aggregate.function.most_slide_rows);
  return slides ? StreamedOrder::kInOrder : StreamedOrder::kNever;
}

StreamedOrder OrderFor(const WindowSpecification& specification,
                       const WindowFunctionSpecification& function) {
  switch (function.kind) {
    case WindowFunctionKind::kRowNumber:
    case WindowFunctionKind::kRank:
    case WindowFunctionKind::kDenseRank: return StreamedOrder::kInOrder;
    case WindowFunctionKind::kAggregate:
      if (function.previous) return StreamedOrder::kNever;
      return OrderForAggregate(function.aggregate, specification.frames[function.frame]);
    case WindowFunctionKind::kPercentRank:
    case WindowFunctionKind::kCumeDist:
    case WindowFunctionKind::kNtile:
    case WindowFunctionKind::kLag:
    case WindowFunctionKind::kLead:
    case WindowFunctionKind::kFirstValue:
    case WindowFunctionKind::kLastValue:
    case WindowFunctionKind::kNthValue: return StreamedOrder::kNever;
  }
  return StreamedOrder::kNever;
}

/// row_number, and count(*) up to the current row.
class RowNumbers final : public StreamedFunction {
 public:
  void Evaluate(const StreamedBlock& block, Vector& result) override {
    auto* numbers = result.MutableData<int64_t>();
    for (size_t i = 0; i < block.count; i++) numbers[i] = static_cast<int64_t>(block.before[i] + 1);
  }
};

/// rank and dense_rank.
class Ranks final : public StreamedFunction {
 public:
  explicit Ranks(bool is_dense) : is_dense_(is_dense) {}

  void Evaluate(const StreamedBlock& block, Vector& result) override {
    auto* numbers = result.MutableData<int64_t>();
    for (size_t i = 0; i < block.count; i++) {
      if (block.restarts[i] != 0) {
        rank_ = 1;
      } else if (block.is_peer[i] == 0) {
        rank_ = is_dense_ ? rank_ + 1 : static_cast<int64_t>(block.before[i] + 1);
      }
      numbers[i] = rank_;
    }
  }

 private:
  const bool is_dense_;
  int64_t rank_ = 0;
};

/// An aggregate over all rows of the partition up to the current one, as a single state that is updated row
/// by row.
class RunningAggregate final : public StreamedFunction {
 public:
  RunningAggregate(QueryContext& context, const AggregateSpecification& aggregate,
                   const std::vector<LogicalType>& input_types)
      : aggregate_(aggregate), call_{context.functions, aggregate.data.get(), arena_} {
    for (const size_t column : aggregate.arguments) arguments_.emplace_back(input_types[column]);
    state_ = arena_.Allocate(aggregate.function.state_size, 16);
    aggregate.function.initialize(state_);
  }

  void Evaluate(const StreamedBlock& block, Vector& result) override {
    for (size_t i = 0; i < arguments_.size(); i++)
      arguments_[i].Reference(block.input.column(aggregate_.arguments[i]));
    aggregate_.function.run(call_, arguments_, block.count, block.restarts, state_, result);
    for (Vector& argument : arguments_) argument.Release();
  }

 private:
  const AggregateSpecification& aggregate_;
  Arena arena_;
  const AggregateCall call_;
  std::vector<Vector> arguments_;
  std::byte* state_;
};

/// An aggregate over a few rows up to the current one, or up to a row before it.
class SlidingAggregate final : public StreamedFunction {
 public:
  SlidingAggregate(QueryContext& context, const AggregateSpecification& aggregate,
                   const FrameSpecification& frame, const LogicalType& type)
      : aggregate_(aggregate),
        call_{context.functions, aggregate.data.get(), arena_},
        value_bytes_(PhysicalSize(type)),
        start_(*frame.start.RowDistance(SIZE_MAX)),
        end_(*frame.end.RowDistance(SIZE_MAX)),
        // Rounded up to whole validity words.
        history_((std::max(start_, end_) + 63) / 64 * 64),
        values_((history_ + kVectorSize) * value_bytes_),
        validity_((history_ + kVectorSize) / 64, ~ValidityWord{0}),
        argument_(type) {}

  void Evaluate(const StreamedBlock& block, Vector& result) override {
    Load(block);
    uint64_t begins[kVectorSize], ends[kVectorSize];
    for (size_t i = 0; i < block.count; i++) {
      const uint64_t row = history_ + i;
      begins[i] = row - std::min<uint64_t>(start_, block.before[i]);
      ends[i] = std::max(begins[i], block.before[i] >= end_ ? row - end_ + 1 : 0);
    }
    aggregate_.function.slide(call_, {values_.data(), has_null_ ? validity_.data() : nullptr}, begins, ends,
                              block.count, result);
    Keep(block.count);
  }

 private:
  /// Appends the block's values to the history.
  void Load(const StreamedBlock& block) {
    argument_.Reference(block.input.column(aggregate_.arguments[0]));
    argument_.Flatten(block.count);
    std::memcpy(values_.data() + history_ * value_bytes_, argument_.Data<std::byte>(),
                block.count * value_bytes_);
    if (const ValidityWord* validity = argument_.Validity(); validity != nullptr) {
      has_null_ = true;
      std::copy_n(validity, kVectorSize / 64, validity_.data() + history_ / 64);
    } else if (has_null_) {
      std::fill(validity_.begin() + static_cast<ptrdiff_t>(history_ / 64), validity_.end(), ~ValidityWord{0});
    }
    argument_.Release();
  }

  /// Moves the last rows of the `count` loaded ones to the front, as history for the next block.
  void Keep(size_t count) {
    std::memmove(values_.data(), values_.data() + count * value_bytes_, history_ * value_bytes_);
    if (!has_null_) return;
    has_null_ = false;
    for (size_t i = 0; i < history_; i++) {
      const bool is_valid = TestValid(validity_.data(), i + count);
      is_valid ? SetValid(validity_.data(), i) : SetInvalid(validity_.data(), i);
      has_null_ |= !is_valid;
    }
  }

  const AggregateSpecification& aggregate_;
  Arena arena_;
  const AggregateCall call_;
  const size_t value_bytes_;
  const size_t start_;
  const size_t end_;
  const size_t history_;           // The number of rows in the history.
  std::vector<std::byte> values_;  // The history, then a block.
  std::vector<ValidityWord> validity_;
  bool has_null_ = false;
  Vector argument_;
};

std::unique_ptr<StreamedFunction> MakeStreamed(QueryContext& context,
                                               const WindowSpecification& specification,
                                               const WindowFunctionSpecification& function,
                                               const std::vector<LogicalType>& input_types) {
  if (function.kind == WindowFunctionKind::kRowNumber) return std::make_unique<RowNumbers>();
  if (IsRank(function.kind)) return std::make_unique<Ranks>(function.kind == WindowFunctionKind::kDenseRank);
  SCAUP_CHECK(function.kind == WindowFunctionKind::kAggregate);
  const FrameSpecification& frame = specification.frames[function.frame];
  if (!BeginsWithPartition(frame)) {
    return std::make_unique<SlidingAggregate>(context, function.aggregate, frame,
                                              input_types[function.aggregate.arguments[0]]);
  }
  if (IsCountOfRows(function.aggregate)) return std::make_unique<RowNumbers>();
  return std::make_unique<RunningAggregate>(context, function.aggregate, input_types);
}

/// The keys of partitions and, if there are ranks, of peers.
std::vector<size_t> ComparedColumns(const WindowSpecification& specification) {
  std::vector<size_t> columns = specification.partition_by;
  const auto is_rank = [](const WindowFunctionSpecification& function) { return IsRank(function.kind); };
  if (std::any_of(specification.functions.begin(), specification.functions.end(), is_rank))
    columns.insert(columns.end(), specification.order_by.begin(), specification.order_by.end());
  return columns;
}

}  // namespace

StreamedOrder StreamedWindow::AskedOrder(const WindowSpecification& specification) {
  StreamedOrder order = StreamedOrder::kInOrder;
  for (const WindowFunctionSpecification& function : specification.functions)
    order = std::max(order, OrderFor(specification, function));
  return order;
}

StreamedWindow::StreamedWindow(QueryContext& context, const WindowSpecification& specification,
                               const std::vector<LogicalType>& input_types)
    : specification_(specification),
      key_columns_(ComparedColumns(specification)),
      comparer_({specification.orders.begin(),
                 specification.orders.begin() + static_cast<ptrdiff_t>(key_columns_.size())}) {
  SCAUP_ASSERT(AskedOrder(specification) != StreamedOrder::kNever);
  for (const WindowFunctionSpecification& function : specification.functions)
    functions_.push_back(MakeStreamed(context, specification, function, input_types));
}

void StreamedWindow::CompareKeys(DataChunk& input, size_t count, uint8_t* restarts, uint8_t* is_peer) {
  std::vector<Vector*> keys;
  for (const size_t column : key_columns_) keys.push_back(&input.column(column));
  uint16_t steps[kVectorSize];
  SCAUP_CHECK(comparer_.Compare(keys, count, steps) != NeighbourOrder::kUnordered);
  for (size_t i = 0; i < count; i++) {
    restarts[i] = steps[i] < specification_.partition_by.size() ? 1 : 0;
    is_peer[i] = steps[i] == key_columns_.size() ? 1 : 0;
  }
}

void StreamedWindow::Evaluate(DataChunk& input, DataChunk& output) {
  const size_t count = input.size();
  uint8_t restarts[kVectorSize] = {}, is_peer[kVectorSize];
  uint64_t before[kVectorSize];
  // Without any key all rows are peers.
  std::fill(is_peer, is_peer + count, 1);
  if (!key_columns_.empty()) CompareKeys(input, count, restarts, is_peer);
  if (is_first_) restarts[0] = 1;
  is_first_ = false;
  for (size_t begin = 0; begin < count;) {
    if (restarts[begin] != 0) partition_rows_ = 0;
    const size_t end = static_cast<size_t>(std::find(restarts + begin + 1, restarts + count, 1) - restarts);
    for (size_t i = begin; i < end; i++) before[i] = partition_rows_ + (i - begin);
    partition_rows_ += end - begin;
    begin = end;
  }
  const StreamedBlock block{input, count, before, restarts, is_peer};
  const size_t passed = output.column_count() - functions_.size();
  for (size_t i = 0; i < passed; i++) output.column(i).Reference(input.column(i));
  for (size_t i = 0; i < functions_.size(); i++) {
    Vector& result = output.column(passed + i);
    result.Reset();
    functions_[i]->Evaluate(block, result);
  }
  output.SetSize(count);
  output.batch_index = input.batch_index;
}

}  // namespace scaup
