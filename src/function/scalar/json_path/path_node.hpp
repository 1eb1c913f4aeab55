// The syntax tree of an SQL/JSON path.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {
class DateFormat;
}

namespace scaup::json_path {

enum class PathOp : uint8_t {
  // Values.
  kRoot,      ///< $
  kCurrent,   ///< @
  kLast,      ///< last, within subscripts
  kLiteral,   ///< `text` is JSON
  kVariable,  ///< $name
  // Accessors, of children[0].
  kMember,
  kAllMembers,   ///< .*
  kSubscripts,   ///< [1, 2 to last]: pairs of children from the second on; the second of a pair may be null
  kAllElements,  ///< [*]
  kWithin,       ///< .**{first to last}
  kFilter,       ///< ?(children[1])
  kMethod,
  // Arithmetic.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPlus,
  kMinus,
  // Predicates.
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kStartsWith,
  kLikeRegex,  ///< `text` is the pattern
  kAnd,
  kOr,
  kNot,
  kIsUnknown,
  kExists,
};

constexpr bool IsPredicate(PathOp op) { return op >= PathOp::kEqual; }

enum class PathMethod : uint8_t {
  kType,
  kSize,
  kKeyValue,
  // Methods of numbers.
  kCeiling,
  kFloor,
  kAbs,
  // Methods of numbers and texts.
  kDouble,
  kBigint,
  kInteger,
  kNumber,
  kDecimal,  ///< `numbers` are precision and scale
  kBoolean,
  kString,
  // Methods of texts.
  kDateTime,  ///< with `format` if it has a template
  kDate,      ///< this one and the following have a precision in `numbers`, if any
  kTime,
  kTimeTz,
  kTimestamp,
  kTimestampTz,
};

/// The name of a method, as a path has it.
std::string_view PathMethodName(PathMethod method);

struct PathNode {
  /// A level of .** that stands for the innermost one.
  static constexpr uint32_t kLastLevel = std::numeric_limits<uint32_t>::max();

  PathOp op;
  std::string text = {};  ///< of a literal, or the name of a member or variable, or a pattern
  std::vector<std::unique_ptr<PathNode>> children = {};
  PathMethod method = PathMethod::kType;
  uint32_t first_level = 0, last_level = kLastLevel;
  std::string flags = {};             ///< of like_regex: PostgreSQL's flags of regular expressions
  std::vector<int32_t> numbers = {};  ///< arguments of a method
  std::shared_ptr<const DateFormat> format = nullptr;
};

/// A whole path. Immutable after parsing; any number of threads may evaluate it.
struct Path {
  bool is_strict = false;
  std::unique_ptr<PathNode> root;
};

/// Takes a path apart. Throws Error(42601) for a text that is none.
Path ParsePath(std::string_view text);

}  // namespace scaup::json_path
