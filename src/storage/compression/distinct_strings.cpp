// A hash table of distinct strings with open addressing.
#include "storage/compression/distinct_strings.hpp"

#include <cstring>

#include "common/hash.hpp"

namespace scaup {

namespace {

uint32_t HashString(const StringRef& value) {
  // An inline string is its 16 bytes, so two words identify it.
  if (!value.is_inline()) return static_cast<uint32_t>(HashBytes(value.data(), value.size()));
  uint64_t words[2];
  std::memcpy(words, &value, sizeof(words));
  return static_cast<uint32_t>(HashInteger(words[0] ^ (words[1] * 0x9fb21c651e98df25ULL)));
}

}  // namespace

uint32_t DistinctStrings::CodeOf(const StringRef& value) {
  const uint32_t hash = HashString(value);
  const size_t last_slot = slots_.size() - 1;
  size_t index = hash & last_slot;
  while (slots_[index].code_plus_one != 0) {
    // The hash is compared first: it avoids most accesses to string bytes.
    if (slots_[index].hash == hash && strings_[slots_[index].code_plus_one - 1] == value) {
      return slots_[index].code_plus_one - 1;
    }
    index = (index + 1) & last_slot;
  }
  const auto code = static_cast<uint32_t>(strings_.size());
  strings_.push_back(value);
  slots_[index] = {hash, code + 1};
  // Grown at half load, to keep probe sequences short.
  if (strings_.size() * 2 > slots_.size()) Grow();
  return code;
}

void DistinctStrings::Grow() {
  // Slots store the hashes, so strings need not be read again.
  std::vector<Slot> grown(slots_.size() * 4);
  for (const Slot& slot : slots_) {
    if (slot.code_plus_one == 0) continue;
    size_t index = slot.hash & (grown.size() - 1);
    while (grown[index].code_plus_one != 0) index = (index + 1) & (grown.size() - 1);
    grown[index] = slot;
  }
  slots_ = std::move(grown);
}

}  // namespace scaup
