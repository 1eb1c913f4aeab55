// Evaluates SQL/JSON paths: the methods that give an item another type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "function/scalar/json_path/path_evaluator.hpp"
#include "function/scalar/json_path/path_fault.hpp"
#include "type/number/number_text.hpp"
#include "type/number/numeric.hpp"
#include "type/text/json_text.hpp"

namespace scaup::json_path {
namespace {

Flow RefuseKind(PathState& state, const PathNode& node, const char* code, const char* kinds) {
  return state.Fail(code, fmt::format("the method .{}() of an SQL/JSON path is for {}",
                                      PathMethodName(node.method), kinds));
}

Flow RefuseText(PathState& state, const PathNode& node, std::string_view text) {
  return state.Fail(kNotANumber, fmt::format("\"{}\" is no value for the method .{}() of an SQL/JSON path",
                                             text, PathMethodName(node.method)));
}

/// A number stays as it is written if a DOUBLE can hold it.
Flow ToDouble(PathState& state, const PathNode& node, std::string_view item, std::string_view text,
              ItemSink sink) {
  double value = 0;
  if (!ParseDouble(text, value) || !std::isfinite(value)) return RefuseText(state, node, text);
  if (JsonKindOf(item) == JsonKind::kNumber) return sink(item);
  char buffer[kFormatBufferBytes];
  Numeric number;
  ParseNumeric(std::string_view(buffer, FormatDouble(value, buffer)), number);
  return sink(state.Keep(NumericToString(number)));
}

/// Numbers are rounded; texts must be integers.
template <typename T>
Flow ToInteger(PathState& state, const PathNode& node, std::string_view item, std::string_view text,
               ItemSink sink) {
  std::string whole(text);
  if (JsonKindOf(item) == JsonKind::kNumber) {
    Numeric number;
    ParseNumeric(text, number);
    RoundNumeric(number, 0);
    whole = NumericToString(number);
  }
  T value;
  if (!ParseInteger(whole, value)) return RefuseText(state, node, text);
  return sink(state.Keep(std::to_string(value)));
}

/// Rounds to the scale. Returns false if there are more digits before the point than precision less scale.
bool FitDecimal(int32_t precision, int32_t scale, Numeric& number) {
  RoundNumeric(number, scale);
  Numeric size = number, limit;
  size.is_negative = false;
  return ParseNumeric("1e" + std::to_string(precision - scale), limit) == NumericParse::kOk &&
         CompareNumeric(size, limit) < 0;
}

Flow ToNumber(PathState& state, const PathNode& node, std::string_view text, ItemSink sink) {
  Numeric number;
  if (ParseNumeric(text, number) != NumericParse::kOk || !number.IsFinite())
    return RefuseText(state, node, text);
  if (!node.numbers.empty()) {
    constexpr int32_t kMostDigits = 1000;
    const int32_t precision = node.numbers[0], scale = node.numbers.size() > 1 ? node.numbers[1] : 0;
    if (precision < 1 || precision > kMostDigits || scale < -kMostDigits || scale > kMostDigits) {
      return state.Fail(
          sqlstate::kInvalidParameterValue,
          "the method .decimal() of an SQL/JSON path takes a precision of 1 to 1000 and a scale "
          "of -1000 to 1000");
    }
    if (!FitDecimal(precision, scale, number)) return RefuseText(state, node, text);
  }
  return sink(state.Keep(NumericToString(number)));
}

Flow ToBoolean(PathState& state, const PathNode& node, std::string_view item, std::string_view text,
               ItemSink sink) {
  bool value = false;
  int32_t number = 0;
  const bool is_number = JsonKindOf(item) == JsonKind::kNumber;
  if (!(is_number ? ParseInteger(text, number) : ParseBoolean(text, value)))
    return RefuseText(state, node, text);
  return sink(value || number != 0 ? "true" : "false");
}

Flow ToText(PathState& state, std::string_view item, ItemSink sink) {
  // A text that is kept anew is no date any more.
  if (JsonKindOf(item) == JsonKind::kString) return sink(state.Keep(std::string(item)));
  return sink(state.Keep('"' + std::string(item) + '"'));
}

Flow RefuseTime(PathState& state, const PathNode& node, std::string_view text) {
  return state.Fail(kNoDateTime,
                    fmt::format("{} format is not recognized: \"{}\"{}", PathMethodName(node.method), text,
                                node.method == PathMethod::kDateTime
                                    ? "; give the method a template for this format, as in "
                                      ".datetime(\"DD.MM.YYYY\")"
                                    : ""));
}

PathTimeKind KindGivenBy(PathMethod method) {
  switch (method) {
    case PathMethod::kDate: return PathTimeKind::kDate;
    case PathMethod::kTime: return PathTimeKind::kTime;
    case PathMethod::kTimeTz: return PathTimeKind::kTimeTz;
    case PathMethod::kTimestamp: return PathTimeKind::kTimestamp;
    default: return PathTimeKind::kTimestampTz;
  }
}

Flow ToTime(PathState& state, const PathNode& node, std::string_view text, ItemSink sink) {
  PathTime time;
  if (node.format == nullptr) {
    if (!ParsePathTime(text, time)) return RefuseTime(state, node, text);
  } else {
    try {
      time = ReadPathTime(text, *node.format);
    } catch (const Error& error) {
      return state.Fail(error.sqlstate(), error.what());
    }
  }
  if (node.method == PathMethod::kDateTime) return sink(state.KeepTime(time));
  if (!ConvertPathTime(state.zone, KindGivenBy(node.method), time)) return RefuseTime(state, node, text);
  constexpr int32_t kMostDigits = 6;
  if (!node.numbers.empty()) RoundPathTime(std::min(node.numbers[0], kMostDigits), time);
  return sink(state.KeepTime(time));
}

}  // namespace

Flow CallCast(PathState& state, const PathNode& node, std::string_view item, ItemSink sink) {
  SCAUP_ASSERT(node.method >= PathMethod::kDouble);
  const JsonKind kind = JsonKindOf(item);
  const bool is_time = state.TimeOf(item) != nullptr;
  const bool is_text = kind == JsonKind::kString && !is_time;
  const bool is_scalar = is_text || kind == JsonKind::kNumber;
  if (node.method >= PathMethod::kDateTime) {
    if (!is_text) return RefuseKind(state, node, kNoDateTime, "strings");
  } else if (node.method == PathMethod::kString) {
    if (!is_scalar && !is_time && kind != JsonKind::kBoolean)
      return RefuseKind(state, node, kNotANumber, "booleans, strings, numbers, dates and times");
    return ToText(state, item, sink);
  } else if (node.method == PathMethod::kBoolean) {
    if (kind == JsonKind::kBoolean) return sink(item);
    if (!is_scalar) return RefuseKind(state, node, kNotANumber, "booleans, strings and numbers");
  } else if (!is_scalar) {
    return RefuseKind(state, node, kNotANumber, "numbers and strings");
  }
  std::string text(item);
  if (is_text) {
    text.clear();
    AppendJsonUnescaped(item, text);
  }
  switch (node.method) {
    case PathMethod::kDouble: return ToDouble(state, node, item, text, sink);
    case PathMethod::kBigint: return ToInteger<int64_t>(state, node, item, text, sink);
    case PathMethod::kInteger: return ToInteger<int32_t>(state, node, item, text, sink);
    case PathMethod::kNumber:
    case PathMethod::kDecimal: return ToNumber(state, node, text, sink);
    case PathMethod::kBoolean: return ToBoolean(state, node, item, text, sink);
    default: return ToTime(state, node, text, sink);
  }
}

}  // namespace scaup::json_path
