// DuckDB's paths into JSON values: parsing and following.
#include "function/scalar/json/json_steps.hpp"

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/number/number_text.hpp"
#include "type/text/json_text.hpp"

namespace scaup {
namespace {

using Kind = JsonStep::Kind;

/// Takes a path that begins with $ or / apart.
class StepParser {
 public:
  explicit StepParser(std::string_view path) : path_(path), rest_(path) {}

  std::vector<JsonStep> ParseDollar() {
    for (rest_.remove_prefix(1); !rest_.empty();) {
      fault_at_ = path_.size() - rest_.size();
      if (rest_[0] == '.') {
        ParseMember();
      } else if (rest_[0] == '[') {
        ParseElement();
      } else {
        Refuse();
      }
    }
    return std::move(steps_);
  }

  std::vector<JsonStep> ParsePointer() {
    while (!rest_.empty()) {
      rest_.remove_prefix(1);
      std::string name;
      for (; !rest_.empty() && rest_[0] != '/'; rest_.remove_prefix(1)) {
        const bool is_escape = rest_[0] == '~' && rest_.size() > 1 && (rest_[1] == '0' || rest_[1] == '1');
        if (is_escape) rest_.remove_prefix(1);
        name += is_escape ? (rest_[0] == '0' ? '~' : '/') : rest_[0];
      }
      steps_.push_back({.kind = Kind::kPointer, .name = std::move(name)});
    }
    return std::move(steps_);
  }

 private:
  [[noreturn]] void Refuse() const {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
        fmt::format("the JSON path \"{}\" is wrong at \"{}\"; paths look like $.name[0].\"other name\", "
                    "$.list[*].name or $..name",
                    path_, path_.substr(fault_at_)));
  }

  void ParseMember() {
    rest_.remove_prefix(1);
    if (!rest_.empty() && rest_[0] == '.') {
      rest_.remove_prefix(1);
      steps_.push_back({.kind = Kind::kDescend});
      if (!rest_.empty() && rest_[0] == '[') return ParseElement();
    }
    if (!rest_.empty() && rest_[0] == '"') return ParseQuoted();
    const std::string_view name = rest_.substr(0, rest_.find_first_of(".["));
    if (name.empty()) Refuse();
    rest_.remove_prefix(name.size());
    if (name == "*") {
      const bool is_deep = !steps_.empty() && steps_.back().kind == Kind::kDescend;
      if (is_deep) steps_.pop_back();
      steps_.push_back({.kind = is_deep ? Kind::kAllWithin : Kind::kAllMembers});
    } else if (name.substr(0, 2) == "**") {
      Refuse();
    } else {
      steps_.push_back({.kind = Kind::kMember, .name = std::string(name)});
    }
  }

  void ParseQuoted() {
    std::string name;
    for (rest_.remove_prefix(1); !rest_.empty() && rest_[0] != '"'; rest_.remove_prefix(1)) {
      if (rest_[0] == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      name += rest_[0];
    }
    if (rest_.empty()) Refuse();
    rest_.remove_prefix(1);
    steps_.push_back({.kind = Kind::kMember, .name = std::move(name)});
  }

  void ParseElement() {
    const size_t end = rest_.find(']');
    if (end == std::string_view::npos) Refuse();
    std::string_view inner = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (inner == "*") return steps_.push_back({.kind = Kind::kAllElements});
    if (inner == "#") return steps_.push_back({.kind = Kind::kEnd});
    const bool is_from_end = !inner.empty() && inner[0] == '#';
    if (is_from_end) inner.remove_prefix(1);
    JsonStep step{.kind = Kind::kElement};
    const bool begins_well = !inner.empty() && (inner[0] == '-' || (inner[0] >= '0' && inner[0] <= '9'));
    const bool ends_well = !inner.empty() && inner.back() >= '0' && inner.back() <= '9';
    if (!begins_well || !ends_well || !ParseInteger(inner, step.index) || (is_from_end && step.index >= 0))
      Refuse();
    steps_.push_back(std::move(step));
  }

  std::string_view path_;
  std::string_view rest_;
  size_t fault_at_ = 0;
  std::vector<JsonStep> steps_;
};

bool IsContainer(std::string_view json) {
  const JsonKind kind = JsonKindOf(json);
  return kind == JsonKind::kArray || kind == JsonKind::kObject;
}

/// Follows a step that leads to one value.
std::optional<std::string_view> Follow(std::string_view json, const JsonStep& step) {
  switch (step.kind) {
    case Kind::kMember: return JsonMember(json, step.name);
    case Kind::kElement: return JsonElement(json, step.index);
    case Kind::kPointer: {
      if (JsonKindOf(json) != JsonKind::kArray) return JsonMember(json, step.name);
      const auto position = PointerPosition(step.name);
      return position ? JsonElement(json, *position) : std::nullopt;
    }
    case Kind::kEnd: return std::nullopt;
    case Kind::kAllMembers:
    case Kind::kAllElements:
    case Kind::kAllWithin:
    case Kind::kDescend: break;
  }
  ThrowInternal("a step to several values was followed as if it led to one");
}

/// Appends the value and all values within it.
void Descend(std::string_view json, std::vector<std::string_view>& values) {
  values.push_back(json);
  if (!IsContainer(json)) return;
  CheckStack();
  for (JsonIterator parts(json); parts.Next();) Descend(parts.value(), values);
}

void FollowAll(std::string_view json, const JsonStep& step, std::vector<std::string_view>& values) {
  if (step.kind == Kind::kDescend) return Descend(json, values);
  if (step.kind == Kind::kAllWithin) {
    const size_t before = values.size();
    Descend(json, values);
    values.erase(values.begin() + static_cast<ptrdiff_t>(before));  // the value itself
    return;
  }
  if (step.kind == Kind::kAllMembers || step.kind == Kind::kAllElements) {
    const JsonKind wanted = step.kind == Kind::kAllMembers ? JsonKind::kObject : JsonKind::kArray;
    if (JsonKindOf(json) != wanted) return;
    for (JsonIterator parts(json); parts.Next();) values.push_back(parts.value());
  } else if (const auto part = Follow(json, step)) {
    values.push_back(*part);
  }
}

}  // namespace

std::optional<int64_t> PointerPosition(std::string_view name) {
  int64_t position = 0;
  const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos &&
                         (name.size() == 1 || name[0] != '0');
  if (!is_number || !ParseInteger(name, position)) return std::nullopt;
  return position;
}

JsonSteps JsonSteps::Parse(std::string_view path) {
  JsonSteps parsed;
  if (path.empty() || path[0] == '/') {
    parsed.steps_ = StepParser(path).ParsePointer();
  } else if (path[0] == '$') {
    parsed.steps_ = StepParser(path).ParseDollar();
  } else {
    parsed.steps_.push_back({.kind = Kind::kMember, .name = std::string(path)});
  }
  for (const JsonStep& step : parsed.steps_) {
    parsed.has_wildcard_ |= step.kind == Kind::kAllMembers || step.kind == Kind::kAllElements ||
                            step.kind == Kind::kAllWithin || step.kind == Kind::kDescend;
  }
  return parsed;
}

JsonSteps JsonSteps::ToElement(int64_t index) {
  JsonSteps steps;
  steps.steps_.push_back({.kind = Kind::kElement, .index = index});
  return steps;
}

std::optional<std::string_view> JsonSteps::Find(std::string_view json) const {
  SCAUP_ASSERT(!has_wildcard_);
  std::optional<std::string_view> found = TrimJson(json);
  for (const JsonStep& step : steps_) {
    found = Follow(*found, step);
    if (!found) return std::nullopt;
  }
  return found;
}

void JsonSteps::FindAll(std::string_view json, std::vector<std::string_view>& found) const {
  found.assign(1, TrimJson(json));
  std::vector<std::string_view> next;
  for (const JsonStep& step : steps_) {
    next.clear();
    for (const std::string_view value : found) FollowAll(value, step, next);
    found.swap(next);
  }
}

}  // namespace scaup
