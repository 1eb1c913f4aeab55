// The families of scalar functions; a new one needs a line here and in function_registry.cpp.
#pragma once

#include <vector>

#include "function/scalar_function.hpp"

namespace scaup {

/// Stands in argument_types for a DECIMAL of any width and scale; `bind` resolves it.
inline constexpr LogicalType kAnyDecimal = TypeId::kDecimal;
/// Stands in argument_types for any type, in overloads with any_types.
inline constexpr LogicalType kAnyType = TypeId::kNull;

/// The name of the placeholder for a set of rows: unnest(list) in a SELECT list.
inline constexpr const char* kUnnestFunction = "unnest";

using ScalarFunctionList = std::vector<ScalarFunction>;

// operators/
ScalarFunctionList ArithmeticFunctions();
ScalarFunctionList DivisionFunctions();
ScalarFunctionList NumericOperatorFunctions();
ScalarFunctionList NegationFunctions();
ScalarFunctionList BitwiseFunctions();
ScalarFunctionList ConcatOperatorFunctions();
ScalarFunctionList LikeFunctions();
ScalarFunctionList RegexOperatorFunctions();
ScalarFunctionList BitFunctions();

// bits/
ScalarFunctionList BitOperatorFunctions();
ScalarFunctionList BitStringFunctions();

// math/
ScalarFunctionList AbsFunctions();
ScalarFunctionList RoundingFunctions();
ScalarFunctionList ExponentialFunctions();
ScalarFunctionList TrigonometryFunctions();
ScalarFunctionList GcdFunctions();
ScalarFunctionList RandomFunctions();
ScalarFunctionList GreatestFunctions();
ScalarFunctionList GammaFunctions();
ScalarFunctionList NumberTestFunctions();
ScalarFunctionList ToCharNumberFunctions();
ScalarFunctionList ToNumberFunctions();
ScalarFunctionList ToBaseFunctions();
ScalarFunctionList FloatingFunctions();
ScalarFunctionList NumericFunctions();
ScalarFunctionList NumericBucketFunctions();

// nested/
ScalarFunctionList ListMakeFunctions();
ScalarFunctionList ListAccessFunctions();
ScalarFunctionList ListSizeFunctions();
ScalarFunctionList ListSeriesFunctions();
ScalarFunctionList ListBucketFunctions();
ScalarFunctionList ListDistanceFunctions();
ScalarFunctionList CountNullsFunctions();
ScalarFunctionList ListSearchFunctions();
ScalarFunctionList ListEditFunctions();
ScalarFunctionList ListTextFunctions();
ScalarFunctionList RegexpListFunctions();
ScalarFunctionList ListAggregateFunctions();
ScalarFunctionList QuantifiedFunctions();
ScalarFunctionList StructFunctions();
ScalarFunctionList StructFieldFunctions();
ScalarFunctionList ListShapeFunctions();
ScalarFunctionList MapMakeFunctions();
ScalarFunctionList MapAccessFunctions();

// range/
ScalarFunctionList RangeMakeFunctions();
ScalarFunctionList RangeTestFunctions();
ScalarFunctionList RangeSetFunctions();

// misc/
ScalarFunctionList EnumFunctions();
ScalarFunctionList SequenceFunctions();

// string/
ScalarFunctionList LengthFunctions();
ScalarFunctionList CaseFunctions();
ScalarFunctionList SubstringFunctions();
ScalarFunctionList PositionFunctions();
ScalarFunctionList ReplaceFunctions();
ScalarFunctionList TrimFunctions();
ScalarFunctionList PadFunctions();
ScalarFunctionList ReverseFunctions();
ScalarFunctionList SplitPartFunctions();
ScalarFunctionList ConcatFunctions();
ScalarFunctionList CharacterCodeFunctions();
ScalarFunctionList Md5Functions();
ScalarFunctionList Sha1Functions();
ScalarFunctionList UrlFunctions();
ScalarFunctionList PathFunctions();
ScalarFunctionList PrintfFunctions();
ScalarFunctionList SimilarityFunctions();
ScalarFunctionList OverlayFunctions();
ScalarFunctionList RegexpFunctions();
ScalarFunctionList FormatFunctions();
ScalarFunctionList RegexpSearchFunctions();
ScalarFunctionList Sha2Functions();
ScalarFunctionList EncodeFunctions();
ScalarFunctionList DistanceFunctions();
ScalarFunctionList NormalizeFunctions();
ScalarFunctionList BinaryDigitFunctions();
ScalarFunctionList ByteSizeFunctions();
ScalarFunctionList ParseIdentFunctions();
ScalarFunctionList GraphemeFunctions();

// text/
ScalarFunctionList TextSearchFunctions();

// conditional/
ScalarFunctionList CoalesceFunctions();
ScalarFunctionList NullIfFunctions();
ScalarFunctionList IfFunctions();

// temporal/
ScalarFunctionList DateArithmeticFunctions();
ScalarFunctionList IntervalArithmeticFunctions();
ScalarFunctionList DatePartFunctions();
ScalarFunctionList DateTruncFunctions();
ScalarFunctionList DateDiffFunctions();
ScalarFunctionList AgeFunctions();
ScalarFunctionList MakeDateFunctions();
ScalarFunctionList NowFunctions();
ScalarFunctionList TimeTzFunctions();
ScalarFunctionList TimeZoneFunctions();
ScalarFunctionList ToCharFunctions();
ScalarFunctionList ToDateFunctions();
ScalarFunctionList StrftimeFunctions();
ScalarFunctionList JustifyFunctions();
ScalarFunctionList DateBinFunctions();
ScalarFunctionList EpochFunctions();
ScalarFunctionList TimeBucketFunctions();
ScalarFunctionList OverlapsFunctions();
ScalarFunctionList DateNameFunctions();

// misc/
ScalarFunctionList TypeOfFunctions();
ScalarFunctionList SystemFunctions();
ScalarFunctionList SettingFunctions();
ScalarFunctionList RelationFunctions();
ScalarFunctionList UuidFunctions();
ScalarFunctionList ErrorFunctions();
ScalarFunctionList HashFunctions();

}  // namespace scaup
