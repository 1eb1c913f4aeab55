// Unpacks lists, structs and unions slot by slot.
#include "format/arrow/nested_array.hpp"

#include <cstring>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_holder.hpp"
#include "format/arrow/arrow_value.hpp"
#include "type/number/stored_text.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

NestedArray::NestedArray(const LogicalType& type, const ArrowLayout& layout)
    : type_(WithoutRange(type)), layout_(layout) {
  CheckStack();
  if (type_.id() == TypeId::kList) {
    children_.emplace_back(type_.element(), layout);
    offsets_.push_back(0);
  } else if (type_.id() == TypeId::kStruct) {
    for (const StructField& field : IsUnion(type_) ? UnionMembers(type_) : std::span(type_.fields()))
      children_.emplace_back(field.type, layout);
  } else if (IsArrowText(type_, layout)) {
    offsets_.push_back(0);
  }
}

void NestedArray::AppendValid(bool is_valid) {
  if (length_ % 8 == 0) validity_.push_back(0);
  if (is_valid) {
    validity_.back() = static_cast<char>(validity_.back() | 1 << (length_ % 8));
  } else {
    null_count_++;
  }
  length_++;
}

void NestedArray::AppendText(std::string_view text) {
  values_ += text;
  offsets_.push_back(ArrowOffset(values_.size()));
}

void NestedArray::AppendZero() {
  if (!offsets_.empty()) {
    offsets_.push_back(offsets_.back());
  } else if (type_.id() == TypeId::kStruct) {
    if (IsUnion(type_)) values_.push_back(0);
    for (NestedArray& child : children_) child.AppendNull();
  } else if (type_.id() == TypeId::kBoolean) {
    if (length_ % 8 == 0) values_.push_back(0);
  } else {
    values_.append(ArrowValueBytes(type_), char{0});
  }
}

void NestedArray::AppendNull() {
  CheckStack();
  if (type_.id() != TypeId::kNull) AppendZero();
  // Only members of unions have NULLs.
  AppendValid(IsUnion(type_));
}

void NestedArray::AppendPacked(std::string_view bytes) {
  CheckStack();
  if (type_.id() == TypeId::kList) {
    NestedArray& elements = children_[0];
    while (!bytes.empty()) elements.AppendSlot(TakeSlot(type_.element(), bytes));
    offsets_.push_back(ArrowOffset(elements.length_));
  } else if (IsUnion(type_)) {
    const UnionPart part = ReadUnion(type_, bytes);
    values_.push_back(static_cast<char>(part.member));
    for (size_t i = 0; i < children_.size(); i++)
      i == part.member ? children_[i].AppendSlot(part.slot) : children_[i].AppendNull();
  } else {
    for (size_t i = 0; i < children_.size(); i++)
      children_[i].AppendSlot(TakeSlot(type_.fields()[i].type, bytes));
  }
  AppendValid(true);
}

void NestedArray::AppendSlot(std::string_view slot) {
  if (IsNullSlot(slot)) return AppendNull();
  if (type_.IsNested()) return AppendPacked(ReadNestedSlot(type_, slot));
  if (HasStoredForm(type_)) {
    std::string text;
    AppendStoredText(type_, ReadStringSlot(slot, scratch_), text);
    AppendText(text);
  } else if (PhysicalTypeOf(type_) == PhysicalType::kString) {
    AppendText(ReadStringSlot(slot, scratch_));
  } else {
    AppendFixedSlotValue(slot);
  }
  AppendValid(true);
}

void NestedArray::AppendFixedSlotValue(std::string_view slot) {
  if (type_.id() == TypeId::kBoolean) {
    if (length_ % 8 == 0) values_.push_back(0);
    if (ReadFixedSlot<uint8_t>(slot) != 0)
      values_.back() = static_cast<char>(values_.back() | 1 << (length_ % 8));
    return;
  }
  if (type_.id() == TypeId::kEnum && !layout_.dictionaries)
    return AppendText(type_.label(static_cast<size_t>(ReadFixedSlot<int16_t>(slot))));
  VisitArrowValue(type_, [&]<typename T>(auto convert) { AppendFixed(convert(ReadFixedSlot<T>(slot))); });
}

void NestedArray::Finish(MemoryTracker& memory, const std::shared_ptr<const void>& owner, ArrowArray* out) {
  CheckStack();
  auto holder = std::make_unique<ArrowHolder>(memory);
  holder->KeepAlive(owner);
  const auto add = [&](const void* data, size_t size_bytes) {
    std::byte* copy = holder->Allocate(size_bytes);
    if (size_bytes != 0) std::memcpy(copy, data, size_bytes);
    holder->AddBuffer(copy);
  };
  const bool is_union = IsUnion(type_);
  if (type_.id() != TypeId::kNull && !is_union) {
    if (null_count_ == 0) {
      holder->AddBuffer(nullptr);
    } else {
      add(validity_.data(), validity_.size());
    }
  }
  if (!offsets_.empty()) add(offsets_.data(), offsets_.size() * sizeof(int32_t));
  if ((!type_.IsNested() && type_.id() != TypeId::kNull) || is_union) add(values_.data(), values_.size());
  for (NestedArray& child : children_) child.Finish(memory, owner, holder->AddChild());
  if (type_.id() == TypeId::kEnum && layout_.dictionaries)
    ExportLabels(type_, memory, owner, holder->MakeDictionary());
  ArrowHolder::Publish(std::move(holder), length_, null_count_, out);
}

void ExportLabels(const LogicalType& type, MemoryTracker& memory, const std::shared_ptr<const void>& owner,
                  ArrowArray* out) {
  std::string bytes;
  std::vector<int32_t> offsets = {0};
  for (size_t i = 0; i < type.label_count(); i++) {
    bytes += type.label(i);
    offsets.push_back(static_cast<int32_t>(bytes.size()));
  }
  auto holder = std::make_unique<ArrowHolder>(memory);
  holder->KeepAlive(owner);
  holder->AddBuffer(nullptr);
  std::byte* starts = holder->Allocate(offsets.size() * sizeof(int32_t));
  std::memcpy(starts, offsets.data(), offsets.size() * sizeof(int32_t));
  holder->AddBuffer(starts);
  std::byte* labels = holder->Allocate(bytes.size());
  std::memcpy(labels, bytes.data(), bytes.size());
  holder->AddBuffer(labels);
  ArrowHolder::Publish(std::move(holder), type.label_count(), 0, out);
}

}  // namespace scaup
