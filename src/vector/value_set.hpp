// Sets of values of one type, for testing many values against a list of constants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/check.hpp"
#include "scaup/value.hpp"
#include "type/number/int128.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

/// A set of 64-bit integers. Up to eight values are compared one by one. More values in a small range become
/// a bitmap. Others become a hash table behind a bitmap of hashes; the bitmap fits into the L1 cache and
/// rejects nearly all values outside the set with one load. Immutable; thread-safe.
class IntegerValueSet {
 public:
  IntegerValueSet() = default;
  /// `values` may be in any order and contain duplicates.
  explicit IntegerValueSet(std::vector<int64_t> values);

  bool Has(int64_t value) const;
  /// Sets found[i] to 1 if values[i] is in the set, otherwise to 0.
  template <typename T>
  void Find(const T* values, size_t count, uint8_t* found) const;
  /// The values in ascending order, without duplicates.
  const std::vector<int64_t>& values() const { return values_; }

 private:
  enum class Kind : uint8_t { kFew, kDense, kHashed };
  static uint64_t Hash(int64_t value) { return static_cast<uint64_t>(value) * 0x9E3779B97F4A7C15U; }
  bool HasBit(uint64_t bit) const { return (bits_[bit >> 6] >> (bit & 63) & 1) != 0; }
  bool HasSlot(int64_t value) const;

  Kind kind_ = Kind::kFew;
  std::vector<int64_t> values_;
  std::vector<uint64_t>
      bits_;            // kDense: by distance from the least value; kHashed: by the highest bits of hashes
  uint64_t range_ = 0;  // kDense: the number of bits
  unsigned shift_ = 0;  // kHashed: shifts a hash to its bit
  std::vector<int64_t> slots_;  // kHashed: open addressing with linear probing; a power of two
  unsigned slot_shift_ = 0;
  int64_t empty_ = 0;  // marks empty slots: not a value of the set
};

/// A set of values of one type, without NULL. Equality is SQL's: NaN equals itself, -0.0 equals 0.0.
/// Immutable; thread-safe.
class ValueSet {
 public:
  /// `values` are of a type that is stored as `type`, not NULL, in any order, and may contain duplicates.
  ValueSet(PhysicalType type, const std::vector<Value>& values);
  // A copy's text_set_ would refer to the texts of the original.
  ValueSet(const ValueSet&) = delete;
  ValueSet& operator=(const ValueSet&) = delete;

  /// Sets found[i] to 1 if values[i] is in the set, otherwise to 0. `values` are flat and of the physical
  /// type; the results under NULLs are ignored.
  void Find(const std::byte* values, size_t count, uint8_t* found) const;
  // Tests one value. REQUIRES: the set is of its physical type; integers and dates are passed as 64-bit
  // integers, unsigned ones as their signed twins.
  bool HasInteger(int64_t value) const {
    SCAUP_ASSERT(type_ <= PhysicalType::kInt64);
    return integers_.Has(value);
  }
  bool HasWide(const int128_t& value) const;
  bool HasReal(double value) const {
    SCAUP_ASSERT(type_ == PhysicalType::kFloat || type_ == PhysicalType::kDouble);
    return integers_.Has(BitsOf(value));
  }
  bool HasText(const StringRef& value) const;

 private:
  /// The bits of a number; equal numbers have equal bits.
  static int64_t BitsOf(double value);
  /// The size and first kHeadBytes bytes of a string; equal strings have equal heads.
  static constexpr uint32_t kHeadBytes = 4;
  static int64_t HeadOf(const StringRef& value) {
    return static_cast<int64_t>(uint64_t{value.size()} << 32 | value.PrefixAsNumber());
  }

  PhysicalType type_;           // the signed twin of an unsigned type
  IntegerValueSet integers_;    // integers, the bits of floats, or the heads of strings
  std::vector<int128_t> wide_;  // 128-bit integers and sort keys of intervals, ascending
  std::vector<std::string> texts_;
  std::unordered_set<std::string_view> text_set_;  // into texts_
};

}  // namespace scaup
