// Ordered codes: values of any type as numbers of 64 bits in their order, so that what searches ranges knows
// one type only.
#pragma once

#include <cstdint>

#include "common/memory/large_vector.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/rows/column_collection.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// The codes of the values of one column, the known ones, and of others that are compared with them: a known
/// and any other value compare as their codes do. Types of up to 64 bits have the same code whatever is
/// known; of others, as strings, a code is the place among the values known, which are kept in order. Owned
/// by a RangeIndex; any number of threads may read it once it has learned.
class OrderedCodes {
 public:
  OrderedCodes(const LogicalType& type, MemoryTracker& memory);
  /// The most bytes that learning so many rows takes, besides their codes.
  static size_t MostBytes(const LogicalType& type, size_t row_count, bool is_in_order);

  /// The codes of the first `count` rows of a column, which are known from now on. Called once. REQUIRES: no
  /// NULLs among them; the rows outlive this; where `is_in_order`, they stand in the order of this column.
  LargeVector<uint64_t> Learn(const ColumnCollection& rows, size_t column, size_t count, bool is_in_order,
                              const FunctionContext& context);
  /// The codes of other values; of a NULL any.
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
  // The known values of types that take more than 64 bits, each once, in order.
  LargeVector<uint128_t> numbers_;
  LargeVector<StringRef> strings_;
  // Of each known value the first 64 bits in which they differ: few searches look further.
  LargeVector<uint64_t> leading_;
  unsigned leading_shift_ = 0;  // Of numbers: bits behind the leading ones.
  size_t leading_offset_ = 0;   // Of strings: bytes that all begin with.
};

}  // namespace scaup
