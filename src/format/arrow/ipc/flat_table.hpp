// FlatTable: reads tables of FlatBuffers that may be damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace scaup {

/// Throws Error(kConversion, 22P04) for bytes that are not in Arrow's IPC format.
[[noreturn]] void ThrowMalformedIpc(std::string_view why);

/// A table within a FlatBuffer, which it borrows. Every access is checked against the buffer's ends. A value
/// type.
class FlatTable {
 public:
  using Slot = uint16_t;

  /// Returns the table that a buffer is about.
  static FlatTable Root(std::span<const std::byte> buffer);

  size_t buffer_bytes() const { return buffer_.size(); }
  /// Returns a scalar; `absent` if the table does not have it.
  template <typename T>
  T Field(Slot slot, T absent) const {
    const std::optional<size_t> place = FieldPlace(slot, sizeof(T));
    return place ? Load<T>(*place) : absent;
  }
  /// Returns a switch, which is off if the table does not have it. Of a damaged one, each byte but 0 is on.
  bool Flag(Slot slot) const { return Field<uint8_t>(slot, 0) != 0; }
  std::optional<FlatTable> Table(Slot slot) const;
  /// Returns a text; "" if the table does not have it.
  std::string_view Text(Slot slot) const;

  /// A vector of scalars, structs or references.
  struct Vector {
    size_t begin = 0;
    size_t count = 0;
  };
  /// Returns the vector with items of that size; an empty one if the table does not have it.
  Vector Items(Slot slot, size_t item_bytes) const;
  template <typename T>
  T Item(const Vector& vector, size_t index) const {
    return Load<T>(vector.begin + index * sizeof(T));
  }
  /// Returns a table out of a vector of references.
  FlatTable TableAt(const Vector& vector, size_t index) const;

 private:
  FlatTable(std::span<const std::byte> buffer, size_t place);

  template <typename T>
  T Load(size_t place) const {
    static_assert(!std::is_same_v<T, bool>, "not every byte is a bool");
    if (place > buffer_.size() || buffer_.size() - place < sizeof(T))
      ThrowMalformedIpc("a message is cut off");
    T value;
    std::memcpy(&value, buffer_.data() + place, sizeof(T));
    return value;
  }
  std::optional<size_t> FieldPlace(Slot slot, size_t size_bytes) const;
  /// Follows the reference at a place.
  size_t Follow(size_t place) const;

  std::span<const std::byte> buffer_;
  size_t place_;
  size_t fields_ = 0;  // the place of the list of fields
  size_t fields_bytes_ = 0;
};

}  // namespace scaup
