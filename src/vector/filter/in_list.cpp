// IN list test: a set for the rows, and sorted bounds for zone maps.
#include "vector/filter/in_list.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/text/literal_text.hpp"
#include "vector/filter/zone_map.hpp"

namespace scaup {

namespace {

bool IsReal(PhysicalType type) { return type == PhysicalType::kFloat || type == PhysicalType::kDouble; }

}  // namespace

InListTest::InListTest(const LogicalType& type, std::vector<Value> values)
    : type_(PhysicalTypeOf(type)), values_(std::move(values)), set_(type_, values_) {
  SCAUP_ASSERT(
      std::none_of(values_.begin(), values_.end(), [](const Value& value) { return value.is_null(); }));
  if (type_ == PhysicalType::kInterval) return;
  // NaN does not compare with other bounds. Without bounds, zone maps skip nothing.
  const bool has_nan = IsReal(type_) && std::any_of(values_.begin(), values_.end(), [](const Value& value) {
                         return value.GetDouble() != value.GetDouble();
                       });
  if (has_nan) return;
  for (const Value& value : values_) bounds_.push_back(BoundOf(value, type_));
  std::sort(bounds_.begin(), bounds_.end(), [&](const ZoneBound& a, const ZoneBound& b) {
    return IsReal(type_) ? a.real < b.real : a.integer < b.integer;
  });
}

bool InListTest::MayPass(const ZoneBound& minimum, const ZoneBound& maximum) const {
  if (bounds_.empty())
    return !values_.empty();  // There are no bounds to compare, but an empty list never passes.
  // A row may pass if the least constant that is not below the zone's minimum is not above its maximum.
  const auto first =
      std::lower_bound(bounds_.begin(), bounds_.end(), minimum, [&](const ZoneBound& a, const ZoneBound& b) {
        return IsReal(type_) ? a.real < b.real : a.integer < b.integer;
      });
  if (first == bounds_.end()) return false;
  return IsReal(type_) ? first->real <= maximum.real : first->integer <= maximum.integer;
}

std::string InListTest::Describe(const std::string& column) const {
  constexpr size_t kMostShown = 20;  // keeps EXPLAIN of a list of a million values readable
  std::string text = column + " IN (";
  for (size_t i = 0; i < std::min(values_.size(), kMostShown); i++)
    text += (i == 0 ? "" : ", ") + LiteralText(values_[i]);
  if (values_.size() > kMostShown) text += ", ... " + std::to_string(values_.size() - kMostShown) + " more";
  return text + ")";
}

}  // namespace scaup
