// The 16-byte string: length, four-byte prefix, then the rest inline or a pointer to all bytes.
#pragma once

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
      std::memset(inline_, 0, kInlineBytes);
      std::memcpy(inline_, data, length);
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
    const int order = std::memcmp(a.data(), b.data(), shared);
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
