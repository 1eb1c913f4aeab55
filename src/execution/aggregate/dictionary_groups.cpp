// Dictionary groups: computing slots from codes.
#include "execution/aggregate/dictionary_groups.hpp"

#include <algorithm>

namespace scaup {

namespace {

/// A directory of this size leaves part of a core's cache to the groups.
constexpr size_t kMostDictionarySlots = 65536;

}  // namespace

/// Switches to the dictionaries of `keys` if they have changed. Returns false if slots are impossible.
bool DictionaryGroups::TakeSources(std::span<Vector> keys) {
  size_t slot_count = 1;
  bool are_same = sources_.size() == keys.size();
  for (size_t i = 0; i < keys.size(); i++) {
    const Vector& key = keys[i];
    if (key.kind() != VectorKind::kDictionary) return false;
    const Dictionary& dictionary = key.dictionary();
    if (!dictionary.is_distinct || !dictionary.owner || dictionary.size == 0) return false;
    if (dictionary.size > kMostDictionarySlots / slot_count) return false;
    slot_count *= dictionary.size;
    are_same = are_same && sources_[i].data == dictionary.data && sources_[i].size == dictionary.size;
  }
  if (are_same) return true;
  sources_.clear();
  for (const Vector& key : keys) {
    const Dictionary& dictionary = key.dictionary();
    sources_.push_back({dictionary.data, dictionary.size, dictionary.owner});
  }
  rows_.assign(slot_count, nullptr);
  return true;
}

bool DictionaryGroups::Find(std::span<Vector> keys, size_t count, std::byte** rows) {
  has_slots_ = !keys.empty() && TakeSources(keys);
  if (!has_slots_) return false;
  const sel_t* first = keys[0].selection()->rows;
  std::copy(first, first + count, slots_);
  for (size_t i = 1; i < keys.size(); i++) {
    const sel_t* codes = keys[i].selection()->rows;
    const auto size = static_cast<uint32_t>(sources_[i].size);
    for (size_t row = 0; row < count; row++) slots_[row] = slots_[row] * size + codes[row];
  }
  bool all = true;
  for (size_t row = 0; row < count; row++) {
    rows[row] = rows_[slots_[row]];
    all &= rows[row] != nullptr;
  }
  return all;
}

void DictionaryGroups::Note(size_t count, std::byte* const* rows) {
  if (!has_slots_) return;
  for (size_t row = 0; row < count; row++) rows_[slots_[row]] = rows[row];
}

}  // namespace scaup
