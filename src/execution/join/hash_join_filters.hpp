// Runtime filters of a hash join: which keys the build side has, for the scans of the probe side.
#pragma once

#include <vector>

#include "execution/join/hash_join_specification.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

class JoinTable;

/// Makes one runtime filter for each key, still without keys.
std::vector<RuntimeFilter> MakeKeyFilters(const HashJoinSpecification& join);
/// Applies the filters to the left input, which is not yet prepared. Filters get a bitmap of the keys in
/// `table`; null if the rows are partitioned and so not at hand.
void FilterProbeSide(const HashJoinSpecification& join, const JoinTable* table,
                     std::vector<RuntimeFilter>& filters, const PhysicalOperator& left,
                     SharedState& left_shared);

}  // namespace scaup
