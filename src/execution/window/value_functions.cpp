// Window functions that return a value of another row: lag, lead, first_value, last_value, nth_value.
#include <algorithm>

#include "common/throw.hpp"
#include "execution/window/window_evaluator.hpp"

namespace scaup {

namespace {

constexpr uint64_t kNoRow = UINT64_MAX;

/// result[i] = column[places[i]], NULL for kNoRow.
void GatherPlaces(const SortedRows& rows, size_t column, const BlockGroups& block, uint64_t* places,
                  Vector& result) {
  std::vector<size_t> missing;
  for (size_t i = 0; i < block.count; i++) {
    if (places[i] != kNoRow) continue;
    missing.push_back(i);
    places[i] = block.begin + i;
  }
  rows.Gather(column, places, block.count, result);
  for (const size_t row : missing) {
    // Do not leave a reference to a string that may be freed, even in a NULL row.
    if (result.physical_type() == PhysicalType::kString) result.MutableData<StringRef>()[row] = StringRef();
    result.SetNull(row);
    places[row] = kNoRow;
  }
}

/// BIGINT arguments by row, with their NULLs.
struct Counts {
  Counts(const SortedRows& rows, size_t column, const BlockGroups& block) : values(TypeId::kBigInt) {
    rows.Read(column, block.begin, block.count, values);
  }
  bool IsNull(size_t row) const { return values.Validity() != nullptr && !TestValid(values.Validity(), row); }
  int64_t operator[](size_t row) const { return values.Data<int64_t>()[row]; }
  Vector values;
};

/// The rows whose value in a column is not NULL, ascending. Immutable.
class PresentRows {
 public:
  PresentRows(const WindowInput& input, size_t column) : memory_(input.context.memory()) {
    Vector values(input.rows.types()[column]);
    for (size_t begin = 0; begin < input.rows.row_count(); begin += kVectorSize) {
      input.context.functions.CheckInterrupt();
      const size_t count = std::min(kVectorSize, input.rows.row_count() - begin);
      input.rows.Read(column, begin, count, values);
      const UnifiedView view = values.View(count);
      memory_.Resize((rows_.size() + count) * sizeof(uint64_t));
      for (size_t i = 0; i < count; i++) {
        if (view.IsValid(i)) rows_.push_back(begin + i);
      }
    }
  }

  size_t size() const { return rows_.size(); }
  uint64_t operator[](size_t index) const { return rows_[index]; }
  /// Returns the number of these rows before `row`.
  size_t CountBefore(uint64_t row) const {
    return static_cast<size_t>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
  }

 private:
  MemoryReservation memory_;
  std::vector<uint64_t> rows_;
};

std::unique_ptr<PresentRows> PresentRowsFor(const WindowInput& input,
                                            const WindowFunctionSpecification& function) {
  if (!function.ignores_nulls) return nullptr;
  return std::make_unique<PresentRows>(input, function.arguments[0]);
}

/// lag and lead.
class LagEvaluator final : public WindowEvaluator {
 public:
  LagEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : rows_(input.rows), function_(function), present_(PresentRowsFor(input, function)) {}

  void Evaluate(const BlockGroups& block, const BlockFrames&, Vector& result) const override {
    uint64_t places[kVectorSize];
    std::vector<size_t> outside;  // Rows that get the default.
    const bool is_lead = function_.kind == WindowFunctionKind::kLead;
    std::optional<Counts> offsets;
    if (function_.arguments.size() > 1) offsets.emplace(rows_, function_.arguments[1], block);
    for (size_t i = 0; i < block.count; i++) {
      places[i] = kNoRow;
      if (offsets && offsets->IsNull(i)) continue;
      const int64_t offset = offsets ? (*offsets)[i] : 1;
      const uint64_t row = block.begin + i;
      const uint64_t distance =
          offset < 0 ? 0 - static_cast<uint64_t>(offset) : static_cast<uint64_t>(offset);
      if (present_) {
        places[i] = PresentRowAt(block, i, distance, is_lead == (offset >= 0));
      } else if (is_lead == (offset >= 0)) {
        if (distance < block.partition_end[i] - row) places[i] = row + distance;
      } else {
        if (distance <= row - block.partition_begin[i]) places[i] = row - distance;
      }
      if (places[i] == kNoRow) outside.push_back(i);
    }
    GatherPlaces(rows_, function_.arguments[0], block, places, result);
    if (function_.arguments.size() < 3 || outside.empty()) return;
    Vector defaults(result.type());
    rows_.Read(function_.arguments[2], block.begin, block.count, defaults);
    const UnifiedView view = defaults.View(block.count);
    for (const size_t row : outside) {
      if (!view.IsValid(row)) continue;
      SetValid(result.MutableValidity(), row);
      CopyRow(view, row, result, row);
    }
  }

 private:
  /// Returns the row that is so many rows with values away, within the partition.
  uint64_t PresentRowAt(const BlockGroups& block, size_t i, uint64_t distance, bool is_after) const {
    const uint64_t row = block.begin + i;
    if (distance == 0) return row;
    const size_t before = present_->CountBefore(is_after ? row + 1 : row);
    if (is_after) {
      if (distance > present_->size() - before) return kNoRow;
      const uint64_t found = (*present_)[before + distance - 1];
      return found < block.partition_end[i] ? found : kNoRow;
    }
    if (distance > before) return kNoRow;
    const uint64_t found = (*present_)[before - distance];
    return found >= block.partition_begin[i] ? found : kNoRow;
  }

  const SortedRows& rows_;
  const WindowFunctionSpecification& function_;
  const std::unique_ptr<const PresentRows> present_;  // Null unless NULLs are ignored.
};

/// first_value, last_value and nth_value.
class FrameValueEvaluator final : public WindowEvaluator {
 public:
  FrameValueEvaluator(const WindowInput& input, const WindowFunctionSpecification& function)
      : rows_(input.rows), function_(function), present_(PresentRowsFor(input, function)) {}
  bool needs_frames() const override { return true; }

  void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const override {
    uint64_t places[kVectorSize];
    if (function_.kind == WindowFunctionKind::kFirstValue) {
      for (size_t i = 0; i < block.count; i++) places[i] = Nth(frames, i, 0);
    } else if (function_.kind == WindowFunctionKind::kLastValue) {
      for (size_t i = 0; i < block.count; i++) places[i] = Last(frames, i);
    } else {
      const Counts counts(rows_, function_.arguments[1], block);
      for (size_t i = 0; i < block.count; i++) {
        places[i] = kNoRow;
        if (counts.IsNull(i)) continue;
        if (counts[i] <= 0) {
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidNthValueArgument,
                     "argument of nth_value must be greater than zero");
        }
        places[i] = Nth(frames, i, static_cast<uint64_t>(counts[i]) - 1);
      }
    }
    GatherPlaces(rows_, function_.arguments[0], block, places, result);
  }

 private:
  uint64_t Nth(const BlockFrames& frames, size_t row, uint64_t n) const {
    for (size_t r = 0; r < frames.range_count; r++) {
      if (present_) {
        const size_t begin = present_->CountBefore(frames.begins[r][row]);
        const size_t size =
            present_->CountBefore(std::max(frames.begins[r][row], frames.ends[r][row])) - begin;
        if (n < size) return (*present_)[begin + n];
        n -= size;
        continue;
      }
      const uint64_t size = frames.ends[r][row] - frames.begins[r][row];
      if (n < size) return frames.begins[r][row] + n;
      n -= size;
    }
    return kNoRow;
  }
  uint64_t Last(const BlockFrames& frames, size_t row) const {
    for (size_t r = frames.range_count; r-- > 0;) {
      if (present_) {
        const size_t end = present_->CountBefore(frames.ends[r][row]);
        if (end != 0 && (*present_)[end - 1] >= frames.begins[r][row]) return (*present_)[end - 1];
        continue;
      }
      if (frames.begins[r][row] < frames.ends[r][row]) return frames.ends[r][row] - 1;
    }
    return kNoRow;
  }

  const SortedRows& rows_;
  const WindowFunctionSpecification& function_;
  const std::unique_ptr<const PresentRows> present_;  // Null unless NULLs are ignored.
};

}  // namespace

std::unique_ptr<WindowEvaluator> MakeValueEvaluator(const WindowInput& input,
                                                    const WindowFunctionSpecification& function) {
  if (function.kind == WindowFunctionKind::kLag || function.kind == WindowFunctionKind::kLead)
    return std::make_unique<LagEvaluator>(input, function);
  return std::make_unique<FrameValueEvaluator>(input, function);
}

}  // namespace scaup
