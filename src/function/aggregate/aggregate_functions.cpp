// Collects the families of built-in aggregates in one list.
#include "function/aggregate/aggregate_functions.hpp"

#include <utility>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/json_agg.hpp"

namespace scaup {

std::vector<AggregateFunction> BuiltinAggregates() {
  AggregateList list;
  AddFloatingSum(list);
  AddVariance(list);
  AddCovariance(list);
  AddMoments(list);
  for (AggregateFunction& function : list) function.is_rounded = true;
  AddCount(list);
  AddSum(list);
  AddIntervalSum(list);
  AddNumericAggregates(list);
  AddMinMax(list);
  AddBoolean(list);
  AddBitwise(list);
  AddBitStrings(list);
  AddPercentile(list);
  AddMode(list);
  AddApproximate(list);
  for (AggregateFunction& function : list) function.ignores_order = true;
  AddFirstLast(list);
  AddStringAgg(list);
  AddArgMinMax(list);
  AddJsonAgg(list);
  AddArrayAgg(list);
  AddHistogram(list);
  AddRangeAgg(list);
  return list;
}

/// Returns whether equal stored integers of both types may have equal meaning: no point is in another place.
[[maybe_unused]] static bool HasEqualScale(const LogicalType& a, const LogicalType& b) {
  const bool is_decimal = a.id() == TypeId::kDecimal;
  return is_decimal == (b.id() == TypeId::kDecimal) && (!is_decimal || a.scale() == b.scale());
}

void RetargetAggregate(AggregateFunction& function, const LogicalType& argument) {
  SCAUP_ASSERT(HasEqualScale(function.argument_types.at(0), argument));
  const bool is_extreme = function.name == "min" || function.name == "max";
  const bool is_sum = function.name == "sum" || function.name == "avg";
  const PhysicalType physical = PhysicalTypeOf(argument);
  if ((!is_extreme && !is_sum) || function.argument_types.size() != 1 || physical < PhysicalType::kInt8 ||
      physical > PhysicalType::kInt128) {
    ThrowInternal("cannot let " + function.name + " take " + argument.ToString());
  }
  if (is_extreme) {
    PickMinMax(function, argument);
  } else {
    PickIntegerSum(function, argument);
  }
  function.argument_types[0] = argument;
}

AggregateFunction MakeAggregate(const char* name, std::vector<LogicalType> argument_types,
                                LogicalType return_type, const char* description, const char* example) {
  AggregateFunction function;
  function.name = name;
  function.argument_types = std::move(argument_types);
  function.return_type = return_type;
  function.description = description;
  function.example = example;
  return function;
}

const LogicalType& SettleAnyArgument(AggregateFunction& function, std::span<const BindArgument> arguments,
                                     size_t index) {
  LogicalType& type = function.argument_types[index];
  type = arguments[index].type;
  if (type.id() == TypeId::kNull) type = TypeId::kVarchar;
  return type;
}

}  // namespace scaup
