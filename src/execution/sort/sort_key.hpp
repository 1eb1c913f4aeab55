// Normalized sort keys: bytes whose memcmp order is the wanted order of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vector/data_chunk.hpp"

namespace scaup {

/// How one key column is ordered.
struct SortOrder {
  LogicalType type;
  bool descending = false;
  bool nulls_first = false;
};

/// Encodes key columns: per column a byte that places NULLs, then the value big-endian with its sign flipped;
/// strings give their first 12 bytes, so that equal keys of longer strings must be told apart by the strings.
/// Immutable.
class SortKeyEncoder {
 public:
  explicit SortKeyEncoder(std::vector<SortOrder> orders);

  size_t key_bytes() const { return key_bytes_; }
  const std::vector<SortOrder>& orders() const { return orders_; }
  /// True where keys alone do not decide: there is a string column.
  bool has_strings() const { return has_strings_; }
  /// Where column `column` begins in the key, and its length.
  size_t offset(size_t column) const { return offsets_[column]; }
  size_t width(size_t column) const { return widths_[column]; }
  /// Writes `count` keys of key_bytes() each.
  void Encode(DataChunk& keys, size_t count, std::byte* out) const;

 private:
  std::vector<SortOrder> orders_;
  std::vector<size_t> offsets_;
  std::vector<size_t> widths_;
  size_t key_bytes_ = 0;
  bool has_strings_ = false;
};

}  // namespace scaup
