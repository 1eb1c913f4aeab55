// Run merge: a tree of losers over the first key bytes that differ within the range; whole keys break ties.
#include "execution/sort/run_merge.hpp"

#include <algorithm>
#include <numeric>

#include "type/sortable_bytes.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

/// Loads the bytes [begin, begin + size_bytes) of `count` keys as integers in the same order.
void MakeWords(const std::byte* keys, size_t key_bytes, size_t count, size_t begin, size_t size_bytes,
               uint64_t* words) {
  keys += begin;
  if (size_bytes == sizeof(uint64_t)) {
    for (size_t i = 0; i < count; i++) words[i] = LoadBigEndian<uint64_t>(keys + i * key_bytes);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t word = 0;
    for (size_t byte = 0; byte < size_bytes; byte++)
      word = word << 8 | static_cast<uint64_t>(keys[i * key_bytes + byte]);
    words[i] = word;
  }
}

}  // namespace

void MergedRows::Gather(size_t column, Vector& output) const {
  std::vector<const std::byte*> values;
  bool may_have_nulls = false;
  for (const auto& block : blocks) {
    values.push_back(block->rows.column(column).Data<std::byte>());
    may_have_nulls |= block->rows.column(column).Validity() != nullptr;
  }
  VisitWidth(PhysicalSize(output.physical_type()), [&]<size_t kBytes>() {
    std::byte* out = output.MutableData<std::byte>();
    for (size_t i = 0; i < count; i++)
      std::memcpy(out + i * kBytes, values[places[i].block] + places[i].row * kBytes, kBytes);
  });
  if (!may_have_nulls) return;
  for (size_t i = 0; i < count; i++) {
    const ValidityWord* validity = blocks[places[i].block]->rows.column(column).Validity();
    if (validity != nullptr && !TestValid(validity, places[i].row)) output.SetNull(i);
  }
}

void MergedRows::Gather(DataChunk& output) const {
  output.ResetForWriting();
  for (size_t i = 0; i < output.column_count(); i++) Gather(i, output.column(i));
  output.SetSize(count);
}

uint64_t MergeRange::row_count() const {
  return std::reduce(ends.begin(), ends.end(), uint64_t{0}) -
         std::reduce(begins.begin(), begins.end(), uint64_t{0});
}

RunMerge::RunMerge(QueryContext& context, const SortSchema& schema, std::span<SpilledRun> runs,
                   const MergeRange& range)
    : context_(context), schema_(schema) {
  const size_t comparable_bytes = schema.encoder.comparable_bytes();
  const size_t known_bytes = std::min({comparable_bytes, range.least_key.size(), range.greatest_key.size()});
  const auto common_end = range.least_key.begin() + static_cast<std::ptrdiff_t>(known_bytes);
  word_begin_ = static_cast<size_t>(
      std::mismatch(range.least_key.begin(), common_end, range.greatest_key.begin()).first -
      range.least_key.begin());
  word_bytes_ = std::min(sizeof(uint64_t), comparable_bytes - word_begin_);
  is_decisive_ = !schema.encoder.has_strings() && word_begin_ + word_bytes_ == schema.encoder.key_bytes();
  for (size_t i = 0; i < runs.size(); i++) {
    if (range.begins[i] == range.ends[i]) continue;
    cursors_.push_back(
        {SpilledRunReader(context.temporary_storage, schema, runs[i], range.begins[i], range.ends[i])});
    Load(cursors_.back());
  }
  tree_.resize(std::max<size_t>(cursors_.size(), 1), kEnd);
  if (!cursors_.empty()) tree_[0] = Play(1);
}

// Loads the next block of a run; false at its end.
bool RunMerge::Load(Cursor& cursor) {
  if (!cursor.reader.Next()) return false;
  cursor.row = cursor.reader.first_in_block();
  cursor.end = cursor.reader.end_in_block();
  const SpilledBlock& block = *cursor.reader.block();
  cursor.words.resize(block.row_count());
  MakeWords(block.keys.data(), schema_.encoder.key_bytes(), block.row_count(), word_begin_, word_bytes_,
            cursor.words.data());
  return true;
}

bool RunMerge::IsRowBefore(size_t a, size_t b) const {
  const Cursor& left = cursors_[a];
  const Cursor& right = cursors_[b];
  const SpilledBlock& left_block = *left.reader.block();
  const SpilledBlock& right_block = *right.reader.block();
  const SortKeyEncoder& encoder = schema_.encoder;
  const size_t key_bytes = encoder.key_bytes();
  const int order = encoder.Compare(
      left_block.KeyOf(left.row, key_bytes), right_block.KeyOf(right.row, key_bytes),
      [&](size_t key) { return left_block.StringOf(schema_, key, left.row); },
      [&](size_t key) { return right_block.StringOf(schema_, key, right.row); });
  return order != 0 ? order < 0 : a < b;
}

template <bool kIsDecisive>
bool RunMerge::IsBefore(Entry a, Entry b) const {
  if constexpr (!kIsDecisive) {
    if (a >> kCursorBits == b >> kCursorBits && a != kEnd) return IsRowBefore(CursorOf(a), CursorOf(b));
  }
  return a < b;
}

// Plays all matches below a node and returns the winner. Node numbers from cursors_.size() on are cursors.
RunMerge::Entry RunMerge::Play(size_t node) {
  if (node >= cursors_.size()) return EntryOf(node - cursors_.size());
  const Entry left = Play(2 * node);
  const Entry right = Play(2 * node + 1);
  const bool is_right = is_decisive_ ? IsBefore<true>(right, left) : IsBefore<false>(right, left);
  tree_[node] = is_right ? left : right;
  return is_right ? right : left;
}

// Replays the matches on the path of the last winner, which has a new entry.
template <bool kIsDecisive>
void RunMerge::Replay(size_t cursor, Entry entry) {
  for (size_t node = (cursor + cursors_.size()) / 2; node != 0; node /= 2) {
    const Entry other = tree_[node];
    const bool is_before = IsBefore<kIsDecisive>(other, entry);
    tree_[node] = is_before ? entry : other;
    entry = is_before ? other : entry;
  }
  tree_[0] = entry;
}

template <bool kIsDecisive>
void RunMerge::Fill(size_t most, MergedRows& rows) {
  // The exhausted block was still in use by the rows of the last call; now it can be replaced.
  if (exhausted_ != nullptr) {
    const auto index = static_cast<size_t>(exhausted_ - cursors_.data());
    exhausted_ = nullptr;
    Replay<kIsDecisive>(index, Load(cursors_[index]) ? EntryOf(index) : kEnd);
  }
  for (Cursor& cursor : cursors_) {
    if (cursor.reader.block() == nullptr) continue;
    cursor.block = static_cast<uint32_t>(rows.blocks.size());
    rows.blocks.push_back(cursor.reader.block());
  }
  const size_t most_blocks = cursors_.size() + kExtraMergeBlocks;
  while (rows.count < most && tree_[0] != kEnd) {
    const size_t index = CursorOf(tree_[0]);
    Cursor& cursor = cursors_[index];
    rows.places[rows.count++] = {cursor.block, static_cast<uint32_t>(cursor.row)};
    if (++cursor.row != cursor.end) {
      Replay<kIsDecisive>(index, EntryOf(index));
      continue;
    }
    // Enough blocks are pinned: end this batch, so that the caller releases them before the next block is
    // read.
    if (rows.blocks.size() == most_blocks) {
      exhausted_ = &cursor;
      return;
    }
    if (!Load(cursor)) {
      Replay<kIsDecisive>(index, kEnd);
      continue;
    }
    cursor.block = static_cast<uint32_t>(rows.blocks.size());
    rows.blocks.push_back(cursor.reader.block());
    Replay<kIsDecisive>(index, EntryOf(index));
  }
}

void RunMerge::Next(size_t most, MergedRows& rows) {
  context_.functions.CheckInterrupt();
  rows.count = 0;
  rows.blocks.clear();
  if (is_decisive_) {
    Fill<true>(most, rows);
  } else {
    Fill<false>(most, rows);
  }
}

}  // namespace scaup
