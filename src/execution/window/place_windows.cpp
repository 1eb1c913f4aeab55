// Windowed aggregates whose result is the value at one place of a frame's values in order, as the median's.
#include <algorithm>

#include "execution/window/value_ranks.hpp"

namespace scaup {

namespace {

/// The fraction, if it is the same for all rows. Functions without one look in the middle.
std::optional<double> ConstantFraction(const WindowInput& input,
                                       const WindowFunctionSpecification& function) {
  if (function.aggregate.arguments.size() < 2) return 0.5;
  std::optional<double> fraction;
  Vector column(TypeId::kDouble);
  for (size_t begin = 0; begin < input.rows.row_count(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, input.rows.row_count() - begin);
    input.rows.Read(function.aggregate.arguments[1], begin, count, column);
    const auto* values = column.Data<double>();
    for (size_t i = 0; i < count; i++) {
      if (column.Validity() != nullptr && !TestValid(column.Validity(), i)) return std::nullopt;
      if (!fraction) fraction = values[i];
      if (values[i] != *fraction) return std::nullopt;
    }
  }
  return fraction;
}

/// Finds the values of all frames of a block together, by their ranks.
class PlaceEvaluator final : public WindowEvaluator {
 public:
  PlaceEvaluator(const WindowInput& input, const WindowFunctionSpecification& function, double fraction)
      : input_(input),
        aggregate_(function.aggregate),
        selected_(*function.aggregate.function.selected_value),
        fraction_(fraction),
        ranks_(input, aggregate_.arguments[0], aggregate_.filter) {}

  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    Arena arena;
    const AggregateCall call{input_.context.functions, aggregate_.data.get(), arena};
    Frames distinct = DistinctFrames(block, frames);
    const size_t count = distinct.places.size();
    // Places in each frame with values: the one, and the next if the result lies between them.
    std::vector<uint64_t> low(count);
    std::vector<double> parts(count);
    std::vector<sel_t> between;
    for (size_t i = 0; i < count; i++) {
      const ValuePlace place = selected_.place(call, distinct.places[i], fraction_);
      low[i] = place.index;
      parts[i] = place.part;
      if (place.part != 0 && place.index + 1 < distinct.places[i]) between.push_back(static_cast<sel_t>(i));
    }
    std::vector<ValueRanks::Range> ranges(distinct.ranges.size());
    std::vector<uint64_t> next;
    for (const sel_t i : between) {
      next.push_back(low[i] + 1);
      for (size_t r = 0; r < ranges.size(); r++) {
        ranges[r].begins.push_back(distinct.ranges[r].begins[i]);
        ranges[r].ends.push_back(distinct.ranges[r].ends[i]);
      }
    }
    ranks_.Find(distinct.ranges, low);
    if (!next.empty()) ranks_.Find(ranges, next);
    std::vector<uint64_t> high = low;
    for (size_t i = 0; i < between.size(); i++) high[between[i]] = next[i];
    Write(block.count, distinct.frame_of_row, low, high, parts, result);
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  /// The frames with values, each once, in terms of rows that have a rank.
  struct Frames {
    std::vector<size_t> frame_of_row;  ///< kNone: a frame without values
    std::vector<ValueRanks::Range> ranges;
    std::vector<uint64_t> places;  ///< number of values
  };

  Frames DistinctFrames(const BlockGroups& block, const BlockFrames& frames) const {
    Frames result;
    std::vector<ValueRanks::Range> all(frames.range_count);
    for (size_t r = 0; r < frames.range_count; r++) {
      const auto copy = [&](const std::vector<uint64_t>& from) {
        return std::vector<uint64_t>(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(block.count));
      };
      all[r] = {copy(frames.begins[r]), copy(frames.ends[r])};
      for (size_t i = 0; i < block.count; i++) all[r].ends[i] = std::max(all[r].begins[i], all[r].ends[i]);
      ranks_.CountRanked(all[r].begins);
      ranks_.CountRanked(all[r].ends);
    }
    result.frame_of_row.resize(block.count, kNone);
    result.ranges.resize(frames.range_count);
    for (size_t i = 0; i < block.count; i++) {
      if (i != 0 && frames.IsSameAsBefore(i)) {
        result.frame_of_row[i] = result.frame_of_row[i - 1];
        continue;
      }
      uint64_t value_count = 0;
      for (const ValueRanks::Range& range : all) value_count += range.ends[i] - range.begins[i];
      if (value_count == 0) continue;
      result.frame_of_row[i] = result.places.size();
      result.places.push_back(value_count);
      for (size_t r = 0; r < all.size(); r++) {
        result.ranges[r].begins.push_back(all[r].begins[i]);
        result.ranges[r].ends.push_back(all[r].ends[i]);
      }
    }
    return result;
  }

  void Write(size_t row_count, const std::vector<size_t>& frame_of_row, const std::vector<uint64_t>& low,
             const std::vector<uint64_t>& high, const std::vector<double>& parts, Vector& result) const {
    uint64_t lows[kVectorSize] = {}, highs[kVectorSize] = {};
    double row_parts[kVectorSize] = {};
    bool has_values = false;
    for (size_t i = 0; i < row_count; i++) {
      const size_t frame = frame_of_row[i];
      if (frame == kNone) continue;
      has_values = true;
      lows[i] = low[frame];
      highs[i] = high[frame];
      row_parts[i] = parts[frame];
    }
    if (has_values) {
      if (selected_.between == nullptr) {
        ranks_.Gather(lows, row_count, result);
      } else {
        Vector low_values(result.type()), high_values(result.type());
        low_values.Reset();
        high_values.Reset();
        ranks_.Gather(lows, row_count, low_values);
        ranks_.Gather(highs, row_count, high_values);
        selected_.between(low_values, high_values, row_parts, row_count, result);
      }
    }
    for (size_t i = 0; i < row_count; i++)
      if (frame_of_row[i] == kNone) result.SetNull(i);
  }

  const WindowInput input_;
  const AggregateSpecification& aggregate_;
  const SelectedValue& selected_;
  const double fraction_;
  const ValueRanks ranks_;
};

}  // namespace

std::unique_ptr<WindowEvaluator> MakePlaceEvaluator(const WindowInput& input,
                                                    const WindowFunctionSpecification& function) {
  if (function.aggregate.function.selected_value == nullptr || input.rows.row_count() > INT32_MAX)
    return nullptr;
  const std::optional<double> fraction = ConstantFraction(input, function);
  if (!fraction) return nullptr;
  return std::make_unique<PlaceEvaluator>(input, function, *fraction);
}

}  // namespace scaup
