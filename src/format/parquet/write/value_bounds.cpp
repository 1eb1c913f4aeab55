// Compares values in the order that Parquet gives their types.
#include "format/parquet/write/value_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "type/sortable_bytes.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

template <typename T>
std::string BytesOf(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Integers and booleans.
template <typename T>
class NumberBounds final : public BoundsCollector {
 public:
  ValueBounds AddPage(const std::byte* values, size_t count) override {
    const auto* numbers = reinterpret_cast<const T*>(values);
    T least = numbers[0], greatest = numbers[0];
    for (size_t i = 1; i < count; i++) {
      least = std::min(least, numbers[i]);
      greatest = std::max(greatest, numbers[i]);
    }
    least_ = std::min(least_, least);
    greatest_ = std::max(greatest_, greatest);
    return {BytesOf(least), BytesOf(greatest)};
  }
  ValueBounds Total() const override { return {BytesOf(least_), BytesOf(greatest_)}; }

 private:
  T least_ = std::numeric_limits<T>::max(), greatest_ = std::numeric_limits<T>::lowest();
};

/// Zeros are bounds of both signs, as readers may tell them apart.
template <typename T>
class RealBounds final : public BoundsCollector {
 public:
  ValueBounds AddPage(const std::byte* values, size_t count) override {
    const auto* numbers = reinterpret_cast<const T*>(values);
    T least = std::numeric_limits<T>::infinity(), greatest = -std::numeric_limits<T>::infinity();
    bool has_nan = false;
    for (size_t i = 0; i < count; i++) {
      least = numbers[i] < least ? numbers[i] : least;
      greatest = numbers[i] > greatest ? numbers[i] : greatest;
      has_nan |= numbers[i] != numbers[i];
    }
    least_ = std::min(least_, least);
    greatest_ = std::max(greatest_, greatest);
    has_nan_ |= has_nan;
    return BoundsOf(least, greatest);
  }
  ValueBounds Total() const override { return BoundsOf(least_, greatest_); }
  bool has_nan() const override { return has_nan_; }

 private:
  static ValueBounds BoundsOf(T least, T greatest) {
    if (least == 0) least = -T{0};
    if (greatest == 0) greatest = T{0};
    return {BytesOf(least), BytesOf(greatest)};
  }

  T least_ = std::numeric_limits<T>::infinity(), greatest_ = -std::numeric_limits<T>::infinity();
  bool has_nan_ = false;
};

/// Decimals and UUIDs: both compare as 128 bits, highest byte first, decimals with a sign.
class WideBounds final : public BoundsCollector {
 public:
  explicit WideBounds(bool is_signed) : flipped_(is_signed ? uint128_t{1} << 127 : 0) {}
  ValueBounds AddPage(const std::byte* values, size_t count) override {
    uint128_t least = ~uint128_t{0}, greatest = 0;
    for (size_t i = 0; i < count; i++) {
      const uint128_t number = Load(values + i * sizeof(uint128_t));
      least = std::min(least, number);
      greatest = std::max(greatest, number);
    }
    least_ = std::min(least_, least);
    greatest_ = std::max(greatest_, greatest);
    return {Store(least), Store(greatest)};
  }
  ValueBounds Total() const override { return {Store(least_), Store(greatest_)}; }

 private:
  uint128_t Load(const std::byte* bytes) const {
    return (uint128_t{LoadBigEndian<uint64_t>(bytes)} << 64 | LoadBigEndian<uint64_t>(bytes + 8)) ^ flipped_;
  }
  std::string Store(uint128_t number) const {
    number ^= flipped_;
    std::string bytes(sizeof(number), '\0');
    auto* to = reinterpret_cast<std::byte*>(bytes.data());
    StoreBigEndian(static_cast<uint64_t>(number >> 64), to);
    StoreBigEndian(static_cast<uint64_t>(number), to + 8);
    return bytes;
  }

  const uint128_t flipped_;
  uint128_t least_ = ~uint128_t{0}, greatest_ = 0;
};

/// The bytes of longer bounds take more than they save.
constexpr size_t kMostBoundBytes = 64;

/// Drops the last character, or byte, until what remains can be followed by a greater one in its place.
/// Returns false if there is none.
bool IncrementLast(std::string& bytes, bool is_text) {
  while (!bytes.empty()) {
    size_t begin = bytes.size() - 1;
    if (!is_text) {
      const auto last = static_cast<uint8_t>(bytes[begin]);
      bytes.resize(begin);
      if (last == 0xFF) continue;
      bytes += static_cast<char>(last + 1);
      return true;
    }
    while (begin != 0 && !BeginsCharacter(bytes[begin])) begin--;
    uint32_t code = static_cast<uint8_t>(bytes[begin]);
    const size_t length = bytes.size() - begin;
    if (length > 1) code &= 0x7Fu >> length;
    for (size_t i = 1; i < length; i++) code = code << 6 | (static_cast<uint8_t>(bytes[begin + i]) & 0x3F);
    bytes.resize(begin);
    constexpr uint32_t kLastCode = 0x10FFFF, kFirstSurrogate = 0xD800, kAfterSurrogates = 0xE000;
    if (code == kLastCode) continue;
    AppendUtf8(code + 1 == kFirstSurrogate ? kAfterSurrogates : code + 1, bytes);
    return true;
  }
  return false;
}

class StringBounds final : public BoundsCollector {
 public:
  explicit StringBounds(bool is_text) : is_text_(is_text) {}
  ValueBounds AddPage(const std::byte* values, size_t count) override {
    ValueCursor<std::string_view> cursor(values);
    std::string_view least = cursor.Next(), greatest = least;
    uint64_t least_prefix = Prefix(least), greatest_prefix = least_prefix;
    for (size_t i = 1; i < count; i++) {
      const std::string_view value = cursor.Next();
      const uint64_t prefix = Prefix(value);
      // Most values differ from the bounds in their first bytes.
      if (prefix < least_prefix || (prefix == least_prefix && value < least)) {
        least = value;
        least_prefix = prefix;
      } else if (prefix > greatest_prefix || (prefix == greatest_prefix && value > greatest)) {
        greatest = value;
        greatest_prefix = prefix;
      }
    }
    if (!has_any_ || least < least_) least_ = least;
    if (!has_any_ || greatest > greatest_) greatest_ = greatest;
    has_any_ = true;
    return BoundsOf(least, greatest);
  }
  ValueBounds Total() const override { return BoundsOf(least_, greatest_); }

 private:
  /// The first eight bytes as a number, zeros for those that are not there.
  static uint64_t Prefix(std::string_view value) {
    uint64_t word;
    std::memcpy(&word, value.data(), sizeof(word));  // readable: ByteBuffer::kPadding
    word = __builtin_bswap64(word);
    if (value.size() >= sizeof(word)) return word;
    return value.empty() ? 0 : word & ~uint64_t{0} << (8 * (sizeof(word) - value.size()));
  }

  ValueBounds BoundsOf(std::string_view least, std::string_view greatest) const {
    ValueBounds bounds{std::string(least.substr(0, CutSize(least))), ""};
    bounds.is_minimum_exact = bounds.minimum.size() == least.size();
    bounds.maximum = greatest.substr(0, CutSize(greatest));
    bounds.is_maximum_exact = bounds.maximum.size() == greatest.size();
    if (bounds.is_maximum_exact || IncrementLast(bounds.maximum, is_text_)) return bounds;
    bounds.maximum = greatest;
    bounds.is_maximum_exact = true;
    return bounds;
  }

  size_t CutSize(std::string_view value) const {
    if (value.size() <= kMostBoundBytes) return value.size();
    size_t size = kMostBoundBytes;
    while (is_text_ && size != 0 && !BeginsCharacter(value[size])) size--;
    return size;
  }

  const bool is_text_;
  bool has_any_ = false;
  std::string_view least_, greatest_;
};

}  // namespace

std::unique_ptr<BoundsCollector> MakeBoundsCollector(const ParquetLeaf& leaf) {
  const bool is_unsigned = leaf.annotation.meaning == ParquetMeaning::kInteger && !leaf.annotation.is_signed;
  switch (leaf.physical) {
    case ParquetType::kBoolean: return std::make_unique<NumberBounds<uint8_t>>();
    case ParquetType::kInt32:
      if (is_unsigned) return std::make_unique<NumberBounds<uint32_t>>();
      return std::make_unique<NumberBounds<int32_t>>();
    case ParquetType::kInt64:
      if (is_unsigned) return std::make_unique<NumberBounds<uint64_t>>();
      return std::make_unique<NumberBounds<int64_t>>();
    case ParquetType::kFloat: return std::make_unique<RealBounds<float>>();
    case ParquetType::kDouble: return std::make_unique<RealBounds<double>>();
    case ParquetType::kByteArray:
      if (leaf.annotation.meaning == ParquetMeaning::kJson) return nullptr;
      return std::make_unique<StringBounds>(leaf.annotation.meaning == ParquetMeaning::kString);
    case ParquetType::kFixedBytes:
      if (leaf.annotation.meaning == ParquetMeaning::kInterval) return nullptr;
      return std::make_unique<WideBounds>(leaf.annotation.meaning == ParquetMeaning::kDecimal);
    case ParquetType::kInt96: break;
  }
  return nullptr;
}

}  // namespace scaup
