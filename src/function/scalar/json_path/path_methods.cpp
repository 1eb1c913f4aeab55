// Evaluates SQL/JSON paths: methods and arithmetic.
#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/json_path/path_evaluator.hpp"
#include "function/scalar/json_path/path_fault.hpp"
#include "type/number/numeric.hpp"
#include "type/number/numeric_arithmetic.hpp"
#include "type/text/json_text.hpp"

namespace scaup::json_path {
namespace {

std::string_view SymbolOf(PathOp op) {
  switch (op) {
    case PathOp::kAdd:
    case PathOp::kPlus: return "+";
    case PathOp::kSubtract:
    case PathOp::kMinus: return "-";
    case PathOp::kMultiply: return "*";
    case PathOp::kDivide: return "/";
    default: return "%";
  }
}

bool ReadNumber(std::string_view item, Numeric& number) {
  return JsonKindOf(item) == JsonKind::kNumber && ParseNumeric(item, number) == NumericParse::kOk;
}

/// Rounds down or up to an integer.
Numeric RoundToward(bool up, const Numeric& number) {
  Numeric whole = number;
  TruncateNumeric(whole, 0);
  const bool is_off = CompareNumeric(whole, number) != 0;
  if (!is_off || number.is_negative == up) return whole;
  Numeric result;
  up ? AddNumeric(whole, NumericFromInteger(1), result)
     : SubtractNumeric(whole, NumericFromInteger(1), result);
  return result;
}

NumericFault Compute(PathOp op, const Numeric& left, const Numeric& right, Numeric& result) {
  switch (op) {
    case PathOp::kAdd: return AddNumeric(left, right, result);
    case PathOp::kSubtract: return SubtractNumeric(left, right, result);
    case PathOp::kMultiply: return MultiplyNumeric(left, right, result);
    case PathOp::kDivide: return DivideNumeric(left, right, result);
    default: return NumericRest(left, right, result);
  }
}

Flow CallNumberMethod(PathState& state, const PathNode& node, std::string_view item, ItemSink sink) {
  Numeric number;
  if (!ReadNumber(item, number)) {
    return state.Fail(kNotANumber, fmt::format("the method .{}() of an SQL/JSON path is for numbers",
                                               PathMethodName(node.method)));
  }
  if (node.method == PathMethod::kAbs) {
    number.is_negative = false;
  } else {
    number = RoundToward(node.method == PathMethod::kCeiling, number);
  }
  return sink(state.Keep(NumericToString(number)));
}

/// The id tells the members of one object from those of another: it is the object's place in the document.
Flow KeyValue(PathState& state, std::string_view item, ItemSink sink) {
  if (JsonKindOf(item) != JsonKind::kObject)
    return state.Fail(kObjectNotFound, "the method .keyvalue() of an SQL/JSON path is for objects");
  const bool is_of_document =
      item.data() >= state.root.data() && item.data() < state.root.data() + state.root.size();
  const size_t id = is_of_document ? static_cast<size_t>(item.data() - state.root.data()) : 0;
  for (JsonIterator members(item); members.Next();) {
    const Flow flow = sink(state.Keep(fmt::format("{{\"id\": {}, \"key\": {}, \"value\": {}}}", id,
                                                  members.quoted_name(), members.value())));
    if (flow != Flow::kGoOn) return flow;
  }
  return Flow::kGoOn;
}

}  // namespace

Flow CallMethod(PathState& state, const PathNode& node, std::string_view item, bool unwraps, ItemSink sink) {
  const bool is_array = JsonKindOf(item) == JsonKind::kArray;
  std::string text;
  switch (node.method) {
    case PathMethod::kType:
      if (const PathTime* const time = state.TimeOf(item)) {
        AppendJsonString(PathTimeName(time->kind), text);
      } else {
        AppendJsonString(JsonKindName(JsonKindOf(item)), text);
      }
      return sink(state.Keep(std::move(text)));
    case PathMethod::kSize:
      if (is_array) return sink(state.Keep(std::to_string(JsonLength(item))));
      if (!state.is_strict) return sink("1");
      if (state.ignores_structure) return Flow::kGoOn;
      return state.Fail(kArrayNotFound, "the method .size() of an SQL/JSON path is for arrays");
    default: break;
  }
  if (unwraps && is_array)
    return ForEachElement(item,
                          [&](std::string_view part) { return CallMethod(state, node, part, false, sink); });
  if (node.method == PathMethod::kKeyValue) return KeyValue(state, item, sink);
  return node.method < PathMethod::kDouble ? CallNumberMethod(state, node, item, sink)
                                           : CallCast(state, node, item, sink);
}

Flow Calculate(PathState& state, const PathNode& node, ItemSink sink) {
  Numeric operands[2];
  for (size_t side = 0; side < 2; side++) {
    Items items;
    if (!Collect(state, *node.children[side], true, items)) return Flow::kFault;
    if (items.size() != 1 || !ReadNumber(items[0], operands[side])) {
      return state.Fail(kNotSingle,
                        fmt::format("the {} operand of {} in an SQL/JSON path is not a single number",
                                    side == 0 ? "left" : "right", SymbolOf(node.op)));
    }
  }
  Numeric result;
  switch (Compute(node.op, operands[0], operands[1], result)) {
    case NumericFault::kNone: return sink(state.Keep(NumericToString(result)));
    case NumericFault::kDivisionByZero: return state.Fail(sqlstate::kDivisionByZero, "division by zero");
    default: return state.Fail(sqlstate::kNumericOutOfRange, "a number of an SQL/JSON path is out of range");
  }
}

Flow CalculateSign(PathState& state, const PathNode& node, ItemSink sink) {
  Items items;
  if (!Collect(state, *node.children[0], true, items)) return Flow::kFault;
  for (const std::string_view item : items) {
    Numeric number;
    if (!ReadNumber(item, number)) {
      return state.Fail(
          kNumberNotFound,
          fmt::format("the operand of unary {} in an SQL/JSON path is no number", SymbolOf(node.op)));
    }
    number.is_negative = !number.IsZero() && number.is_negative != (node.op == PathOp::kMinus);
    if (const Flow flow = sink(state.Keep(NumericToString(number))); flow != Flow::kGoOn) return flow;
  }
  return Flow::kGoOn;
}

}  // namespace scaup::json_path
