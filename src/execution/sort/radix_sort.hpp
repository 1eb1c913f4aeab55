// Radix sort: sorts packed keys by their bytes, from the most significant one on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scaup {

/// A packed key of `kWords` words and its row. Keys begin at the most significant bit of word 0.
template <size_t kWords>
struct SortEntry {
  std::array<uint64_t, kWords> words;
  uint64_t row;

  uint64_t row_index() const { return row; }
  size_t DigitAt(size_t bit) const { return words[bit / 64] >> (56 - bit % 64) & 255; }
  bool IsBefore(const SortEntry& other) const {
    for (size_t word = 0; word < kWords; word++)
      if (words[word] != other.words[word]) return words[word] < other.words[word];
    return row < other.row;
  }
  bool HasKeyOf(const SortEntry& other) const { return words == other.words; }
  /// Whether the first `bits` bits of the keys are equal.
  bool SharesBits(const SortEntry& other, size_t bits) const {
    for (size_t word = 0; word < bits / 64; word++)
      if (words[word] != other.words[word]) return false;
    return bits % 64 == 0 || (words[bits / 64] ^ other.words[bits / 64]) >> (64 - bits % 64) == 0;
  }
};

/// An entry for short keys: the row is in the last `kRowBits` bits of the key's only word.
template <unsigned kRowBits>
struct ShortSortEntry {
  uint64_t word;

  uint64_t row_index() const { return word & ((uint64_t{1} << kRowBits) - 1); }
  size_t DigitAt(size_t bit) const { return word >> (56 - bit) & 255; }
  bool IsBefore(const ShortSortEntry& other) const { return word < other.word; }
  bool HasKeyOf(const ShortSortEntry& other) const { return word >> kRowBits == other.word >> kRowBits; }
  bool SharesBits(const ShortSortEntry& other, size_t bits) const {
    return bits == 0 || (word ^ other.word) >> (64 - bits) == 0;
  }
};

/// A stable most-significant-digit radix sort with space for a copy of all entries. It moves entries back and
/// forth between both arrays, so that buckets that fit in the cache stay there. Initially entries are in the
/// order of their rows. `check` is called from time to time and may throw.
template <typename Entry, typename Check>
class RadixSorter {
 public:
  /// `bit_count` is the number of key bits that may differ.
  RadixSorter(size_t bit_count, const Check& check) : bit_count_(bit_count), check_(check) {}

  static constexpr size_t kBuckets = 256;
  static constexpr size_t kDigitBits = 8;

  /// Sorts `count` entries by the bits from `bit` on. The result is in `target`, or if `stays` in `source`.
  void Sort(Entry* source, Entry* target, size_t count, size_t bit, bool stays) const {
    if (count > kEntriesPerCheck) check_();
    size_t counts[kBuckets];
    while (true) {
      if (count <= kSmallCount || bit >= bit_count_) {
        if (bit < bit_count_) SortSmall(source, count);
        if (!stays) std::copy(source, source + count, target);
        return;
      }
      std::fill(counts, counts + kBuckets, 0);
      for (size_t i = 0; i < count; i++) counts[source[i].DigitAt(bit)]++;
      // All entries share this byte: skip it without moving them.
      if (counts[source[0].DigitAt(bit)] != count) break;
      bit += kDigitBits;
    }
    size_t ends[kBuckets];
    size_t end = 0;
    for (size_t bucket = 0; bucket < kBuckets; bucket++) {
      ends[bucket] = end;
      end += counts[bucket];
    }
    for (size_t i = 0; i < count; i++) target[ends[source[i].DigitAt(bit)]++] = source[i];
    size_t begin = 0;
    for (const size_t bucket_count : counts) {
      if (bucket_count != 0) Sort(target + begin, source + begin, bucket_count, bit + kDigitBits, !stays);
      begin += bucket_count;
    }
  }

 private:
  // Below these counts, comparing costs less than counting.
  static constexpr size_t kSmallCount = 48;
  static constexpr size_t kInsertionCount = 20;
  static constexpr size_t kEntriesPerCheck = 16384;

  static void SortSmall(Entry* entries, size_t count) {
    if (count > kInsertionCount) {
      std::sort(entries, entries + count, [](const Entry& a, const Entry& b) { return a.IsBefore(b); });
      return;
    }
    for (size_t i = 1; i < count; i++) {
      const Entry moving = entries[i];
      size_t place = i;
      for (; place != 0 && moving.IsBefore(entries[place - 1]); place--) entries[place] = entries[place - 1];
      entries[place] = moving;
    }
  }

  const size_t bit_count_;
  const Check& check_;
};

}  // namespace scaup
