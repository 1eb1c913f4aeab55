// Binds literals to values, and type names to types.
#include "binder/scope/literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "binder/scope/coercion.hpp"
#include "common/throw.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_text.hpp"
#include "type/number/numeric_value.hpp"
#include "type/time/date_time.hpp"
#include "type/type_modifier.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

/// Returns the number as the smallest of INTEGER, BIGINT and HUGEINT that can represent it.
Value IntegerValue(int128_t number) {
  if (number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max()) {
    return Value::Integer(static_cast<int32_t>(number));
  }
  if (number >= std::numeric_limits<int64_t>::min() && number <= std::numeric_limits<int64_t>::max()) {
    return Value::BigInt(static_cast<int64_t>(number));
  }
  return Value::HugeInt(number);
}

Value DoubleValue(const std::string& text) {
  double number = 0;
  if (!ParseDouble(text, number)) {
    constexpr size_t kMostDigits = 60;
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange,
               fmt::format("number {}{} is out of range", text.substr(0, kMostDigits),
                           text.size() > kMostDigits ? "..." : ""));
  }
  return Value::Double(number);
}

/// Returns a number of more digits than DECIMAL has.
Value NumericValue(const std::string& text) {
  std::string bytes;
  if (ParseStoredNumeric(text, bytes) != NumericParse::kOk) return DoubleValue(text);
  return Value::FromBytes(TypeId::kNumeric, std::move(bytes));
}

Value NumberValue(const std::string& number_text) {
  const std::string text(TrimSpace(number_text));
  if (text.find_first_of("eExXnNiI") != std::string::npos) return DoubleValue(text);
  const size_t point = text.find('.');
  if (point == std::string::npos) {
    int128_t number = 0;
    return ParseInteger(text, number) ? IntegerValue(number) : NumericValue(text);
  }
  size_t first = text[0] == '-' || text[0] == '+' ? 1 : 0;
  while (first < point && text[first] == '0') first++;
  const size_t scale = text.size() - point - 1;
  const size_t width = std::max<size_t>(1, point - first + scale);
  if (width > LogicalType::kMaxDecimalWidth) return NumericValue(text);
  int128_t unscaled = 0;
  if (!ParseDecimal(text, static_cast<uint8_t>(width), static_cast<uint8_t>(scale), unscaled))
    return DoubleValue(text);
  return Value::Decimal(unscaled, static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

/// Truncates the interval to the field of INTERVAL '...' FIELD.
void TruncateTo(Interval& interval, std::string_view field) {
  if (field == "year") interval.months -= interval.months % 12;
  if (field == "year" || field == "month") interval.days = 0;
  if (field == "year" || field == "month" || field == "day") interval.micros = 0;
  if (field == "hour") interval.micros -= interval.micros % kMicrosPerHour;
  if (field == "minute") interval.micros -= interval.micros % kMicrosPerMinute;
}

LogicalType DecimalFromModifiers(const ast::TypeName& type) {
  const int64_t width = type.modifiers[0];
  const int64_t scale = type.modifiers.size() > 1 ? type.modifiers[1] : 0;
  if (type.modifiers.size() > 2 || width < 1 || width > LogicalType::kMaxDecimalWidth || scale < 0 ||
      scale > width) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "DECIMAL(width, scale) needs 1 <= width <= 38 and 0 <= scale <= width", type.position);
  }
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

LogicalType TextFromModifiers(const ast::TypeName& type) {
  const std::string& name = type.names.back();
  if (name == "text" || name == "string") {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("type {} takes no parameters; write VARCHAR(n)", name), type.position);
  }
  const int64_t length = type.modifiers[0];
  if (type.modifiers.size() > 1 || length < 1 || length > kMaxTextLength) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("the length of {} must be one number from 1 to {}", name, kMaxTextLength),
               type.position);
  }
  const bool is_char = name == "bpchar" || name == "char" || name == "character";
  return is_char ? CharWithLength(length) : VarcharWithLength(length);
}

LogicalType BitFromModifiers(const ast::TypeName& type, const LogicalType& found) {
  const int64_t length = type.modifiers[0];
  const char* name = IsVaryingBit(found) ? "bit varying" : "bit";
  if (type.modifiers.size() > 1 || length < 1 || length > kMaxBitLength) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("the length of {} must be one number from 1 to {}", name, kMaxBitLength),
               type.position);
  }
  return IsVaryingBit(found) ? VaryingBitWithLength(length) : BitWithLength(length);
}

/// Returns the precision of a time type, the modifier at that place. As in PostgreSQL, more digits than there
/// are mean all of them.
std::optional<int64_t> PrecisionFrom(const ast::TypeName& type, size_t place) {
  if (place >= type.modifiers.size()) return std::nullopt;
  const int64_t precision = type.modifiers[place];
  if (precision < 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue, "a precision must not be negative",
               type.position);
  }
  return std::min(precision, kMaxPrecision);
}

}  // namespace

ExpressionPtr MakeNumber(const std::string& text) {
  SCAUP_ASSERT(IsNumberText(text));
  return MakeConstant(NumberValue(text));
}

ExpressionPtr BindLiteral(const ast::Literal& literal) {
  ExpressionPtr result;
  switch (literal.literal) {
    case ast::Literal::Kind::kNull: result = MakeConstant(Value()); break;
    case ast::Literal::Kind::kBoolean: result = MakeConstant(Value::Boolean(literal.boolean)); break;
    case ast::Literal::Kind::kInteger: result = MakeConstant(IntegerValue(literal.integer)); break;
    case ast::Literal::Kind::kNumber: result = MakeNumber(literal.text); break;
    case ast::Literal::Kind::kString: result = MakeUntypedLiteral(literal.text); break;
    case ast::Literal::Kind::kBitString: {
      Value bits;
      const Value text = Value::Varchar(literal.text);
      if (!CastValue(text, TypeId::kBit, bits)) ThrowCastError(text, TypeId::kBit);
      result = MakeConstant(std::move(bits));
      break;
    }
  }
  result->position = literal.position;
  return result;
}

ExpressionPtr BindNegatedLiteral(const ast::Literal& literal) {
  ExpressionPtr result;
  if (literal.literal == ast::Literal::Kind::kInteger) {
    result = MakeConstant(IntegerValue(-static_cast<int128_t>(literal.integer)));
  } else if (literal.literal == ast::Literal::Kind::kNumber) {
    const bool is_negative = literal.text.starts_with('-');
    result = MakeNumber(is_negative ? literal.text.substr(1) : "-" + literal.text);
  } else {
    return nullptr;
  }
  result->position = literal.position;
  return result;
}

ExpressionPtr BindIntervalLiteral(const ast::IntervalLiteral& literal) {
  // In "day to second", the last field is the one that counts.
  const size_t last_word = literal.unit.rfind(' ');
  const std::string field =
      last_word == std::string::npos ? literal.unit : literal.unit.substr(last_word + 1);
  const bool is_number = !field.empty() && IsNumberText(literal.text);
  const std::string text = is_number ? fmt::format("{} {}", TrimSpace(literal.text), field) : literal.text;
  const bool begins_with_minutes = literal.unit == "minute to second";
  Interval interval;
  if (!(begins_with_minutes ? ParseMinutesInterval(text, interval) : ParseInterval(text, interval))) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat,
               fmt::format("invalid input syntax for type interval: \"{}\"", literal.text), literal.position);
  }
  TruncateTo(interval, field);
  auto result = MakeConstant(Value::MakeInterval(interval));
  result->position = literal.position;
  return result;
}

static LogicalType BindStructType(const BindSession* session, const ast::TypeName& type) {
  std::vector<StructField> fields;
  for (const auto& [name, field] : type.fields) {
    for (const StructField& other : fields) {
      if (other.name != name) continue;
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("{} \"{}\" specified more than once",
                             type.names[0] == "union" ? "member" : "field", name),
                 field.position);
    }
    fields.push_back({name, BindTypeName(session, field)});
  }
  return type.names[0] == "union" ? UnionType(fields) : LogicalType::Struct(std::move(fields));
}

static LogicalType BindElementType(const BindSession* session, const ast::TypeName& type);

static LogicalType BindFieldTypes(const BindSession* session, const ast::TypeName& type) {
  if (type.names[0] != "map") return BindStructType(session, type);
  return LogicalType::Map(BindTypeName(session, type.fields[0].type),
                          BindTypeName(session, type.fields[1].type));
}

LogicalType BindTypeName(const BindSession* session, const ast::TypeName& type) {
  LogicalType result = type.fields.empty() ? BindElementType(session, type) : BindFieldTypes(session, type);
  for (size_t i = 0; i < type.array_dimensions; i++) result = LogicalType::List(result);
  return result;
}

/// Resolves a type name without its fields and without [].
static LogicalType BindElementType(const BindSession* session, const ast::TypeName& type) {
  const std::string name = fmt::format("{}", fmt::join(type.names, "."));
  const auto found = TypeFromName(name);
  if (!found && session != nullptr && type.names.size() <= 2) {
    const std::string schema = session->SchemaOfName(type.names.size() == 2 ? type.names[0] : "");
    const BinderContext& context = session->context();
    if (const auto entry = context.catalog.Find<TypeEntry>(context.transaction, schema, type.names.back()))
      return entry->type;
    if (context.catalog.Find<DomainEntry>(context.transaction, schema, type.names.back())) {
      ThrowNotSupported(fmt::format("domain \"{}\" can only be the type of a column or of a cast; name the "
                                    "type below it",
                                    name),
                        type.position);
    }
  }
  if (!found) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
               fmt::format("type \"{}\" does not exist", name), type.position);
  }
  if (type.modifiers.empty()) return *found;
  switch (found->id()) {
    case TypeId::kNumeric: return DecimalFromModifiers(type);
    case TypeId::kVarchar: return TextFromModifiers(type);
    case TypeId::kBit: return BitFromModifiers(type, *found);
    case TypeId::kTime:
    case TypeId::kTimeTz:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: return WithPrecision(found->id(), PrecisionFrom(type, 0));
    case TypeId::kInterval:
      return WithPrecision(found->id(), PrecisionFrom(type, 1), static_cast<uint32_t>(type.modifiers[0]));
    default:
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError, fmt::format("type {} takes no parameters", name),
                 type.position);
  }
}

}  // namespace scaup
