// The least and the greatest values of pages and column chunks, as statistics have them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "format/parquet/write/leaf_values.hpp"

namespace scaup {

/// Bounds as bytes of plain values. Those of long strings are cut, so that they bound but are no values.
struct ValueBounds {
  std::string minimum, maximum;
  bool is_minimum_exact = true, is_maximum_exact = true;
};

/// Collects the bounds of a column chunk, page by page. One thread at a time.
class BoundsCollector {
 public:
  virtual ~BoundsCollector() = default;
  /// Looks at the next `count` > 0 values, which begin at `values`, and returns their bounds.
  virtual ValueBounds AddPage(const std::byte* values, size_t count) = 0;
  /// The bounds of all values so far, after a page.
  virtual ValueBounds Total() const = 0;
  /// Whether a value was NaN. Bounds do not count it, and readers differ in where they sort it, so that no
  /// bounds are better than some.
  virtual bool has_nan() const { return false; }
};

/// Null for types whose order Parquet does not define, or not as SQL does. `leaf` is borrowed.
std::unique_ptr<BoundsCollector> MakeBoundsCollector(const ParquetLeaf& leaf);

}  // namespace scaup
