// JSON as text: whether it is some, its normal form, and walking through it.
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

/// How deeply arrays and objects may be nested.
inline constexpr size_t kMaxJsonDepth = 1000;

/// Where a text stops being JSON.
struct JsonFault {
  size_t offset = 0;        ///< in bytes
  const char* reason = "";  ///< "a string ends with \""; never null
};

/// True for exactly one JSON value (RFC 8259) of valid UTF-8 with white space around it. `fault` may be null.
bool IsJsonText(std::string_view text, JsonFault* fault = nullptr);
/// Writes PostgreSQL's jsonb form: members sorted by the length of their names and then bytewise, of equal
/// names the last, one space after colons and commas, numbers without exponent. False for what is no JSON
/// or cannot be written so (numbers of very many digits, \u0000).
bool NormalizeJson(std::string_view text, std::string& out, JsonFault* fault = nullptr);
/// Throws Error(22P02) with the line and the place where the text stops being JSON. REQUIRES: it does.
[[noreturn]] void ThrowJsonError(std::string_view text, bool is_jsonb);

/// Appends `text` with quotes and escapes, as PostgreSQL writes JSON strings.
void AppendJsonString(std::string_view text, std::string& out);

enum class JsonKind : unsigned char { kNull, kBoolean, kNumber, kString, kArray, kObject };

// What follows walks through text that IsJsonText has found right, without testing it again.

/// The kind of a value that begins with the text's first character that is not white space.
JsonKind JsonKindOf(std::string_view json);
/// The characters that a string of JSON, quotes included, stands for.
void AppendJsonUnescaped(std::string_view quoted, std::string& out);

/// The elements of an array or the members of an object, in the order of the text.
class JsonIterator {
 public:
  /// REQUIRES: `json` is an array or an object.
  explicit JsonIterator(std::string_view json);
  /// False at the end.
  bool Next();
  /// The text of the present value, without white space around it.
  std::string_view value() const { return value_; }
  /// The present member's name with its quotes; empty in arrays.
  std::string_view quoted_name() const { return name_; }

 private:
  std::string_view rest_;
  bool is_object_;
  std::string_view value_, name_;
};

/// The text without white space around it.
std::string_view TrimJson(std::string_view json);
/// The member of an object that `name` names, the last of several; nullopt where there is none or it is no
/// object.
std::optional<std::string_view> JsonMember(std::string_view json, std::string_view name);
/// The element of an array, counted from 0, or from -1 at the end.
std::optional<std::string_view> JsonElement(std::string_view json, int64_t index);
size_t JsonLength(std::string_view json);

}  // namespace scaup
