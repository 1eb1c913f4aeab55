// Asof group: rows of both sides are sorted in one go, so that their keys are compared by the sort alone.
#include "execution/asof/asof_group.hpp"

#include <algorithm>

#include "execution/sort/row_order.hpp"
#include "execution/window/sorted_rows.hpp"

namespace scaup {

namespace {

size_t RowsOf(const AsofRows& rows) {
  size_t count = 0;
  for (const ColumnCollection* collection : rows) count += collection->row_count();
  return count;
}

/// The collections of both sides, one side after the other. Rows with equal keys stay in this order when they
/// are sorted, which decides whether they match.
struct MixedRows {
  MixedRows(const AsofSpecification& specification, const AsofRows& left, const AsofRows& right)
      : left_is_first(specification.is_strict), collections(left_is_first ? left : right) {
    const AsofRows& second = left_is_first ? right : left;
    (left_is_first ? first_right : first_left) = collections.size();
    collections.insert(collections.end(), second.begin(), second.end());
  }
  bool IsLeft(uint64_t row) const {
    const size_t collection = row >> kCollectionRowBits;
    return left_is_first ? collection < first_right : collection >= first_left;
  }

  bool left_is_first;
  AsofRows collections;
  size_t first_left = 0;  ///< number of the first collection of the left side
  size_t first_right = 0;
};

}  // namespace

AsofGroup::AsofGroup(QueryContext& context, const AsofSpecification& specification, AsofRows left,
                     AsofRows right)
    : specification_(specification),
      left_(std::move(left)),
      right_(std::move(right)),
      memory_(context.memory()) {
  if (RowsOf(left_) == 0 || (RowsOf(right_) == 0 && !specification_.keeps_left)) return;
  FindMatches(context);
}

void AsofGroup::FindMatches(QueryContext& context) {
  const MixedRows mixed(specification_, left_, right_);
  const size_t row_count = RowsOf(mixed.collections);
  memory_.Resize(2 * RowsOf(left_) * sizeof(uint64_t));
  MemoryReservation order_memory(context.memory());
  order_memory.Resize(row_count * (sizeof(uint64_t) + sizeof(uint8_t)));
  const SortSchema keys = specification_.Keys(left_[0]->types());
  SharedKeys shared_keys;
  shared_keys.first_keys = specification_.equality_count();
  shared_keys.all_keys = specification_.key_count();
  LargeVector<uint64_t> order =
      OrderRows(keys, mixed.collections, row_count, context.functions, &shared_keys);
  const SortedRows rows(mixed.collections, std::move(order), std::move(shared_keys.of_row),
                        std::move(order_memory));
  SharedKeyReader reader(rows, keys.key_columns, keys.encoder.orders(), specification_.equality_count());
  left_rows_.reserve(RowsOf(left_));
  matches_.reserve(RowsOf(left_));
  uint64_t match = kNoMatch;
  bool follows_match = false;  // The row before was the match.
  for (size_t begin = 0; begin < row_count; begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, row_count - begin);
    const uint8_t* shared = reader.Read(begin, count);
    const uint64_t* sorted = rows.order().data() + begin;
    for (size_t i = 0; i < count; i++) {
      if (shared[i] == SharedKeys::kNone) match = kNoMatch;
      if (mixed.IsLeft(sorted[i])) {
        follows_match = false;
        if (match == kNoMatch && !specification_.keeps_left) continue;
        left_rows_.push_back(sorted[i] - CollectionRow(mixed.first_left, 0));
        matches_.push_back(match);
        continue;
      }
      const uint64_t row = sorted[i] - CollectionRow(mixed.first_right, 0);
      const bool is_tie = follows_match && shared[i] == SharedKeys::kAll && match != kNoMatch;
      match = is_tie ? Chosen(match, row) : row;
      follows_match = true;
    }
  }
}

int64_t AsofGroup::BatchOf(uint64_t right_row) const {
  const ColumnCollection& rows = *right_[right_row >> kCollectionRowBits];
  const uint64_t row = right_row & (CollectionRow(1, 0) - 1);
  return rows.PieceView(rows.types().size() - 1, row / kVectorSize).As<int64_t>().data[row % kVectorSize];
}

uint64_t AsofGroup::Chosen(uint64_t before, uint64_t next) const {
  // A task's rows are in the order of the source.
  const bool is_same_task = before >> kCollectionRowBits == next >> kCollectionRowBits;
  const bool is_later = is_same_task || BatchOf(before) < BatchOf(next);
  return is_later == specification_.takes_last ? next : before;
}

void AsofGroup::Produce(size_t begin, size_t count, DataChunk& output) const {
  output.ResetForWriting();
  const size_t left_width = specification_.left_columns.size();
  for (size_t i = 0; i < left_width; i++)
    GatherFrom(left_, specification_.left_columns[i], left_rows_.data() + begin, count, output.column(i));
  ProduceRight(matches_.data() + begin, count, left_width, output);
  output.SetSize(count);
}

void AsofGroup::ProduceRight(const uint64_t* matches, size_t count, size_t first_column,
                             DataChunk& output) const {
  // Rows without a match take the values of another row first, which NULLs replace.
  const uint64_t* const some =
      std::find_if(matches, matches + count, [](uint64_t m) { return m != kNoMatch; });
  const bool has_match = some != matches + count;
  uint64_t rows[kVectorSize];
  uint16_t unmatched[kVectorSize];
  size_t unmatched_count = 0;
  for (size_t i = 0; i < count; i++) {
    rows[i] = matches[i] == kNoMatch && has_match ? *some : matches[i];
    unmatched[unmatched_count] = static_cast<uint16_t>(i);
    unmatched_count += matches[i] == kNoMatch;
  }
  for (size_t i = 0; i < specification_.right_columns.size(); i++) {
    Vector& column = output.column(first_column + i);
    if (!has_match) {
      column.SetConstantNull();
      continue;
    }
    GatherFrom(right_, specification_.right_columns[i], rows, count, column);
    for (size_t u = 0; u < unmatched_count; u++) column.SetNull(unmatched[u]);
  }
}

}  // namespace scaup
