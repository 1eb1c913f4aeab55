// Windowed aggregates, in one of seven ways: count(*) from the frame bounds alone; one state per partition if
// frames span it; values found by their ranks; running states if frames begin with the partition; a sliding
// state if frames are short; else a segment tree, or the rows of each frame if the tree's states would have
// all values and these do not fit in memory.
#include <algorithm>
#include <functional>

#include "execution/rows/random_access_rows.hpp"
#include "execution/window/segment_tree.hpp"
#include "execution/window/window_evaluator.hpp"

namespace scaup {

namespace {

/// Returns the result over no rows.
Vector EmptyResult(const WindowInput& input, const WindowFunctionSpecification& function) {
  Arena arena;
  WindowArguments arguments(input, function, arena);
  Vector result(function.return_type);
  result.Reset();
  std::byte* state = arguments.MakeStates(1);
  arguments.function().finalize(arguments.call(), &state, 1, result, 0);
  return result;
}

/// Returns whether a state has all values of its rows.
bool HoldsValues(const WindowFunctionSpecification& function) {
  return function.aggregate.function.row_retention != nullptr;
}

/// States that hold values are made for about so many rows at a time.
constexpr size_t kRowsAtOnce = size_t{32} << 10;

/// Finalizes up to 1024 states and appends their results.
void AppendResults(WindowArguments& arguments, std::byte** states, size_t count, DataChunk& scratch,
                   SpillableRows& results) {
  scratch.ResetForWriting();
  arguments.function().finalize(arguments.call(), states, count, scratch.column(0), 0);
  scratch.SetSize(count);
  results.Append(scratch);
}

/// count(*): the number of rows in the frame.
class FrameSizeEvaluator final : public WindowEvaluator {
 public:
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    auto* sizes = result.MutableData<int64_t>();
    std::fill(sizes, sizes + block.count, 0);
    for (size_t r = 0; r < frames.range_count; r++) {
      for (size_t i = 0; i < block.count; i++)
        sizes[i] += static_cast<int64_t>(frames.ends[r][i] - frames.begins[r][i]);
    }
  }
};

/// Frames that span the partition: one result for each partition.
class PartitionEvaluator final : public WindowEvaluator {
 public:
  PartitionEvaluator(const WindowInput& input, const WindowFunctionSpecification& function) {
    auto results = std::make_unique<SpillableRows>(input.context, std::vector{function.return_type});
    const auto& partitions = input.groups.partitions;
    DataChunk scratch({function.return_type});
    // As many partitions at a time as results fit in a vector, or as values should be in memory.
    for (size_t first = 0, last; first + 1 < partitions.size(); first = last) {
      last = std::min(first + kVectorSize, partitions.size() - 1);
      if (HoldsValues(function)) {
        const uint64_t most = partitions[first] + kRowsAtOnce;
        while (last > first + 1 && partitions[last] > most) last--;
      }
      Arena arena(&input.context.memory());
      WindowArguments arguments(input, function, arena);
      std::byte* states = arguments.MakeStates(last - first);
      std::byte* finished[kVectorSize];
      for (size_t p = first; p < last; p++)
        finished[p - first] = states + (p - first) * arguments.function().state_size;
      if (last - first == 1) {
        AddWhole(input, arguments, partitions[first], partitions[last], states);
      } else {
        AddByPartition(input, arguments, first, last, finished);
      }
      AppendResults(arguments, finished, last - first, scratch, *results);
    }
    results->Finish();
    results_.emplace(std::move(results));
  }

  void Evaluate(const BlockGroups& block, const BlockFrames&, Vector& result) const override {
    results_->Gather(0, block.partition.data(), block.count, result);
  }

 private:
  static void AddWhole(const WindowInput& input, WindowArguments& arguments, uint64_t begin, uint64_t end,
                       std::byte* state) {
    for (; begin < end; begin += kVectorSize) {
      input.context.functions.CheckInterrupt();
      arguments.AddRangeTo(begin, std::min<uint64_t>(kVectorSize, end - begin), state);
    }
  }

  static void AddByPartition(const WindowInput& input, WindowArguments& arguments, size_t first, size_t last,
                             std::byte** partition_states) {
    const auto& partitions = input.groups.partitions;
    std::byte* states[kVectorSize];
    size_t p = first;
    for (uint64_t begin = partitions[first]; begin < partitions[last]; begin += kVectorSize) {
      input.context.functions.CheckInterrupt();
      const size_t count = std::min<uint64_t>(kVectorSize, partitions[last] - begin);
      for (size_t i = 0; i < count; i++) {
        if (begin + i == partitions[p + 1]) p++;
        states[i] = partition_states[p - first];
      }
      arguments.AddRange(begin, count, states);
    }
  }

  std::optional<RandomAccessRows> results_;  // By partition.
};

/// Frames that begin with the partition: one result for each row, over its partition up to that row.
class RunningEvaluator final : public WindowEvaluator {
 public:
  RunningEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : empty_(EmptyResult(input, function)) {
    const AggregateSpecification& aggregate = function.aggregate;
    auto results = std::make_unique<SpillableRows>(input.context, std::vector{function.return_type});
    if (aggregate.function.run != nullptr && !aggregate.filter) {
      Run(input, function, *results);
    } else {
      Combine(input, function, *results);
    }
    results->Finish();
    results_.emplace(std::move(results));
  }

  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    uint64_t places[kVectorSize] = {};
    std::vector<size_t> empty;
    for (size_t i = 0; i < block.count; i++) {
      if (frames.begins[0][i] < frames.ends[0][i]) {
        places[i] = frames.ends[0][i] - 1;
      } else {
        empty.push_back(i);
        places[i] = 0;
      }
    }
    const auto has_next_place = [](uint64_t a, uint64_t b) { return b == a + 1; };
    const bool is_piece =
        empty.empty() && places[0] % kVectorSize == 0 &&
        std::adjacent_find(places, places + block.count, std::not_fn(has_next_place)) == places + block.count;
    if (is_piece) return results_->Read(0, places[0], block.count, result);
    results_->Gather(0, places, block.count, result);
    for (const size_t row : empty) {
      if (empty_.Validity() != nullptr && !TestValid(empty_.Validity(), 0)) {
        result.SetNull(row);
      } else {
        if (result.Validity() != nullptr) SetValid(result.MutableValidity(), row);
        std::memcpy(result.MutableData<std::byte>() + row * PhysicalSize(result.physical_type()),
                    empty_.Data<std::byte>(), PhysicalSize(result.physical_type()));
      }
    }
  }

 private:
  /// Updates a single state from row to row.
  static void Run(const WindowInput& input, const WindowFunctionSpecification& function,
                  SpillableRows& results) {
    Arena arena(&input.context.memory());
    WindowArguments arguments(input, function, arena);
    std::byte* state = arguments.MakeStates(1);
    DataChunk scratch({function.return_type});
    std::vector<Vector> columns;
    for (const size_t column : function.aggregate.arguments) columns.emplace_back(input.rows.types()[column]);
    const std::vector<uint64_t>& partitions = input.groups.partitions;
    size_t partition = 0;
    for (size_t begin = 0; begin < input.rows.row_count(); begin += kVectorSize) {
      input.context.functions.CheckInterrupt();
      const size_t count = std::min(kVectorSize, input.rows.row_count() - begin);
      uint8_t restarts[kVectorSize] = {};
      for (; partitions[partition] < begin + count; partition++) restarts[partitions[partition] - begin] = 1;
      for (size_t i = 0; i < columns.size(); i++)
        input.rows.Read(function.aggregate.arguments[i], begin, count, columns[i]);
      scratch.ResetForWriting();
      arguments.function().run(arguments.call(), columns, count, restarts, state, scratch.column(0));
      scratch.SetSize(count);
      results.Append(scratch);
    }
  }

  /// For functions without `run`: each row's state is the previous row's state combined with its own.
  static void Combine(const WindowInput& input, const WindowFunctionSpecification& function,
                      SpillableRows& results) {
    Arena kept_arena(&input.context.memory());
    WindowArguments kept_arguments(input, function, kept_arena);
    std::byte* before = kept_arguments.MakeStates(1);  // State over earlier blocks of the partition.
    DataChunk scratch({function.return_type});
    const size_t row_count = input.rows.row_count();
    Arena arena(&input.context.memory());
    size_t partition = 0;
    for (size_t begin = 0; begin < row_count; begin += kVectorSize) {
      input.context.functions.CheckInterrupt();
      arena.Reset();
      const size_t count = std::min(kVectorSize, row_count - begin);
      partition = AddBlock(input, function, arena, before, begin, count, partition, scratch, results);
      // The state that continues in the next block is built in its own arena, because the block's is reset.
      const uint64_t end = begin + count, first = input.groups.partitions[partition];
      if (end == row_count || end == input.groups.partitions[partition + 1]) {
        kept_arena.Reset();
        before = kept_arguments.MakeStates(1);
        continue;
      }
      if (first >= begin) {
        kept_arena.Reset();
        before = kept_arguments.MakeStates(1);
      }
      const size_t from = std::max<uint64_t>(begin, first);
      kept_arguments.AddRangeTo(from, end - from, before);
    }
  }

  /// Combines each row's state with the previous row's. Returns the partition of the last row.
  static size_t AddBlock(const WindowInput& input, const WindowFunctionSpecification& function, Arena& arena,
                         std::byte* before, size_t begin, size_t count, size_t partition, DataChunk& scratch,
                         SpillableRows& results) {
    WindowArguments arguments(input, function, arena);
    const size_t state_size = arguments.function().state_size;
    std::byte* own = arguments.MakeStates(count);
    std::byte* joined = arguments.MakeStates(count);
    std::byte* nothing = arguments.MakeStates(1);
    std::byte* states[kVectorSize];
    for (size_t i = 0; i < count; i++) states[i] = own + i * state_size;
    arguments.AddRange(begin, count, states);
    std::byte* sources[2 * kVectorSize];
    std::byte* targets[2 * kVectorSize];
    for (size_t i = 0; i < count; i++) {
      const bool is_next = begin + i == input.groups.partitions[partition + 1];
      if (is_next) partition++;
      const bool is_first = begin + i == input.groups.partitions[partition];
      std::byte* target = joined + i * state_size;
      sources[2 * i] = is_first ? nothing : i == 0 ? before : target - state_size;
      sources[2 * i + 1] = states[i];
      targets[2 * i] = targets[2 * i + 1] = target;
    }
    arguments.function().combine(arguments.call(), sources, targets, 2 * count);
    for (size_t i = 0; i < count; i++) states[i] = joined + i * state_size;
    AppendResults(arguments, states, count, scratch, results);
    return partition;
  }

  std::optional<RandomAccessRows> results_;  // By row.
  Vector empty_;
};

/// Frames of any kind, by a segment tree.
class TreeEvaluator final : public WindowEvaluator {
 public:
  TreeEvaluator(const WindowInput& input, const WindowFunctionSpecification& function,
                std::unique_ptr<SegmentTree> tree)
      : input_(input), function_(function), tree_(std::move(tree)) {}
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    Arena arena(&input_.context.memory());
    WindowArguments arguments(input_, function_, arena);
    const size_t state_size = arguments.function().state_size;
    std::byte* own = arguments.MakeStates(block.count);
    std::byte* wanted[kVectorSize];    // Null for frames equal to the previous one.
    std::byte* finished[kVectorSize];  // The state of each row's frame.
    for (size_t i = 0; i < block.count; i++) {
      const bool is_same = i != 0 && frames.IsSameAsBefore(i);
      wanted[i] = is_same ? nullptr : own + i * state_size;
      finished[i] = is_same ? finished[i - 1] : wanted[i];
    }
    for (size_t r = 0; r < frames.range_count; r++) tree_->AddRanges(block, frames, r, wanted, arguments);
    arguments.function().finalize(arguments.call(), finished, block.count, result, 0);
  }

 private:
  const WindowInput input_;
  const WindowFunctionSpecification& function_;
  const std::unique_ptr<SegmentTree> tree_;
};

/// Frames of any kind, row by row of each frame. A part of the block at a time is in memory.
class FrameRowsEvaluator final : public WindowEvaluator {
 public:
  FrameRowsEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : input_(input), function_(function) {}
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    for (size_t first = 0, last; first < block.count; first = last) {
      uint64_t row_count = RowCount(frames, first);
      for (last = first + 1; last < block.count; last++) {
        row_count += RowCount(frames, last);
        if (row_count > kRowsAtOnce) break;
      }
      EvaluatePart(frames, first, last, result);
    }
  }

 private:
  static uint64_t RowCount(const BlockFrames& frames, size_t row) {
    uint64_t count = 0;
    for (size_t r = 0; r < frames.range_count; r++)
      count += frames.ends[r][row] - std::min(frames.begins[r][row], frames.ends[r][row]);
    return count;
  }

  void EvaluatePart(const BlockFrames& frames, size_t first, size_t last, Vector& result) const {
    Arena arena(&input_.context.memory());
    WindowArguments arguments(input_, function_, arena);
    std::byte* states = arguments.MakeStates(last - first);
    std::byte* finished[kVectorSize];
    for (size_t i = first; i < last; i++) {
      std::byte* state = states + (i - first) * arguments.function().state_size;
      finished[i - first] = state;
      for (size_t r = 0; r < frames.range_count; r++) {
        for (uint64_t begin = frames.begins[r][i]; begin < frames.ends[r][i]; begin += kVectorSize) {
          input_.context.functions.CheckInterrupt();
          arguments.AddRangeTo(begin, std::min<uint64_t>(kVectorSize, frames.ends[r][i] - begin), state);
        }
      }
    }
    arguments.function().finalize(arguments.call(), finished, last - first, result, first);
  }

  const WindowInput input_;
  const WindowFunctionSpecification& function_;
};

std::unique_ptr<WindowEvaluator> MakeFrameEvaluator(const WindowInput& input,
                                                    const WindowFunctionSpecification& function) {
  for (size_t leaf_rows = SegmentTree::kFanout;; leaf_rows *= SegmentTree::kFanout) {
    // Partitions with fewer rows than two leaves need no memory.
    if (auto tree = SegmentTree::TryMake(input, function, leaf_rows))
      return std::make_unique<TreeEvaluator>(input, function, std::move(tree));
    if (HoldsValues(function)) return std::make_unique<FrameRowsEvaluator>(input, function);
  }
}

/// Returns whether the states of one partition after the other are better than ranks: they need no sort, but
/// all values of a partition at once.
bool FitsInStates(const WindowInput& input, const WindowFunctionSpecification& function) {
  const std::vector<uint64_t>& partitions = input.groups.partitions;
  uint64_t most_rows = kRowsAtOnce;
  for (size_t p = 0; p + 1 < partitions.size(); p++)
    most_rows = std::max(most_rows, partitions[p + 1] - partitions[p]);
  const LogicalType type = input.rows.types()[function.aggregate.arguments[0]];
  constexpr size_t kShare = 4, kTimes = 2;  // States have the values, and sort a copy.
  return most_rows * PhysicalSize(PhysicalTypeOf(type)) * kTimes < input.context.MemoryShareBytes() / kShare;
}

}  // namespace

std::unique_ptr<WindowEvaluator> MakeAggregateEvaluator(const WindowInput& input,
                                                        const WindowFunctionSpecification& function) {
  if (function.aggregate.arguments.empty() && !function.aggregate.filter &&
      function.aggregate.function.name == "count_star") {
    return std::make_unique<FrameSizeEvaluator>();
  }
  const FrameSpecification& frame = input.specification.frames[function.frame];
  const bool from_begin =
      frame.start.kind == FrameBoundKind::kUnboundedPreceding && frame.exclusion == FrameExclusion::kNoOthers;
  // Without ORDER BY all rows of a partition are peers.
  const bool to_end = frame.end.kind == FrameBoundKind::kUnboundedFollowing ||
                      (frame.end.kind == FrameBoundKind::kCurrentRow && frame.unit != FrameUnit::kRows &&
                       input.specification.order_by.empty());
  if (function.previous) return MakeDistinctEvaluator(input, function);
  const bool is_selected = function.aggregate.function.selected_value != nullptr;
  if (is_selected && !(from_begin && to_end && FitsInStates(input, function))) {
    if (auto selecting = MakePlaceEvaluator(input, function)) return selecting;
  }
  if (!from_begin) {
    if (auto sliding = MakeSlidingEvaluator(input, function)) return sliding;
    return MakeFrameEvaluator(input, function);
  }
  if (to_end) return std::make_unique<PartitionEvaluator>(input, function);
  return std::make_unique<RunningEvaluator>(input, function);
}

}  // namespace scaup
