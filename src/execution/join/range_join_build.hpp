// Range join build: collects the right rows of a range join, and indexes them.
#pragma once

#include <memory>
#include <vector>

#include "execution/join/matched_rows.hpp"
#include "execution/join/range_join_specification.hpp"
#include "execution/range/range_index.hpp"
#include "execution/rows/spillable_rows.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// The right rows that are probed at a time: all of them, or one block.
struct RangeJoinBuildSide {
  explicit RangeJoinBuildSide(MemoryGrant& grant) : memory(grant), matched(memory.account()) {}
  /// An upper bound of the bytes that building takes, besides the copy of the rows.
  static size_t MostBytes(const RangeSchema& schema, size_t row_count) {
    return RangeIndex::MostBytes(schema, row_count) + row_count / 8 + sizeof(uint64_t);
  }
  /// Prepares for probes, once the index is built.
  void Finish(LogicalJoinType join_type, QueryContext& context);

  TaskMemory memory;
  std::unique_ptr<RangeIndex> index;
  MatchedRows matched;  ///< used if the join emits unmatched right rows
};

/// The right rows with their computed keys, by the task that has collected them.
using RangeJoinRightRows = std::vector<std::unique_ptr<SpillableRows>>;

/// Pulls all rows out of the prepared right input.
RangeJoinRightRows CollectRightRows(const RangeJoinSpecification& join, QueryContext& context,
                                    const PhysicalOperator& right, SharedState& right_shared,
                                    OperatorProfile& profile);
/// Builds an index of all right rows and frees them; null if there is not enough memory in the grant.
std::unique_ptr<RangeJoinBuildSide> TryIndexAll(const RangeJoinSpecification& join, QueryContext& context,
                                                MemoryGrant& grant, RangeJoinRightRows& right);

}  // namespace scaup
