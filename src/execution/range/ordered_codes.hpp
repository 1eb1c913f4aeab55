// Ordered codes: values of any type as 64-bit numbers in the same order, for searches that handle one type.
#pragma once

#include <cstdint>

#include "common/memory/large_vector.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/rows/column_collection.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Maps the values of one column (the known values), and values compared with them, to codes. A known value
/// and any other value compare as their codes do. For types of up to 64 bits the code depends on the value
/// alone. For other types, such as strings, it is the position among the sorted known values. Owned by a
/// RangeIndex; any number of threads may read it after Learn.
class OrderedCodes {
 public:
  OrderedCodes(const LogicalType& type, MemoryTracker& memory);
  /// An upper bound of the bytes that learning so many rows takes, besides their codes.
  static size_t MostBytes(const LogicalType& type, size_t row_count, bool is_in_order);

  /// Learns the first `count` rows of a column and returns their codes. Called once. REQUIRES: there are no
  /// NULLs among them; the rows outlive this object; if `is_in_order`, the rows are sorted by this column.
  LargeVector<uint64_t> Learn(const ColumnCollection& rows, size_t column, size_t count, bool is_in_order,
                              const FunctionContext& context);
  /// Computes the codes of other values; the code of NULL is arbitrary.
  void Encode(const UnifiedView& values, size_t count, uint64_t* codes) const;

 private:
  template <typename T>
  void LearnValues(const ColumnCollection& rows, size_t column, size_t count, bool is_in_order,
                   const FunctionContext& context, uint64_t* codes);
  template <typename T>
  void EncodeAmongKnown(const UnifiedView& values, size_t count, uint64_t* codes) const;
  void LearnLeading(const FunctionContext& context);
  uint64_t Leading(const uint128_t& value) const;
  uint64_t Leading(const StringRef& value) const;
  template <typename T>
  auto& Known();
  template <typename T>
  const auto& Known() const {
    return const_cast<OrderedCodes*>(this)->Known<T>();
  }

  LogicalType type_;
  MemoryTracker& memory_;
  MemoryReservation reservation_;
  // The sorted, distinct known values, for types of more than 64 bits.
  LargeVector<uint128_t> numbers_;
  LargeVector<StringRef> strings_;
  // For each known value, the first 64 bits in which they differ: most searches need to look no further.
  LargeVector<uint64_t> leading_;
  unsigned leading_shift_ = 0;  // For numbers: bits below the leading ones.
  size_t leading_offset_ = 0;   // For strings: length of the common prefix.
};

}  // namespace scaup
