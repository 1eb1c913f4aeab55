// Maps Arrow types to SQL types: every type with a meaning in SQL, in every layout of Arrow's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scaup/arrow.h"
#include "scaup/type.hpp"

namespace scaup {

/// The memory layout of an Arrow array.
enum class ArrowKind : uint8_t {
  kNull,
  kBits,  ///< BOOLEAN
  kInt8,  ///< also bool8
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kHalf,
  kFloat,
  kDouble,
  kDecimal32,
  kDecimal64,
  kDecimal128,
  kDecimal256,
  kString32,  ///< strings and blobs with 32-bit offsets
  kString64,
  kStringView,
  kFixedBytes,  ///< `width` bytes each
  kDate32,
  kDate64,
  kTime32,  ///< `unit` per second
  kTime64,
  kTimestamp,
  kDuration,
  kMonths,
  kDaysMillis,
  kMonthsDaysNanos,
  kList32,
  kList64,
  kListView32,
  kListView64,
  kFixedList,  ///< `width` elements each
  kStruct,
  kSparseUnion,  ///< the children are the members, whose numbers are `numbers`
  kDenseUnion,
  kDictionary,  ///< the first child is the dictionary; `index` is the kind of the indexes
  kRunEnds,     ///< the children are run ends and values
};

/// A parsed ArrowSchema. Immutable.
struct ArrowType {
  ArrowKind kind = ArrowKind::kNull;
  ArrowKind index = ArrowKind::kInt32;
  LogicalType type;  ///< the SQL type of its values
  int64_t width = 0;
  int64_t unit = 1;  ///< the number of units per second
  std::string name;
  std::vector<ArrowType> children;
  std::vector<int64_t> numbers;  ///< of a union: those that stand for its members
};

/// Parses a schema. Throws Error(0A000), naming the column, for a type without a meaning in SQL
/// (decimals of more than 38 digits), and Error(22023) for a malformed format string.
ArrowType ReadArrowSchema(const ArrowSchema& schema);

}  // namespace scaup
