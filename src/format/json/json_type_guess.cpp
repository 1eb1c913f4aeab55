// Merges the kinds of values, and of what is in them.
#include "format/json/json_type_guess.hpp"

#include <algorithm>
#include <set>

#include "common/stack_bound.hpp"
#include "format/text/option_values.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

/// Objects with more members than this are rather maps than structs.
constexpr size_t kMostFields = 500;

}  // namespace

/// The guess of a member, which mostly is at the expected place.
JsonTypeGuess& JsonTypeGuess::Member(std::string_view quoted, size_t expected) {
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  const bool is_expected = expected < members_.size() && members_[expected].first == inner;
  if (is_expected && inner.find('\\') == std::string_view::npos) return *members_[expected].second;
  std::string name;
  AppendJsonUnescaped(quoted, name);
  const auto [place, is_new] = places_.emplace(name, members_.size());
  if (is_new) members_.emplace_back(name, std::make_unique<JsonTypeGuess>());
  return *members_[place->second].second;
}

void JsonTypeGuess::Add(const JsonTokens& document, size_t value) {
  CheckStack();
  switch (document.kind(value)) {
    case JsonKind::kNull: break;
    case JsonKind::kBoolean: kinds_ |= kBoolean; break;
    case JsonKind::kNumber:
      kinds_ |= kNumber;
      numbers_.Add(document.text(value), nullptr, nullptr);
      break;
    case JsonKind::kString: {
      kinds_ |= kString;
      // A date has nothing that must be escaped.
      const std::string_view text = document.text(value);
      strings_.Add(text.substr(1, text.size() - 2), nullptr, nullptr);
      break;
    }
    case JsonKind::kArray:
      kinds_ |= kArray;
      if (elements_ == nullptr) elements_ = std::make_unique<JsonTypeGuess>();
      document.ForElements(value, [&](size_t element) { elements_->Add(document, element); });
      break;
    case JsonKind::kObject: {
      kinds_ |= kObject;
      size_t expected = 0;
      document.ForMembers(value, [&](std::string_view quoted, size_t member) {
        Member(quoted, expected++).Add(document, member);
      });
      break;
    }
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
