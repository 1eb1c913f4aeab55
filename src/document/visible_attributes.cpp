// The visible attributes of a transaction, and the default types of paths.
#include "document/visible_attributes.hpp"

#include <algorithm>
#include <unordered_set>

namespace scaup {

namespace {

constexpr uint32_t Bit(AttributeType type) { return 1U << static_cast<unsigned>(type); }

/// Whether the set is not empty and a subset of `allowed`.
bool AreOnly(uint32_t types, uint32_t allowed) { return types != 0 && (types & ~allowed) == 0; }

LogicalType TypeOfArrays(uint32_t types) {
  using enum AttributeType;
  types &= ~Bit(kEmptyArray);
  if (AreOnly(types, Bit(kBooleanArray))) return LogicalType::List(TypeId::kBoolean);
  if (AreOnly(types, Bit(kIntegerArray) | Bit(kLongIntegerArray))) return LogicalType::List(TypeId::kBigInt);
  if (AreOnly(types, Bit(kIntegerArray) | Bit(kDoubleArray))) return LogicalType::List(TypeId::kDouble);
  if (AreOnly(types, Bit(kStringArray))) return LogicalType::List(TypeId::kVarchar);
  return TypeId::kJson;
}

}  // namespace

void VisibleAttributes::Ask(PathId path) const {
  if (asked_.contains(kRootPath)) return;
  if (path == kRootPath) asked_.clear();
  asked_.insert(path);
}

bool VisibleAttributes::Has(PathId path, AttributeType type) const {
  Ask(path);
  const auto id = dictionary_->FindAttribute(path, type);
  return id && Has(*id);
}

std::vector<AttributeId> VisibleAttributes::AttributesOf(PathId path) const {
  Ask(path);
  std::vector<AttributeId> found = dictionary_->AttributesOf(path);
  std::erase_if(found, [&](AttributeId id) { return !Has(id); });
  return found;
}

std::vector<AttributeId> VisibleAttributes::AttributesBelow(PathId path) const {
  Ask(path);
  std::vector<AttributeId> found = dictionary_->AttributesBelow(path);
  std::erase_if(found, [&](AttributeId id) { return !Has(id); });
  return found;
}

bool VisibleAttributes::HasBelow(PathId path) const {
  Ask(path);
  return dictionary_->AnyBelow(path, true, [&](AttributeId id) { return Has(id); });
}

bool VisibleAttributes::HasMembers(PathId path) const {
  Ask(path);
  return dictionary_->AnyBelow(path, false, [&](AttributeId id) { return Has(id); });
}

std::pair<int, uint64_t> VisibleAttributes::OrderOf(AttributeId id) const {
  if (sees_all_) return {0, id};
  if (const AttributeCensus::Entry entry = (*census_)[id]; entry.documents != 0) return {0, entry.rank};
  if (own_ != nullptr && (*own_)[id].documents > 0) return {1, (*own_)[id].rank};
  return {2, id};
}

std::vector<AttributeId> VisibleAttributes::InOrder() const {
  Ask(kRootPath);
  std::vector<std::pair<std::pair<int, uint64_t>, AttributeId>> visible;
  const auto count = static_cast<AttributeId>(dictionary_->attribute_count());
  for (AttributeId id = 0; id < count; id++) {
    if (Has(id)) visible.emplace_back(OrderOf(id), id);
  }
  std::sort(visible.begin(), visible.end());
  std::vector<AttributeId> ids;
  ids.reserve(visible.size());
  for (const auto& [order, id] : visible) ids.push_back(id);
  return ids;
}

std::vector<PathId> VisibleAttributes::Paths() const {
  std::vector<PathId> paths;
  std::unordered_set<PathId> known;
  for (const AttributeId id : InOrder()) {
    const PathId path = dictionary_->attribute(id).path;
    if (known.insert(path).second) paths.push_back(path);
  }
  return paths;
}

LogicalType DefaultTypeOf(const VisibleAttributes& attributes, PathId path) {
  using enum AttributeType;
  if (attributes.HasMembers(path)) return TypeId::kJson;
  uint32_t types = 0;
  for (const AttributeId id : attributes.AttributesOf(path))
    types |= Bit(attributes.dictionary()->attribute(id).type);
  types &= ~Bit(kNull);
  if (types == 0) return TypeId::kVarchar;
  if (AreOnly(types, Bit(kBoolean))) return TypeId::kBoolean;
  if (AreOnly(types, Bit(kString))) return TypeId::kVarchar;
  if (AreOnly(types, Bit(kInteger) | Bit(kLongInteger))) return TypeId::kBigInt;
  if (AreOnly(types, Bit(kInteger) | Bit(kLongInteger) | Bit(kHugeInteger))) return TypeId::kHugeInt;
  // Together with fractions, integers that no double holds exactly leave only JSON.
  if (AreOnly(types, Bit(kInteger) | Bit(kDouble) | Bit(kNumber))) return TypeId::kDouble;
  if (AreOnly(types, Bit(kEmptyArray) | Bit(kBooleanArray) | Bit(kIntegerArray) | Bit(kLongIntegerArray) |
                         Bit(kDoubleArray) | Bit(kStringArray) | Bit(kArray)))
    return TypeOfArrays(types);
  return TypeId::kJson;
}

}  // namespace scaup
