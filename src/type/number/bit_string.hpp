// Bit strings: the values of BIT, their stored form and their text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/check.hpp"
#include "scaup/type.hpp"

namespace scaup {

// A stored bit string consists of groups of nine bytes: 64 bits, of which the first is the highest bit of the
// first byte, and a byte that is 255 if another group follows, else the number of bits of this group that
// count, 1 to 64; the others are zero. The empty bit string has no bytes. The order of such bytes is that of
// the bit strings: bit by bit and, where one begins the other, the shorter one first. So columns of BIT are
// sorted, hashed, indexed and compressed as bytes, and the bits of a word are found without a loop.

inline constexpr size_t kStoredBitGroupBytes = 9;

/// A bit string to compute with. One thread at a time; reusable, so that loops allocate once.
class BitString {
 public:
  BitString() = default;
  explicit BitString(std::string_view stored) { Load(stored); }

  uint64_t size() const { return size_; }
  /// REQUIRES: index < size(), in both.
  bool At(uint64_t index) const {
    SCAUP_ASSERT(index < size_);
    return (words_[index / 64] >> (63 - index % 64) & 1) != 0;
  }
  void Set(uint64_t index, bool bit);
  /// The bits in words, the first bit being the highest one of the first word; the rest of the last one is
  /// zero.
  std::vector<uint64_t>& words() { return words_; }
  const std::vector<uint64_t>& words() const { return words_; }

  void Clear();
  /// Appends the highest `count` bits of a word. REQUIRES: count <= 64.
  void Append(uint64_t word, uint64_t count);
  void AppendZeros(uint64_t count);
  /// Appends bits [begin, end) of another bit string. REQUIRES: they are within it, and it is not this one.
  void AppendPart(const BitString& other, uint64_t begin, uint64_t end);
  /// Flips all bits.
  void Flip();
  /// Cuts bits off the end, or adds zeros.
  void Resize(uint64_t size);

  void Load(std::string_view stored);
  /// Replaces `stored`.
  void Store(std::string& stored) const;

 private:
  /// The 64 bits from `begin` on; zeros behind the end.
  uint64_t WordAt(uint64_t begin) const;

  std::vector<uint64_t> words_;
  uint64_t size_ = 0;
};

/// Returns whether bytes are the stored form of a bit string.
bool IsStoredBits(std::string_view stored);
/// Returns how many bits a stored bit string has. Throws an internal error for other bytes.
uint64_t StoredBitCount(std::string_view stored);
/// Parses zeros and ones, or hexadecimal digits behind an x, into a stored bit string, which replaces
/// `stored`.
bool ParseBits(std::string_view text, std::string& stored);
/// Replaces `bits` by the lowest `size` bits of an integer, before which its sign goes on. REQUIRES: size !=
/// 0.
void BitsOfInteger(int128_t integer, uint64_t size, BitString& bits);
/// Sets the integer whose lowest bits these are. Returns false for more than `most_bits`, of which there are
/// at most 128.
bool IntegerOfBits(const BitString& bits, uint64_t most_bits, uint128_t& integer);
/// Replaces `bits` by the bits of bytes.
void BitsOfBytes(std::string_view bytes, BitString& bits);
/// Replaces `bytes` by bytes that end with the bits.
void BytesOfBits(const BitString& bits, std::string& bytes);
/// Appends zeros and ones.
void AppendBitsText(std::string_view stored, std::string& text);

}  // namespace scaup
