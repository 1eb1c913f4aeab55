// Values in the state of an aggregate; strings are copied to the arena.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "common/memory/arena.hpp"
#include "type/text/string_ref.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A value inside a state. Trivially copyable. Set copies the bytes of `value`. Adopt, which serves combine,
/// shares them, because the memory of a source state lives as long as the target.
template <typename T>
struct KeptValue {
  T value{};
  void Set(const T& new_value, Arena&) { value = new_value; }
  void Adopt(const KeptValue& other) { value = other.value; }
  void Store(Vector& result, size_t row) const { result.MutableData<T>()[row] = value; }
};

template <>
struct KeptValue<StringRef> {
  StringRef value;
  char* buffer = nullptr;  ///< owned by this state, `capacity` bytes; after Adopt, `value` may be elsewhere
  uint32_t capacity = 0;

  void Set(const StringRef& new_value, Arena& arena) {
    if (new_value.is_inline()) {
      value = new_value;
      return;
    }
    const uint32_t size = new_value.size();
    if (size > capacity) {
      // Rounded up, so that a sequence of ever longer strings does not fill the arena with old buffers.
      const uint32_t wanted = size <= (uint32_t{1} << 30) ? std::bit_ceil(size) : size;
      buffer = reinterpret_cast<char*>(arena.Allocate(wanted, 1));
      capacity = wanted;
    }
    std::memcpy(buffer, new_value.data(), size);
    value = StringRef(buffer, size);
  }
  void Adopt(const KeptValue& other) { value = other.value; }
  void Store(Vector& result, size_t row) const {
    result.MutableData<StringRef>()[row] = result.AddString(value.view());
  }
};

}  // namespace scaup
