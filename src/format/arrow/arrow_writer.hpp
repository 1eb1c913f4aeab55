// Columns of results as Arrow arrays: without a copy where both lay values out alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "format/arrow/arrow_schema.hpp"

namespace scaup {

/// A column in contiguous memory, as results have them: values of the physical type, strings as StringRef, a
/// byte for each row that is 1 where the value is NULL (null: nowhere).
struct ArrowSource {
  LogicalType type;
  const std::byte* values = nullptr;
  const uint8_t* nulls = nullptr;
};

/// Makes arrays of rows of columns. The arrays keep `owner` alive, which must keep the columns alive, and
/// the tracker. Thread-safe.
class ArrowWriter {
 public:
  ArrowWriter(std::vector<ArrowSource> columns, ArrowLayout layout, MemoryTracker& memory,
              std::shared_ptr<const void> owner);

  /// How many rows from `begin` on may be in one array, at most `wanted`: Arrow counts the bytes of an
  /// array's strings with 31 bits.
  size_t RowsOfArray(size_t begin, size_t wanted) const;
  /// Makes `out` the struct of the rows' columns. The caller releases it. Throws Error(kConversion) for
  /// values that Arrow's type has no place for, Error(kOutOfMemory).
  void Export(size_t begin, size_t count, ArrowArray* out) const;

 private:
  std::vector<ArrowSource> columns_;
  ArrowLayout layout_;
  MemoryTracker& memory_;
  std::shared_ptr<const void> owner_;
};

}  // namespace scaup
