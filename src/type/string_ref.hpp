// The 16-byte string: length, four-byte prefix, then the rest inline or a pointer to all bytes.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace scaup {

/// A borrowed byte string. Up to 12 bytes are held inside; longer ones point to memory that somebody else
/// (an arena, a block, a vector's heap) keeps alive. Unused inline bytes are zero, so that two words compare
/// whole.
class StringRef {
 public:
  static constexpr uint32_t kInlineBytes = 12;

  StringRef() : length_(0), inline_{} {}
  /// Copies up to 12 bytes; beyond that keeps `data`, which must outlive this.
  StringRef(const char* data, uint32_t length) : length_(length) {
    if (length <= kInlineBytes) {
      SetInline(data, length);
    } else {
      std::memcpy(pointer_.prefix, data, 4);
      pointer_.data = data;
    }
  }
  explicit StringRef(std::string_view text) : StringRef(text.data(), static_cast<uint32_t>(text.size())) {}

  uint32_t size() const { return length_; }
  bool is_inline() const { return length_ <= kInlineBytes; }
  const char* data() const { return is_inline() ? inline_ : pointer_.data; }
  std::string_view view() const { return {data(), length_}; }
  std::string ToString() const { return std::string(view()); }

  friend bool operator==(const StringRef& a, const StringRef& b) {
    uint64_t a_head, b_head;
    std::memcpy(&a_head, &a, 8);
    std::memcpy(&b_head, &b, 8);
    if (a_head != b_head) return false;  // Length and prefix differ.
    uint64_t a_tail, b_tail;
    std::memcpy(&a_tail, reinterpret_cast<const char*>(&a) + 8, 8);
    std::memcpy(&b_tail, reinterpret_cast<const char*>(&b) + 8, 8);
    if (a_tail == b_tail) return true;  // Same inline rest, or same pointer.
    return !a.is_inline() && std::memcmp(a.pointer_.data, b.pointer_.data, a.length_) == 0;
  }
  /// Byte order, which for UTF-8 is code point order (collation C).
  friend std::strong_ordering operator<=>(const StringRef& a, const StringRef& b) {
    const uint32_t a_prefix = a.PrefixAsNumber(), b_prefix = b.PrefixAsNumber();
    if (a_prefix != b_prefix) return a_prefix <=> b_prefix;
    const uint32_t shared = a.length_ < b.length_ ? a.length_ : b.length_;
    const char *a_data = a.data(), *b_data = b.data();
    if (shared >= kInlineBytes) {  // Mostly these bytes decide, without a call.
      uint64_t a_next, b_next;
      std::memcpy(&a_next, a_data + 4, 8);
      std::memcpy(&b_next, b_data + 4, 8);
      if (a_next != b_next) return __builtin_bswap64(a_next) <=> __builtin_bswap64(b_next);
    }
    const int order = std::memcmp(a_data, b_data, shared);
    if (order != 0) return order <=> 0;
    return a.length_ <=> b.length_;
  }

  /// The first four bytes as a number that orders as they do (missing ones count as zero).
  uint32_t PrefixAsNumber() const {
    uint32_t prefix;
    std::memcpy(&prefix, inline_, 4);
    return __builtin_bswap32(prefix);
  }

 private:
  /// In words that may overlap: a copy of so few bytes would cost more as a call.
  void SetInline(const char* data, uint32_t length) {
    static_assert(std::endian::native == std::endian::little);
    uint32_t prefix = 0;
    uint64_t rest = 0;  // Bytes 4 to 11.
    if (length >= 8) {
      std::memcpy(&prefix, data, 4);
      std::memcpy(&rest, data + length - 8, 8);
      rest >>= 8 * (kInlineBytes - length);
    } else if (length >= 4) {
      uint32_t last;
      std::memcpy(&prefix, data, 4);
      std::memcpy(&last, data + length - 4, 4);
      rest = uint64_t{last} >> (8 * (8 - length));
    } else if (length != 0) {
      const auto byte_at = [&](uint32_t i) {
        return uint32_t{static_cast<unsigned char>(data[i])} << (8 * i);
      };
      prefix = byte_at(0) | byte_at(length / 2) | byte_at(length - 1);
    }
    std::memcpy(inline_, &prefix, 4);
    std::memcpy(inline_ + 4, &rest, 8);
  }

  uint32_t length_;
  union {
    char inline_[kInlineBytes];
    struct __attribute__((packed)) {
      char prefix[4];
      const char* data;
    } pointer_;
  };
};
static_assert(sizeof(StringRef) == 16);

}  // namespace scaup
