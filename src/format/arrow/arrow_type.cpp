// Parses ArrowSchema trees.
#include "format/arrow/arrow_type.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// The number of units with this letter per second.
int64_t UnitOf(char letter) {
  switch (letter) {
    case 's': return 1;
    case 'm': return 1'000;
    case 'u': return 1'000'000;
    case 'n': return 1'000'000'000;
    default: return 0;
  }
}

[[noreturn]] void ThrowUnknown(const ArrowSchema& schema, std::string_view why) {
  const std::string_view name = schema.name != nullptr ? schema.name : "";
  ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
             fmt::format("column \"{}\" has Arrow's type \"{}\": {}", name, schema.format, why));
}

/// The extension name in a schema's metadata; empty if there is none.
std::string_view ExtensionOf(const ArrowSchema& schema) {
  const char* at = schema.metadata;
  if (at == nullptr) return "";
  const auto take_count = [&] {
    int32_t count;
    std::memcpy(&count, at, sizeof(count));
    at += sizeof(count);
    return count;
  };
  const auto take_text = [&] {
    const int32_t size = take_count();
    const std::string_view text(at, static_cast<size_t>(std::max(size, 0)));
    at += text.size();
    return text;
  };
  for (int32_t left = take_count(); left > 0; left--) {
    const std::string_view key = take_text();
    const std::string_view value = take_text();
    if (key == "ARROW:extension:name") return value;
  }
  return "";
}

std::vector<int64_t> NumbersOf(const ArrowSchema& schema, std::string_view text) {
  std::vector<int64_t> numbers;
  for (const char *at = text.data(), *end = at + text.size(); at < end; at++) {
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) ThrowUnknown(schema, "its numbers cannot be read");
    numbers.push_back(number);
    at = next;
  }
  return numbers;
}

struct Plain {
  ArrowKind kind;
  TypeId type;
  int64_t unit = 1;
};

std::optional<Plain> PlainTypeOf(std::string_view format) {
  static const auto& kTypes = *new std::map<std::string_view, Plain>{
      {"n", {ArrowKind::kNull, TypeId::kVarchar}},
      {"b", {ArrowKind::kBits, TypeId::kBoolean}},
      {"c", {ArrowKind::kInt8, TypeId::kTinyInt}},
      {"C", {ArrowKind::kUint8, TypeId::kUTinyInt}},
      {"s", {ArrowKind::kInt16, TypeId::kSmallInt}},
      {"S", {ArrowKind::kUint16, TypeId::kUSmallInt}},
      {"i", {ArrowKind::kInt32, TypeId::kInteger}},
      {"I", {ArrowKind::kUint32, TypeId::kUInteger}},
      {"l", {ArrowKind::kInt64, TypeId::kBigInt}},
      {"L", {ArrowKind::kUint64, TypeId::kUBigInt}},
      {"e", {ArrowKind::kHalf, TypeId::kReal}},
      {"f", {ArrowKind::kFloat, TypeId::kReal}},
      {"g", {ArrowKind::kDouble, TypeId::kDouble}},
      {"u", {ArrowKind::kString32, TypeId::kVarchar}},
      {"U", {ArrowKind::kString64, TypeId::kVarchar}},
      {"vu", {ArrowKind::kStringView, TypeId::kVarchar}},
      {"z", {ArrowKind::kString32, TypeId::kBlob}},
      {"Z", {ArrowKind::kString64, TypeId::kBlob}},
      {"vz", {ArrowKind::kStringView, TypeId::kBlob}},
      {"tdD", {ArrowKind::kDate32, TypeId::kDate}},
      {"tdm", {ArrowKind::kDate64, TypeId::kDate}},
      {"tts", {ArrowKind::kTime32, TypeId::kTime, UnitOf('s')}},
      {"ttm", {ArrowKind::kTime32, TypeId::kTime, UnitOf('m')}},
      {"ttu", {ArrowKind::kTime64, TypeId::kTime, UnitOf('u')}},
      {"ttn", {ArrowKind::kTime64, TypeId::kTime, UnitOf('n')}},
      {"tDs", {ArrowKind::kDuration, TypeId::kInterval, UnitOf('s')}},
      {"tDm", {ArrowKind::kDuration, TypeId::kInterval, UnitOf('m')}},
      {"tDu", {ArrowKind::kDuration, TypeId::kInterval, UnitOf('u')}},
      {"tDn", {ArrowKind::kDuration, TypeId::kInterval, UnitOf('n')}},
      {"tiM", {ArrowKind::kMonths, TypeId::kInterval}},
      {"tiD", {ArrowKind::kDaysMillis, TypeId::kInterval}},
      {"tin", {ArrowKind::kMonthsDaysNanos, TypeId::kInterval}},
  };
  const auto found = kTypes.find(format);
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

void ReadDecimal(const ArrowSchema& schema, std::string_view numbers, ArrowType& result) {
  const std::vector<int64_t> values = NumbersOf(schema, numbers);
  const int64_t bits = values.size() == 3 ? values[2] : 128;
  if (values.size() < 2 || values.size() > 3) ThrowUnknown(schema, "a decimal has a precision and a scale");
  switch (bits) {
    case 32: result.kind = ArrowKind::kDecimal32; break;
    case 64: result.kind = ArrowKind::kDecimal64; break;
    case 128: result.kind = ArrowKind::kDecimal128; break;
    case 256: result.kind = ArrowKind::kDecimal256; break;
    default: ThrowUnknown(schema, "decimals have 32, 64, 128 or 256 bits");
  }
  if (values[0] < 1 || values[0] > LogicalType::kMaxDecimalWidth || values[1] < 0 || values[1] > values[0])
    ThrowUnknown(
        schema,
        "decimals have at most 38 digits, none of them in front of the first: cast it to float64 or string");
  result.type = LogicalType::Decimal(static_cast<uint8_t>(values[0]), static_cast<uint8_t>(values[1]));
}

void AddChildren(const ArrowSchema& schema, int64_t wanted, ArrowType& result) {
  if (wanted >= 0 && schema.n_children != wanted) ThrowUnknown(schema, "it has the wrong number of children");
  for (int64_t i = 0; i < schema.n_children; i++)
    result.children.push_back(ReadArrowSchema(*schema.children[i]));
}

LogicalType StructOf(const ArrowSchema& schema, const std::vector<ArrowType>& children) {
  if (children.empty()) ThrowUnknown(schema, "structs without fields have no type in SQL");
  std::vector<StructField> fields;
  for (size_t i = 0; i < children.size(); i++) {
    const std::string& name = children[i].name;
    fields.push_back({name.empty() ? fmt::format("f{}", i + 1) : name, children[i].type});
  }
  return LogicalType::Struct(std::move(fields));
}

void ReadUnion(const ArrowSchema& schema, std::string_view format, ArrowType& result) {
  result.kind = format.starts_with("+us:") ? ArrowKind::kSparseUnion : ArrowKind::kDenseUnion;
  result.numbers = NumbersOf(schema, format.substr(4));
  AddChildren(schema, static_cast<int64_t>(result.numbers.size()), result);
  if (result.children.empty()) ThrowUnknown(schema, "unions without members have no type in SQL");
  std::vector<StructField> members;
  for (const ArrowType& child : result.children) {
    const std::string name = child.name.empty() ? fmt::format("f{}", members.size() + 1) : child.name;
    if (std::ranges::find(members, name, &StructField::name) != members.end())
      ThrowUnknown(schema, "two of its members have the same name");
    members.push_back({name, child.type});
  }
  result.type = UnionType(members);
}

/// Parses lists, structs and other types with children.
void ReadNested(const ArrowSchema& schema, std::string_view format, ArrowType& result) {
  const auto list = [&](ArrowKind kind) {
    result.kind = kind;
    AddChildren(schema, 1, result);
    result.type = LogicalType::List(result.children[0].type);
  };
  if (format == "+l") return list(ArrowKind::kList32);
  if (format == "+m") {
    list(ArrowKind::kList32);
    const LogicalType entry = result.type.element();
    if (entry.id() != TypeId::kStruct || entry.fields().size() != 2)
      ThrowUnknown(schema, "a map has entries of a key and a value");
    result.type = LogicalType::Map(entry.fields()[0].type, entry.fields()[1].type);
    return;
  }
  if (format == "+L") return list(ArrowKind::kList64);
  if (format == "+vl") return list(ArrowKind::kListView32);
  if (format == "+vL") return list(ArrowKind::kListView64);
  if (format.starts_with("+w:")) {
    const std::vector<int64_t> width = NumbersOf(schema, format.substr(3));
    if (width.size() != 1 || width[0] < 0) ThrowUnknown(schema, "a list of fixed size has that size");
    result.width = width[0];
    return list(ArrowKind::kFixedList);
  }
  if (format == "+s") {
    result.kind = ArrowKind::kStruct;
    AddChildren(schema, -1, result);
    result.type = StructOf(schema, result.children);
    return;
  }
  if (format.starts_with("+us:") || format.starts_with("+ud:")) return ReadUnion(schema, format, result);
  if (format == "+r") {
    result.kind = ArrowKind::kRunEnds;
    AddChildren(schema, 2, result);
    result.type = result.children[1].type;
    return;
  }
  ThrowUnknown(schema, "it has no counterpart in SQL: leave the column out, or cast it");
}

void ReadDictionary(const ArrowSchema& schema, ArrowType& result) {
  result.index = result.kind;
  switch (result.index) {
    case ArrowKind::kInt8:
    case ArrowKind::kInt16:
    case ArrowKind::kInt32:
    case ArrowKind::kInt64:
    case ArrowKind::kUint8:
    case ArrowKind::kUint16:
    case ArrowKind::kUint32:
    case ArrowKind::kUint64: break;
    default: ThrowUnknown(schema, "the positions in a dictionary are integers");
  }
  result.kind = ArrowKind::kDictionary;
  result.children.push_back(ReadArrowSchema(*schema.dictionary));
  result.type = result.children[0].type;
}

}  // namespace

ArrowType ReadArrowSchema(const ArrowSchema& schema) {
  CheckStack();
  ArrowType result;
  if (schema.name != nullptr) result.name = schema.name;
  const std::string_view format = schema.format != nullptr ? schema.format : "";
  if (const auto plain = PlainTypeOf(format)) {
    result.kind = plain->kind;
    result.type = plain->type;
    result.unit = plain->unit;
  } else if (format.starts_with("d:")) {
    ReadDecimal(schema, format.substr(2), result);
  } else if (format.starts_with("w:")) {
    const std::vector<int64_t> width = NumbersOf(schema, format.substr(2));
    if (width.size() != 1 || width[0] < 0) ThrowUnknown(schema, "bytes of fixed size have that size");
    result.kind = ArrowKind::kFixedBytes;
    result.type = TypeId::kBlob;
    result.width = width[0];
  } else if (format.starts_with("ts") && format.size() >= 4 && format[3] == ':' && UnitOf(format[2]) != 0) {
    result.kind = ArrowKind::kTimestamp;
    result.type = format.size() > 4 ? TypeId::kTimestampTz : TypeId::kTimestamp;
    result.unit = UnitOf(format[2]);
  } else {
    ReadNested(schema, format, result);
  }
  if (schema.dictionary != nullptr) ReadDictionary(schema, result);
  const std::string_view extension = ExtensionOf(schema);
  if (extension == "arrow.json" && result.type.id() == TypeId::kVarchar) result.type = TypeId::kJson;
  if (extension == "arrow.uuid" && result.kind == ArrowKind::kFixedBytes && result.width == 16)
    result.type = TypeId::kUuid;
  if (extension == "arrow.bool8" && result.kind == ArrowKind::kInt8) result.type = TypeId::kBoolean;
  return result;
}

}  // namespace scaup
