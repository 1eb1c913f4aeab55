// Finds values by hash; integers of a small range in a table of all of them.
#include "format/parquet/write/value_dictionary.hpp"

#include <algorithm>
#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

namespace {

/// Readers hold a dictionary in memory, and in the cache if it is small.
constexpr size_t kMostDictionaryBytes = size_t{1} << 20;
/// Values after which nearly all being distinct is taken for the rule.
constexpr size_t kSampledValues = 4096, kManyValues = 32768;
constexpr size_t kFirstSlots = 1024;
/// Numbers of at most so large a range have a table of codes instead of a hash table.
constexpr uint64_t kMostRange = 1 << 16;

/// A slot of the hash table: the upper half of the hash, and the code + 1; 0 for an empty slot.
using Slot = uint64_t;
constexpr uint64_t kHashBits = 0xFFFFFFFF00000000;

uint64_t MixHash(uint64_t bits) {
  bits *= 0x9E3779B97F4A7C15;
  bits ^= bits >> 32;
  return bits * 0xD6E8FEB86659FD93;
}

template <typename T>
uint64_t HashOf(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return XXH3_64bits(value.data(), value.size());
  } else if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return MixHash(bits);
  } else {
    uint64_t words[2] = {};
    std::memcpy(words, &value, sizeof(T));
    return MixHash(words[0] ^ MixHash(words[1]));
  }
}

/// Bytes are compared, so that the zeros, and the NaNs, stay what they are.
template <typename T>
bool IsEntry(const T& value, const std::byte* entry) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    uint32_t size;
    std::memcpy(&size, entry, sizeof(size));
    return size == value.size() && std::memcmp(entry + sizeof(size), value.data(), size) == 0;
  } else {
    return std::memcmp(&value, entry, sizeof(T)) == 0;
  }
}

template <typename T>
void AddEntry(const T& value, ByteBuffer& entries) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    entries.AppendValue(static_cast<uint32_t>(value.size()));
    entries.Append(value.data(), value.size());
  } else {
    entries.AppendValue(value);
  }
}

/// Whether a dictionary of so many entries among the first `seen` values is worth going on with. Values that
/// recur seldom may still do so often enough in all.
bool PaysOff(size_t entry_count, size_t entry_bytes, size_t seen) {
  if (entry_bytes > kMostDictionaryBytes) return false;
  if (seen < kSampledValues) return true;
  return entry_count <= seen - seen / (seen < kManyValues ? 32 : 4);
}

}  // namespace

bool ValueDictionary::Build(const LeafValues& values) {
  return VisitRawType(values.leaf(), [&]<typename T>() {
    if constexpr (std::is_same_v<T, uint8_t>) {
      return false;  // booleans take one bit as they are
    } else if constexpr (std::is_integral_v<T>) {
      return BuildByValue<T>(values);
    } else {
      return BuildByHash<T>(values);
    }
  });
}

template <typename T>
bool ValueDictionary::BuildByValue(const LeafValues& values) {
  const size_t count = values.value_count();
  const T* const numbers = values.values().As<T>();
  if (count == 0) return false;
  T least = numbers[0], greatest = numbers[0];
  for (size_t i = 1; i < count; i++) {
    least = std::min(least, numbers[i]);
    greatest = std::max(greatest, numbers[i]);
  }
  const uint64_t range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
  if (range >= kMostRange || range > count * 4) return BuildByHash<T>(values);
  slots_.Clear();
  auto* const code_of = reinterpret_cast<uint32_t*>(slots_.Extend((range + 1) * sizeof(uint32_t)));
  std::fill_n(code_of, range + 1, 0);  // code + 1
  auto* const codes = reinterpret_cast<uint32_t*>(codes_.Extend(count * sizeof(uint32_t)));
  for (size_t i = 0; i < count; i++) {
    uint32_t& code = code_of[static_cast<uint64_t>(numbers[i]) - static_cast<uint64_t>(least)];
    if (code == 0) {
      entries_.AppendValue(numbers[i]);
      code = static_cast<uint32_t>(++size_);
      if (!PaysOff(size_, entries_.size(), i + 1)) return false;
    }
    codes[i] = code - 1;
  }
  return true;
}

void ValueDictionary::Widen() {
  const size_t old_count = slots_.size() / sizeof(Slot), count = std::max(kFirstSlots, old_count * 2);
  ByteBuffer old = std::move(slots_);
  slots_.Clear();
  auto* const slots = reinterpret_cast<Slot*>(slots_.Extend(count * sizeof(Slot)));
  std::fill_n(slots, count, 0);
  // The upper half of a hash chooses the slot, so it is all that is needed.
  for (size_t i = 0; i < old_count; i++) {
    const Slot slot = old.As<Slot>()[i];
    if (slot == 0) continue;
    size_t at = slot >> 32 & (count - 1);
    while (slots[at] != 0) at = (at + 1) & (count - 1);
    slots[at] = slot;
  }
}

template <typename T>
bool ValueDictionary::BuildByHash(const LeafValues& values) {
  const size_t count = values.value_count();
  if (count == 0) return false;
  auto* const codes = reinterpret_cast<uint32_t*>(codes_.Extend(count * sizeof(uint32_t)));
  ByteBuffer starts(values.values().memory());  // of each entry of varying size
  Widen();
  size_t slot_count = slots_.size() / sizeof(Slot);
  auto* slots = reinterpret_cast<Slot*>(slots_.data());
  ValueCursor<T> cursor(values.values().data());
  for (size_t i = 0; i < count; i++) {
    const T value = cursor.Next();
    const uint64_t hash = HashOf(value) & kHashBits;
    size_t at = hash >> 32 & (slot_count - 1);
    for (; slots[at] != 0; at = (at + 1) & (slot_count - 1)) {
      if ((slots[at] & kHashBits) != hash) continue;
      const size_t code = (slots[at] & ~kHashBits) - 1;
      size_t start = code * sizeof(T);
      if constexpr (std::is_same_v<T, std::string_view>) start = starts.As<uint32_t>()[code];
      if (IsEntry(value, entries_.data() + start)) break;
    }
    if (slots[at] == 0) {
      if constexpr (std::is_same_v<T, std::string_view>)
        starts.AppendValue(static_cast<uint32_t>(entries_.size()));
      if constexpr (std::is_same_v<T, std::string_view>) {
        if (value.size() > kMostDictionaryBytes) return false;
      }
      AddEntry(value, entries_);
      slots[at] = hash | ++size_;
      if (!PaysOff(size_, entries_.size(), i + 1)) return false;
      if (size_ * 2 > slot_count) {
        Widen();
        slot_count = slots_.size() / sizeof(Slot);
        slots = reinterpret_cast<Slot*>(slots_.data());
        codes[i] = static_cast<uint32_t>(size_ - 1);
        continue;
      }
    }
    codes[i] = static_cast<uint32_t>((slots[at] & ~kHashBits) - 1);
  }
  return true;
}

}  // namespace scaup
