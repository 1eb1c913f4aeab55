// DuckDB's paths into JSON values: $.name[0], $.list[*].name, $..name, /name/0 (RFC 6901), or just a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

struct JsonStep {
  enum class Kind : unsigned char {
    kMember,       ///< of an object, by name
    kElement,      ///< of an array, from 0, or backwards from -1
    kEnd,          ///< the place behind the last element: [#], and - of a pointer
    kPointer,      ///< a member, or an element if the value is an array: /name
    kAllMembers,   ///< .*
    kAllElements,  ///< [*]
    kAllWithin,    ///< ..*: all values within, at any depth
    kDescend,      ///< ..: the next step applies to the value and to all values within it
  };
  Kind kind;
  std::string name = {};
  int64_t index = 0;
};

/// A path, taken apart. Immutable; any number of threads may use it.
class JsonSteps {
 public:
  /// Throws Error(22023) for a text that is no path.
  static JsonSteps Parse(std::string_view path);
  /// The step to an element.
  static JsonSteps ToElement(int64_t index);

  const std::vector<JsonStep>& steps() const { return steps_; }
  /// Whether the path may lead to any number of values, because of *, or of two points.
  bool has_wildcard() const { return has_wildcard_; }
  /// Returns what the path leads to in a JSON text; nullopt if nowhere. REQUIRES: no wildcard.
  std::optional<std::string_view> Find(std::string_view json) const;
  /// Replaces `found` by all that the path leads to, in the order of the text.
  void FindAll(std::string_view json, std::vector<std::string_view>& found) const;

 private:
  std::vector<JsonStep> steps_;
  bool has_wildcard_ = false;
};

/// The position of an element that a step of a pointer means; nullopt if it is none.
std::optional<int64_t> PointerPosition(std::string_view name);

}  // namespace scaup
