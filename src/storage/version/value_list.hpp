// A few values of one column, which own the bytes of their strings: overlays and before-images.
#pragma once

#include <span>
#include <vector>

#include "type/physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Movable; not copyable. One thread at a time.
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
  /// Bytes that the values take, the strings' among them.
  size_t size_bytes() const { return valid_.size() * (width_ + 1) + heap_bytes_; }

  /// Room for so many more values: Insert does not throw up to there.
  void ReserveMore(size_t count);
  /// Adds a copy of a value at the end.
  void Append(const UnifiedView& view, size_t row);
  /// Makes room at `index`, for Exchange: a NULL until then. REQUIRES: room.
  void Insert(size_t index) noexcept;
  /// Removes the values whose mark is 0; there is a mark for each.
  void Keep(std::span<const uint8_t> marks) noexcept;
  /// Exchanges a value of this list with one of another of the same type.
  void Exchange(size_t index, ValueList& other, size_t other_index) noexcept;
  /// Writes a value to row `row` of `target`, which was Reset; bytes of strings are copied.
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
