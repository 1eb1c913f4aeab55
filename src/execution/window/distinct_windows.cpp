// Windowed aggregates of DISTINCT values: the rows of each frame that no row before them in the frame equals.
#include <algorithm>

#include "common/check.hpp"
#include "execution/window/window_arguments.hpp"
#include "execution/window/window_evaluator.hpp"

namespace scaup {

namespace {

/// Evaluates frame by frame. Rows know the last row before them with equal arguments, so no values are
/// compared or remembered.
class DistinctEvaluator final : public WindowEvaluator {
 public:
  DistinctEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : input_(input), function_(function) {}
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    // States may hold values, so few frames with many rows are in memory at a time.
    constexpr uint64_t kRowsAtOnce = uint64_t{32} << 10;
    for (size_t first = 0, last = 0; first < block.count; first = last) {
      for (uint64_t row_count = 0; last < block.count && (last == first || row_count < kRowsAtOnce); last++)
        row_count += frames.ends[0][last] - std::min(frames.begins[0][last], frames.ends[0][last]);
      EvaluatePart(block, frames, first, last, result);
    }
  }

 private:
  void EvaluatePart(const BlockGroups& block, const BlockFrames& frames, size_t first, size_t last,
                    Vector& result) const {
    Arena arena(&input_.context.memory());
    WindowArguments arguments(input_, function_, arena);
    const size_t state_size = arguments.function().state_size;
    std::byte* states = arguments.MakeStates(last - first);
    std::byte* finished[kVectorSize];
    for (size_t i = first; i < last; i++) {
      const bool is_same = i != first && frames.IsSameAsBefore(i);
      finished[i - first] = is_same ? finished[i - first - 1] : states + (i - first) * state_size;
      if (!is_same) {
        AddFrame(block.partition_begin[i], frames.begins[0][i], frames.ends[0][i], finished[i - first],
                 arguments);
      }
    }
    arguments.function().finalize(arguments.call(), finished, last - first, result, first);
  }

  void AddFrame(uint64_t partition_begin, uint64_t frame_begin, uint64_t frame_end, std::byte* state,
                WindowArguments& arguments) const {
    Vector previous(TypeId::kBigInt);
    uint64_t rows[kVectorSize];
    std::byte* states[kVectorSize];
    std::fill_n(states, kVectorSize, state);
    for (uint64_t begin = frame_begin; begin < frame_end; begin += kVectorSize) {
      input_.context.functions.CheckInterrupt();
      const size_t count = std::min<uint64_t>(kVectorSize, frame_end - begin);
      input_.rows.Read(*function_.previous, begin, count, previous);
      const auto numbers = previous.ViewAs<int64_t>(count);
      size_t chosen = 0;
      for (size_t i = 0; i < count; i++) {
        // Numbers count from 1 within the partition.
        const bool is_first =
            !numbers.IsValid(i) || partition_begin + static_cast<uint64_t>(numbers[i]) - 1 < frame_begin;
        rows[chosen] = begin + i;
        chosen += is_first;
      }
      if (chosen != 0) arguments.AddRows(rows, chosen, states);
    }
  }

  const WindowInput input_;
  const WindowFunctionSpecification& function_;
};

}  // namespace

std::unique_ptr<WindowEvaluator> MakeDistinctEvaluator(const WindowInput& input,
                                                       const WindowFunctionSpecification& function) {
  SCAUP_ASSERT(function.previous.has_value());
  return std::make_unique<DistinctEvaluator>(input, function);
}

}  // namespace scaup
