// Paths into JSON values.
#include "function/scalar/json/json_path.hpp"

#include "type/number/number_text.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

std::vector<std::optional<std::string>> ReadTexts(std::string_view list) {
  const LogicalType type = TypeId::kVarchar;
  std::vector<std::optional<std::string>> texts;
  std::string scratch;
  while (!list.empty()) {
    const std::string_view slot = TakeSlot(type, list);
    texts.emplace_back();
    if (!IsNullSlot(slot)) texts.back() = ReadStringSlot(slot, scratch);
  }
  return texts;
}

std::optional<std::string_view> FollowJsonStep(std::string_view json, std::string_view step) {
  switch (JsonKindOf(json)) {
    case JsonKind::kObject: return JsonMember(json, step);
    case JsonKind::kArray: {
      int32_t index;
      return ParseInteger(step, index) ? JsonElement(json, index) : std::nullopt;
    }
    case JsonKind::kNull:
    case JsonKind::kBoolean:
    case JsonKind::kNumber:
    case JsonKind::kString: break;
  }
  return std::nullopt;
}

std::optional<std::string_view> FollowJsonPath(std::string_view json,
                                               const std::vector<std::optional<std::string>>& path) {
  std::optional<std::string_view> found = json;
  for (const auto& step : path) {
    if (!step) return std::nullopt;
    found = FollowJsonStep(*found, *step);
    if (!found) return std::nullopt;
  }
  return found;
}

}  // namespace scaup
