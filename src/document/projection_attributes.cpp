// The attributes from which a projection is computed.
#include "document/projection_attributes.hpp"

#include <algorithm>

namespace scaup {

namespace {

void AddToBitmap(const std::vector<AttributeId>& ids, std::vector<bool>& members) {
  if (ids.empty()) return;
  members.resize(std::max<size_t>(members.size(), ids.back() + 1));
  for (const AttributeId id : ids) members[id] = true;
}

}  // namespace

ProjectionAttributes AttributesOf(const AttributeDictionary& dictionary,
                                  const DocumentProjection& projection) {
  using Kind = ProjectionAttributes::Kind;
  const auto& [path, type, steps] = projection;
  ProjectionAttributes result;
  if (type.id() == TypeId::kBlob) {
    result.kind = Kind::kWhole;
    return result;
  }
  if (!steps.empty()) {
    result.kind = Kind::kSteps;
    AddToBitmap(dictionary.AttributesBelow(path), result.members);
    return result;
  }
  const std::vector<AttributeId> own = dictionary.AttributesOf(path);
  for (const AttributeId id : own) {
    const AttributeType from = dictionary.attribute(id).type;
    const ValueConversion conversion = ConversionTo(type, from);
    if (conversion != ValueConversion::kNone) result.uses.push_back({id, from, conversion});
  }
  if (type.id() != TypeId::kJson) return result;
  AddToBitmap(dictionary.AttributesBelow(path), result.members);
  for (const AttributeId id : own) result.members[id] = false;
  const bool has_members =
      std::find(result.members.begin(), result.members.end(), true) != result.members.end();
  if (has_members || path == kRootPath) result.kind = Kind::kObject;
  return result;
}

}  // namespace scaup
