// Row order: packs and sorts the keys of all rows, and breaks the ties of keys not packed whole.
#include "execution/sort/row_order.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include "common/memory/large_array.hpp"
#include "common/task_scheduler.hpp"
#include "execution/sort/key_rows.hpp"
#include "execution/sort/packed_keys.hpp"
#include "execution/sort/radix_sort.hpp"
#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

constexpr size_t kAllRows = SIZE_MAX;
/// The number of blocks that justifies another thread.
constexpr size_t kBlocksPerTask = 32;
/// From this many tied rows on they are packed and sorted again, up to this recursion depth.
constexpr size_t kLeastPackedTies = 64;
constexpr size_t kMostDepth = 8;

/// A range of entries that one task fills, and its findings.
struct Slice {
  size_t first_block = 0;
  size_t end_block = 0;
  size_t begin = 0;
  size_t count = 0;
  bool is_sorted = true;
  std::array<size_t, 256> counts{};  // By the first byte of the key.
};

/// Sorts rows and breaks ties; recursive for ties of many rows.
class RowSorter {
 public:
  RowSorter(const SortSchema& schema, std::span<const ColumnCollection* const> collections,
            const FunctionContext& context)
      : schema_(schema), collections_(collections), context_(context) {}

  /// Whether the rows of the only collection are sorted; see AreInOrder.
  bool AreInOrder() const {
    bool in_order = false;
    VisitPhysicalType(PhysicalTypeOf(schema_.encoder.orders()[0].type), [&]<typename T>() {
      if constexpr (!std::is_same_v<T, StringRef>) in_order = HasOrderedNumbers<T>();
    });
    return in_order;
  }

  /// Writes the first `limit` of `rows`, sorted by the keys from `first_key` on, to `out`.
  void Order(const KeyRows& rows, size_t first_key, size_t limit, size_t depth, uint64_t* out,
             SharedKeys* shared_keys = nullptr) const;

 private:
  template <typename Entry>
  class EntryOrder;

  template <typename T>
  bool HasOrderedNumbers() const {
    const ColumnCollection& rows = *collections_[0];
    const bool descends = schema_.encoder.orders()[0].descending;
    decltype(SortableNumber(T())) before{};
    size_t ties = 0;
    for (size_t piece = 0; piece < rows.piece_count(); piece++) {
      if (piece % 1024 == 0) context_.CheckInterrupt();
      const UnifiedView view = rows.PieceView(schema_.key_columns[0], piece);
      if (view.validity != nullptr) return false;
      const T* values = view.As<T>().data;
      for (size_t i = 0; i < rows.PieceRows(piece); i++) {
        const size_t row = piece * kVectorSize + i;
        const auto number = SortableNumber(values[i]);
        if (row != 0 && number == before) {
          // Comparing whole keys takes longer than sorting.
          if (++ties > row / 8 + kVectorSize || Compare(row - 1, row, 1) > 0) return false;
        } else if (row != 0 && (number < before) != descends) {
          return false;
        }
        before = number;
      }
    }
    return true;
  }

  /// Compares two CollectionRows: negative, zero or positive.
  int Compare(uint64_t a, uint64_t b, size_t first_key) const {
    for (size_t key = first_key; key < schema_.key_columns.size(); key++) {
      const SortOrder& order = schema_.encoder.orders()[key];
      int result = 0;
      VisitPhysicalType(PhysicalTypeOf(order.type), [&]<typename T>() {
        const auto value_of = [&](uint64_t row) {
          const uint64_t place = row & (CollectionRow(1, 0) - 1);
          const UnifiedView view = collections_[row >> kCollectionRowBits]->PieceView(
              schema_.key_columns[key], place / kVectorSize);
          return view.IsValid(place % kVectorSize) ? view.As<T>().data + place % kVectorSize : nullptr;
        };
        const T* left = value_of(a);
        const T* right = value_of(b);
        if (left == nullptr || right == nullptr) {
          if (left != right) result = (left == nullptr) == order.nulls_first ? -1 : 1;
          return;
        }
        if constexpr (std::is_same_v<T, StringRef>) {
          const auto relation = *left <=> *right;
          result = relation < 0 ? -1 : relation > 0 ? 1 : 0;
        } else {
          const auto left_number = SortableNumber(*left), right_number = SortableNumber(*right);
          result = left_number < right_number ? -1 : left_number > right_number ? 1 : 0;
        }
        if (order.descending) result = -result;
      });
      if (result != 0) return result;
    }
    return 0;
  }

  /// Sorts rows that have equal packed keys and are in arrival order.
  void BreakTies(uint64_t* rows, size_t count, size_t first_key, size_t depth) const {
    if (count >= kLeastPackedTies && depth < kMostDepth) {
      const std::vector<uint64_t> tied(rows, rows + count);
      Order(KeyRows(collections_, tied), first_key, kAllRows, depth + 1, rows);
      return;
    }
    size_t compared = 0;
    std::stable_sort(rows, rows + count, [&](uint64_t a, uint64_t b) {
      if (++compared % 16384 == 0) context_.CheckInterrupt();
      return Compare(a, b, first_key) < 0;
    });
  }

  const SortSchema& schema_;
  const std::span<const ColumnCollection* const> collections_;
  const FunctionContext& context_;
};

template <typename Entry>
class RowSorter::EntryOrder {
 public:
  EntryOrder(const RowSorter& sorter, const KeyPacking& packing, const KeyRows& rows, size_t limit,
             size_t depth, uint64_t* out)
      : sorter_(sorter), packing_(packing), rows_(rows), limit_(limit), depth_(depth), out_(out) {}

  void Run() {
    MakeSlices();
    entries_.emplace(rows_.row_count());
    ForEach(slices_.size(), [&](size_t i) { Fill(slices_[i]); });
    Sort();
  }

  /// Reports which keys rows share with the previous row. Called after Run.
  void Tell(SharedKeys& shared_keys) const {
    if (!packing_.is_decisive()) return;
    const size_t first_bits = packing_.BitsOf(shared_keys.first_keys);
    const size_t all_bits = packing_.BitsOf(shared_keys.all_keys);
    shared_keys.of_row = LargeVector<uint8_t>(rows_.row_count());
    uint8_t* of_row = shared_keys.of_row.data();
    of_row[0] = SharedKeys::kNone;
    const Entry* entries = entries_->data();
    for (size_t i = 1; i < rows_.row_count(); i++) {
      of_row[i] = static_cast<uint8_t>((entries[i].SharesBits(entries[i - 1], first_bits) ? 1 : 0) +
                                       (entries[i].SharesBits(entries[i - 1], all_bits) ? 1 : 0));
    }
  }

 private:
  void Sort() {
    // Sorted input is common: keys of a table in its order.
    if (IsSorted()) return Emit(0, rows_.row_count());
    copy_.emplace(rows_.row_count());
    const auto check = [&] { sorter_.context_.CheckInterrupt(); };
    const RadixSorter<Entry, decltype(check)> radix(packing_.bit_count(), check);
    if (slices_.size() == 1) {
      radix.Sort(entries_->data(), copy_->data(), rows_.row_count(), 0, true);
      return Emit(0, rows_.row_count());
    }
    std::vector<size_t> begins = Scatter();
    std::atomic<size_t> next{0};
    ForEach(slices_.size(), [&](size_t) {
      for (size_t bucket = next++; bucket + 1 < begins.size(); bucket = next++) {
        const size_t begin = begins[bucket], count = begins[bucket + 1] - begin;
        // A bucket beyond the limit has no rows to output.
        if (count == 0 || begin >= limit_) continue;
        radix.Sort(copy_->data() + begin, entries_->data() + begin, count, radix.kDigitBits, false);
        Emit(begin, begin + count);
      }
    });
  }

  template <typename Body>
  void ForEach(size_t count, const Body& body) {
    if (count == 1) return body(0);
    sorter_.context_.scheduler.RunAll(count, body);
  }

  void MakeSlices() {
    const size_t blocks = rows_.block_count();
    const size_t threads = depth_ != 0 ? 1 : sorter_.context_.scheduler.thread_count();
    const size_t count = std::clamp<size_t>(blocks / kBlocksPerTask, 1, threads);
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
      Slice slice;
      slice.first_block = i * blocks / count;
      slice.end_block = (i + 1) * blocks / count;
      slice.begin = begin;
      for (size_t block = slice.first_block; block < slice.end_block; block++)
        slice.count += rows_.BlockRows(block);
      begin += slice.count;
      slices_.push_back(slice);
    }
  }

  static void Assign(Entry& entry, const PackedBlock& packed, size_t row, uint64_t index) {
    if constexpr (requires { entry.words; }) {
      for (size_t word = 0; word < entry.words.size(); word++) entry.words[word] = packed.words[word][row];
      entry.row = index;
    } else {
      entry.word = packed.words[0][row] | index;
    }
  }

  void Fill(Slice& slice) {
    PackedBlock packed;
    if (packing_.bit_count() == 0) std::fill(packed.words[0], packed.words[0] + kVectorSize, 0);
    Entry* out = entries_->data() + slice.begin;
    for (size_t block = slice.first_block; block < slice.end_block; block++) {
      if (block % 64 == 0) sorter_.context_.CheckInterrupt();
      packing_.Pack(rows_, block, packed);
      const size_t count = rows_.BlockRows(block);
      for (size_t row = 0; row < count; row++) {
        Assign(out[row], packed, row, block * kVectorSize + row);
        slice.counts[out[row].DigitAt(0)]++;
      }
      out += count;
    }
    const Entry* entries = entries_->data() + slice.begin;
    slice.is_sorted = std::is_sorted(entries, entries + slice.count, IsBefore);
  }

  static bool IsBefore(const Entry& a, const Entry& b) { return a.IsBefore(b); }

  bool IsSorted() const {
    for (const Slice& slice : slices_) {
      const Entry* first = entries_->data() + slice.begin;
      if (!slice.is_sorted || (slice.begin != 0 && first->IsBefore(first[-1]))) return false;
    }
    return true;
  }

  /// Moves all entries to the copy by the first byte of their keys. Returns the offset of each bucket.
  std::vector<size_t> Scatter() {
    std::vector<size_t> begins;
    size_t begin = 0;
    for (size_t bucket = 0; bucket < 256; bucket++) {
      begins.push_back(begin);
      for (Slice& slice : slices_) begin += std::exchange(slice.counts[bucket], begin);
    }
    begins.push_back(begin);
    ForEach(slices_.size(), [&](size_t i) {
      Slice& slice = slices_[i];
      const Entry* entries = entries_->data() + slice.begin;
      for (size_t row = 0; row < slice.count; row++)
        copy_->data()[slice.counts[entries[row].DigitAt(0)]++] = entries[row];
    });
    return begins;
  }

  /// Writes the rows of the sorted entries [begin, end), which have no ties with other entries.
  void Emit(size_t begin, size_t end) {
    const Entry* entries = entries_->data();
    if (packing_.is_decisive()) {
      for (size_t i = begin; i < std::min(end, limit_); i++) out_[i] = rows_.RowAt(entries[i].row_index());
      return;
    }
    std::vector<uint64_t> tied;
    while (begin < std::min(end, limit_)) {
      tied.clear();
      size_t next = begin;
      do {
        tied.push_back(rows_.RowAt(entries[next].row_index()));
        next++;
      } while (next < end && entries[next].HasKeyOf(entries[begin]));
      if (tied.size() > 1) sorter_.BreakTies(tied.data(), tied.size(), packing_.undecided_key(), depth_);
      std::copy_n(tied.begin(), std::min(tied.size(), limit_ - begin), out_ + begin);
      begin = next;
    }
  }

  const RowSorter& sorter_;
  const KeyPacking& packing_;
  const KeyRows& rows_;
  const size_t limit_;
  const size_t depth_;
  uint64_t* const out_;
  std::vector<Slice> slices_;
  std::optional<LargeArray<Entry>> entries_;
  std::optional<LargeArray<Entry>> copy_;
};

void RowSorter::Order(const KeyRows& rows, size_t first_key, size_t limit, size_t depth, uint64_t* out,
                      SharedKeys* shared_keys) const {
  if (rows.row_count() == 0) return;
  const KeyPacking packing(schema_, rows, first_key, context_);
  const uint64_t index_end = rows.block_count() * kVectorSize;
  const size_t bits = packing.bit_count();
  const auto order = [&]<typename Entry>() {
    EntryOrder<Entry> entries(*this, packing, rows, limit, depth, out);
    entries.Run();
    if (shared_keys != nullptr) entries.Tell(*shared_keys);
    // Short keys share a word with the row's index, which halves the memory that the sort moves.
  };
  if (bits <= 40 && index_end <= uint64_t{1} << 24) return order.template operator()<ShortSortEntry<24>>();
  if (bits <= 32 && index_end <= uint64_t{1} << 32) return order.template operator()<ShortSortEntry<32>>();
  switch (packing.word_count()) {
    case 0:
    case 1: return order.template operator()<SortEntry<1>>();
    case 2: return order.template operator()<SortEntry<2>>();
    case 3: return order.template operator()<SortEntry<3>>();
    default: return order.template operator()<SortEntry<4>>();
  }
}

}  // namespace

LargeVector<uint64_t> OrderRows(const SortSchema& schema,
                                std::span<const ColumnCollection* const> collections, size_t limit,
                                const FunctionContext& context, SharedKeys* shared_keys) {
  const KeyRows rows(collections);
  LargeVector<uint64_t> order(std::min(limit, rows.row_count()));
  if (!order.empty())
    RowSorter(schema, collections, context).Order(rows, 0, limit, 0, order.data(), shared_keys);
  return order;
}

bool AreInOrder(const SortSchema& schema, const ColumnCollection& rows, const FunctionContext& context) {
  if (schema.key_columns.empty()) return true;
  const ColumnCollection* collection = &rows;
  return RowSorter(schema, {&collection, 1}, context).AreInOrder();
}

size_t OrderBytes(const SortSchema& schema) {
  // Entries, and their copy.
  return 2 * (KeyPacking::ExpectedWords(schema) + 1) * sizeof(uint64_t);
}

}  // namespace scaup
