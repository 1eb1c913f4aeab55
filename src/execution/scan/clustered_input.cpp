// Clustered input: finds columns whose ranges do not overlap between batches, and splits off border rows.
#include "execution/scan/clustered_input.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "execution/rows/visit_integer.hpp"

namespace scaup {

namespace {

/// Up to this many values, one hash table of all groups fits into the CPU caches, and clustering gains
/// nothing.
constexpr uint64_t kFewValues = 64 * 1024;

/// Returns whether the ranges have at most ends in common, and cover at least kFewValues values.
bool AreApart(std::vector<BatchRange> ranges) {
  // Batches without values have no range to compare.
  std::erase_if(ranges, [](const BatchRange& range) { return range.least > range.greatest; });
  if (ranges.size() < 2) return false;
  std::sort(ranges.begin(), ranges.end(), [](const BatchRange& a, const BatchRange& b) {
    return a.least != b.least ? a.least < b.least : a.greatest < b.greatest;
  });
  uint64_t values = 0;
  for (size_t i = 0; i < ranges.size(); i++) {
    if (i != 0 && ranges[i - 1].greatest > ranges[i].least) return false;
    // The unsigned difference cannot overflow, and the cap ensures that the sum does not either.
    const uint64_t width = static_cast<uint64_t>(ranges[i].greatest) - static_cast<uint64_t>(ranges[i].least);
    values += std::min(width, kFewValues);
  }
  return values >= kFewValues;
}

template <typename T>
size_t SplitByRange(const TypedView<T>& keys, size_t count, const BatchRange& range, sel_t* borders,
                    sel_t* inner) {
  const T least = static_cast<T>(range.least), greatest = static_cast<T>(range.greatest);
  const auto is_border = [&](size_t row) { return keys[row] == least || keys[row] == greatest; };
  // Most chunks have no border rows. This loop has no branches, so it is cheaper than the one that splits.
  if (keys.all_valid()) {
    bool any = false;
    for (size_t row = 0; row < count; row++) any |= is_border(row);
    if (!any) return 0;
  }
  size_t border_count = 0;
  for (size_t row = 0; row < count; row++) {
    // Branch-free: both lists get the row, but only one of them advances past it.
    borders[border_count] = inner[row - border_count] = static_cast<sel_t>(row);
    border_count += !keys.IsValid(row) || is_border(row) ? 1 : 0;
  }
  return border_count;
}

}  // namespace

std::optional<KeyClusters> KeyClusters::Find(QueryContext& context, const PhysicalOperator& input,
                                             SharedState& input_shared, size_t column_count) {
  for (size_t column = 0; column < column_count; column++) {
    std::vector<BatchRange> ranges = input.BatchRanges(context, input_shared, column);
    if (AreApart(ranges)) return KeyClusters(column, std::move(ranges));
  }
  return std::nullopt;
}

size_t KeyClusters::Split(DataChunk& chunk, sel_t* borders, sel_t* inner) const {
  const size_t count = chunk.size();
  Vector& keys = chunk.column(column_);
  // Joins may emit unmatched rows after all batches. Their keys are NULL, so any range makes them border
  // rows.
  const BatchRange range = chunk.batch_index < ranges_.size() ? ranges_[chunk.batch_index] : BatchRange{};
  size_t border_count = 0;
  const bool is_integer = VisitInteger(keys.physical_type(), [&]<typename T>() {
    border_count = SplitByRange(keys.ViewAs<T>(count), count, range, borders, inner);
  });
  SCAUP_CHECK(is_integer);
  return border_count;
}

ClusteredInput::ClusteredInput(const KeyClusters& clusters, const PhysicalOperator& input,
                               SharedState& input_shared, LocalState& input_local)
    : clusters_(clusters),
      input_(input),
      input_shared_(input_shared),
      input_local_(input_local),
      chunk_(input.types()),
      picked_(input.types()) {}

void ClusteredInput::Pull(QueryContext& context) {
  // picked_ shares chunk_'s buffers. A buffer is reused for the next chunk only if nothing else refers to it.
  picked_.Release();
  input_.Next(context, input_shared_, input_local_, chunk_);
  has_chunk_ = true;
}

DataChunk& ClusteredInput::Pick(std::span<const sel_t> rows) {
  picked_.Release();
  auto selection = std::make_shared<SelectionVector>();
  std::copy(rows.begin(), rows.end(), selection->rows);
  picked_.Slice(chunk_, selection, rows.size());
  return picked_;
}

}  // namespace scaup
