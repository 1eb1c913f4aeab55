// ValueList: values of one column that own their string bytes, for overlays and before-images.
#pragma once

#include <span>
#include <vector>

#include "type/physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A list of values of one physical type that owns the bytes of its strings. Movable, not copyable. Used by
/// one thread at a time.
class ValueList {
 public:
  explicit ValueList(PhysicalType type) : type_(type), width_(PhysicalSize(type)) {}
  ~ValueList();
  ValueList(ValueList&& other) noexcept;
  ValueList& operator=(ValueList&& other) noexcept;

  size_t size() const { return valid_.size(); }
  PhysicalType type() const { return type_; }
  bool IsValid(size_t index) const { return valid_[index] != 0; }
  const std::byte* At(size_t index) const { return data_.data() + index * width_; }
  /// Returns the memory of the list: capacities, and strings with what malloc adds to each.
  size_t size_bytes() const { return data_.capacity() + valid_.capacity() + heap_bytes_; }

  /// Reserves space for `count` more values, so that Insert does not throw and Append takes no more.
  void ReserveMore(size_t count);
  /// Appends a copy of a value.
  void Append(const UnifiedView& view, size_t row);
  /// Inserts a NULL at `index`, as a place for Exchange. REQUIRES: reserved space.
  void Insert(size_t index) noexcept;
  /// Removes the values whose mark is 0. There is one mark per value.
  void Keep(std::span<const uint8_t> marks) noexcept;
  /// Exchanges a value with one of another list of the same type.
  void Exchange(size_t index, ValueList& other, size_t other_index) noexcept;
  /// Writes a value to row `row` of `target`, which must have been reset; copies string bytes.
  void CopyTo(size_t index, Vector& target, size_t row) const;
  /// Copies `count` values from `index` on.
  void CopyRangeTo(size_t index, size_t count, Vector& target, size_t row) const;

 private:
  void FreeString(size_t index) noexcept;
  size_t HeapBytes(size_t index) const noexcept;

  PhysicalType type_;
  size_t width_;
  std::vector<std::byte> data_;
  std::vector<uint8_t> valid_;
  size_t heap_bytes_ = 0;
};

}  // namespace scaup
