// Sliding windows: aggregates over short frames that move forward, computed from the frames' own rows.
#include <algorithm>
#include <cstring>

#include "execution/window/window_evaluator.hpp"

namespace scaup {

namespace {

/// Reads the union of a block's frames once, and slides over it.
class SlidingEvaluator final : public WindowEvaluator {
 public:
  SlidingEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : input_(input), function_(function.aggregate), column_(function.aggregate.arguments[0]) {}
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    const uint64_t first = frames.begins[0][0];
    const uint64_t end = std::max(first, frames.ends[0][block.count - 1]);
    const size_t value_bytes = PhysicalSize(input_.rows.types()[column_]);
    // Rounded up to whole blocks, so that validity bits fall on word boundaries.
    const size_t room = (end - first + kVectorSize - 1) / kVectorSize * kVectorSize;
    std::vector<std::byte> values(room * value_bytes);
    std::vector<ValidityWord> validity;
    Vector part(input_.rows.types()[column_]);
    for (uint64_t row = first; row < end; row += kVectorSize) {
      const size_t count = std::min<uint64_t>(kVectorSize, end - row);
      input_.rows.Read(column_, row, count, part);
      std::memcpy(values.data() + (row - first) * value_bytes, part.Data<std::byte>(), count * value_bytes);
      if (part.Validity() == nullptr) continue;
      if (validity.empty()) validity.assign(room / 64, ~ValidityWord{0});
      std::copy_n(part.Validity(), kVectorSize / 64, validity.data() + (row - first) / 64);
    }
    uint64_t begins[kVectorSize], ends[kVectorSize];
    for (size_t i = 0; i < block.count; i++) {
      begins[i] = frames.begins[0][i] - first;
      ends[i] = frames.ends[0][i] - first;
    }
    Arena arena;
    const AggregateCall call{input_.context.functions, function_.data.get(), arena};
    function_.function.slide(call, {values.data(), validity.empty() ? nullptr : validity.data()}, begins,
                             ends, block.count, result);
  }

 private:
  const WindowInput input_;
  const AggregateSpecification& function_;
  const size_t column_;
};

}  // namespace

std::unique_ptr<WindowEvaluator> MakeSlidingEvaluator(const WindowInput& input,
                                                      const WindowFunctionSpecification& function) {
  const FrameSpecification& frame = input.specification.frames[function.frame];
  const AggregateSpecification& aggregate = function.aggregate;
  if (aggregate.function.slide == nullptr || aggregate.arguments.size() != 1 || aggregate.filter ||
      !frame.IsShort(aggregate.function.most_slide_rows)) {
    return nullptr;
  }
  return std::make_unique<SlidingEvaluator>(input, function);
}

}  // namespace scaup
