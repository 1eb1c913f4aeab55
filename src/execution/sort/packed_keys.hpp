// Sort keys as numbers of few bits, made from what the keys of all rows have in common.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution/sort/key_rows.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Packed keys of up to 1024 rows: word 0 counts most.
struct PackedBlock {
  static constexpr size_t kMostWords = 4;
  uint64_t words[kMostWords][kVectorSize];
};

/// How keys of certain rows are packed into up to four words that order as the keys do. A number takes the
/// bits of the distance between the least and the greatest one; NULLs take a bit where there are any; of
/// strings only what follows their common beginning counts. What does not fit is left out from the end, and
/// ties are then for others to break. Immutable; any number of threads may use it.
class KeyPacking {
 public:
  /// Looks at all keys from key `first_key` on. Borrows the schema and the context.
  KeyPacking(const SortSchema& schema, const KeyRows& rows, size_t first_key, const FunctionContext& context);

  /// 0: all keys are equal, as far as they count.
  size_t bit_count() const { return bit_count_; }
  size_t word_count() const { return (bit_count_ + 63) / 64; }
  /// The first key of which not all is packed; the number of keys if all is.
  size_t undecided_key() const { return undecided_key_; }
  bool is_decisive() const { return undecided_key_ == schema_.key_columns.size(); }
  /// Where the bits of the first `key_count` keys end. REQUIRES: they are packed whole.
  size_t BitsOf(size_t key_count) const {
    return key_count == first_key_ ? 0 : key_ends_[key_count - first_key_ - 1];
  }
  /// Packs one block, from the most significant bits on.
  void Pack(const KeyRows& rows, size_t block, PackedBlock& packed) const;
  /// Words that rows of such keys take at most, more or less.
  static size_t ExpectedWords(const SortSchema& schema);

 private:
  enum class Part : uint8_t { kValidity, kNumber, kHighNumber, kStringBytes, kStringLength };
  /// One number of the packed key.
  struct Digit {
    Part part;
    size_t key;
    unsigned bits;
    size_t position;        // Of its first bit, counted from the most significant one.
    uint128_t base = 0;     // Of numbers: the least, or where they descend the greatest.
    size_t first_byte = 0;  // Of strings.
  };
  struct NumberRange;
  struct StringRange;

  bool AddNumbers(const KeyRows& rows, size_t key);
  bool AddStrings(const KeyRows& rows, size_t key);
  bool AddValidity(size_t key, bool has_null);
  /// False if there is no place.
  bool Add(Digit digit);
  size_t bits_left() const { return PackedBlock::kMostWords * 64 - bit_count_; }
  template <typename T>
  NumberRange RangeOf(const KeyRows& rows, size_t key) const;
  StringRange StringRangeOf(const KeyRows& rows, size_t key) const;
  void FillCodes(const Digit& digit, const KeyBlock& block, size_t count, uint64_t* codes) const;

  const SortSchema& schema_;
  const FunctionContext& context_;
  std::vector<Digit> digits_;
  std::vector<size_t> key_ends_;  // Of the bits of keys that are packed whole.
  size_t bit_count_ = 0;
  size_t first_key_ = 0;
  size_t undecided_key_ = 0;
};

}  // namespace scaup
