// Converts values of vectors and slots to Parquet's raw values.
#pragma once

#include <string>
#include <string_view>

#include "format/parquet/write/leaf_values.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// How the values of a SQL type come to a leaf, whose type of its own may be another one: an enum becomes
/// text.
struct LeafAppender {
  /// Adds the rows [begin, end) of a vector, NULLs too, to a leaf that is a column by itself. Throws
  /// Error(kOutOfRange, 22003) and Error(kConversion, 22008) for values that Parquet's type does not have.
  void (*add_rows)(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end,
                   LeafValues& leaf) = nullptr;
  /// Adds the value, but no levels, of a slot that is not NULL. Throws as above.
  void (*add_slot)(const LogicalType& type, std::string_view slot, LeafValues& leaf) = nullptr;
};

/// REQUIRES: the type is not nested.
LeafAppender FindLeafAppender(const LogicalType& type);

}  // namespace scaup
