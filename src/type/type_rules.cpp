// PostgreSQL's implicit casts among Scaup's types, and the spellings of type names.
#include "type/type_rules.hpp"
#include "common/check.hpp"
#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace scaup {

namespace {

constexpr int kCostOfNull = 1;
constexpr int kCostOfDecimalRescale = 1;
constexpr int kCostOfLossyRescale = 2;
constexpr int kCostOfDateToTimestamp = 1;
constexpr int kCostOfTimestampToTimestampTz = 1;
// Functions of NUMERIC are for NUMERIC: other numbers have their own, or DOUBLE's; and a NUMERIC becomes a
// DOUBLE only for functions that have no other.
constexpr int kCostOfNumeric = 20;
constexpr int kCostOfInexactNumeric = 100;
// Unions: that of becoming one, and that of a member that does not keep all digits.
constexpr int kCostOfUnion = 1;
constexpr int kCostOfLostDigits = 50;

// The rank on the ladder TINYINT .. DOUBLE, upward on which casts are implicit; -1 for other types.
int NumericRank(TypeId id) {
  switch (id) {
    case TypeId::kTinyInt: return 0;
    case TypeId::kSmallInt: return 1;
    case TypeId::kInteger: return 2;
    case TypeId::kBigInt: return 3;
    case TypeId::kHugeInt: return 4;
    case TypeId::kDecimal: return 5;
    case TypeId::kNumeric: return 6;
    case TypeId::kReal: return 7;
    case TypeId::kDouble: return 8;
    // An unsigned integer has the rank of the signed one of its size, which does not hold all of its values.
    case TypeId::kUTinyInt: return 0;
    case TypeId::kUSmallInt: return 1;
    case TypeId::kUInteger: return 2;
    case TypeId::kUBigInt: return 3;
    default: return -1;
  }
}

LogicalType SignedOfRank(int rank) {
  constexpr TypeId kSigned[] = {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                                TypeId::kHugeInt};
  return kSigned[rank];
}

/// The common type of two integers, the smallest one that holds the values of both: of an unsigned one and a
/// signed one that is not larger, the signed one of twice the unsigned one's size.
LogicalType CommonInteger(const LogicalType& a, const LogicalType& b) {
  const int rank_a = NumericRank(a.id()), rank_b = NumericRank(b.id());
  if (IsUnsigned(a.id()) == IsUnsigned(b.id())) return rank_a < rank_b ? b : a;
  const int of_unsigned = IsUnsigned(a.id()) ? rank_a : rank_b;
  const int of_signed = IsUnsigned(a.id()) ? rank_b : rank_a;
  return SignedOfRank(std::max(of_unsigned + 1, of_signed));
}

LogicalType CommonDecimal(const LogicalType& a, const LogicalType& b) {
  const int scale = std::max(a.scale(), b.scale());
  const int integer_digits = std::max(a.width() - a.scale(), b.width() - b.scale());
  const int width = std::min<int>(integer_digits + scale, LogicalType::kMaxDecimalWidth);
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

LogicalType CommonNumeric(const LogicalType& a, const LogicalType& b, Meeting meeting) {
  if (a.IsInteger() && b.IsInteger()) return CommonInteger(a, b);
  const LogicalType& lower = NumericRank(a.id()) < NumericRank(b.id()) ? a : b;
  const LogicalType& upper = &lower == &a ? b : a;
  if (upper.id() == TypeId::kDecimal) return CommonDecimal(DecimalForInteger(lower), upper);
  if (upper.id() == TypeId::kReal) {
    // REAL has 24 bits. As in PostgreSQL, operators compute in DOUBLE with types that do not fit them, while
    // what is merely put side by side becomes REAL.
    if (meeting == Meeting::kSideBySide) return TypeId::kReal;
    const bool is_exact = NumericRank(lower.id()) <= NumericRank(TypeId::kSmallInt) || lower == upper;
    return is_exact ? TypeId::kReal : TypeId::kDouble;
  }
  return upper;
}

struct NamedType {
  std::string_view name;
  LogicalType type;
};

// Sorted by name, for binary search.
constexpr NamedType kNames[] = {
    {"bigint", TypeId::kBigInt},
    {"binary", TypeId::kBlob},
    {"bit", TypeId::kBit},
    {"bit varying", WithModifierBits(TypeId::kBit, kVaryingBit)},
    {"bitstring", TypeId::kBit},
    {"blob", TypeId::kBlob},
    {"bool", TypeId::kBoolean},
    {"boolean", TypeId::kBoolean},
    {"bpchar", TypeId::kVarchar},
    {"bytea", TypeId::kBlob},
    {"char", TypeId::kVarchar},
    {"character", TypeId::kVarchar},
    {"character varying", TypeId::kVarchar},
    {"date", TypeId::kDate},
    {"datetime", TypeId::kTimestamp},
    {"dec", TypeId::kNumeric},
    {"decimal", TypeId::kNumeric},
    {"double", TypeId::kDouble},
    {"double precision", TypeId::kDouble},
    {"float", TypeId::kDouble},  // PostgreSQL's FLOAT without a precision
    {"float4", TypeId::kReal},
    {"float8", TypeId::kDouble},
    {"hugeint", TypeId::kHugeInt},
    {"int", TypeId::kInteger},
    {"int1", TypeId::kTinyInt},
    {"int128", TypeId::kHugeInt},
    {"int16", TypeId::kSmallInt},
    {"int2", TypeId::kSmallInt},
    {"int32", TypeId::kInteger},
    {"int4", TypeId::kInteger},
    {"int64", TypeId::kBigInt},
    {"int8", TypeId::kBigInt},
    {"integer", TypeId::kInteger},
    {"interval", TypeId::kInterval},
    {"json", TypeId::kJson},
    {"jsonb", TypeId::kJsonb},
    {"jsonpath", TypeId::kVarchar},  // functions check the text
    {"logical", TypeId::kBoolean},
    {"long", TypeId::kBigInt},
    {"name", TypeId::kVarchar},
    {"numeric", TypeId::kNumeric},
    {"oid", TypeId::kBigInt},
    {"real", TypeId::kReal},
    {"regclass", ObjectNumberType(ObjectNumber::kClass)},
    // Numbers of objects that Scaup lacks have no names, as in PostgreSQL for unknown numbers.
    {"regcollation", TypeId::kBigInt},
    {"regconfig", TypeId::kBigInt},
    {"regdictionary", TypeId::kBigInt},
    {"regnamespace", ObjectNumberType(ObjectNumber::kNamespace)},
    {"regoper", TypeId::kBigInt},
    {"regoperator", TypeId::kBigInt},
    {"regproc", ObjectNumberType(ObjectNumber::kProcedure)},
    {"regprocedure", ObjectNumberType(ObjectNumber::kProcedure)},
    {"regrole", ObjectNumberType(ObjectNumber::kRole)},
    {"regtype", ObjectNumberType(ObjectNumber::kType)},
    {"short", TypeId::kSmallInt},
    {"signed", TypeId::kInteger},
    {"smallint", TypeId::kSmallInt},
    {"string", TypeId::kVarchar},
    {"text", TypeId::kVarchar},
    {"time", TypeId::kTime},
    {"time with time zone", TypeId::kTimeTz},
    {"time without time zone", TypeId::kTime},
    {"timestamp", TypeId::kTimestamp},
    {"timestamp with time zone", TypeId::kTimestampTz},
    {"timestamp without time zone", TypeId::kTimestamp},
    {"timestamptz", TypeId::kTimestampTz},
    {"timetz", TypeId::kTimeTz},
    {"tinyint", TypeId::kTinyInt},
    {"ubigint", TypeId::kUBigInt},
    {"uint16", TypeId::kUSmallInt},
    {"uint32", TypeId::kUInteger},
    {"uint64", TypeId::kUBigInt},
    {"uint8", TypeId::kUTinyInt},  // of 8 bits, unlike PostgreSQL's int8 of 8 bytes
    {"uinteger", TypeId::kUInteger},
    {"usmallint", TypeId::kUSmallInt},
    {"utinyint", TypeId::kUTinyInt},
    {"uuid", TypeId::kUuid},
    {"varbinary", TypeId::kBlob},
    {"varbit", WithModifierBits(TypeId::kBit, kVaryingBit)},
    {"varchar", TypeId::kVarchar},
    {"xid", TypeId::kBigInt},
};
static_assert(std::is_sorted(std::begin(kNames), std::end(kNames),
                             [](const NamedType& a, const NamedType& b) { return a.name < b.name; }));

/// The cost of converting to a union implicitly, or from one, which only becomes another one.
std::optional<int> UnionCastCost(const LogicalType& from, const LogicalType& to) {
  if (!IsUnion(to)) return std::nullopt;
  if (!IsUnion(from) || !HasMembersOf(to, from)) {
    const MemberChoice choice = ChooseMember(from, to);
    return choice.member && !choice.is_ambiguous ? std::optional(choice.cost + kCostOfUnion) : std::nullopt;
  }
  int total = kCostOfUnion;
  for (const StructField& member : UnionMembers(from)) {
    const auto cost = ImplicitCastCost(member.type, UnionMembers(to)[*FindMember(to, member.name)].type);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

/// The common type of two types one of which is a union, which is the one with all members.
std::optional<LogicalType> CommonUnion(const LogicalType& a, const LogicalType& b) {
  if (ImplicitCastCost(b, a)) return WithModifierBits(a, 0);
  if (ImplicitCastCost(a, b)) return WithModifierBits(b, 0);
  return std::nullopt;
}

/// The cost of converting a list or struct implicitly: the sum of its elements' or fields' costs.
std::optional<int> NestedCastCost(const LogicalType& from, const LogicalType& to) {
  if (from.id() != to.id() || IsMap(from) != IsMap(to)) return std::nullopt;
  if (from.id() == TypeId::kList) return ImplicitCastCost(from.element(), to.element());
  const std::vector<StructField>&given = from.fields(), &wanted = to.fields();
  if (given.size() != wanted.size()) return std::nullopt;
  int total = 0;
  for (size_t i = 0; i < given.size(); i++) {
    const auto cost = ImplicitCastCost(given[i].type, wanted[i].type);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

/// The common type of two lists or structs. Fields take the names of `a`, unless these are the f1, f2, ... of
/// ROW(...).
std::optional<LogicalType> CommonNested(const LogicalType& a, const LogicalType& b, Meeting meeting) {
  if (a.id() != b.id() || IsMap(a) != IsMap(b)) return std::nullopt;
  if (a.id() == TypeId::kList) {
    const auto element = CommonType(a.element(), b.element(), meeting);
    return element ? std::optional(WithElement(a, *element)) : std::nullopt;
  }
  std::vector<StructField> fields = a.fields();
  if (fields.size() != b.fields().size()) return std::nullopt;
  for (size_t i = 0; i < fields.size(); i++) {
    const StructField& other = b.fields()[i];
    const auto type = CommonType(fields[i].type, other.type, meeting);
    if (!type) return std::nullopt;
    if (fields[i].name == "f" + std::to_string(i + 1)) fields[i].name = other.name;
    fields[i].type = *type;
  }
  return LogicalType::Struct(std::move(fields));
}

}  // namespace

std::optional<int> ImplicitCastCost(const LogicalType& from, const LogicalType& to) {
  if (from == to) return 0;
  if (from.id() == TypeId::kNull) return kCostOfNull;
  if (IsUnion(from) || IsUnion(to)) return UnionCastCost(from, to);
  if (from.IsNested()) return NestedCastCost(from, to);
  if (from.id() == TypeId::kDecimal && to.id() == TypeId::kDecimal) {
    if (to.width() == 0) return 0;  // a signature's DECIMAL of any width
    const bool is_exact =
        to.scale() >= from.scale() && to.width() - to.scale() >= from.width() - from.scale();
    return is_exact ? kCostOfDecimalRescale : kCostOfLossyRescale;
  }
  if (from.id() == TypeId::kDate && to.id() == TypeId::kTimestamp) return kCostOfDateToTimestamp;
  if (to.id() == TypeId::kTimestampTz) {
    if (from.id() == TypeId::kTimestamp) return kCostOfTimestampToTimestampTz;
    if (from.id() == TypeId::kDate) return kCostOfDateToTimestamp + kCostOfTimestampToTimestampTz;
  }
  if (from.id() == TypeId::kTime && to.id() == TypeId::kTimeTz) return kCostOfTimestampToTimestampTz;
  const int from_rank = NumericRank(from.id());
  const int to_rank = NumericRank(to.id());
  if (from_rank < 0 || to_rank <= from_rank) return std::nullopt;
  if (IsUnsigned(to.id()) && !IsUnsigned(from.id())) return std::nullopt;
  if (to.id() == TypeId::kNumeric) return kCostOfNumeric;
  if (from.id() == TypeId::kNumeric) return kCostOfInexactNumeric;
  return to_rank - from_rank;
}

std::optional<LogicalType> CommonType(const LogicalType& a, const LogicalType& b, Meeting meeting) {
  if (a == b) return ModifierBits(a) == ModifierBits(b) ? a : WithModifierBits(a, 0);
  if (b.id() == TypeId::kNull) return WithModifierBits(a, 0);
  if (a.id() == TypeId::kNull) return WithModifierBits(b, 0);
  if (IsUnion(a) || IsUnion(b)) return CommonUnion(a, b);
  if (a.IsNested()) return CommonNested(a, b, meeting);
  if (a.IsNumeric() && b.IsNumeric()) return CommonNumeric(a, b, meeting);
  if (ImplicitCastCost(a, b)) return WithModifierBits(b, 0);
  if (ImplicitCastCost(b, a)) return WithModifierBits(a, 0);
  return std::nullopt;
}

MemberChoice ChooseMember(const LogicalType& from, const LogicalType& target) {
  SCAUP_ASSERT(IsUnion(target));
  MemberChoice choice;
  const std::span<const StructField> members = UnionMembers(target);
  for (size_t i = 0; i < members.size(); i++) {
    auto cost = ImplicitCastCost(from, members[i].type);
    if (!cost) continue;
    const bool loses_digits = from.IsNumeric() && CommonType(from, members[i].type) != members[i].type;
    if (loses_digits) *cost += kCostOfLostDigits;
    if (!choice.member || *cost < choice.cost) {
      choice = {.member = i, .is_ambiguous = false, .cost = *cost};
    } else if (*cost == choice.cost) {
      choice.is_ambiguous = true;
    }
  }
  return choice;
}

bool HasMembersOf(const LogicalType& to, const LogicalType& from) {
  SCAUP_ASSERT(IsUnion(to) && IsUnion(from));
  return std::ranges::all_of(
      UnionMembers(from), [&](const StructField& member) { return FindMember(to, member.name).has_value(); });
}

bool IsUnionInFile(const LogicalType& structure, const LogicalType& target) {
  if (structure.id() != TypeId::kStruct || IsUnion(structure)) return false;
  const std::vector<StructField>& fields = structure.fields();
  return fields[0].type.IsInteger() &&
         std::equal(fields.begin() + 1, fields.end(), UnionMembers(target).begin(),
                    UnionMembers(target).end(),
                    [](const StructField& a, const StructField& b) { return a.name == b.name; });
}

LogicalType DecimalForInteger(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kTinyInt: return LogicalType::Decimal(3, 0);
    case TypeId::kSmallInt: return LogicalType::Decimal(5, 0);
    case TypeId::kInteger: return LogicalType::Decimal(10, 0);
    case TypeId::kBigInt: return LogicalType::Decimal(19, 0);
    case TypeId::kHugeInt: return LogicalType::Decimal(LogicalType::kMaxDecimalWidth, 0);
    case TypeId::kUTinyInt: return LogicalType::Decimal(3, 0);
    case TypeId::kUSmallInt: return LogicalType::Decimal(5, 0);
    case TypeId::kUInteger: return LogicalType::Decimal(10, 0);
    case TypeId::kUBigInt: return LogicalType::Decimal(20, 0);
    default: return type;
  }
}

std::optional<LogicalType> TypeFromName(std::string_view name) {
  const auto* found =
      std::lower_bound(std::begin(kNames), std::end(kNames), name,
                       [](const NamedType& entry, std::string_view wanted) { return entry.name < wanted; });
  if (found == std::end(kNames) || found->name != name) return RangeTypeFromName(name);
  return found->type;
}

}  // namespace scaup
