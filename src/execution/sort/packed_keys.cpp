// Packed keys: finding what keys have in common, and packing what they do not.
#include "execution/sort/packed_keys.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

constexpr size_t kBytesPerDigit = 8;
/// The bytes packed of a string that does not fit whole: further bytes would seldom decide.
constexpr size_t kUndecidedBytes = 16;

unsigned BitWidth(uint128_t value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return static_cast<unsigned>(high != 0 ? 64 + std::bit_width(high)
                                         : std::bit_width(static_cast<uint64_t>(value)));
}

uint64_t Mask(unsigned bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

/// Returns bytes [first, first + 8) of a string, most significant first, padded with zeros.
uint64_t BytesAt(const StringRef& text, size_t first) {
  uint64_t bytes = 0;
  if (text.size() > first) {
    const size_t left = text.size() - first;
    if (left >= kBytesPerDigit) {
      std::memcpy(&bytes, text.data() + first, kBytesPerDigit);
    } else {
      std::memcpy(&bytes, text.data() + first, left);
    }
  }
  return __builtin_bswap64(bytes);
}

template <typename T>
void NumberCodes(const KeyBlock& block, size_t count, bool descending, uint128_t base, bool is_high,
                 uint64_t* codes) {
  const T* values = block.As<T>();
  if constexpr (sizeof(T) <= 8) {
    const auto origin = static_cast<uint64_t>(base);
    if (descending) {
      for (size_t i = 0; i < count; i++) codes[i] = origin - uint64_t{SortableNumber(values[i])};
    } else {
      for (size_t i = 0; i < count; i++) codes[i] = uint64_t{SortableNumber(values[i])} - origin;
    }
  } else {
    for (size_t i = 0; i < count; i++) {
      const uint128_t number = SortableNumber(values[i]);
      const uint128_t distance = descending ? base - number : number - base;
      codes[i] = static_cast<uint64_t>(is_high ? distance >> 64 : distance);
    }
  }
}

}  // namespace

struct KeyPacking::NumberRange {
  uint128_t least = ~uint128_t{0};
  uint128_t greatest = 0;
  bool has_null = false;
};

struct KeyPacking::StringRange {
  StringRef first;    // Any value: all share its prefix.
  size_t common = 0;  // Length of the common prefix.
  size_t shortest = SIZE_MAX;
  size_t longest = 0;
  bool has_null = false;
};

KeyPacking::KeyPacking(const SortSchema& schema, const KeyRows& rows, size_t first_key,
                       const FunctionContext& context)
    : schema_(schema), context_(context), first_key_(first_key), undecided_key_(first_key) {
  const size_t key_count = schema.key_columns.size();
  while (undecided_key_ < key_count) {
    const bool is_string =
        schema.encoder.orders()[undecided_key_].type.id() == TypeId::kVarchar ||
        PhysicalTypeOf(schema.encoder.orders()[undecided_key_].type) == PhysicalType::kString;
    if (is_string ? !AddStrings(rows, undecided_key_) : !AddNumbers(rows, undecided_key_)) return;
    undecided_key_++;
    key_ends_.push_back(bit_count_);
  }
}

size_t KeyPacking::ExpectedWords(const SortSchema& schema) {
  size_t bits = 0;
  for (const SortOrder& order : schema.encoder.orders()) {
    const PhysicalType type = PhysicalTypeOf(order.type);
    bits += type == PhysicalType::kString ? 8 * kUndecidedBytes : 8 * PhysicalSize(type);
  }
  return std::min(PackedBlock::kMostWords, (bits + 63) / 64);
}

bool KeyPacking::Add(Digit digit) {
  if (digit.bits == 0) return true;
  if (digit.bits > bits_left()) return false;
  digit.position = bit_count_;
  bit_count_ += digit.bits;
  digits_.push_back(digit);
  return true;
}

bool KeyPacking::AddValidity(size_t key, bool has_null) {
  return !has_null || Add({Part::kValidity, key, 1, 0});
}

template <typename T>
KeyPacking::NumberRange KeyPacking::RangeOf(const KeyRows& rows, size_t key) const {
  using Number = decltype(SortableNumber(T()));
  NumberRange range;
  Number least = std::numeric_limits<Number>::max(), greatest = 0;
  if constexpr (sizeof(Number) == 16) least = ~Number{0};
  Vector buffer(schema_.encoder.orders()[key].type);
  for (size_t block = 0; block < rows.block_count(); block++) {
    if (block % 64 == 0) context_.CheckInterrupt();
    const KeyBlock values = rows.Read(schema_.key_columns[key], block, buffer);
    const size_t count = rows.BlockRows(block);
    const T* data = values.As<T>();
    if (values.validity == nullptr) {
      for (size_t i = 0; i < count; i++) {
        const Number number = SortableNumber(data[i]);
        least = std::min(least, number);
        greatest = std::max(greatest, number);
      }
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      if (!values.IsValid(i)) {
        range.has_null = true;
        continue;
      }
      const Number number = SortableNumber(data[i]);
      least = std::min(least, number);
      greatest = std::max(greatest, number);
    }
  }
  range.least = least;
  range.greatest = greatest;
  return range;
}

bool KeyPacking::AddNumbers(const KeyRows& rows, size_t key) {
  NumberRange range;
  const SortOrder& order = schema_.encoder.orders()[key];
  VisitPhysicalType(PhysicalTypeOf(order.type), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, StringRef>) range = RangeOf<T>(rows, key);
  });
  if (!AddValidity(key, range.has_null)) return false;
  if (range.least >= range.greatest) return true;  // All are equal or NULL.
  const unsigned bits = BitWidth(range.greatest - range.least);
  const uint128_t base = order.descending ? range.greatest : range.least;
  if (bits > 64 && !Add({Part::kHighNumber, key, bits - 64, 0, base})) return false;
  return Add({Part::kNumber, key, std::min(bits, 64U), 0, base});
}

KeyPacking::StringRange KeyPacking::StringRangeOf(const KeyRows& rows, size_t key) const {
  StringRange range;
  bool has_value = false;
  std::string first;
  Vector buffer(schema_.encoder.orders()[key].type);
  for (size_t block = 0; block < rows.block_count(); block++) {
    if (block % 64 == 0) context_.CheckInterrupt();
    const KeyBlock values = rows.Read(schema_.key_columns[key], block, buffer);
    const auto* texts = values.As<StringRef>();
    const size_t count = rows.BlockRows(block);
    for (size_t i = 0; i < count; i++) {
      if (!values.IsValid(i)) {
        range.has_null = true;
        continue;
      }
      const StringRef& text = texts[i];
      range.shortest = std::min<size_t>(range.shortest, text.size());
      range.longest = std::max<size_t>(range.longest, text.size());
      if (!has_value) {
        has_value = true;
        first = text.ToString();
        range.common = first.size();
      }
      range.common = std::min<size_t>(range.common, text.size());
      if (range.common == 0 || std::memcmp(text.data(), first.data(), range.common) == 0) continue;
      const char* data = text.data();
      size_t same = 0;
      while (data[same] == first[same]) same++;
      range.common = same;
    }
  }
  return range;
}

bool KeyPacking::AddStrings(const KeyRows& rows, size_t key) {
  const StringRange range = StringRangeOf(rows, key);
  if (!AddValidity(key, range.has_null)) return false;
  if (range.longest == range.common) return true;
  const size_t length = range.longest - range.common;
  // Zero-padded prefixes of equal bytes are told apart by the length that follows.
  const auto length_bits =
      static_cast<unsigned>(range.shortest == range.longest ? 0 : std::bit_width(length));
  const bool is_whole = 8 * length + length_bits <= bits_left();
  const size_t byte_count = is_whole ? length : std::min(kUndecidedBytes, bits_left() / 8);
  for (size_t done = 0; done < byte_count; done += kBytesPerDigit) {
    const size_t bytes = std::min(kBytesPerDigit, byte_count - done);
    Add({Part::kStringBytes, key, static_cast<unsigned>(8 * bytes), 0, 0, range.common + done});
  }
  return is_whole && Add({Part::kStringLength, key, length_bits, 0, 0, range.common});
}

void KeyPacking::FillCodes(const Digit& digit, const KeyBlock& block, size_t count, uint64_t* codes) const {
  const SortOrder& order = schema_.encoder.orders()[digit.key];
  switch (digit.part) {
    case Part::kValidity:
      for (size_t i = 0; i < count; i++) codes[i] = block.IsValid(i) == order.nulls_first ? 1 : 0;
      return;  // NULLs have this bit, too.
    case Part::kNumber:
    case Part::kHighNumber:
      VisitPhysicalType(PhysicalTypeOf(order.type), [&]<typename T>() {
        if constexpr (!std::is_same_v<T, StringRef>) {
          NumberCodes<T>(block, count, order.descending, digit.base, digit.part == Part::kHighNumber, codes);
        }
      });
      break;
    case Part::kStringBytes:
    case Part::kStringLength: {
      const auto* texts = block.As<StringRef>();
      const uint64_t flip = order.descending ? Mask(digit.bits) : 0;
      for (size_t i = 0; i < count; i++) {
        if (!block.IsValid(i)) continue;
        const uint64_t code = digit.part == Part::kStringLength
                                  ? texts[i].size() - digit.first_byte
                                  : BytesAt(texts[i], digit.first_byte) >> (64 - digit.bits);
        codes[i] = code ^ flip;
      }
      break;
    }
  }
  if (block.validity == nullptr) return;
  for (size_t i = 0; i < count; i++) {
    if (!block.IsValid(i)) codes[i] = 0;
  }
}

void KeyPacking::Pack(const KeyRows& rows, size_t block, PackedBlock& packed) const {
  const size_t count = rows.BlockRows(block);
  for (size_t word = 0; word < word_count(); word++)
    std::memset(packed.words[word], 0, count * sizeof(uint64_t));
  uint64_t codes[kVectorSize];
  KeyBlock values;
  size_t key = SIZE_MAX;
  Vector buffer{LogicalType(TypeId::kBoolean)};
  for (const Digit& digit : digits_) {
    if (digit.key != key) {
      key = digit.key;
      buffer = Vector(schema_.encoder.orders()[key].type);
      values = rows.Read(schema_.key_columns[key], block, buffer);
    }
    FillCodes(digit, values, count, codes);
    const size_t word = digit.position / 64;
    const size_t end = digit.position % 64 + digit.bits;
    uint64_t* target = packed.words[word];
    if (end <= 64) {
      for (size_t i = 0; i < count; i++) target[i] |= codes[i] << (64 - end);
      continue;
    }
    uint64_t* next = packed.words[word + 1];
    for (size_t i = 0; i < count; i++) {
      target[i] |= codes[i] >> (end - 64);
      next[i] |= codes[i] << (128 - end);
    }
  }
}

}  // namespace scaup
