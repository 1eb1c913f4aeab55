// Index keys: the key columns of a row as bytes whose memcmp order is the order of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The bytes of a key, of a key's beginning, or of a bound between keys.
using KeyBytes = std::span<const std::byte>;
using IndexKey = std::vector<std::byte>;

/// Returns whether key `a` comes before key `b`.
inline bool KeyIsLess(KeyBytes a, KeyBytes b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// The keys k with lower <= k, and k < upper if there is an upper end.
struct KeyRange {
  IndexKey lower;
  std::optional<IndexKey> upper;
};

/// One end of a range of values.
struct ValueBound {
  Value value;  ///< of the column's type, not NULL
  bool is_inclusive = true;
};

/// The keys of a chunk's rows, in memory that is reused and accounted. Used by one thread at a time.
class IndexKeys {
 public:
  explicit IndexKeys(MemoryTracker& memory) : reservation_(memory) {}
  size_t size() const { return has_null_.size(); }
  KeyBytes operator[](size_t row) const {
    return {bytes_.data() + offsets_[row], bytes_.data() + offsets_[row + 1]};
  }
  /// Returns whether a column of the key is NULL; in a unique index, the key then equals no other key.
  bool has_null(size_t row) const { return has_null_[row] != 0; }

 private:
  friend class IndexKeyEncoder;
  /// Makes space for keys of `lengths[row]` bytes.
  void Resize(std::span<const size_t> lengths);

  std::vector<std::byte> bytes_;
  std::vector<size_t> offsets_;  // where each key begins, and where the last one ends
  std::vector<uint8_t> has_null_;
  MemoryReservation reservation_;
};

/// Encodes keys, column by column. Each value has a leading byte that sorts NULLs last, and its bytes are
/// such that no value's encoding is a prefix of another's. So no key is a prefix of another key, and the
/// first columns of a key are its first bytes. Numbers are big-endian with a flipped sign. Strings end with a
/// zero byte; bytes 0 and 1 in them are escaped as two bytes. Immutable.
class IndexKeyEncoder {
 public:
  explicit IndexKeyEncoder(std::vector<LogicalType> types) : types_(std::move(types)) {}

  const std::vector<LogicalType>& types() const { return types_; }
  /// Encodes the keys of the first `count` rows. REQUIRES: `columns` has the types of the index, or of its
  /// first columns; in the latter case, key prefixes are written. Throws Error(kOutOfMemory).
  void Encode(DataChunk& columns, size_t count, IndexKeys& keys) const;
  /// Encodes the keys of texts, for an index over one text column. Throws Error(kOutOfMemory).
  void Encode(std::span<const std::string_view> texts, IndexKeys& keys) const;
  /// Appends the key prefix of these values in the first columns. The values must have been cast to the
  /// columns' types.
  void Append(std::span<const Value> values, IndexKey& key) const;
  /// Returns the bytes of column `column` within a key.
  KeyBytes ColumnOf(KeyBytes key, size_t column) const;
  /// Returns the keys of one text, or of all texts that begin with it, for an index over one text column.
  KeyRange TextRange(std::string_view text, bool is_prefix) const;
  /// Returns the keys with the values `equal` in the first columns. With bounds, the next column must lie
  /// between them and is not NULL.
  KeyRange Range(std::span<const Value> equal, const std::optional<ValueBound>& lower,
                 const std::optional<ValueBound>& upper) const;

 private:
  void AppendValue(size_t column, const Value& value, IndexKey& key) const;

  std::vector<LogicalType> types_;
};

/// Turns a key prefix into the least bytes above all keys that begin with it. Returns false, and leaves it
/// empty, if there are none, because it is empty or all ones.
bool MakePrefixSuccessor(IndexKey& prefix);

}  // namespace scaup
