// Sort keys: normalized keys whose memcmp order is the order of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "type/text/string_ref.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The order of one key column.
struct SortOrder {
  LogicalType type;
  bool descending = false;
  bool nulls_first = false;
};

/// Encodes key columns. Each column is a byte that places NULLs, followed by the value in big-endian order
/// with its sign flipped. Strings contribute their first 12 bytes, so equal keys of longer strings must be
/// decided by the strings. Immutable.
class SortKeyEncoder {
 public:
  explicit SortKeyEncoder(std::vector<SortOrder> orders);

  size_t key_bytes() const { return key_bytes_; }
  const std::vector<SortOrder>& orders() const { return orders_; }
  /// True if keys alone do not decide the order, because there is a string column.
  bool has_strings() const { return !string_columns_.empty(); }
  /// The number of leading bytes whose memcmp order never contradicts Compare. Behind the first string, whole
  /// strings take precedence over the bytes that follow.
  size_t comparable_bytes() const {
    if (!has_strings()) return key_bytes_;
    return offsets_[string_columns_.front()] + widths_[string_columns_.front()];
  }
  /// The key columns that are strings.
  const std::vector<size_t>& string_columns() const { return string_columns_; }
  /// The offset and the length of a column within the key.
  size_t offset(size_t column) const { return offsets_[column]; }
  size_t width(size_t column) const { return widths_[column]; }
  /// Writes `count` keys of key_bytes() each.
  void Encode(DataChunk& keys, size_t count, std::byte* out) const;
  /// Compares two keys: negative, zero or positive. `a_string(column)` returns the whole string of key `a` in
  /// a string column.
  template <typename StringOfA, typename StringOfB>
  int Compare(const std::byte* a, const std::byte* b, const StringOfA& a_string,
              const StringOfB& b_string) const {
    // Up to the end of each string its prefix decides. A tie is broken by the whole strings before later
    // columns.
    size_t begin = 0;
    for (size_t i = 0; i < string_columns_.size(); i++) {
      const size_t column = string_columns_[i];
      const size_t end = offsets_[column] + widths_[column];
      if (const int order = std::memcmp(a + begin, b + begin, end - begin); order != 0) return order;
      begin = end;
      if (a[offsets_[column]] != std::byte{1}) continue;  // Both NULL.
      const auto order = a_string(column) <=> b_string(column);
      if (order == 0) continue;
      return (order < 0) != orders_[column].descending ? -1 : 1;
    }
    return std::memcmp(a + begin, b + begin, key_bytes_ - begin);
  }

 private:
  std::vector<SortOrder> orders_;
  std::vector<size_t> offsets_;
  std::vector<size_t> widths_;
  size_t key_bytes_ = 0;
  std::vector<size_t> string_columns_;
};

/// The rows of a sort: their columns, and which of them are the keys. Immutable.
struct SortSchema {
  SortSchema(std::vector<LogicalType> types_in, std::vector<size_t> key_columns_in,
             std::vector<SortOrder> orders)
      : types(std::move(types_in)), key_columns(std::move(key_columns_in)), encoder(std::move(orders)) {}

  /// Writes the normalized keys of all rows.
  void EncodeKeys(const DataChunk& rows, std::byte* out) const;
  /// Returns the normalized key of one row.
  std::vector<std::byte> KeyOf(const DataChunk& rows, size_t row) const;

  std::vector<LogicalType> types;
  std::vector<size_t> key_columns;  ///< by key
  SortKeyEncoder encoder;
};

}  // namespace scaup
