// Hashes the values of vectors, column by column: the keys of hash tables.
#include "common/hash.hpp"
#include "type/time/date_time.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

namespace {

uint64_t HashValue(uint8_t value) { return HashInteger(value); }
uint64_t HashValue(int8_t value) { return HashInteger(static_cast<uint64_t>(int64_t{value})); }
uint64_t HashValue(int16_t value) { return HashInteger(static_cast<uint64_t>(int64_t{value})); }
uint64_t HashValue(int32_t value) { return HashInteger(static_cast<uint64_t>(int64_t{value})); }
uint64_t HashValue(int64_t value) { return HashInteger(static_cast<uint64_t>(value)); }
uint64_t HashValue(uint16_t value) { return HashInteger(value); }
uint64_t HashValue(uint32_t value) { return HashInteger(value); }
uint64_t HashValue(uint64_t value) { return HashInteger(value); }
uint64_t HashValue(int128_t value) {
  return CombineHashes(HashInteger(static_cast<uint64_t>(value)),
                       HashInteger(static_cast<uint64_t>(value >> 64)));
}
uint64_t HashValue(double value) {
  // Values that compare equal must hash alike: both zeros, and all NaNs.
  if (value == 0) value = 0;
  if (value != value) return HashInteger(0x7ff8000000000000ULL);
  uint64_t bits;
  static_assert(sizeof(bits) == sizeof(value));
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return HashInteger(bits);
}
uint64_t HashValue(float value) { return HashValue(static_cast<double>(value)); }
uint64_t HashValue(const StringRef& value) {
  if (value.is_inline()) {
    uint64_t words[2];
    __builtin_memcpy(words, &value, sizeof(words));
    return HashInteger(HashInteger(words[1]) ^ words[0]);
  }
  return HashBytes(value.data(), value.size());
}
uint64_t HashValue(const Interval& value) { return HashValue(IntervalSortKey(value)); }

template <typename T>
void HashTyped(Vector& input, size_t count, uint64_t* hashes, bool combine) {
  if (input.kind() == VectorKind::kDictionary && input.dictionary().is_distinct &&
      input.dictionary().size <= count / 2) {
    // Hashes each distinct value once.
    const Dictionary& dictionary = input.dictionary();
    uint64_t entry_hashes[kVectorSize];
    const T* values = reinterpret_cast<const T*>(dictionary.data);
    for (size_t i = 0; i < dictionary.size; i++) {
      const bool valid = dictionary.validity == nullptr || TestValid(dictionary.validity, i);
      entry_hashes[i] = valid ? HashValue(values[i]) : kNullHash;
    }
    const sel_t* selection = input.selection()->rows;
    for (size_t i = 0; i < count; i++) {
      const uint64_t hash = entry_hashes[selection[i]];
      hashes[i] = combine ? CombineHashes(hashes[i], hash) : hash;
    }
    return;
  }
  const auto view = input.ViewAs<T>(count);
  if (view.all_valid() && !combine) {
    for (size_t i = 0; i < count; i++) hashes[i] = HashValue(view[i]);
  } else {
    for (size_t i = 0; i < count; i++) {
      const uint64_t hash = view.IsValid(i) ? HashValue(view[i]) : kNullHash;
      hashes[i] = combine ? CombineHashes(hashes[i], hash) : hash;
    }
  }
}

}  // namespace

void HashVector(Vector& input, size_t count, uint64_t* hashes, bool combine) {
  VisitPhysicalType(input.physical_type(),
                    [&]<typename T>() { HashTyped<T>(input, count, hashes, combine); });
}

}  // namespace scaup
