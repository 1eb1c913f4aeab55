// Texts of ranges and multiranges, [1,10) and {[1,2),[5,7)}, in PostgreSQL's syntax, and casts of single
// ones.
#include <algorithm>

#include "common/throw.hpp"
#include "scaup/value.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"
#include "type/text/ascii.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

class RangeTextReader {
 public:
  explicit RangeTextReader(std::string_view text) : text_(text) {}

  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) at_++;
  }
  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }
  bool is_at_end() const { return at_ == text_.size(); }

  bool ReadRangeParts(RangeText& parts) {
    parts = RangeText();
    constexpr std::string_view kEmpty = "empty";
    if (EqualsIgnoringCase(text_.substr(at_, kEmpty.size()), kEmpty)) {
      at_ += kEmpty.size();
      parts.is_empty = true;
      return true;
    }
    parts.has_lower_within = Take('[');
    if (!parts.has_lower_within && !Take('(')) return false;
    parts.has_lower = !IsNext(',');
    if (parts.has_lower && !ReadBound(parts.lower)) return false;
    if (!Take(',')) return false;
    parts.has_upper = !IsNext(')') && !IsNext(']');
    if (parts.has_upper && !ReadBound(parts.upper)) return false;
    parts.has_upper_within = Take(']');
    return parts.has_upper_within || Take(')');
  }

 private:
  bool IsNext(char c) const { return at_ < text_.size() && text_[at_] == c; }

  /// Reads up to the comma or bracket that ends a bound. White space belongs to it.
  bool ReadBound(std::string& bound) {
    bool in_quotes = false;
    for (; at_ < text_.size(); at_++) {
      const char c = text_[at_];
      if (!in_quotes && (c == ',' || c == ')' || c == ']')) return true;
      if (c == '\\') {
        if (++at_ == text_.size()) return false;
        bound += text_[at_];
      } else if (c == '"' && in_quotes && at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        bound += text_[++at_];
      } else if (c == '"') {
        in_quotes = !in_quotes;
      } else {
        bound += c;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool ParseRangeBound(bool is_given, const std::string& text, const LogicalType& bound, const TimeZone* zone,
                     std::string& slot) {
  if (!is_given) return true;
  Value value;
  if (!ParseValue(text, bound, value, zone)) return false;
  AppendValueSlot(bound, value, slot);
  return true;
}

/// Appends the bytes of a range. Returns false if a bound is not of its type, or bounds have a fault.
bool AppendParsedRange(const RangeText& parts, const LogicalType& range, const TimeZone* zone,
                       std::string& out) {
  if (parts.is_empty) {
    AppendEmptyRange(range, out);
    return true;
  }
  const LogicalType& bound = RangeBoundType(range);
  std::string lower, upper;
  return ParseRangeBound(parts.has_lower, parts.lower, bound, zone, lower) &&
         ParseRangeBound(parts.has_upper, parts.upper, bound, zone, upper) &&
         AppendBoundedRange(range, {lower, parts.has_lower_within}, {upper, parts.has_upper_within}, out) ==
             RangeFault::kNone;
}

/// Appends a bound, in quotes if it has white space or a character that ends it.
void AppendBoundText(const LogicalType& bound, std::string_view slot, const TimeZone* zone,
                     std::string& out) {
  Value text;
  CastValue(ReadValueSlot(bound, slot), TypeId::kVarchar, text, zone);
  const std::string& plain = text.GetString();
  const bool needs_quotes = plain.empty() || std::any_of(plain.begin(), plain.end(), [](char c) {
                              return IsSpace(c) || std::string_view("()[],\"\\").find(c) != std::string::npos;
                            });
  if (!needs_quotes) {
    out += plain;
    return;
  }
  out += '"';
  for (const char c : plain) {
    if (c == '"' || c == '\\') out += c;
    out += c;
  }
  out += '"';
}

void AppendSpanText(const LogicalType& bound, const RangeSpan& span, const TimeZone* zone, std::string& out) {
  out += span.has_lower_within() ? '[' : '(';
  if (span.has_lower()) AppendBoundText(bound, SlotOfCut(span.lower), zone, out);
  out += ',';
  if (span.has_upper()) AppendBoundText(bound, SlotOfCut(span.upper), zone, out);
  out += span.has_upper_within() ? ']' : ')';
}

}  // namespace

bool SplitRangeText(std::string_view text, RangeText& parts) {
  RangeTextReader reader(text);
  reader.SkipSpace();
  if (!reader.ReadRangeParts(parts)) return false;
  reader.SkipSpace();
  return reader.is_at_end();
}

bool SplitMultirangeText(std::string_view text, std::vector<RangeText>& ranges) {
  RangeTextReader reader(text);
  ranges.clear();
  reader.SkipSpace();
  if (!reader.Take('{')) return false;
  reader.SkipSpace();
  if (!reader.Take('}')) {
    do {
      reader.SkipSpace();
      if (!reader.ReadRangeParts(ranges.emplace_back())) return false;
      reader.SkipSpace();
    } while (reader.Take(','));
    if (!reader.Take('}')) return false;
  }
  reader.SkipSpace();
  return reader.is_at_end();
}

std::string RangeToText(const LogicalType& type, std::string_view bytes, const TimeZone* zone) {
  RangeSpans spans;
  ReadSpans(type, bytes, spans);
  const LogicalType& bound = RangeBoundType(type);
  const bool is_range = type.id() == TypeId::kRange;
  if (is_range && spans.empty()) return "empty";
  std::string text = is_range ? "" : "{";
  for (size_t i = 0; i < spans.size(); i++) {
    if (i != 0) text += ',';
    AppendSpanText(bound, spans[i], zone, text);
  }
  return is_range ? text : text + "}";
}

bool ParseRange(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone) {
  std::string bytes;
  if (type.id() == TypeId::kRange) {
    RangeText parts;
    if (!SplitRangeText(text, parts) || !AppendParsedRange(parts, type, zone, bytes)) return false;
    result = Value::FromBytes(type, std::move(bytes));
    return true;
  }
  std::vector<RangeText> texts;
  if (!SplitMultirangeText(text, texts)) return false;
  std::vector<std::string> ranges(texts.size());
  RangeSpans spans;
  for (size_t i = 0; i < texts.size(); i++) {
    if (!AppendParsedRange(texts[i], type.element(), zone, ranges[i])) return false;
    ReadSpans(type.element(), ranges[i], spans);
  }
  MergeSpans(spans);
  AppendSpans(type, spans, bytes);
  result = Value::FromBytes(type, std::move(bytes));
  return true;
}

bool CastRange(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null() && CastExists(value.type(), type));
  const LogicalType& from = value.type();
  if (from.id() == TypeId::kRange) {
    RangeSpans spans;
    std::string bytes;
    ReadSpans(from, value.GetString(), spans);
    AppendSpans(type, spans, bytes);
    result = Value::FromBytes(type, std::move(bytes));
    return true;
  }
  if (from.id() == TypeId::kMultirange) {
    result = Value::FromBytes(type, value.GetString());
    return true;
  }
  Value parts;
  if (!CastValue(value, PartsOfRange(type), parts, zone)) return false;
  if (!IsNormalRange(type, parts.GetString())) return false;
  result = Value::FromBytes(type, parts.GetString());
  return true;
}

Value MakeRange(const LogicalType& type, const Value& lower, const Value& upper, std::string_view brackets) {
  const bool has_form = brackets.size() == 2 && (brackets[0] == '[' || brackets[0] == '(') &&
                        (brackets[1] == ']' || brackets[1] == ')');
  const auto fits = [&](const Value& bound) {
    return bound.is_null() || bound.type() == RangeBoundType(type);
  };
  if (type.id() != TypeId::kRange || !has_form || !fits(lower) || !fits(upper)) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                "a range is made of bounds of its type, or NULL, and of brackets such as \"[)\"; cast the "
                "bounds first");
  }
  std::string begin, end, bytes;
  AppendValueSlot(RangeBoundType(type), lower, begin);
  AppendValueSlot(RangeBoundType(type), upper, end);
  const RangeFault fault =
      AppendBoundedRange(type, {begin, brackets[0] == '['}, {end, brackets[1] == ']'}, bytes);
  if (fault != RangeFault::kNone) ThrowRangeFault(fault, RangeBoundType(type));
  return Value::FromBytes(type, std::move(bytes));
}

Value MakeEmptyRange(const LogicalType& type) {
  SCAUP_CHECK(type.id() == TypeId::kRange);
  std::string bytes;
  AppendEmptyRange(type, bytes);
  return Value::FromBytes(type, std::move(bytes));
}

Value MakeMultirange(const LogicalType& type, const std::vector<Value>& ranges) {
  RangeSpans spans;
  for (const Value& range : ranges) {
    if (type.id() != TypeId::kMultirange || range.is_null() || range.type() != type.element()) {
      throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                  "a multirange is made of ranges between bounds of its type, none of them NULL");
    }
    ReadSpans(range.type(), range.GetString(), spans);
  }
  MergeSpans(spans);
  std::string bytes;
  AppendSpans(type, spans, bytes);
  return Value::FromBytes(type, std::move(bytes));
}

}  // namespace scaup
