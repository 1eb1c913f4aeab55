// Packed keys: sort keys as integers of few bits, without what the keys of all rows have in common.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/check.hpp"
#include "execution/sort/key_rows.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// The packed keys of up to 1024 rows; word 0 is most significant.
struct PackedBlock {
  static constexpr size_t kMostWords = 4;
  uint64_t words[kMostWords][kVectorSize];
};

/// Describes how the keys of certain rows are packed into up to four words with the same order. A number
/// takes the bits of the distance between the least and the greatest number. NULLs take one bit if there are
/// any. A string contributes only what follows the common prefix. Keys that do not fit are cut off at the
/// end, and the caller breaks ties. Immutable; any number of threads may use it.
class KeyPacking {
 public:
  /// Examines all keys from key `first_key` on. Borrows the schema and the context.
  KeyPacking(const SortSchema& schema, const KeyRows& rows, size_t first_key, const FunctionContext& context);

  /// 0 if all keys are equal, as far as they are packed.
  size_t bit_count() const { return bit_count_; }
  size_t word_count() const { return (bit_count_ + 63) / 64; }
  /// The first key that is not packed whole; the number of keys if all are.
  size_t undecided_key() const { return undecided_key_; }
  bool is_decisive() const { return undecided_key_ == schema_.key_columns.size(); }
  /// The number of bits of the first `key_count` keys. REQUIRES: they are packed whole.
  size_t BitsOf(size_t key_count) const {
    SCAUP_ASSERT(key_count <= undecided_key_);
    return key_count == first_key_ ? 0 : key_ends_[key_count - first_key_ - 1];
  }
  /// Packs one block, beginning at the most significant bits.
  void Pack(const KeyRows& rows, size_t block, PackedBlock& packed) const;
  /// The approximate maximum of words that rows with such keys take.
  static size_t ExpectedWords(const SortSchema& schema);

 private:
  /// The kinds of components of a packed key.
  enum class Part : uint8_t { kValidity, kNumber, kHighNumber, kStringBytes, kStringLength };
  /// One component of the packed key.
  struct Digit {
    Part part;
    size_t key;
    unsigned bits;
    size_t position;        // First bit, counted from the most significant one.
    uint128_t base = 0;     // Numbers: the least; if descending, the greatest.
    size_t first_byte = 0;  // Strings only.
  };
  struct NumberRange;
  struct StringRange;

  bool AddNumbers(const KeyRows& rows, size_t key);
  bool AddStrings(const KeyRows& rows, size_t key);
  bool AddValidity(size_t key, bool has_null);
  /// Returns false if the space does not suffice.
  bool Add(Digit digit);
  size_t bits_left() const { return PackedBlock::kMostWords * 64 - bit_count_; }
  template <typename T>
  NumberRange RangeOf(const KeyRows& rows, size_t key) const;
  StringRange StringRangeOf(const KeyRows& rows, size_t key) const;
  void FillCodes(const Digit& digit, const KeyBlock& block, size_t count, uint64_t* codes) const;

  const SortSchema& schema_;
  const FunctionContext& context_;
  std::vector<Digit> digits_;
  std::vector<size_t> key_ends_;  // Bit positions of the ends of keys packed whole.
  size_t bit_count_ = 0;
  size_t first_key_ = 0;
  size_t undecided_key_ = 0;
};

}  // namespace scaup
