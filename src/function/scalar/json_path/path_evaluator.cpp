// Evaluates SQL/JSON paths: values and accessors.
#include "function/scalar/json_path/path_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/check.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/json_path/path_fault.hpp"
#include "type/number/number_text.hpp"
#include "type/number/numeric.hpp"
#include "type/text/json_text.hpp"

namespace scaup::json_path {
namespace {

bool IsArray(std::string_view json) { return JsonKindOf(json) == JsonKind::kArray; }
bool IsContainer(std::string_view json) { return IsArray(json) || JsonKindOf(json) == JsonKind::kObject; }

/// Sets a member for as long as this object lives.
template <typename T>
class Replaced {
 public:
  Replaced(T& place, T value) : place_(place), before_(std::exchange(place, value)) {}
  ~Replaced() { place_ = before_; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  T& place_;
  T before_;
};

Flow VisitVariable(PathState& state, const PathNode& node, ItemSink sink) {
  const auto value = JsonMember(state.variables, node.text);
  if (!value) {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kUndefinedObject,
        fmt::format("the SQL/JSON path has a variable \"{}\", which has no value; values are members of "
                    "the function's third argument",
                    node.text));
  }
  return sink(*value);
}

Flow VisitMember(PathState& state, const PathNode& node, std::string_view item, bool unwraps, ItemSink sink) {
  if (JsonKindOf(item) == JsonKind::kObject) {
    if (const auto value = JsonMember(item, node.text)) return sink(*value);
    if (state.ignores_structure) return Flow::kGoOn;
    return state.Fail(kMemberNotFound, fmt::format("the JSON object has no member \"{}\"", node.text));
  }
  if (unwraps && IsArray(item))
    return ForEachElement(item,
                          [&](std::string_view part) { return VisitMember(state, node, part, false, sink); });
  if (state.ignores_structure) return Flow::kGoOn;
  return state.Fail(
      kMemberNotFound,
      fmt::format("the SQL/JSON path asks for a member \"{}\" of what is no object", node.text));
}

Flow VisitMembers(PathState& state, const PathNode& node, std::string_view item, bool unwraps,
                  ItemSink sink) {
  if (JsonKindOf(item) == JsonKind::kObject) return ForEachElement(item, sink);
  if (unwraps && IsArray(item))
    return ForEachElement(
        item, [&](std::string_view part) { return VisitMembers(state, node, part, false, sink); });
  if (state.ignores_structure) return Flow::kGoOn;
  return state.Fail(kObjectNotFound, "the SQL/JSON path asks for all members, .*, of what is no object");
}

Flow VisitElements(PathState& state, std::string_view item, ItemSink sink) {
  if (IsArray(item)) return ForEachElement(item, sink);
  if (!state.is_strict) return sink(item);
  if (state.ignores_structure) return Flow::kGoOn;
  return state.Fail(kArrayNotFound, "the SQL/JSON path asks for all elements, [*], of what is no array");
}

/// Numbers are cut to integers.
bool FindSubscript(PathState& state, const PathNode& node, int64_t& index) {
  Items items;
  if (!Collect(state, node, false, items)) return false;
  Numeric number;
  if (items.size() != 1 || JsonKindOf(items[0]) != JsonKind::kNumber ||
      ParseNumeric(items[0], number) != NumericParse::kOk) {
    state.Fail(kBadSubscript, "a subscript of the SQL/JSON path is not a single number");
    return false;
  }
  TruncateNumeric(number, 0);
  int32_t narrow = 0;
  if (!ParseInteger(NumericToString(number), narrow)) {
    state.Fail(kBadSubscript, "a subscript of the SQL/JSON path is out of range");
    return false;
  }
  index = narrow;
  return true;
}

Flow VisitRange(PathState& state, const PathNode& node, size_t pair, std::string_view item, size_t length,
                ItemSink sink) {
  int64_t from = 0, to = 0;
  {
    const Replaced<size_t> last(state.array_length, length);
    if (!FindSubscript(state, *node.children[pair], from)) return Flow::kFault;
    to = from;
    if (node.children[pair + 1] != nullptr && !FindSubscript(state, *node.children[pair + 1], to))
      return Flow::kFault;
  }
  const auto end = static_cast<int64_t>(length);
  if (!state.ignores_structure && (from < 0 || from > to || to >= end))
    return state.Fail(kBadSubscript, "a subscript of the SQL/JSON path is outside of the array");
  from = std::max<int64_t>(from, 0);
  to = std::min(to, end - 1);
  if (!IsArray(item)) return from <= 0 && to >= 0 ? sink(item) : Flow::kGoOn;
  int64_t index = 0;
  return ForEachElement(item, [&](std::string_view element) {
    const bool is_within = index >= from && index <= to;
    index++;
    return is_within ? sink(element) : Flow::kGoOn;
  });
}

Flow VisitSubscripts(PathState& state, const PathNode& node, std::string_view item, ItemSink sink) {
  const bool is_array = IsArray(item);
  if (!is_array && state.is_strict) {
    if (state.ignores_structure) return Flow::kGoOn;
    return state.Fail(kArrayNotFound, "the SQL/JSON path asks for an element of what is no array");
  }
  const size_t length = is_array ? JsonLength(item) : 1;
  for (size_t pair = 1; pair < node.children.size(); pair += 2) {
    const Flow flow = VisitRange(state, node, pair, item, length, sink);
    if (flow != Flow::kGoOn) return flow;
  }
  return Flow::kGoOn;
}

/// Deeper items are not all alike, so that missing members are no faults even in strict mode.
Flow VisitWithin(PathState& state, const PathNode& node, std::string_view item, uint32_t level,
                 ItemSink sink) {
  CheckStack();
  const bool wants_leaves =
      node.first_level == PathNode::kLastLevel && node.last_level == PathNode::kLastLevel;
  if (wants_leaves ? !IsContainer(item) : level >= node.first_level && level <= node.last_level) {
    const Replaced<bool> ignores(state.ignores_structure, true);
    if (const Flow flow = sink(item); flow != Flow::kGoOn) return flow;
  }
  if (!IsContainer(item) || level >= node.last_level) return Flow::kGoOn;
  return ForEachElement(
      item, [&](std::string_view part) { return VisitWithin(state, node, part, level + 1, sink); });
}

Flow Select(PathState& state, const PathNode& node, std::string_view item, bool unwraps, ItemSink sink) {
  if (unwraps && IsArray(item))
    return ForEachElement(item,
                          [&](std::string_view part) { return Select(state, node, part, false, sink); });
  Truth truth;
  {
    const Replaced<std::string_view> current(state.current, item);
    truth = Decide(state, *node.children[1]);
  }
  return truth == Truth::kTrue ? sink(item) : Flow::kGoOn;
}

Flow Step(PathState& state, const PathNode& node, std::string_view item, bool unwraps, ItemSink sink) {
  switch (node.op) {
    case PathOp::kMember: return VisitMember(state, node, item, unwraps, sink);
    case PathOp::kAllMembers: return VisitMembers(state, node, item, unwraps, sink);
    case PathOp::kAllElements: return VisitElements(state, item, sink);
    case PathOp::kSubscripts: return VisitSubscripts(state, node, item, sink);
    case PathOp::kWithin: return VisitWithin(state, node, item, 0, sink);
    case PathOp::kFilter: return Select(state, node, item, unwraps, sink);
    case PathOp::kMethod: return CallMethod(state, node, item, unwraps, sink);
    default: ThrowInternal("a node of an SQL/JSON path is no accessor");
  }
}

}  // namespace

Flow ForEachElement(std::string_view array, ItemSink sink) {
  for (JsonIterator elements(array); elements.Next();) {
    if (const Flow flow = sink(elements.value()); flow != Flow::kGoOn) return flow;
  }
  return Flow::kGoOn;
}

bool Collect(PathState& state, const PathNode& node, bool unwraps, Items& items) {
  const auto add = [&](std::string_view item) {
    items.push_back(item);
    return Flow::kGoOn;
  };
  return Visit(state, node, [&](std::string_view item) {
           return unwraps && !state.is_strict && IsArray(item) ? ForEachElement(item, add) : add(item);
         }) != Flow::kFault;
}

Flow Visit(PathState& state, const PathNode& node, ItemSink sink) {
  CheckStack();
  if (IsPredicate(node.op)) {
    const Truth truth = Decide(state, node);
    return sink(truth == Truth::kUnknown ? "null" : truth == Truth::kTrue ? "true" : "false");
  }
  switch (node.op) {
    case PathOp::kRoot: return sink(state.root);
    case PathOp::kCurrent: return sink(state.current);
    case PathOp::kLast: return sink(state.Keep(std::to_string(static_cast<int64_t>(state.array_length) - 1)));
    case PathOp::kLiteral: return sink(node.text);
    case PathOp::kVariable: return VisitVariable(state, node, sink);
    case PathOp::kAdd:
    case PathOp::kSubtract:
    case PathOp::kMultiply:
    case PathOp::kDivide:
    case PathOp::kModulo: return Calculate(state, node, sink);
    case PathOp::kPlus:
    case PathOp::kMinus: return CalculateSign(state, node, sink);
    default:
      return Visit(state, *node.children[0],
                   [&](std::string_view item) { return Step(state, node, item, !state.is_strict, sink); });
  }
}

Flow PathEvaluator::Run(std::string_view value, std::string_view variables, ItemSink sink) {
  state_.times.clear();
  state_.kept.clear();
  state_.root = state_.current = TrimJson(value);
  state_.variables = variables;
  state_.array_length = 0;
  state_.ignores_structure = !state_.is_strict;
  return Visit(state_, *path_.root, sink);
}

}  // namespace scaup::json_path
