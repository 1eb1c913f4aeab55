// Converts the raw values of Parquet's types to those of vectors, and checks them.
#pragma once

#include <cstddef>
#include <string_view>

#include "format/parquet/parquet_types.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Converts `count` raw values to values of leaf.type in the layout of vectors. Strings still point to the
/// same bytes. Throws ParquetDamage for values that their type does not have. For strings, `raw` and `values`
/// may be the same.
using ValueConverter = void (*)(const ParquetLeaf& leaf, const std::byte* raw, size_t count,
                                std::byte* values);

/// The converter of a leaf; null where raw values are those of vectors, and every one is valid.
ValueConverter FindValueConverter(const ParquetLeaf& leaf);

/// Reads a single value, as statistics have it, into row 0 of `target`, after Reset(). Returns false if the
/// bytes are no such value.
bool ReadParquetValue(const ParquetLeaf& leaf, std::string_view bytes, Vector& target);

}  // namespace scaup
