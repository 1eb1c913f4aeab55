// Index keys: the values of one row's key columns as bytes whose memcmp order is that of the rows.
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

/// The bytes of a key, of the beginning of one, or of a bound between keys.
using KeyBytes = std::span<const std::byte>;
using IndexKey = std::vector<std::byte>;

/// Whether a key comes before another.
inline bool KeyIsLess(KeyBytes a, KeyBytes b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// Keys k with lower <= k, and k < upper where there is an upper end.
struct KeyRange {
  IndexKey lower;
  std::optional<IndexKey> upper;
};

/// One end of a range of values.
struct ValueBound {
  Value value;  ///< of the column's type, not NULL
  bool is_inclusive = true;
};

/// The keys of a chunk's rows, in memory that is used again and accounted. One thread at a time.
class IndexKeys {
 public:
  explicit IndexKeys(MemoryTracker& memory) : reservation_(memory) {}
  size_t size() const { return has_null_.size(); }
  KeyBytes operator[](size_t row) const {
    return {bytes_.data() + offsets_[row], bytes_.data() + offsets_[row + 1]};
  }
  /// Whether one of the key's columns is NULL: in a unique index it then equals no other key.
  bool has_null(size_t row) const { return has_null_[row] != 0; }

 private:
  friend class IndexKeyEncoder;
  /// Room for keys of `lengths[row]` bytes.
  void Resize(std::span<const size_t> lengths);

  std::vector<std::byte> bytes_;
  std::vector<size_t> offsets_;  // Where each key begins, and where the last one ends.
  std::vector<uint8_t> has_null_;
  MemoryReservation reservation_;
};

/// Column by column: a byte that puts NULLs last, and the value so that no value's bytes begin those of
/// another. So no key begins another one, and the first columns of a key are its first bytes. Numbers are
/// big-endian with their sign flipped. Strings end with a zero byte; bytes 0 and 1 in them are written as
/// two. Immutable.
class IndexKeyEncoder {
 public:
  explicit IndexKeyEncoder(std::vector<LogicalType> types) : types_(std::move(types)) {}

  const std::vector<LogicalType>& types() const { return types_; }
  /// The keys of the first `count` rows. REQUIRES: `columns` has the types of the index, or of its first
  /// columns, in which case beginnings of keys are written. Throws Error(kOutOfMemory).
  void Encode(DataChunk& columns, size_t count, IndexKeys& keys) const;
  /// The keys of texts, of an index over one column of these. Throws Error(kOutOfMemory).
  void Encode(std::span<const std::string_view> texts, IndexKeys& keys) const;
  /// Appends what keys begin with that have these values, cast to the columns' types, in their first columns.
  void Append(std::span<const Value> values, IndexKey& key) const;
  /// The part of a key that column `column` has.
  KeyBytes ColumnOf(KeyBytes key, size_t column) const;
  /// The keys of one text, or of all that begin with it, for an index over one column of texts.
  KeyRange TextRange(std::string_view text, bool is_prefix) const;
  /// The keys with these values in the first columns and, if there are bounds, with a value between them in
  /// the next, which then is not NULL.
  KeyRange Range(std::span<const Value> equal, const std::optional<ValueBound>& lower,
                 const std::optional<ValueBound>& upper) const;

 private:
  void AppendValue(size_t column, const Value& value, IndexKey& key) const;

  std::vector<LogicalType> types_;
};

/// Turns the beginning of keys into the least bytes above all keys that begin with it. False, and nothing is
/// left, where there are none: it is empty, or all ones.
bool MakePrefixSuccessor(IndexKey& prefix);

}  // namespace scaup
