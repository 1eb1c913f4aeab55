// The table of casts: which family converts between which types.
#include "function/cast_function.hpp"

#include "function/cast/cast_families.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

// A bit set of types.
using TypeSet = uint32_t;
template <typename... Ids>
constexpr TypeSet SetOf(Ids... ids) {
  return ((TypeSet{1} << static_cast<uint8_t>(ids)) | ...);
}

constexpr TypeSet kAll = ~TypeSet{0};
constexpr TypeSet kBooleans = SetOf(TypeId::kBoolean);
constexpr TypeSet kIntegers =
    SetOf(TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt, TypeId::kHugeInt,
          TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger, TypeId::kUBigInt);
constexpr TypeSet kFloatings = SetOf(TypeId::kReal, TypeId::kDouble);
constexpr TypeSet kDecimals = SetOf(TypeId::kDecimal);
constexpr TypeSet kNumerics = SetOf(TypeId::kNumeric);
constexpr TypeSet kTexts = SetOf(TypeId::kVarchar);
constexpr TypeSet kEnums = SetOf(TypeId::kEnum);
constexpr TypeSet kNested = SetOf(TypeId::kList, TypeId::kStruct);
constexpr TypeSet kRanges = SetOf(TypeId::kRange, TypeId::kMultirange);
constexpr TypeSet kTemporals = SetOf(TypeId::kDate, TypeId::kTime, TypeId::kTimestamp, TypeId::kInterval);
constexpr TypeSet kZoned = SetOf(TypeId::kTimestampTz, TypeId::kTimeTz);
constexpr TypeSet kBits = SetOf(TypeId::kBit);
constexpr TypeSet kBlobs = SetOf(TypeId::kBlob);
constexpr TypeSet kJsons = SetOf(TypeId::kJson, TypeId::kJsonb);

struct CastFamily {
  TypeSet sources;
  TypeSet targets;
  CastFunction (*find)(const LogicalType& from, const LogicalType& to);
};

// The first entry that matches counts. CastExists decides which pairs exist at all.
constexpr CastFamily kFamilies[] = {
    {kTexts | kRanges | kNested, kRanges, FindRangeCast},
    {kRanges, kTexts | kNested, FindRangeCast},
    {kTexts | kNested | kJsons, kNested, FindNestedCast},
    {kNested, kTexts, FindNestedCast},
    {kTexts | kEnums, kEnums, FindEnumCast},
    {kEnums, kTexts, FindEnumCast},
    {kTexts, kAll, FindParsingCast},
    {kAll, kTexts, FindPrintingCast},
    {kBooleans, kIntegers, FindBooleanCast},
    {kIntegers, kBooleans, FindBooleanCast},
    {kIntegers | kDecimals | kFloatings, kNumerics, FindCastToNumeric},
    {kNumerics, kIntegers | kDecimals | kFloatings, FindCastFromNumeric},
    {kIntegers, kIntegers | kFloatings, FindIntegerCast},
    {kIntegers | kDecimals, kDecimals, FindDecimalCast},
    {kDecimals, kIntegers | kFloatings, FindDecimalToNumberCast},
    {kFloatings, kIntegers | kFloatings, FindFloatingCast},
    {kFloatings, kDecimals, FindFloatingToDecimalCast},
    {kBits, kIntegers | kBlobs, FindBitCast},
    {kIntegers | kBlobs, kBits, FindBitCast},
    {kTemporals, kTemporals, FindTemporalCast},
    {kTemporals | kZoned, kZoned, FindZonedCast},
    {kZoned, kTemporals, FindZonedCast},
    {kJsons, kJsons, FindJsonCast},
    {kJsons, kAll, FindJsonbScalarCast},
};

void ReferenceSource(const CastCall&, Vector& source, size_t, Vector& result) { result.Reference(source); }

void MakeNulls(const CastCall&, Vector&, size_t, Vector& result) { result.SetConstantNull(); }

}  // namespace

std::optional<CastFunction> FindCast(const LogicalType& from, const LogicalType& to) {
  if (from == to) return CastFunction{ReferenceSource, false};
  if (!CastExists(from, to)) return std::nullopt;
  if (from.id() == TypeId::kNull) return CastFunction{MakeNulls, false};
  if (IsUnion(from) || IsUnion(to)) return FindUnionCast(from, to);
  for (const CastFamily& family : kFamilies) {
    if ((family.sources & SetOf(from.id())) != 0 && (family.targets & SetOf(to.id())) != 0)
      return family.find(from, to);
  }
  return std::nullopt;
}

}  // namespace scaup
