// The 16-byte string reference: length, four-byte prefix, then the rest inline or a pointer to all bytes.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace scaup {

/// A borrowed byte string. Up to 12 bytes are stored inline; longer strings point to memory that another
/// object (an arena, a block, a vector's heap) keeps alive. Unused inline bytes are zero. It consists of two
/// words that are written and compared whole: writing parts and then reading whole words would stall store
/// forwarding.
class StringRef {
 public:
  static constexpr uint32_t kInlineBytes = 12;

  StringRef() = default;
  /// Copies up to 12 bytes; for more, stores `data`, which must outlive this object.
  StringRef(const char* data, uint32_t length) {
    static_assert(std::endian::native == std::endian::little);
    // Overlapping word loads: a memcpy call for so few bytes would cost more.
    uint64_t prefix = 0;
    if (length > kInlineBytes) {
      prefix = LoadWord<uint32_t>(data);
      tail_ = reinterpret_cast<uintptr_t>(data);
    } else if (length >= 8) {
      prefix = LoadWord<uint32_t>(data);
      tail_ = LoadWord<uint64_t>(data + length - 8) >> (8 * (kInlineBytes - length));
    } else if (length >= 4) {
      prefix = LoadWord<uint32_t>(data);
      tail_ = uint64_t{LoadWord<uint32_t>(data + length - 4)} >> (8 * (8 - length));
    } else if (length != 0) {
      const auto byte_at = [&](uint32_t i) {
        return uint64_t{static_cast<unsigned char>(data[i])} << (8 * i);
      };
      prefix = byte_at(0) | byte_at(length / 2) | byte_at(length - 1);
    }
    head_ = length | prefix << 32;
  }
  explicit StringRef(std::string_view text) : StringRef(text.data(), static_cast<uint32_t>(text.size())) {}

  uint32_t size() const { return static_cast<uint32_t>(head_); }
  bool is_inline() const { return size() <= kInlineBytes; }
  const char* data() const {
    return is_inline() ? reinterpret_cast<const char*>(this) + 4 : reinterpret_cast<const char*>(tail_);
  }
  std::string_view view() const { return {data(), size()}; }
  std::string ToString() const { return std::string(view()); }

  friend bool operator==(const StringRef& a, const StringRef& b) {
    if (a.head_ != b.head_) return false;  // length or prefix differ
    if (a.tail_ == b.tail_) return true;   // the same inline rest, or the same pointer
    return !a.is_inline() && std::memcmp(a.data(), b.data(), a.size()) == 0;
  }
  /// Compares bytewise, which for UTF-8 is code point order (collation C).
  friend std::strong_ordering operator<=>(const StringRef& a, const StringRef& b) {
    const uint32_t a_prefix = a.PrefixAsNumber(), b_prefix = b.PrefixAsNumber();
    if (a_prefix != b_prefix) return a_prefix <=> b_prefix;
    const uint32_t shared = a.size() < b.size() ? a.size() : b.size();
    const char *a_data = a.data(), *b_data = b.data();
    if (shared >= kInlineBytes) {  // these bytes mostly decide, without a call
      const auto a_next = LoadWord<uint64_t>(a_data + 4), b_next = LoadWord<uint64_t>(b_data + 4);
      if (a_next != b_next) return __builtin_bswap64(a_next) <=> __builtin_bswap64(b_next);
    }
    const int order = std::memcmp(a_data, b_data, shared);
    if (order != 0) return order <=> 0;
    return a.size() <=> b.size();
  }

  /// The first four bytes as a number of the same order; missing bytes count as zero.
  uint32_t PrefixAsNumber() const { return __builtin_bswap32(static_cast<uint32_t>(head_ >> 32)); }

 private:
  template <typename T>
  static T LoadWord(const char* data) {
    T word;
    std::memcpy(&word, data, sizeof(word));
    return word;
  }

  uint64_t head_ = 0;  // the length, and above it the first four bytes
  uint64_t tail_ = 0;  // the next eight bytes, or the address of all bytes
};
static_assert(sizeof(StringRef) == 16 && sizeof(const char*) == sizeof(uint64_t));

}  // namespace scaup
