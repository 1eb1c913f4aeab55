// Exports columns of results as Arrow arrays, without copying where the layouts agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "format/arrow/arrow_schema.hpp"

namespace scaup {

/// A column in contiguous memory, as results store it. `values` are of the physical type, strings are
/// StringRefs, and `nulls` has a byte per row that is 1 for NULL (null: no NULLs).
struct ArrowSource {
  LogicalType type;
  const std::byte* values = nullptr;
  const uint8_t* nulls = nullptr;
};

/// Makes arrays from rows of columns. The arrays keep `owner` alive, which must keep the columns and the
/// tracker alive. Thread-safe.
class ArrowWriter {
 public:
  ArrowWriter(std::vector<ArrowSource> columns, ArrowLayout layout, MemoryTracker& memory,
              std::shared_ptr<const void> owner);

  /// The number of rows from `begin` on that fit into one array, at most `wanted`: string offsets have 31
  /// bits.
  size_t RowsOfArray(size_t begin, size_t wanted) const;
  /// Fills `out` with a struct of the columns' rows. The caller releases it. Throws Error(kConversion) for
  /// values out of the Arrow type's range, and Error(kOutOfMemory).
  void Export(size_t begin, size_t count, ArrowArray* out) const;

 private:
  std::vector<ArrowSource> columns_;
  ArrowLayout layout_;
  MemoryTracker& memory_;
  std::shared_ptr<const void> owner_;
};

}  // namespace scaup
