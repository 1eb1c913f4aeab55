// Paths into JSON values.
#include "function/scalar/json/json_path.hpp"

#include "common/throw.hpp"
#include "type/json_text.hpp"
#include "type/number_text.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowMalformed(std::string_view text) {
  ThrowError(
      ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
      "malformed array literal: \"" + std::string(text) + "\"; a path is written {name,0,\"other name\"}");
}

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Takes the elements off an array's text, one after the other.
class ArrayReader {
 public:
  explicit ArrayReader(std::string_view text) : whole_(text), rest_(TrimSpace(text)) {
    if (rest_.size() < 2 || rest_.front() != '{' || rest_.back() != '}') ThrowMalformed(whole_);
    rest_ = rest_.substr(1, rest_.size() - 2);
  }

  std::vector<std::optional<std::string>> ReadAll() {
    std::vector<std::optional<std::string>> elements;
    if (TrimSpace(rest_).empty()) return elements;
    while (true) {
      elements.push_back(ReadElement());
      if (rest_.empty()) return elements;
      if (rest_.front() != ',') ThrowMalformed(whole_);
      rest_.remove_prefix(1);
    }
  }

 private:
  void SkipSpace() {
    while (!rest_.empty() && IsSpace(rest_.front())) rest_.remove_prefix(1);
  }

  char Take() {
    if (rest_.empty()) ThrowMalformed(whole_);
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::optional<std::string> ReadElement() {
    SkipSpace();
    std::string element;
    if (!rest_.empty() && rest_.front() == '"') {
      rest_.remove_prefix(1);
      for (char c = Take(); c != '"'; c = Take()) element += c == '\\' ? Take() : c;
      SkipSpace();
      return element;
    }
    bool has_escape = false;
    while (!rest_.empty() && rest_.front() != ',') {
      char c = Take();
      if (c == '{' || c == '}' || c == '"') ThrowMalformed(whole_);
      if (c == '\\') {
        c = Take();
        has_escape = true;
      }
      element += c;
    }
    if (!has_escape) element = TrimSpace(element);
    if (element.empty()) ThrowMalformed(whole_);
    if (!has_escape && EqualsIgnoringCase(element, "null")) return std::nullopt;
    return element;
  }

  std::string_view whole_, rest_;
};

}  // namespace

std::vector<std::optional<std::string>> ParseTextArray(std::string_view text) {
  return ArrayReader(text).ReadAll();
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

bool AppendJsonAsText(std::string_view json, std::string& out) {
  switch (JsonKindOf(json)) {
    case JsonKind::kNull: return false;
    case JsonKind::kString: AppendJsonUnescaped(TrimJson(json), out); return true;
    case JsonKind::kBoolean:
    case JsonKind::kNumber:
    case JsonKind::kArray:
    case JsonKind::kObject: out += json; return true;
  }
  return false;
}

}  // namespace scaup
