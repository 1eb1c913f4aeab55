// Encodes fixed-size values as bytes whose memcmp order is the order of the values, for sort and index keys.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "scaup/type.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

/// Turns the bytes round on little-endian machines, so that the most significant comes first. A call instead
/// of a loop over bytes, which compilers recognize in stores alone.
template <typename U>
U ToBigEndian(U value) {
  static_assert(std::is_unsigned_v<U> && sizeof(U) <= 8);
  if constexpr (std::endian::native == std::endian::big || sizeof(U) == 1) {
    return value;
  } else if constexpr (sizeof(U) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(U) == 4) {
    return __builtin_bswap32(value);
  } else {
    return __builtin_bswap64(value);
  }
}

/// Stores the most significant byte first.
template <typename U>
void StoreBigEndian(U value, std::byte* out) {
  const U stored = ToBigEndian(value);
  std::memcpy(out, &stored, sizeof(stored));
}

template <typename U>
U LoadBigEndian(const std::byte* in) {
  U stored;
  std::memcpy(&stored, in, sizeof(stored));
  return ToBigEndian(stored);
}

/// Maps a value of any physical type except strings to an unsigned number of the same size and order. Equal
/// values yield equal numbers: there is one zero, one NaN above all numbers, and intervals yield their sort
/// key.
template <typename T>
auto SortableNumber(const T& value) {
  if constexpr (std::is_same_v<T, Interval>) {
    return SortableNumber(IntervalSortKey(value));
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    U bits = static_cast<U>(~U{0}) ^ kSign;
    if (!std::isnan(value)) {
      const T canonical = value == 0 ? T{0} : value;
      std::memcpy(&bits, &canonical, sizeof(bits));
    }
    return static_cast<U>((bits & kSign) != 0 ? ~bits : bits | kSign);
  } else if constexpr (std::is_same_v<T, int128_t>) {
    return static_cast<uint128_t>(value) ^ (uint128_t{1} << 127);
  } else if constexpr (std::is_unsigned_v<T>) {
    return value;
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<U>(static_cast<U>(value) ^ (U{1} << (sizeof(U) * 8 - 1)));
  }
}

/// Writes the sizeof(T) bytes of SortableNumber, big-endian.
template <typename T>
void StoreSortable(const T& value, std::byte* out) {
  const auto number = SortableNumber(value);
  if constexpr (sizeof(number) == 16) {
    StoreBigEndian<uint64_t>(static_cast<uint64_t>(number >> 64), out);
    StoreBigEndian<uint64_t>(static_cast<uint64_t>(number), out + 8);
  } else {
    StoreBigEndian(number, out);
  }
}

/// Reads a value that StoreSortable wrote, with zeros and NaNs unified. Intervals cannot be read back.
template <typename T>
T LoadSortable(const std::byte* in) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    const U stored = LoadBigEndian<U>(in);
    const U bits = (stored & kSign) != 0 ? stored & ~kSign : ~stored;
    T value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  } else if constexpr (std::is_same_v<T, int128_t>) {
    const uint64_t high = LoadBigEndian<uint64_t>(in) ^ (uint64_t{1} << 63);
    return static_cast<int128_t>((static_cast<uint128_t>(high) << 64) | LoadBigEndian<uint64_t>(in + 8));
  } else if constexpr (std::is_unsigned_v<T>) {
    return LoadBigEndian<T>(in);
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(LoadBigEndian<U>(in) ^ (U{1} << (sizeof(U) * 8 - 1))));
  }
}

}  // namespace scaup
