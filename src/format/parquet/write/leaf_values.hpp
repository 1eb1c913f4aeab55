// The values and levels of one leaf, collected for a row group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/throw.hpp"
#include "format/parquet/parquet_types.hpp"
#include "format/parquet/write/byte_buffer.hpp"

namespace scaup {

/// The raw value of a type of kFixedBytes.
template <size_t kSize>
struct FixedBytes {
  uint8_t bytes[kSize];
  friend bool operator==(const FixedBytes&, const FixedBytes&) = default;
};

/// Entries in the order of the rows. Values stand as in a plain page: numbers one after the other, strings
/// behind their lengths of 32 bits; but booleans take a byte each. One thread at a time.
class LeafValues {
 public:
  /// Both are borrowed.
  LeafValues(const ParquetLeaf& leaf, MemoryTracker& memory)
      : leaf_(&leaf), values_(memory), definitions_(memory), repetitions_(memory) {}

  const ParquetLeaf& leaf() const { return *leaf_; }
  size_t entry_count() const { return entry_count_; }
  size_t value_count() const { return value_count_; }
  const ByteBuffer& values() const { return values_; }
  /// The levels of each entry; null if every entry has a value.
  const uint8_t* definitions() const { return has_definitions_ ? definitions_.As<uint8_t>() : nullptr; }
  /// Null for leaves that do not repeat.
  const uint8_t* repetitions() const { return leaf_->repetition == 0 ? nullptr : repetitions_.As<uint8_t>(); }
  size_t size_bytes() const { return values_.size() + definitions_.size() + repetitions_.size(); }

  /// Adds entries that all have values, which the caller adds.
  void AddPresent(size_t count) {
    if (has_definitions_) AddDefinitions(count, static_cast<uint8_t>(leaf_->definition));
    entry_count_ += count;
    value_count_ += count;
  }
  /// Adds an entry; one of the leaf's own definition level has a value, which the caller adds.
  void AddEntry(uint32_t definition, uint32_t repetition) {
    const bool has_value = definition == leaf_->definition;
    if (!has_value && !has_definitions_) BeginDefinitions();
    if (has_definitions_) definitions_.AppendValue(static_cast<uint8_t>(definition));
    if (leaf_->repetition != 0) repetitions_.AppendValue(static_cast<uint8_t>(repetition));
    entry_count_++;
    value_count_ += has_value ? 1 : 0;
  }
  /// Space for the raw values of `count` entries.
  template <typename T>
  T* AddValues(size_t count) {
    return reinterpret_cast<T*>(values_.Extend(count * sizeof(T)));
  }
  void AddString(const char* bytes, uint32_t size) {
    std::byte* const to = values_.Extend(sizeof(size) + size);
    std::memcpy(to, &size, sizeof(size));
    if (size != 0) std::memcpy(to + sizeof(size), bytes, size);
  }
  /// Drops all entries; memory is retained unless it is much.
  void Clear();
  /// Gives the memory back. REQUIRES: there are no entries.
  void Release();

 private:
  /// Levels are stored from the first NULL on: most columns have none.
  void BeginDefinitions();
  void AddDefinitions(size_t count, uint8_t level) { std::memset(definitions_.Extend(count), level, count); }

  const ParquetLeaf* leaf_;
  ByteBuffer values_, definitions_, repetitions_;
  bool has_definitions_ = false;
  size_t entry_count_ = 0;
  size_t value_count_ = 0;
};

/// Returns visit.template operator()<T>() with the C++ type of raw values; std::string_view for strings,
/// uint8_t for booleans.
template <typename Visit>
auto VisitRawType(const ParquetLeaf& leaf, Visit&& visit) {
  switch (leaf.physical) {
    case ParquetType::kBoolean: return visit.template operator()<uint8_t>();
    case ParquetType::kInt32: return visit.template operator()<int32_t>();
    case ParquetType::kInt64: return visit.template operator()<int64_t>();
    case ParquetType::kFloat: return visit.template operator()<float>();
    case ParquetType::kDouble: return visit.template operator()<double>();
    case ParquetType::kByteArray: return visit.template operator()<std::string_view>();
    case ParquetType::kFixedBytes:
      if (leaf.length == 12) return visit.template operator()<FixedBytes<12>>();
      return visit.template operator()<FixedBytes<16>>();
    case ParquetType::kInt96: break;
  }
  ThrowInternal("a Parquet type that is not written");
}

/// Walks over values as LeafValues has them.
template <typename T>
class ValueCursor {
 public:
  explicit ValueCursor(const std::byte* begin) : begin_(begin), at_(begin) {}
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  T Next() {
    T value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

 private:
  const std::byte* begin_;
  const std::byte* at_;
};

template <>
inline std::string_view ValueCursor<std::string_view>::Next() {
  uint32_t size;
  std::memcpy(&size, at_, sizeof(size));
  const std::string_view value(reinterpret_cast<const char*>(at_ + sizeof(size)), size);
  at_ += sizeof(size) + size;
  return value;
}

}  // namespace scaup
