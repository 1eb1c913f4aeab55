// Reads, writes, cuts and joins bit strings.
#include "type/number/bit_string.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr size_t kGroupBytes = kStoredBitGroupBytes, kWordBytes = 8;
constexpr uint64_t kWordBits = 64;
constexpr auto kMoreFollows = static_cast<char>(255);
constexpr uint64_t kMostBits = INT32_MAX;

uint64_t LoadWord(const char* bytes) {
  uint64_t word = 0;
  for (size_t i = 0; i < kWordBytes; i++) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

/// The highest `count` bits. REQUIRES: count <= 64.
uint64_t HighBits(uint64_t count) {
  SCAUP_ASSERT(count <= kWordBits);
  return count == 0 ? 0 : ~uint64_t{0} << (kWordBits - count);
}

void CheckSize(uint64_t size) {
  if (size <= kMostBits) return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
             fmt::format("a bit string has at most {} bits", kMostBits));
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void BitString::Set(uint64_t index, bool bit) {
  SCAUP_ASSERT(index < size_);
  const uint64_t mask = uint64_t{1} << (63 - index % kWordBits);
  uint64_t& word = words_[index / kWordBits];
  word = bit ? word | mask : word & ~mask;
}

void BitString::Clear() {
  words_.clear();
  size_ = 0;
}

void BitString::Append(uint64_t word, uint64_t count) {
  SCAUP_ASSERT(count <= kWordBits);
  if (count == 0) return;
  CheckSize(size_ + count);
  word &= HighBits(count);
  const uint64_t used = size_ % kWordBits;
  if (used == 0) {
    words_.push_back(word);
  } else {
    words_.back() |= word >> used;
    if (count > kWordBits - used) words_.push_back(word << (kWordBits - used));
  }
  size_ += count;
}

void BitString::AppendZeros(uint64_t count) {
  CheckSize(size_ + count);
  size_ += count;
  words_.resize((size_ + kWordBits - 1) / kWordBits);
}

uint64_t BitString::WordAt(uint64_t begin) const {
  const uint64_t index = begin / kWordBits, shift = begin % kWordBits;
  const uint64_t high = words_[index] << shift;
  return shift == 0 || index + 1 >= words_.size() ? high : high | words_[index + 1] >> (kWordBits - shift);
}

void BitString::AppendPart(const BitString& other, uint64_t begin, uint64_t end) {
  SCAUP_ASSERT(begin <= end && end <= other.size());
  for (uint64_t count = 0; begin < end; begin += count) {
    count = std::min(end - begin, kWordBits);
    Append(other.WordAt(begin), count);
  }
}

void BitString::Flip() {
  for (uint64_t& word : words_) word = ~word;
  if (size_ % kWordBits != 0) words_.back() &= HighBits(size_ % kWordBits);
}

void BitString::Resize(uint64_t size) {
  if (size >= size_) return AppendZeros(size - size_);
  size_ = size;
  words_.resize((size_ + kWordBits - 1) / kWordBits);
  if (size_ % kWordBits != 0) words_.back() &= HighBits(size_ % kWordBits);
}

void BitString::Load(std::string_view stored) {
  size_ = StoredBitCount(stored);
  words_.clear();
  for (size_t at = 0; at < stored.size(); at += kGroupBytes) words_.push_back(LoadWord(stored.data() + at));
}

void BitString::Store(std::string& stored) const {
  stored.resize(words_.size() * kGroupBytes);
  char* out = stored.data();
  for (const uint64_t word : words_) {
    for (size_t i = 0; i < kWordBytes; i++) *out++ = static_cast<char>(word >> (56 - 8 * i));
    *out++ = kMoreFollows;
  }
  if (size_ != 0) out[-1] = static_cast<char>((size_ - 1) % kWordBits + 1);
}

bool IsStoredBits(std::string_view stored) {
  if (stored.empty()) return true;
  if (stored.size() % kGroupBytes != 0) return false;
  for (size_t end = kGroupBytes; end < stored.size(); end += kGroupBytes)
    if (stored[end - 1] != kMoreFollows) return false;
  const auto count = static_cast<unsigned char>(stored.back());
  if (count == 0 || count > kWordBits) return false;
  return (LoadWord(stored.data() + stored.size() - kGroupBytes) & ~HighBits(count)) == 0;
}

uint64_t StoredBitCount(std::string_view stored) {
  if (stored.empty()) return 0;
  const auto last = static_cast<unsigned char>(stored.back());
  if (stored.size() % kGroupBytes != 0 || last == 0 || last > kWordBits)
    ThrowInternal("the bytes of a BIT are not in the form of one");
  return (stored.size() / kGroupBytes - 1) * kWordBits + last;
}

bool ParseBits(std::string_view text, std::string& stored) {
  const bool is_hex = text.starts_with('x') || text.starts_with('X');
  if (is_hex || text.starts_with('b') || text.starts_with('B')) text.remove_prefix(1);
  const uint64_t width = is_hex ? 4 : 1;
  BitString bits;
  uint64_t word = 0, count = 0;
  for (const char c : text) {
    const int digit = HexValue(c);
    if (digit < 0 || (!is_hex && digit > 1)) return false;
    word = word << width | static_cast<uint64_t>(digit);
    count += width;
    if (count < kWordBits) continue;
    bits.Append(word, count);
    word = count = 0;
  }
  if (count != 0) bits.Append(word << (kWordBits - count), count);
  bits.Store(stored);
  return true;
}

void BitsOfInteger(int128_t integer, uint64_t size, BitString& bits) {
  SCAUP_ASSERT(size != 0);
  constexpr uint64_t kIntegerBits = 128;
  bits.Clear();
  const uint64_t fill = integer < 0 ? ~uint64_t{0} : 0;
  while (size > kIntegerBits) {
    const uint64_t count = std::min(size - kIntegerBits, kWordBits);
    bits.Append(fill, count);
    size -= count;
  }
  const uint128_t left = static_cast<uint128_t>(integer) << (kIntegerBits - size);
  bits.Append(static_cast<uint64_t>(left >> kWordBits), std::min(size, kWordBits));
  if (size > kWordBits) bits.Append(static_cast<uint64_t>(left), size - kWordBits);
}

bool IntegerOfBits(const BitString& bits, uint64_t most_bits, uint128_t& integer) {
  if (bits.size() > most_bits) return false;
  integer = 0;
  for (size_t i = 0; i < bits.words().size(); i++) {
    const uint64_t count = std::min(bits.size() - i * kWordBits, kWordBits);
    integer = integer << count | bits.words()[i] >> (kWordBits - count);
  }
  return true;
}

void BitsOfBytes(std::string_view bytes, BitString& bits) {
  bits.Clear();
  for (size_t at = 0; at < bytes.size(); at += kWordBytes) {
    const size_t count = std::min(kWordBytes, bytes.size() - at);
    char word[kWordBytes] = {};
    std::copy_n(bytes.data() + at, count, word);
    bits.Append(LoadWord(word), count * 8);
  }
}

void BytesOfBits(const BitString& bits, std::string& bytes) {
  BitString aligned;
  aligned.AppendZeros((8 - bits.size() % 8) % 8);
  aligned.AppendPart(bits, 0, bits.size());
  bytes.resize(aligned.size() / 8);
  for (size_t i = 0; i < bytes.size(); i++)
    bytes[i] = static_cast<char>(aligned.words()[i / kWordBytes] >> (56 - i % kWordBytes * 8));
}

void AppendBitsText(std::string_view stored, std::string& text) {
  const uint64_t count = StoredBitCount(stored);
  const size_t begin = text.size();
  text.resize(begin + count);
  char* out = text.data() + begin;
  for (uint64_t index = 0; index < count; index += kWordBits) {
    uint64_t word = LoadWord(stored.data() + index / kWordBits * kGroupBytes);
    for (uint64_t i = index; i < std::min(index + kWordBits, count); i++, word <<= 1)
      *out++ = static_cast<char>('0' + (word >> 63));
  }
}

}  // namespace scaup
