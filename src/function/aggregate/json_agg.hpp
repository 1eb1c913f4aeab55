// json_agg and json_object_agg, and their JSONB variants.
#pragma once

#include "function/aggregate/aggregate_families.hpp"

namespace scaup {

void AddJsonAgg(AggregateList& list);

}  // namespace scaup
