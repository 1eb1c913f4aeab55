// Sets of values of one type, for testing many values against a list of constants.
#include "vector/value_set.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/throw.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

constexpr size_t kMostFew = 8;
// 32 KiB of bits stay in the L1 cache beside the tested values.
constexpr uint64_t kMostDenseBits = uint64_t{1} << 18;
// With 32 bits per value, one foreign value in 32 passes the bitmap and probes the hash table.
constexpr uint64_t kBitsPerValue = 32;
constexpr uint64_t kLeastBits = uint64_t{1} << 12;
constexpr uint64_t kMostBits = uint64_t{1} << 23;

/// Returns the bits of an integer as the signed integer of the type's size.
int64_t TwinOf(PhysicalType type, int128_t value) {
  switch (type) {
    case PhysicalType::kUInt8: return static_cast<int8_t>(value);
    case PhysicalType::kUInt16: return static_cast<int16_t>(value);
    case PhysicalType::kUInt32: return static_cast<int32_t>(value);
    default: return static_cast<int64_t>(value);
  }
}

template <typename T>
T Load(const std::byte* values, size_t i) {
  T value;
  std::memcpy(&value, values + i * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

// --- IntegerValueSet

IntegerValueSet::IntegerValueSet(std::vector<int64_t> values) : values_(std::move(values)) {
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  if (values_.size() <= kMostFew) return;
  const uint64_t width = static_cast<uint64_t>(values_.back()) - static_cast<uint64_t>(values_.front());
  if (width < kMostDenseBits) {
    kind_ = Kind::kDense;
    range_ = width + 1;
    bits_.resize(range_ / 64 + 1);
    for (const int64_t value : values_) {
      const uint64_t bit = static_cast<uint64_t>(value) - static_cast<uint64_t>(values_.front());
      bits_[bit >> 6] |= uint64_t{1} << (bit & 63);
    }
    return;
  }
  kind_ = Kind::kHashed;
  const uint64_t bit_count = std::bit_ceil(std::clamp(values_.size() * kBitsPerValue, kLeastBits, kMostBits));
  shift_ = static_cast<unsigned>(64 - std::countr_zero(bit_count));
  bits_.resize(bit_count / 64);
  const uint64_t slot_count = std::bit_ceil(2 * values_.size());
  slot_shift_ = static_cast<unsigned>(64 - std::countr_zero(slot_count));
  while (std::binary_search(values_.begin(), values_.end(), empty_)) empty_++;
  slots_.assign(slot_count, empty_);
  for (const int64_t value : values_) {
    const uint64_t hash = Hash(value), bit = hash >> shift_;
    bits_[bit >> 6] |= uint64_t{1} << (bit & 63);
    uint64_t slot = hash >> slot_shift_;
    while (slots_[slot] != empty_) slot = (slot + 1) & (slot_count - 1);
    slots_[slot] = value;
  }
}

bool IntegerValueSet::HasSlot(int64_t value) const {
  if (value == empty_) return false;
  for (uint64_t slot = Hash(value) >> slot_shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == value) return true;
    if (slots_[slot] == empty_) return false;
  }
}

bool IntegerValueSet::Has(int64_t value) const {
  switch (kind_) {
    case Kind::kFew: {
      bool found = false;
      for (const int64_t each : values_) found |= each == value;
      return found;
    }
    case Kind::kDense: {
      const uint64_t bit = static_cast<uint64_t>(value) - static_cast<uint64_t>(values_.front());
      return bit < range_ && HasBit(bit);
    }
    case Kind::kHashed: return HasBit(Hash(value) >> shift_) && HasSlot(value);
  }
  return false;
}

template <typename T>
void IntegerValueSet::Find(const T* values, size_t count, uint8_t* found) const {
  switch (kind_) {
    case Kind::kFew:
      std::memset(found, 0, count);
      // Compares in the values' own width, so that a register holds as many as possible. All members
      // of the set fit into that type.
      for (const int64_t each : values_) {
        const T wanted = static_cast<T>(each);
        for (size_t i = 0; i < count; i++) found[i] |= static_cast<uint8_t>(values[i] == wanted);
      }
      return;
    case Kind::kDense: {
      const uint64_t least = static_cast<uint64_t>(values_.front());
      const uint64_t* bits = bits_.data();
      for (size_t i = 0; i < count; i++) {
        const uint64_t bit = static_cast<uint64_t>(int64_t{values[i]}) - least;
        const uint64_t place = bit < range_ ? bit : range_;  // the bit after the last one is 0
        found[i] = static_cast<uint8_t>(bits[place >> 6] >> (place & 63) & 1);
      }
      return;
    }
    case Kind::kHashed: break;
  }
  const uint64_t* bits = bits_.data();
  for (size_t i = 0; i < count; i++) {
    const uint64_t bit = Hash(values[i]) >> shift_;
    found[i] = static_cast<uint8_t>(bits[bit >> 6] >> (bit & 63) & 1);
  }
  for (size_t i = 0; i < count; i++) {
    if (found[i] != 0) found[i] = static_cast<uint8_t>(HasSlot(values[i]));
  }
}

// --- ValueSet

ValueSet::ValueSet(PhysicalType type, const std::vector<Value>& values) : type_(SignedTwin(type)) {
  std::vector<int64_t> integers;
  for (const Value& value : values) {
    switch (type) {
      case PhysicalType::kFloat:
      case PhysicalType::kDouble: integers.push_back(BitsOf(value.GetDouble())); break;
      case PhysicalType::kString: texts_.push_back(value.GetString()); break;
      case PhysicalType::kInterval: wide_.push_back(IntervalSortKey(value.GetInterval())); break;
      case PhysicalType::kInt128: wide_.push_back(value.GetInteger()); break;
      case PhysicalType::kBool:
      case PhysicalType::kInt8:
      case PhysicalType::kInt16:
      case PhysicalType::kInt32:
      case PhysicalType::kInt64:
      case PhysicalType::kUInt8:
      case PhysicalType::kUInt16:
      case PhysicalType::kUInt32:
      case PhysicalType::kUInt64: integers.push_back(TwinOf(type, value.GetInteger())); break;
    }
  }
  for (const std::string& text : texts_) {
    text_set_.insert(text);
    integers.push_back(HeadOf(StringRef(text)));
  }
  integers_ = IntegerValueSet(std::move(integers));
  std::sort(wide_.begin(), wide_.end());
}

int64_t ValueSet::BitsOf(double value) {
  constexpr int64_t kNaN = 0x7FF8000000000000;
  if (value != value) return kNaN;
  return value == 0 ? 0 : std::bit_cast<int64_t>(value);
}

bool ValueSet::HasWide(const int128_t& value) const {
  SCAUP_ASSERT(type_ == PhysicalType::kInt128 || type_ == PhysicalType::kInterval);
  return std::binary_search(wide_.begin(), wide_.end(), value);
}

bool ValueSet::HasText(const StringRef& value) const {
  SCAUP_ASSERT(type_ == PhysicalType::kString);
  // The head of a short string is all of it.
  return integers_.Has(HeadOf(value)) && (value.size() <= kHeadBytes || text_set_.contains(value.view()));
}

void ValueSet::Find(const std::byte* values, size_t count, uint8_t* found) const {
  const auto each = [&](auto has) {
    for (size_t i = 0; i < count; i++) found[i] = static_cast<uint8_t>(has(i));
  };
  switch (type_) {
    case PhysicalType::kBool: return integers_.Find(reinterpret_cast<const uint8_t*>(values), count, found);
    case PhysicalType::kInt8: return integers_.Find(reinterpret_cast<const int8_t*>(values), count, found);
    case PhysicalType::kInt16: return integers_.Find(reinterpret_cast<const int16_t*>(values), count, found);
    case PhysicalType::kInt32: return integers_.Find(reinterpret_cast<const int32_t*>(values), count, found);
    case PhysicalType::kInt64: return integers_.Find(reinterpret_cast<const int64_t*>(values), count, found);
    case PhysicalType::kFloat: return each([&](size_t i) { return HasReal(Load<float>(values, i)); });
    case PhysicalType::kDouble: return each([&](size_t i) { return HasReal(Load<double>(values, i)); });
    case PhysicalType::kInt128: return each([&](size_t i) { return HasWide(Load<int128_t>(values, i)); });
    case PhysicalType::kInterval:
      return each([&](size_t i) { return HasWide(IntervalSortKey(Load<Interval>(values, i))); });
    case PhysicalType::kString: {
      const auto* texts = reinterpret_cast<const StringRef*>(values);
      return each([&](size_t i) { return HasText(texts[i]); });
    }
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64: ThrowInternal("a set of unsigned integers keeps their signed twins");
  }
}

}  // namespace scaup
