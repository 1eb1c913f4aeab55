// Words the errors of failed casts as PostgreSQL does, with the value in the message.
#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/nested_text.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

// Truncates long texts at a UTF-8 character boundary.
std::string Excerpt(const std::string& text) {
  constexpr size_t kMaxBytes = 100;
  if (text.size() <= kMaxBytes) return text;
  size_t length = kMaxBytes;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) length--;
  return text.substr(0, length) + "...";
}

bool IsWholeNumberText(std::string_view text) {
  return IsNumberText(text) && text.find_first_of(".eE") == std::string_view::npos;
}

[[noreturn]] void ThrowFieldOverflow(const std::string& text, const LogicalType& type) {
  ThrowOutOfRange(fmt::format("numeric field overflow: \"{}\" does not fit {}", text, type.ToString()));
}

/// Names the first character of a text that is no digit of a bit string.
[[noreturn]] void ThrowNoBit(std::string_view text) {
  const bool is_hex = text.starts_with('x') || text.starts_with('X');
  if (is_hex || text.starts_with('b') || text.starts_with('B')) text.remove_prefix(1);
  const size_t at = text.find_first_not_of(is_hex ? "0123456789abcdefABCDEF" : "01");
  // The whole character, of whose bytes those behind the first begin with 10.
  size_t size = 1;
  while (at != text.npos && at + size < text.size() &&
         (static_cast<unsigned char>(text[at + size]) & 0xC0) == 0x80)
    size++;
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("\"{}\" is not a valid {} digit", at == text.npos ? "" : text.substr(at, size),
                         is_hex ? "hexadecimal" : "binary"));
}

[[noreturn]] void ThrowTextError(const std::string& full_text, const LogicalType& type);

/// Throws for a text that is no map, and blames the first key or value that is not of its type, or a key.
void ThrowMapTextError(const std::string& full_text, const LogicalType& type) {
  std::vector<TextItem> items;
  std::string slots;
  const bool is_well_formed = SplitMapText(full_text, type, items);
  for (size_t i = 0; is_well_formed && i < items.size(); i++) {
    const LogicalType& item_type = i % 2 == 0 ? MapKeyType(type) : MapValueType(type);
    Value value(item_type);
    if (!items[i].is_null && !ParseValue(items[i].text, item_type, value))
      ThrowTextError(items[i].text, item_type);
    if (i % 2 == 0) slots += kSlotValue;
    AppendValueSlot(item_type, value, slots);
  }
  if (is_well_formed) CheckMapKeys(type, slots);
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("malformed map literal: \"{}\"; {} is written {{key=value, \"a key\"=\"a value\"}}",
                         Excerpt(full_text), type.ToString()));
}

/// Throws for a text that no member of a union takes.
void ThrowUnionTextError(const std::string& full_text, const LogicalType& type) {
  ThrowError(ErrorKind::kConversion, sqlstate::kCannotCoerce,
             fmt::format("cannot cast the text \"{}\" to {}{}", Excerpt(full_text), type.ToString(),
                         CastAdvice(TypeId::kVarchar, type)));
}

/// Throws for a list or struct whose text is well formed, and blames the first item that is not of its type.
void ThrowNestedTextError(const std::string& full_text, const LogicalType& type) {
  if (IsMap(type)) ThrowMapTextError(full_text, type);
  if (IsUnion(type)) ThrowUnionTextError(full_text, type);
  const bool is_list = type.id() == TypeId::kList;
  std::vector<TextItem> items;
  const bool is_well_formed = is_list ? SplitListText(full_text, type.element(), items)
                                      : SplitStructText(full_text, type.fields().size(), items);
  for (size_t i = 0; is_well_formed && i < items.size(); i++) {
    const LogicalType& item_type = is_list ? type.element() : type.fields()[i].type;
    Value ignored;
    if (!items[i].is_null && !ParseValue(items[i].text, item_type, ignored))
      ThrowTextError(items[i].text, item_type);
  }
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("malformed {} literal: \"{}\"{}", is_list ? "array" : "record", Excerpt(full_text),
                         is_list ? "" : fmt::format("; {} is written (1,\"a b\",)", type.ToString())));
}

/// Throws for one of the ranges that a text is made of, if it has a bound that is not of its type, or bounds
/// in the wrong order.
void CheckRangeText(const RangeText& parts, const LogicalType& range) {
  const LogicalType& bound = RangeBoundType(range);
  std::string slots[2], ignored;
  const bool is_given[] = {parts.has_lower, parts.has_upper};
  for (size_t i = 0; i < 2; i++) {
    if (!is_given[i]) continue;
    const std::string& text = i == 0 ? parts.lower : parts.upper;
    Value value;
    if (!ParseValue(text, bound, value)) ThrowTextError(text, bound);
    AppendValueSlot(bound, value, slots[i]);
  }
  const RangeFault fault = parts.is_empty ? RangeFault::kNone
                                          : AppendBoundedRange(range, {slots[0], parts.has_lower_within},
                                                               {slots[1], parts.has_upper_within}, ignored);
  if (fault != RangeFault::kNone) ThrowRangeFault(fault, bound);
}

void ThrowRangeTextError(const std::string& full_text, const LogicalType& type) {
  const bool is_range = type.id() == TypeId::kRange;
  std::vector<RangeText> ranges(is_range ? 1 : 0);
  const bool is_well_formed =
      is_range ? SplitRangeText(full_text, ranges[0]) : SplitMultirangeText(full_text, ranges);
  for (size_t i = 0; is_well_formed && i < ranges.size(); i++)
    CheckRangeText(ranges[i], is_range ? type : type.element());
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("malformed {} literal: \"{}\"; {} is written {}", is_range ? "range" : "multirange",
                         Excerpt(full_text), type.ToString(),
                         is_range ? "[lower,upper) or empty" : "{[lower,upper), ...}"));
}

[[noreturn]] void ThrowNoLabel(const std::string& text, const LogicalType& type) {
  constexpr size_t kMost = 8;
  std::string labels;
  for (size_t i = 0; i < std::min(type.label_count(), kMost); i++)
    labels += (i == 0 ? "; it has " : ", ") + Excerpt(type.label(i));
  if (type.label_count() > kMost) labels += ", ...";
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("invalid input value for enum {}: \"{}\"{}", type.ToString(), text, labels));
}

[[noreturn]] void ThrowTextError(const std::string& full_text, const LogicalType& type) {
  const std::string text = Excerpt(full_text);
  const char* sqlstate = sqlstate::kInvalidTextRepresentation;
  switch (type.id()) {
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt:
      if (IsWholeNumberText(full_text)) {
        ThrowOutOfRange(
            fmt::format("value \"{}\" is out of range for type {}", text, PostgresBaseTypeName(type)));
      }
      break;
    case TypeId::kReal:
    case TypeId::kDouble:
      if (IsNumberText(full_text)) {
        ThrowOutOfRange(fmt::format("\"{}\" is out of range for type {}", text, PostgresBaseTypeName(type)));
      }
      break;
    case TypeId::kDecimal:
      if (IsNumberText(full_text)) ThrowFieldOverflow(text, type);
      break;
    case TypeId::kNumeric:
      if (IsNumberText(full_text))
        ThrowOutOfRange(fmt::format("value overflows numeric format: \"{}\"", text));
      break;
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimeTz:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
      if (const std::string_view zone = ZoneNameIn(full_text);
          zone.find('/') != zone.npos && type.id() == TypeId::kTimestampTz) {
        ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                   fmt::format("time zone \"{}\" not recognized", zone));
      }
      if (HasDateTimeForm(full_text)) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
                   fmt::format("date/time field value out of range: \"{}\"", text));
      }
      sqlstate = sqlstate::kInvalidDatetimeFormat;
      break;
    case TypeId::kInterval: sqlstate = sqlstate::kInvalidDatetimeFormat; break;
    case TypeId::kBit: ThrowNoBit(full_text);
    case TypeId::kJson:
    case TypeId::kJsonb: ThrowJsonError(full_text, type.id() == TypeId::kJsonb);
    case TypeId::kEnum: ThrowNoLabel(text, type);
    case TypeId::kList:
    case TypeId::kStruct: ThrowNestedTextError(full_text, type); break;
    case TypeId::kRange:
    case TypeId::kMultirange: ThrowRangeTextError(full_text, type); break;
    default: break;
  }
  ThrowError(ErrorKind::kConversion, sqlstate,
             fmt::format("invalid input syntax for type {}: \"{}\"", PostgresBaseTypeName(type), text));
}

/// Throws for a value that the chosen member of a union does not take, or a struct of a file that is none.
[[noreturn]] void ThrowMemberError(const Value& value, const LogicalType& type) {
  const LogicalType& from = value.type();
  const bool is_by_name = IsUnion(from) && HasMembersOf(type, from);
  if (is_by_name) {
    const std::string& name = UnionMembers(from)[UnionTag(value)].name;
    ThrowCastError(UnionValue(value), UnionMembers(type)[*FindMember(type, name)].type);
  }
  if (const MemberChoice choice = ChooseMember(from, type); choice.member)
    ThrowCastError(value, UnionMembers(type)[*choice.member].type);
  ThrowError(
      ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
      fmt::format("the struct {} is no {}: its first field is the position of the only member that may "
                  "have a value, counted from 0",
                  Excerpt(value.ToString()), type.ToString()));
}

}  // namespace

std::string CastAdvice(const LogicalType& from, const LogicalType& to) {
  if (!IsUnion(to)) return IsUnion(from) ? "; read the member it has, as in (u).name" : "";
  if (IsUnion(from)) {
    for (const StructField& member : UnionMembers(from)) {
      if (!FindMember(to, member.name))
        return fmt::format(", which has no member {}", QuotedFieldName(member.name));
    }
    return "";
  }
  if (IsJson(from)) return ", which is written {\"member\": value}";
  const char* const why = ChooseMember(from, to).is_ambiguous ? "more than one member takes it equally well"
                                                              : "no member takes it without a cast";
  return fmt::format(": {}; name the member, as in union_value({} := value)", why,
                     QuotedFieldName(UnionMembers(to)[0].name));
}

void ThrowCastError(const Value& value, const LogicalType& type) {
  if (!CastExists(value.type(), type)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kCannotCoerce,
               fmt::format("cannot cast type {} to {}{}", value.type().ToString(), type.ToString(),
                           CastAdvice(value.type(), type)));
  }
  if (!value.is_null() && value.type().id() == TypeId::kVarchar) ThrowTextError(value.GetString(), type);
  if (type.id() == TypeId::kRange) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDataException,
               fmt::format("the parts {} are no {} in its normal form", value.ToString(), type.ToString()));
  }
  if (IsJson(value.type()) && type.IsNested()) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("cannot cast a JSON {} to {}{}: {}", JsonKindName(JsonKindOf(value.GetString())),
                           type.ToString(), CastAdvice(value.type(), type), Excerpt(value.GetString())));
  }
  if (IsUnion(type)) ThrowMemberError(value, type);
  if (value.type().id() == TypeId::kJsonb && !IsJson(type)) {
    if (const auto text = JsonbScalarText(value.GetString(), type)) ThrowTextError(*text, type);
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               fmt::format("cannot cast jsonb {} to type {}", JsonKindName(JsonKindOf(value.GetString())),
                           PostgresBaseTypeName(type)));
  }
  if (IsJson(type)) ThrowJsonError(value.GetString(), type.id() == TypeId::kJsonb);
  const std::string text = Excerpt(value.ToString());
  if (type.id() == TypeId::kDecimal) ThrowFieldOverflow(text, type);
  if (type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz) {
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
        fmt::format("{} out of range for timestamp: \"{}\"", PostgresBaseTypeName(value.type()), text));
  }
  ThrowOutOfRange(fmt::format("{} out of range: {}", PostgresBaseTypeName(type), text));
}

}  // namespace scaup
