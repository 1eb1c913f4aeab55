// SQL's types of Arrow's: every type that has a meaning in SQL, in any of the layouts that Arrow has for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scaup/arrow.h"
#include "scaup/type.hpp"

namespace scaup {

/// How the values of an Arrow array lie in memory.
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
  kString32,  ///< strings and blobs, by offsets of 32 bits
  kString64,
  kStringView,
  kFixedBytes,  ///< `width` bytes each
  kDate32,
  kDate64,
  kTime32,  ///< `unit` a second
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
  kDictionary,  ///< the first child is the dictionary, the kind of the positions is `index`
  kRunEnds,     ///< the children are run ends and values
};

/// An ArrowSchema that was understood. Immutable.
struct ArrowType {
  ArrowKind kind = ArrowKind::kNull;
  ArrowKind index = ArrowKind::kInt32;
  LogicalType type;  ///< what its values are in SQL
  int64_t width = 0;
  int64_t unit = 1;  ///< how many make a second
  std::string name;
  std::vector<ArrowType> children;
};

/// Throws Error(0A000) for a type without a meaning in SQL (unions, decimals of more than 38 digits), naming
/// the column, Error(22023) for a format that is none.
ArrowType ReadArrowSchema(const ArrowSchema& schema);

}  // namespace scaup
