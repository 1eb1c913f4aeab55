// JSON text: traversal, and the entry points of the parser.
#include "type/text/json_text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/text/ascii.hpp"
#include "type/text/json_parser.hpp"

namespace scaup {

namespace {

std::string_view SkipSpace(std::string_view json) {
  size_t first = 0;
  while (first < json.size() && IsJsonSpace(json[first])) first++;
  return json.substr(first);
}

/// The length of the string at the beginning of `json`, quotes included.
size_t StringLength(std::string_view json) {
  size_t end = 1;
  while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
  return end + 1;
}

/// The length of the value at the beginning of `json`.
size_t ValueLength(std::string_view json) {
  if (json[0] == '"') return StringLength(json);
  size_t depth = 0, end = 0;
  while (end < json.size()) {
    const char c = json[end];
    if (c == '"') {
      end += StringLength(json.substr(end));
      continue;
    }
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') {
      if (depth == 0) break;
      if (--depth == 0) return end + 1;
    } else if (depth == 0 && (c == ',' || IsJsonSpace(c))) {
      break;
    }
    end++;
  }
  return end;
}

}  // namespace

bool IsJsonText(std::string_view text, JsonFault* fault) {
  JsonParser parser(text, nullptr);
  const bool is_json = parser.Parse();
  if (fault != nullptr) *fault = parser.fault();
  return is_json;
}

bool NormalizeJson(std::string_view text, std::string& out, JsonFault* fault) {
  out.clear();
  JsonParser parser(text, &out);
  const bool is_json = parser.Parse();
  if (fault != nullptr) *fault = parser.fault();
  return is_json;
}

void ThrowJsonError(std::string_view text, bool is_jsonb) {
  std::string normal;
  JsonFault fault;
  if (is_jsonb ? NormalizeJson(text, normal, &fault) : IsJsonText(text, &fault))
    ThrowInternal("a JSON text was refused that is one");
  const std::string_view before = text.substr(0, fault.offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  // The column counts characters, not bytes.
  const auto column = std::count_if(before.begin() + static_cast<ptrdiff_t>(line_begin), before.end(),
                                    [](char c) { return (c & 0xC0) != 0x80; }) +
                      1;
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("invalid input syntax for type {}: line {}, character {}: {}",
                         is_jsonb ? "jsonb" : "json", line, column, fault.reason));
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  size_t plain = 0;  // begin of the text not yet in `out`
  for (size_t i = 0; i < text.size(); i++) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, plain);
  out += '"';
}

JsonKind JsonKindOf(std::string_view json) {
  json = SkipSpace(json);
  switch (json[0]) {
    case '{': return JsonKind::kObject;
    case '[': return JsonKind::kArray;
    case '"': return JsonKind::kString;
    case 't':
    case 'f': return JsonKind::kBoolean;
    case 'n': return JsonKind::kNull;
    default: return JsonKind::kNumber;
  }
}

void AppendJsonUnescaped(std::string_view quoted, std::string& out) {
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  if (inner.find('\\') == std::string_view::npos) {
    out += inner;
    return;
  }
  std::string unescaped;
  if (!JsonParser(quoted, nullptr).UnescapeInto(unescaped)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kUntranslatableCharacter,
               "unsupported Unicode escape sequence: \\u0000 cannot be converted to text");
  }
  out += unescaped;
}

std::string_view TrimJson(std::string_view json) {
  json = SkipSpace(json);
  while (!json.empty() && IsJsonSpace(json.back())) json.remove_suffix(1);
  return json;
}

JsonIterator::JsonIterator(std::string_view json) : rest_(SkipSpace(json)), is_object_(rest_[0] == '{') {
  SCAUP_ASSERT(is_object_ || rest_[0] == '[');
  rest_.remove_prefix(1);
}

bool JsonIterator::Next() {
  rest_ = SkipSpace(rest_);
  if (rest_[0] == ',') rest_ = SkipSpace(rest_.substr(1));
  if (rest_[0] == ']' || rest_[0] == '}') return false;
  if (is_object_) {
    name_ = rest_.substr(0, StringLength(rest_));
    rest_ = SkipSpace(rest_.substr(name_.size()));
    rest_ = SkipSpace(rest_.substr(1));  // skips the colon
  }
  value_ = rest_.substr(0, ValueLength(rest_));
  rest_.remove_prefix(value_.size());
  return true;
}

std::optional<std::string_view> JsonMember(std::string_view json, std::string_view name) {
  if (JsonKindOf(json) != JsonKind::kObject) return std::nullopt;
  std::optional<std::string_view> found;
  std::string unescaped;
  for (JsonIterator members(json); members.Next();) {
    const std::string_view quoted = members.quoted_name();
    std::string_view plain = quoted.substr(1, quoted.size() - 2);
    if (plain.find('\\') != std::string_view::npos) {
      unescaped.clear();
      AppendJsonUnescaped(quoted, unescaped);
      plain = unescaped;
    }
    if (plain == name) found = members.value();
  }
  return found;
}

std::optional<std::string_view> JsonElement(std::string_view json, int64_t index) {
  if (JsonKindOf(json) != JsonKind::kArray) return std::nullopt;
  if (index < 0) index += static_cast<int64_t>(JsonLength(json));
  if (index < 0) return std::nullopt;
  for (JsonIterator elements(json); elements.Next(); index--) {
    if (index == 0) return elements.value();
  }
  return std::nullopt;
}

size_t JsonLength(std::string_view json) {
  size_t length = 0;
  for (JsonIterator items(json); items.Next();) length++;
  return length;
}

const char* JsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull: return "null";
    case JsonKind::kBoolean: return "boolean";
    case JsonKind::kNumber: return "number";
    case JsonKind::kString: return "string";
    case JsonKind::kArray: return "array";
    case JsonKind::kObject: return "object";
  }
  return "";
}

namespace {

/// Rounds a number without exponent, halves away from zero. One whose whole part INT128 does not hold is
/// returned as it is, since no integer type holds it either.
std::string RoundedText(std::string_view number) {
  const size_t point = number.find('.');
  if (point == number.npos) return std::string(number);
  const std::string_view whole = number.substr(0, point);
  constexpr size_t kMostDigits = 37;
  if (number[point + 1] < '5' || whole.size() > kMostDigits) return std::string(whole);
  // The last digit that is not 9 grows by one, and those after it become 0.
  std::string rounded(whole);
  size_t at = rounded.size();
  while (at > 0 && rounded[at - 1] == '9') rounded[--at] = '0';
  if (at > 0 && rounded[at - 1] != '-') {
    rounded[at - 1]++;
  } else {
    rounded.insert(at, 1, '1');
  }
  return rounded;
}

}  // namespace

std::optional<std::string> JsonbScalarText(std::string_view json, const LogicalType& type) {
  const JsonKind wanted = type.id() == TypeId::kBoolean ? JsonKind::kBoolean : JsonKind::kNumber;
  if (JsonKindOf(json) != wanted) return std::nullopt;
  return type.IsInteger() ? RoundedText(json) : std::string(json);
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
