// JSON text: validation, normal form and traversal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

constexpr bool IsJson(const LogicalType& type) {
  return type.id() == TypeId::kJson || type.id() == TypeId::kJsonb;
}

/// The maximum nesting depth of arrays and objects.
inline constexpr size_t kMaxJsonDepth = 1000;

/// The place where a text stops being valid JSON.
struct JsonFault {
  size_t offset = 0;        ///< in bytes
  const char* reason = "";  ///< "a string ends with \""; never null
};

/// Whether the text is exactly one JSON value (RFC 8259), with white space around it. `fault` may be null.
/// Bytes within strings that are not UTF-8 are not noticed.
bool IsJsonText(std::string_view text, JsonFault* fault = nullptr);
/// Writes PostgreSQL's jsonb form: members sorted by name length and then bytewise, only the last of equal
/// names, one space after colons and commas, numbers without exponents. Returns false if the text is not JSON
/// or cannot be written so (numbers of very many digits, \u0000).
bool NormalizeJson(std::string_view text, std::string& out, JsonFault* fault = nullptr);
/// Throws Error(22P02) with the line and column of the fault. REQUIRES: the text is not valid JSON.
[[noreturn]] void ThrowJsonError(std::string_view text, bool is_jsonb);

/// Appends `text` quoted and escaped, as PostgreSQL writes JSON strings.
void AppendJsonString(std::string_view text, std::string& out);

enum class JsonKind : unsigned char { kNull, kBoolean, kNumber, kString, kArray, kObject };

// The functions below traverse text that IsJsonText has accepted, without checking it again.

/// The kind of the value at the beginning of the text; leading white space is skipped.
JsonKind JsonKindOf(std::string_view json);
/// The text from which a cast reads the number or boolean that a JSONB value is, rounded if it becomes an
/// integer; nullopt if the value is of another kind than the type wants.
std::optional<std::string> JsonbScalarText(std::string_view json, const LogicalType& type);
/// The name of a kind: "null", "boolean" and so on.
const char* JsonKindName(JsonKind kind);
/// Appends the decoded characters of a JSON string, which includes its quotes.
void AppendJsonUnescaped(std::string_view quoted, std::string& out);

/// Appends a value as text: strings without quotes, other values unchanged. Returns false for null.
bool AppendJsonAsText(std::string_view json, std::string& out);

/// Iterates over the elements of an array or the members of an object, in the order of the text.
class JsonIterator {
 public:
  /// REQUIRES: `json` is an array or an object.
  explicit JsonIterator(std::string_view json);
  /// Advances to the next one; false at the end.
  bool Next();
  /// The text of the current value, without white space around it.
  std::string_view value() const { return value_; }
  /// The current member's name with its quotes; empty in arrays.
  std::string_view quoted_name() const { return name_; }

 private:
  std::string_view rest_;
  bool is_object_;
  std::string_view value_, name_;
};

/// Removes white space around the text.
std::string_view TrimJson(std::string_view json);
/// The member of an object with this name, the last if there are several; nullopt if there is none or the
/// value is not an object.
std::optional<std::string_view> JsonMember(std::string_view json, std::string_view name);
/// The element of an array, counted from 0, or from -1 backwards.
std::optional<std::string_view> JsonElement(std::string_view json, int64_t index);
size_t JsonLength(std::string_view json);

}  // namespace scaup
