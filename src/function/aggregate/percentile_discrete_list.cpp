// Discrete percentiles at a list of fractions, of values of all types.
#include "function/aggregate/percentile_states.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup::percentile {

void FillDiscreteList(AggregateFunction& function, PhysicalType type) {
  VisitPhysicalType(type, [&]<typename T>() { Fill<AtEachFraction<T, false>>(function); });
}

}  // namespace scaup::percentile
