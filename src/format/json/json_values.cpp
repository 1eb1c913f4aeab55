// Converts values by their kind and the wanted type.
#include "format/json/json_values.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "format/text/field_parsers.hpp"
#include "type/packed_value.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

constexpr uint32_t kNoPlace = UINT32_MAX;

/// The characters of a string that has no escapes; for others the result is not `has`.
struct PlainText {
  bool has = false;
  std::string_view text;
};
PlainText PlainTextOf(const JsonTokens& document, std::string_view json, JsonKind kind) {
  if (kind != JsonKind::kString) return {};
  return {!document.HasEscape(json), json.substr(1, json.size() - 2)};
}

/// Appends a whole number without a redundant point or exponent, in the spelling of integers: 4.0 as 4, 1e3
/// as 1000. Returns false if it is not whole or already so written.
bool AppendIntegral(std::string_view number, std::string& out) {
  if (number.find_first_of(".eE") == std::string_view::npos) return false;
  std::string plain;
  if (!NormalizeJson(number, plain)) return false;
  const size_t point = plain.find('.');
  if (point != std::string::npos) {
    if (plain.find_first_not_of('0', point + 1) != std::string::npos) return false;
    plain.resize(point);
  }
  out += plain;
  return true;
}

/// Appends the text that a cast to `type` reads: strings without quotes, other values as they are.
void AppendCastText(std::string_view json, JsonKind kind, const LogicalType& type, std::string& out) {
  if (kind == JsonKind::kString && !IsJson(type)) return AppendJsonUnescaped(json, out);
  if (kind == JsonKind::kNumber && type.IsInteger() && AppendIntegral(json, out)) return;
  out += json;
}

bool ParseJsonBoolean(std::string_view json, JsonKind kind, uint8_t& result) {
  result = json.front() == 't';
  return kind == JsonKind::kBoolean;
}

/// Reads a value of a fixed size in its usual form. Returns false for others.
template <typename T>
bool ParseFast(const JsonTokens& document, const LogicalType& type, std::string_view json, JsonKind kind,
               T& result) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    if (kind != JsonKind::kNumber) return false;
    if constexpr (std::is_same_v<T, double>) {
      return ParseDouble(json, result);
    } else {
      return ParseFloat(json, result);
    }
  } else if constexpr (std::is_same_v<T, uint8_t>) {
    return ParseJsonBoolean(json, kind, result);
  } else {
    if (type.IsInteger())
      return kind == JsonKind::kNumber && field::IntegerParser<T>()(json.data(), json.size(), result);
    const PlainText text = PlainTextOf(document, json, kind);
    if (!text.has) return false;
    if constexpr (std::is_same_v<T, int32_t>) {
      return field::DateParser()(text.text.data(), text.text.size(), result);
    } else if constexpr (std::is_same_v<T, int64_t>) {
      if (type.id() == TypeId::kTime) return field::TimeParser()(text.text.data(), text.text.size(), result);
      return field::TimestampParser()(text.text.data(), text.text.size(), result);
    }
    return false;
  }
}

/// Calls visit(T{}) with the physical type, for types that ParseFast reads; otherwise returns false.
template <typename Visit>
bool VisitFastType(const LogicalType& type, Visit visit) {
  switch (type.id()) {
    case TypeId::kBoolean: return visit(uint8_t{});
    case TypeId::kTinyInt: return visit(int8_t{});
    case TypeId::kSmallInt: return visit(int16_t{});
    case TypeId::kInteger:
    case TypeId::kDate: return visit(int32_t{});
    case TypeId::kBigInt:
    case TypeId::kTime:
    case TypeId::kTimestamp: return visit(int64_t{});
    case TypeId::kUSmallInt: return visit(uint16_t{});
    case TypeId::kUInteger: return visit(uint32_t{});
    case TypeId::kUBigInt: return visit(uint64_t{});
    case TypeId::kReal: return visit(float{});
    case TypeId::kDouble: return visit(double{});
    case TypeId::kUTinyInt:  // stored as BOOLEAN is, which is read otherwise
    case TypeId::kHugeInt:
    case TypeId::kDecimal:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kNull:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kInterval:
    case TypeId::kUuid:
    case TypeId::kTimestampTz:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return false;
  }
  return false;
}

bool HasParts(const LogicalType& type, JsonKind kind) {
  if (type.id() == TypeId::kList) return kind == (IsMap(type) ? JsonKind::kObject : JsonKind::kArray);
  return type.id() == TypeId::kStruct && kind == JsonKind::kObject;
}

}  // namespace

JsonValueWriter::JsonValueWriter(LogicalType type, const TimeZone* zone)
    : type_(std::move(type)), zone_(zone) {}

void JsonValueWriter::Begin(Vector& output, std::shared_ptr<const void> owner) {
  output.Reset();
  if (output.physical_type() == PhysicalType::kString) output.KeepAlive(std::move(owner));
  output_ = &output;
  validity_ = output.MutableValidity();
  data_ = output.MutableData<std::byte>();
}

void JsonValueWriter::Clear(size_t row) {
  SetInvalid(validity_, row);
  // Strings under NULLs must be readable.
  if (output_->physical_type() == PhysicalType::kString)
    reinterpret_cast<StringRef*>(data_)[row] = StringRef();
}

bool JsonValueWriter::Write(const JsonTokens& document, size_t value, size_t row) {
  const JsonKind kind = document.kind(value);
  if (kind == JsonKind::kNull) {
    Clear(row);
    return true;
  }
  const std::string_view json = document.text(value);
  document_ = &document;
  bool is_good = true;
  if (HasParts(type_, kind)) {
    packed_.clear();
    places_.clear();
    is_good = AppendPacked(type_, value);
    if (is_good) reinterpret_cast<StringRef*>(data_)[row] = output_->AddString(packed_);
  } else if (!WriteFast(json, kind, row)) {
    is_good = WriteText(json, kind, row);
  }
  if (is_good) {
    SetValid(validity_, row);
  } else {
    Clear(row);
  }
  return is_good;
}

bool JsonValueWriter::WriteFast(std::string_view json, JsonKind kind, size_t row) {
  if (output_->physical_type() != PhysicalType::kString) {
    return VisitFastType(type_, [&]<typename T>(T) {
      return ParseFast<T>(*document_, type_, json, kind, reinterpret_cast<T*>(data_)[row]);
    });
  }
  StringRef& text = reinterpret_cast<StringRef*>(data_)[row];
  if (type_.id() == TypeId::kJson || (type_.id() == TypeId::kVarchar && kind != JsonKind::kString)) {
    text = StringRef(json);
    return true;
  }
  const PlainText plain = PlainTextOf(*document_, json, kind);
  if (!plain.has || type_.id() != TypeId::kVarchar) return false;
  text = StringRef(plain.text);
  return true;
}

bool JsonValueWriter::WriteText(std::string_view json, JsonKind kind, size_t row) {
  if (type_.id() == TypeId::kVarchar) {  // a string with escapes
    text_.clear();
    AppendJsonUnescaped(json, text_);
    reinterpret_cast<StringRef*>(data_)[row] = output_->AddString(text_);
    return true;
  }
  if (!ParseCell(json, kind, type_)) return false;
  output_->SetValue(row, parsed_);
  return true;
}

/// Reads a value as a cast of its text does.
bool JsonValueWriter::ParseCell(std::string_view json, JsonKind kind, const LogicalType& type) {
  if (IsUnion(type)) return false;  // only objects tell which member it is
  text_.clear();
  AppendCastText(json, kind, type, text_);
  return ParseValue(text_, type, parsed_, zone_);
}

/// Appends the slots of an array or object to `packed_`.
bool JsonValueWriter::AppendPacked(const LogicalType& type, size_t value) {
  CheckStack();
  if (IsUnion(type)) return AppendMember(type, value);
  if (type.id() == TypeId::kStruct) return AppendFields(type, value);
  if (IsMap(type)) return AppendEntries(type, value);
  bool is_good = true;
  document_->ForElements(value,
                         [&](size_t element) { is_good = is_good && AppendSlot(type.element(), element); });
  return is_good;
}

/// Appends the members as entries of a map, whose keys are their names.
bool JsonValueWriter::AppendEntries(const LogicalType& type, size_t value) {
  const size_t begin = packed_.size();
  bool is_good = true;
  document_->ForMembers(value, [&](std::string_view quoted, size_t member) {
    if (!is_good) return;
    packed_.push_back(kSlotValue);
    name_.clear();
    AppendJsonUnescaped(quoted, name_);
    is_good = ParseValue(name_, MapKeyType(type), parsed_, zone_);
    if (!is_good) return;
    AppendValueSlot(MapKeyType(type), parsed_, packed_);
    is_good = AppendSlot(MapValueType(type), member);
  });
  return is_good && HasGoodKeys(type, std::string_view(packed_).substr(begin));
}

/// Appends a union of an object whose only member has the name of one of its members.
bool JsonValueWriter::AppendMember(const LogicalType& type, size_t value) {
  const std::vector<StructField>& fields = type.fields();
  size_t count = 0;
  bool is_good = true;
  document_->ForMembers(value, [&](std::string_view quoted, size_t member) {
    const size_t found = count++ == 0 ? FindField(fields, quoted, 1) : 0;
    is_good = is_good && found != 0 && found != fields.size();
    if (!is_good) return;
    AppendFixedSlot(static_cast<uint8_t>(found - 1), packed_);
    for (size_t i = 1; i < fields.size() && is_good; i++) {
      if (i == found) {
        is_good = AppendSlot(fields[i].type, member);
      } else {
        AppendNullSlot(fields[i].type, packed_);
      }
    }
  });
  return is_good && count == 1;
}

/// Appends the fields in the order of the type, wherever the object has them; the last of equal names counts.
bool JsonValueWriter::AppendFields(const LogicalType& type, size_t value) {
  const std::vector<StructField>& fields = type.fields();
  const size_t base = places_.size();
  places_.resize(base + fields.size(), kNoPlace);
  size_t expected = 0;
  document_->ForMembers(value, [&](std::string_view quoted, size_t member) {
    const size_t found = FindField(fields, quoted, expected);
    if (found == fields.size()) return;
    places_[base + found] = static_cast<uint32_t>(member);
    expected = found + 1;
  });
  bool is_good = true;
  for (size_t i = 0; i < fields.size() && is_good; i++) {
    const uint32_t place = places_[base + i];
    if (place == kNoPlace) {
      AppendNullSlot(fields[i].type, packed_);
    } else {
      is_good = AppendSlot(fields[i].type, place);
    }
  }
  places_.resize(base);
  return is_good;
}

/// The index of the field with a name, mostly the expected one; the number of fields if there is none.
size_t JsonValueWriter::FindField(const std::vector<StructField>& fields, std::string_view quoted,
                                  size_t expected) {
  std::string_view name = quoted.substr(1, quoted.size() - 2);
  if (document_->HasEscape(name)) {
    name_.clear();
    AppendJsonUnescaped(quoted, name_);
    name = name_;
  }
  if (expected < fields.size() && fields[expected].name == name) return expected;
  return static_cast<size_t>(std::ranges::find(fields, name, &StructField::name) - fields.begin());
}

bool JsonValueWriter::AppendSlot(const LogicalType& type, size_t value) {
  const JsonKind kind = document_->kind(value);
  if (kind == JsonKind::kNull) {
    AppendNullSlot(type, packed_);
    return true;
  }
  if (HasParts(type, kind)) {
    // Slots within slots: a mark, the inner ones, and for lists an end.
    packed_.push_back(kSlotValue);
    if (!AppendPacked(type, value)) return false;
    if (type.id() == TypeId::kList) packed_.push_back(kSlotEnd);
    return true;
  }
  const std::string_view json = document_->text(value);
  if (AppendFastSlot(type, json, kind)) return true;
  if (type.id() == TypeId::kVarchar) {
    text_.clear();
    AppendCastText(json, kind, type, text_);
    AppendStringSlot(text_, packed_);
    return true;
  }
  if (!ParseCell(json, kind, type)) return false;
  AppendValueSlot(type, parsed_, packed_);
  return true;
}

bool JsonValueWriter::AppendFastSlot(const LogicalType& type, std::string_view json, JsonKind kind) {
  if (type.id() == TypeId::kJson) {
    AppendStringSlot(json, packed_);
    return true;
  }
  if (const PlainText plain = PlainTextOf(*document_, json, kind);
      plain.has && type.id() == TypeId::kVarchar) {
    AppendStringSlot(plain.text, packed_);
    return true;
  }
  return VisitFastType(type, [&]<typename T>(T) {
    T parsed;
    if (!ParseFast<T>(*document_, type, json, kind, parsed)) return false;
    AppendFixedSlot(parsed, packed_);
    return true;
  });
}

}  // namespace scaup
