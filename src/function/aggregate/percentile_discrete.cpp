// Discrete percentiles at one fraction, of values of all types.
#include "function/aggregate/percentile_states.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup::percentile {

std::unique_ptr<FunctionData> BindDiscrete(AggregateFunction& function,
                                           std::span<const BindArgument> arguments) {
  const LogicalType& type = SettleAnyArgument(function, arguments, 0);
  if (function.argument_types[1].id() == TypeId::kList) {
    function.return_type = LogicalType::List(type);
    FillDiscreteList(function, PhysicalTypeOf(type));
  } else {
    function.return_type = type;
    VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() { Fill<AtFraction<T, false>>(function); });
  }
  return KeepOrder(function, arguments);
}

}  // namespace scaup::percentile
