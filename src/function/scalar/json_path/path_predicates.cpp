// Evaluates SQL/JSON paths: predicates, in logic of three values.
#include "common/check.hpp"
#include "common/stack_bound.hpp"
#include "function/scalar/json_path/path_evaluator.hpp"
#include "type/number/numeric.hpp"
#include "type/text/json_text.hpp"

namespace scaup::json_path {
namespace {

Truth ToTruth(bool is_true) { return is_true ? Truth::kTrue : Truth::kFalse; }

/// Whether the operator holds for values of which the left is below, equal to or above the right.
bool Holds(PathOp op, int order) {
  switch (op) {
    case PathOp::kEqual: return order == 0;
    case PathOp::kNotEqual: return order != 0;
    case PathOp::kLess: return order < 0;
    case PathOp::kLessOrEqual: return order <= 0;
    case PathOp::kGreater: return order > 0;
    case PathOp::kGreaterOrEqual: return order >= 0;
    default: ThrowInternal("a node of an SQL/JSON path is no comparison");
  }
}

int CompareNumbers(std::string_view left, std::string_view right) {
  if (left == right) return 0;
  Numeric a, b;
  ParseNumeric(left, a);
  ParseNumeric(right, b);
  return CompareNumeric(a, b);
}

std::string Unescaped(std::string_view json) {
  std::string text;
  AppendJsonUnescaped(json, text);
  return text;
}

/// Values of other kinds cannot be compared, but null differs from all of them.
Truth Compare(const PathState& state, PathOp op, std::string_view left, std::string_view right) {
  const PathTime* const left_time = state.TimeOf(left);
  const PathTime* const right_time = state.TimeOf(right);
  if (left_time != nullptr && right_time != nullptr) {
    const auto order = ComparePathTimes(state.zone, *left_time, *right_time);
    return order ? ToTruth(Holds(op, *order)) : Truth::kUnknown;
  }
  const bool is_mixed = (left_time != nullptr) != (right_time != nullptr);
  if (is_mixed && JsonKindOf(left) == JsonKindOf(right)) return Truth::kUnknown;
  const JsonKind kind = JsonKindOf(left), other = JsonKindOf(right);
  if (kind != other) {
    const bool has_null = kind == JsonKind::kNull || other == JsonKind::kNull;
    return has_null ? ToTruth(op == PathOp::kNotEqual) : Truth::kUnknown;
  }
  switch (kind) {
    case JsonKind::kNull: return ToTruth(Holds(op, 0));
    case JsonKind::kBoolean: return ToTruth(Holds(op, left.compare(right)));  // false comes before true
    case JsonKind::kNumber: return ToTruth(Holds(op, CompareNumbers(left, right)));
    case JsonKind::kString: return ToTruth(Holds(op, Unescaped(left).compare(Unescaped(right))));
    case JsonKind::kArray:
    case JsonKind::kObject: break;
  }
  return Truth::kUnknown;
}

/// Dates and times are no texts, though they are written as such.
bool IsText(const PathState& state, std::string_view item) {
  return JsonKindOf(item) == JsonKind::kString && state.TimeOf(item) == nullptr;
}

Truth MatchesRegex(PathState& state, const PathNode& node, std::string_view item) {
  if (!IsText(state, item)) return Truth::kUnknown;
  return ToTruth(state.patterns.Get(node.text, node.flags).Finds(Unescaped(item)));
}

Truth DecidePair(PathState& state, const PathNode& node, std::string_view left, std::string_view right) {
  if (node.op == PathOp::kLikeRegex) return MatchesRegex(state, node, left);
  if (node.op != PathOp::kStartsWith) return Compare(state, node.op, left, right);
  if (!IsText(state, left) || !IsText(state, right)) return Truth::kUnknown;
  return ToTruth(Unescaped(left).starts_with(Unescaped(right)));
}

/// A predicate holds if it holds for any pair of items. In strict mode, no pair may be unknown.
Truth DecidePairs(PathState& state, const PathNode& node) {
  const bool has_right = node.op != PathOp::kLikeRegex;
  Items left, right;
  if (!Collect(state, *node.children[0], true, left)) return Truth::kUnknown;
  if (!has_right) {
    right.emplace_back();
  } else if (!Collect(state, *node.children[1], node.op != PathOp::kStartsWith, right)) {
    return Truth::kUnknown;
  }
  bool is_found = false, is_unknown = false;
  for (const std::string_view a : left) {
    for (const std::string_view b : right) {
      const Truth truth = DecidePair(state, node, a, b);
      if (truth == Truth::kUnknown && state.is_strict) return truth;
      if (truth == Truth::kTrue && !state.is_strict) return truth;
      is_unknown |= truth == Truth::kUnknown;
      is_found |= truth == Truth::kTrue;
    }
  }
  if (is_found) return Truth::kTrue;
  return is_unknown ? Truth::kUnknown : Truth::kFalse;
}

/// In strict mode a fault counts even behind the first item.
Truth Exists(PathState& state, const PathNode& node) {
  bool exists = false;
  const Flow flow = Visit(state, node, [&](std::string_view) {
    exists = true;
    return state.is_strict ? Flow::kGoOn : Flow::kStop;
  });
  return flow == Flow::kFault ? Truth::kUnknown : ToTruth(exists);
}

}  // namespace

Truth Decide(PathState& state, const PathNode& node) {
  SCAUP_ASSERT(IsPredicate(node.op));
  CheckStack();
  switch (node.op) {
    case PathOp::kAnd: {
      const Truth left = Decide(state, *node.children[0]);
      if (left == Truth::kFalse) return left;
      const Truth right = Decide(state, *node.children[1]);
      return right == Truth::kTrue ? left : right;
    }
    case PathOp::kOr: {
      const Truth left = Decide(state, *node.children[0]);
      if (left == Truth::kTrue) return left;
      const Truth right = Decide(state, *node.children[1]);
      return right == Truth::kFalse ? left : right;
    }
    case PathOp::kNot: {
      const Truth operand = Decide(state, *node.children[0]);
      return operand == Truth::kUnknown ? operand : ToTruth(operand == Truth::kFalse);
    }
    case PathOp::kIsUnknown: return ToTruth(Decide(state, *node.children[0]) == Truth::kUnknown);
    case PathOp::kExists: return Exists(state, *node.children[0]);
    default: return DecidePairs(state, node);
  }
}

}  // namespace scaup::json_path
