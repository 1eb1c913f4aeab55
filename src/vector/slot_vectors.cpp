// Slots of packed lists and structs, by the physical type of their values.
#include "vector/slot_vectors.hpp"

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

}  // namespace

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
