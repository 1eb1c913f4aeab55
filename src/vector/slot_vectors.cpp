// Slots of packed lists and structs, by the physical type of their values.
#include "vector/slot_vectors.hpp"

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
void LoadRun(const char* slots, size_t count, Vector& target, size_t row) {
  SCAUP_ASSERT(target.is_flat());
  constexpr size_t kSlotBytes = 1 + sizeof(T);
  T* values = target.MutableData<T>() + row;
  bool has_nulls = false;
  for (size_t i = 0; i < count; i++) {
    const char* const slot = slots + i * kSlotBytes;
    has_nulls |= slot[0] == kSlotNull;
    values[i] = LoadSortable<T>(reinterpret_cast<const std::byte*>(slot + 1));
  }
  if (!has_nulls) return;
  for (size_t i = 0; i < count; i++) {
    if (slots[i * kSlotBytes] != kSlotNull) continue;
    values[i] = T{};
    target.SetNull(row + i);
  }
}

template <typename T>
char* WriteRun(const UnifiedView& values, size_t begin, size_t end, char* slots) {
  constexpr size_t kSlotBytes = 1 + sizeof(T);
  const auto typed = values.As<T>();
  for (size_t row = begin; row < end; row++, slots += kSlotBytes) {
    const bool is_valid = typed.IsValid(row);
    slots[0] = is_valid ? kSlotValue : kSlotNull;
    if (is_valid) {
      StoreSortable(typed[row], reinterpret_cast<std::byte*>(slots + 1));
    } else {
      std::memset(slots + 1, 0, sizeof(T));
    }
  }
  return slots;
}

/// Whether slots have one size, and no more than a mark and the value.
template <typename T>
constexpr bool kHasPlainSlots = !std::is_same_v<T, StringRef> && !std::is_same_v<T, Interval>;

}  // namespace

SlotRunLoader FindSlotRunLoader(const LogicalType& type) {
  if (type.IsNested() || type.id() == TypeId::kNull) return nullptr;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotRunLoader {
    if constexpr (kHasPlainSlots<T>) return LoadRun<T>;
    return nullptr;
  });
}

SlotRunWriter FindSlotRunWriter(const LogicalType& type) {
  if (type.IsNested() || type.id() == TypeId::kNull) return nullptr;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotRunWriter {
    if constexpr (kHasPlainSlots<T>) return WriteRun<T>;
    return nullptr;
  });
}

SlotAppender FindSlotAppender(const LogicalType& type) {
  if (type.IsNested()) return AppendNested;
  if (type.id() == TypeId::kNull) return AppendNull;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotAppender { return Append<T>; });
}

SlotLoader FindSlotLoader(const LogicalType& type) {
  if (type.IsNested()) return LoadNested;
  return VisitPhysicalType(PhysicalTypeOf(type), []<typename T>() -> SlotLoader { return Load<T>; });
}

}  // namespace scaup
