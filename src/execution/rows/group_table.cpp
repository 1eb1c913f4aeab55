// Group table: vectorized probing.
#include "execution/rows/group_table.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/memory/memory_tracker.hpp"

namespace scaup {

namespace {
/// Whether ProbeKey handles keys of this type.
bool IsOrderedKey(PhysicalType stored) {
  const PhysicalType type = SignedTwin(stored);
  return type == PhysicalType::kInt16 || type == PhysicalType::kInt32 || type == PhysicalType::kInt64;
}
}  // namespace

GroupTable::GroupTable(const RowLayout& layout, MemoryTracker& memory, InitializeRow initialize,
                       const void* owner)
    : layout_(layout), new_row_(layout.row_bytes()), rows_(layout, memory), reservation_(memory) {
  layout_.InitializeValidity(new_row_.data());
  if (initialize != nullptr) initialize(owner, new_row_.data());
  Resize(kLeastBytes / sizeof(uint64_t));
  is_ascending_ = layout.column_count() == 1 && IsOrderedKey(layout.physical_type(0));
}

std::byte* GroupTable::MakeRow(uint64_t hash) {
  std::byte* row = rows_.AddRow();
  std::memcpy(row, new_row_.data(), new_row_.size());
  std::memcpy(row, &hash, sizeof(hash));
  return row;
}

void GroupTable::Resize(size_t slot_count) {
  reservation_.Resize(slot_count * sizeof(uint64_t));
  entries_.assign(slot_count, 0);
  mask_ = slot_count - 1;
  rows_.ForEachBlock([&](std::byte* first, size_t count) {
    for (size_t i = 0; i < count; i++) {
      std::byte* row = first + i * layout_.row_bytes();
      const uint64_t hash = HashOf(row);
      size_t slot = hash & mask_;
      while (entries_[slot] != 0) slot = (slot + 1) & mask_;
      entries_[slot] = MakeEntry(hash, row);
    }
  });
}

size_t GroupTable::SlotsFor(size_t more_groups) const {
  size_t slots = entries_.size();
  // The load factor stays below 2/3, so that probe sequences stay short.
  while ((group_count() + more_groups) * 3 > slots * 2) slots *= 2;
  return slots;
}

void GroupTable::ReserveFor(size_t more_groups) {
  // Leaving the ascending mode enters all groups so far into the directory.
  if (std::exchange(is_ascending_, false)) return Resize(SlotsFor(more_groups));
  if (const size_t slots = SlotsFor(more_groups); slots != entries_.size()) Resize(slots);
}

size_t GroupTable::MostGrowBytes(size_t count) const {
  if (layout_.column_count() == 0) count = group_count() == 0 ? 1 : 0;  // The only group has no key.
  const size_t slots = SlotsFor(count);
  return (slots == entries_.size() ? 0 : slots * sizeof(uint64_t)) + rows_.MostAddBytes(count);
}

void GroupTable::FindOrCreate(std::span<Vector> keys, const uint64_t* hashes, size_t count,
                              std::byte** rows) {
  if (!is_ascending_) ReserveFor(count);
  Probe<true>(keys, hashes, count, rows, nullptr);
}

size_t GroupTable::Find(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
                        sel_t* missing) {
  if (is_ascending_) ReserveFor(0);
  const size_t missing_count = Probe<false>(keys, hashes, count, rows, missing);
  std::sort(missing, missing + missing_count);  // Probing in rounds finds them out of order.
  return missing_count;
}

template <bool kMakesGroups>
size_t GroupTable::Probe(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
                         sel_t* missing) {
  if (keys.size() == 1) {
    const UnifiedView view = keys[0].View(count);
    if (view.validity == nullptr) {
      switch (SignedTwin(layout_.physical_type(0))) {  // Any order will do, and keys are equal by their bits.
        case PhysicalType::kInt16: return ProbeKey<kMakesGroups, int16_t>(view, hashes, count, rows, missing);
        case PhysicalType::kInt32: return ProbeKey<kMakesGroups, int32_t>(view, hashes, count, rows, missing);
        case PhysicalType::kInt64: return ProbeKey<kMakesGroups, int64_t>(view, hashes, count, rows, missing);
        default: break;
      }
    }
  }
  return ProbeKeys<kMakesGroups>(keys, hashes, count, rows, missing);
}

template <bool kMakesGroups, typename Key>
size_t GroupTable::ProbeKey(const UnifiedView& keys, const uint64_t* hashes, size_t count, std::byte** rows,
                            sel_t* missing) {
  const auto values = keys.As<Key>();
  const size_t offset = layout_.offset(0);
  size_t missing_count = 0, first = 0;
  if (is_ascending_) {
    first = AddAscending(values, hashes, count, rows);
    if (first < count) ReserveFor(count);
  }
  for (size_t i = first; i < count; i++) {
    const uint64_t hash = hashes[i];
    const Key value = values[i];
    size_t slot = hash & mask_;
    while (true) {
      const uint64_t entry = entries_[slot];
      if (entry == 0) {
        if constexpr (kMakesGroups) {
          std::byte* row = MakeRow(hash);
          std::memcpy(row + offset, &value, sizeof(value));
          entries_[slot] = MakeEntry(hash, row);
          rows[i] = row;
        } else {
          missing[missing_count++] = static_cast<sel_t>(i);
        }
        break;
      }
      if ((entry & ~kPointerMask) == (hash & ~kPointerMask)) {
        std::byte* row = RowOf(entry);
        Key other;
        std::memcpy(&other, row + offset, sizeof(other));
        if (other == value && layout_.IsValid(row, 0)) {
          rows[i] = row;
          break;
        }
      }
      slot = (slot + 1) & mask_;
    }
  }
  return missing_count;
}

template <typename Key>
size_t GroupTable::AddAscending(const TypedView<Key>& keys, const uint64_t* hashes, size_t count,
                                std::byte** rows) {
  const size_t offset = layout_.offset(0);
  std::byte* row = last_row_;
  Key last{};
  if (row != nullptr) std::memcpy(&last, row + offset, sizeof(last));
  size_t i = 0;
  for (; i < count; i++) {
    const Key value = keys[i];
    if (row == nullptr || value > last) {
      row = MakeRow(hashes[i]);
      std::memcpy(row + offset, &value, sizeof(value));
      // A descending key ends the ascending mode; the caller probes for the remaining rows.
      last = value;
    } else if (value != last) {
      break;
    }
    rows[i] = row;
  }
  last_row_ = row;
  return i;
}

template <bool kMakesGroups>
size_t GroupTable::ProbeKeys(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
                             sel_t* missing) {
  UnifiedView views[64];
  std::vector<UnifiedView> many_views;
  UnifiedView* key_views = views;
  if (keys.size() > 64) {
    many_views.resize(keys.size());
    key_views = many_views.data();
  }
  for (size_t i = 0; i < keys.size(); i++) key_views[i] = keys[i].View(count);
  if (is_ascending_) ReserveFor(kMakesGroups ? count : 0);

  size_t slots[kVectorSize];
  sel_t open[kVectorSize];
  for (size_t i = 0; i < count; i++) {
    slots[i] = hashes[i] & mask_;
    open[i] = static_cast<sel_t>(i);
  }
  size_t open_count = count, missing_count = 0;
  while (open_count != 0) {
    // 1. Probe up to an empty slot, which may become a new group, or to an entry with the same salt.
    sel_t new_rows[kVectorSize], candidates[kVectorSize];
    std::byte* made[kVectorSize];
    size_t new_count = 0, candidate_count = 0;
    for (size_t i = 0; i < open_count; i++) {
      const sel_t index = open[i];
      const uint64_t hash = hashes[index];
      size_t slot = slots[index];
      while (true) {
        const uint64_t entry = entries_[slot];
        if (entry == 0) {
          if constexpr (!kMakesGroups) {
            missing[missing_count++] = index;
            break;
          }
          std::byte* row = MakeRow(hash);
          entries_[slot] = MakeEntry(hash, row);
          rows[index] = row;
          made[new_count] = row;
          new_rows[new_count++] = index;
          break;
        }
        if ((entry & ~kPointerMask) == (hash & ~kPointerMask)) {
          rows[index] = RowOf(entry);
          candidates[candidate_count++] = index;
          break;
        }
        slot = (slot + 1) & mask_;
      }
      slots[index] = slot;
    }
    // 2. Write the keys of new groups, so that later rows of this same vector can be compared with them.
    if (new_count != 0) {
      for (size_t i = 0; i < keys.size(); i++)
        layout_.Scatter(i, key_views[i], new_rows, new_count, made, rows_.arena());
    }
    // 3. Compare the keys; rows that differ continue probing.
    open_count = 0;
    for (size_t i = 0; i < keys.size() && candidate_count != 0; i++) {
      candidate_count =
          layout_.Match(i, key_views[i], true, rows, candidates, candidate_count, open, open_count);
    }
    for (size_t i = 0; i < open_count; i++) slots[open[i]] = (slots[open[i]] + 1) & mask_;
  }
  return missing_count;
}

bool GroupTable::RowsEqual(const std::byte* a, const std::byte* b) const {
  for (size_t i = 0; i < layout_.column_count(); i++) {
    // Row a's value as a vector of one row.
    UnifiedView view;
    view.data = a + layout_.offset(i);
    view.selection = ZeroSelection();
    const ValidityWord validity = layout_.IsValid(a, i) ? 1 : 0;
    view.validity = &validity;
    sel_t candidate = 0, mismatch[1];
    size_t mismatch_count = 0;
    if (layout_.Match(i, view, true, &b, &candidate, 1, mismatch, mismatch_count) == 0) return false;
  }
  return true;
}

std::byte* GroupTable::FindOrAdopt(const std::byte* foreign_row, bool& is_new) {
  ReserveFor(1);
  const uint64_t hash = HashOf(foreign_row);
  size_t slot = hash & mask_;
  while (true) {
    const uint64_t entry = entries_[slot];
    if (entry == 0) {
      std::byte* row = rows_.AddRow();
      std::memcpy(row, foreign_row, layout_.row_bytes());
      entries_[slot] = MakeEntry(hash, row);
      is_new = true;
      return row;
    }
    if ((entry & ~kPointerMask) == (hash & ~kPointerMask) && RowsEqual(foreign_row, RowOf(entry))) {
      is_new = false;
      return RowOf(entry);
    }
    slot = (slot + 1) & mask_;
  }
}

}  // namespace scaup
