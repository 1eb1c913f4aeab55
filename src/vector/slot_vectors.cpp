// Slots of packed lists and structs, by the physical type of their values.
#include "vector/slot_vectors.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/packed_value.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

template <typename T>
void Append(const LogicalType& type, const UnifiedView& values, size_t row, std::string& slots) {
  if (!values.IsValid(row)) return AppendNullSlot(type, slots);
  const T& value = values.As<T>()[row];
  if constexpr (std::is_same_v<T, StringRef>) {
    AppendStringSlot(value.view(), slots);
  } else {
    AppendFixedSlot(value, slots);
  }
}

void AppendNested(const LogicalType& type, const UnifiedView& values, size_t row, std::string& slots) {
  if (!values.IsValid(row)) return AppendNullSlot(type, slots);
  AppendNestedSlot(type, values.As<StringRef>()[row].view(), slots);
}

/// Appends a NULL of type NULL, which ignores the values.
void AppendNull(const LogicalType& type, const UnifiedView&, size_t, std::string& slots) {
  AppendNullSlot(type, slots);
}

template <typename T>
void Load(const LogicalType&, std::string_view slot, Vector& target, size_t row) {
  SCAUP_ASSERT(target.is_flat());
  T& value = target.MutableData<T>()[row];
  if (IsNullSlot(slot)) {
    target.SetNull(row);
    value = T{};
  } else if constexpr (std::is_same_v<T, StringRef>) {
    std::string scratch;
    value = target.AddString(ReadStringSlot(slot, scratch));
  } else {
    value = ReadFixedSlot<T>(slot);
  }
}

void LoadNested(const LogicalType& type, std::string_view slot, Vector& target, size_t row) {
  SCAUP_ASSERT(target.is_flat());
  StringRef& value = target.MutableData<StringRef>()[row];
  if (IsNullSlot(slot)) {
    target.SetNull(row);
    value = StringRef();
  } else {
    value = target.AddString(ReadNestedSlot(type, slot));
  }
}

template <typename T>
size_t LoadLists(TypedView<StringRef> lists, size_t count, SlotPosition& next, Vector& target, sel_t* rows) {
  SCAUP_ASSERT(target.is_flat());
  constexpr size_t kSlotBytes = 1 + sizeof(T);
  T* const values = target.MutableData<T>();
  size_t loaded = 0;
  for (; next.row < count; next = {next.row + 1, 0}) {
    if (!lists.IsValid(next.row)) continue;
    const std::string_view list = lists[next.row].view();
    const char* slot = list.data() + next.byte;
    const size_t end = std::min(loaded + (list.size() - next.byte) / kSlotBytes, kVectorSize);
    next.byte += (end - loaded) * kSlotBytes;
    for (; loaded < end; loaded++, slot += kSlotBytes) {
      rows[loaded] = static_cast<sel_t>(next.row);
      if (slot[0] != kSlotNull) {
        values[loaded] = LoadSortable<T>(reinterpret_cast<const std::byte*>(slot + 1));
      } else {
        values[loaded] = T{};
        target.SetNull(loaded);
      }
    }
    if (next.byte < list.size()) break;
  }
  return loaded;
}

template <typename T>
void WriteLists(const UnifiedView& values, const sel_t* rows, size_t count, char** places) {
  const auto typed = values.As<T>();
  for (size_t i = 0; i < count;) {
    const sel_t row = rows[i];
    char* slot = places[row];
    for (; i < count && rows[i] == row; i++, slot += 1 + sizeof(T)) {
      const bool is_valid = typed.IsValid(i);
      slot[0] = is_valid ? kSlotValue : kSlotNull;
      if (is_valid) {
        StoreSortable(typed[i], reinterpret_cast<std::byte*>(slot + 1));
      } else {
        std::memset(slot + 1, 0, sizeof(T));
      }
    }
    places[row] = slot;
  }
}

/// Whether slots have one size, and no more than a mark and the value.
template <typename T>
constexpr bool kHasPlainSlots = !std::is_same_v<T, StringRef> && !std::is_same_v<T, Interval>;

}  // namespace

SlotListLoader FindSlotListLoader(const LogicalType& type) {
  if (IsPacked(type.id()) || type.id() == TypeId::kNull) return nullptr;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotListLoader {
    if constexpr (kHasPlainSlots<T>) return LoadLists<T>;
    return nullptr;
  });
}

SlotListWriter FindSlotListWriter(const LogicalType& type) {
  if (IsPacked(type.id()) || type.id() == TypeId::kNull) return nullptr;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotListWriter {
    if constexpr (kHasPlainSlots<T>) return WriteLists<T>;
    return nullptr;
  });
}

SlotAppender FindSlotAppender(const LogicalType& type) {
  if (IsPacked(type.id())) return AppendNested;
  if (type.id() == TypeId::kNull) return AppendNull;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotAppender { return Append<T>; });
}

SlotLoader FindSlotLoader(const LogicalType& type) {
  if (IsPacked(type.id())) return LoadNested;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotLoader { return Load<T>; });
}

}  // namespace scaup
