// Merges the kinds of values, and of what is in them.
#include "format/json/json_type_guess.hpp"

#include <algorithm>
#include <set>

#include "common/check.hpp"
#include "common/stack_bound.hpp"
#include "format/text/option_values.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

/// Objects with more members than this are rather maps than structs.
constexpr size_t kMostFields = 500;

std::string UnquotedName(std::string_view quoted) {
  std::string name;
  AppendJsonUnescaped(quoted, name);
  return name;
}

}  // namespace

JsonTypeGuess& JsonTypeGuess::Member(const std::string& name) {
  const auto [place, is_new] = places_.emplace(name, members_.size());
  if (is_new) members_.emplace_back(name, std::make_unique<JsonTypeGuess>());
  return *members_[place->second].second;
}

void JsonTypeGuess::Add(std::string_view json) {
  SCAUP_ASSERT(!json.empty());
  CheckStack();
  switch (JsonKindOf(json)) {
    case JsonKind::kNull: break;
    case JsonKind::kBoolean: kinds_ |= kBoolean; break;
    case JsonKind::kNumber:
      kinds_ |= kNumber;
      numbers_.Add(json, nullptr, nullptr);
      break;
    case JsonKind::kString:
      kinds_ |= kString;
      // A date has nothing that must be escaped.
      strings_.Add(json.substr(1, json.size() - 2), nullptr, nullptr);
      break;
    case JsonKind::kArray:
      kinds_ |= kArray;
      if (elements_ == nullptr) elements_ = std::make_unique<JsonTypeGuess>();
      for (JsonIterator elements(json); elements.Next();) elements_->Add(elements.value());
      break;
    case JsonKind::kObject:
      kinds_ |= kObject;
      for (JsonIterator members(json); members.Next();)
        Member(UnquotedName(members.quoted_name())).Add(members.value());
      break;
  }
}

LogicalType JsonTypeGuess::StructType(size_t depth) const {
  std::vector<StructField> fields;
  std::set<std::string> names;
  for (const auto& [name, member] : members_) {
    // Names that SQL cannot tell apart, or that are none, remain in the text.
    if (name.empty() || !names.insert(LowerCase(name)).second) return TypeId::kJson;
    fields.push_back({name, member->Type(depth - 1)});
  }
  if (fields.empty() || fields.size() > kMostFields) return TypeId::kJson;
  return LogicalType::Struct(std::move(fields));
}

LogicalType JsonTypeGuess::Type(size_t depth) const {
  CheckStack();
  if (depth == 0) return TypeId::kJson;
  switch (kinds_) {
    case kBoolean: return TypeId::kBoolean;
    case kNumber: {
      const LogicalType type = numbers_.Type();
      return type.IsNumeric() ? type : LogicalType(TypeId::kDouble);
    }
    case kString: {
      const LogicalType type = strings_.Type();
      const bool is_moment = type.id() == TypeId::kDate || type.id() == TypeId::kTime ||
                             type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz;
      return is_moment ? type : LogicalType(TypeId::kVarchar);
    }
    case kArray: return LogicalType::List(elements_->Type(depth - 1));
    case kObject: return StructType(depth);
    default: return TypeId::kJson;
  }
}

}  // namespace scaup
