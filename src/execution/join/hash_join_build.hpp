// Hash join build: collects the build side of a hash join, and chooses how it is stored.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/check.hpp"
#include "execution/join/hash_join_specification.hpp"
#include "execution/join/join_build_side.hpp"
#include "execution/join/join_builder.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// The build side of a hash join in one query. Its rows are stored in a dense table (perfect hash table), in
/// a hash table, or in partitions; see hash_join_partitions.hpp. Called in the order of the methods by the
/// thread that prepares the join; then all threads read it.
class HashJoinBuild {
 public:
  /// Borrows the specification.
  HashJoinBuild(const HashJoinSpecification& join, QueryContext& context);

  /// Pulls all rows out of the prepared right input.
  void Collect(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
               OperatorProfile& profile);
  /// Decides how the rows are stored. The caller partitions them if is_partitioned() is true afterwards.
  void ChooseLayout(QueryContext& context);
  /// Returns the runtime filters of the rows' keys. They are applied before Finish, which frees rows.
  std::vector<RuntimeFilter> TakeFilters() { return std::move(filters_); }
  /// Builds the hash table if that is what was chosen, and returns memory that is no longer needed.
  void Finish(QueryContext& context);

  const JoinBuildRules& rules() const { return rules_; }
  bool is_partitioned() const { return is_partitioned_; }
  bool has_null_key() const { return has_null_key_; }
  uint64_t row_count() const { return row_count_; }
  /// Returns all rows as they are probed. REQUIRES: !is_partitioned().
  JoinBuildSide& built() {
    SCAUP_ASSERT(!is_partitioned_);
    return built_;
  }
  size_t builder_count() const { return sinks_.size(); }
  /// Returns the builder of one task, which owns the memory of its rows.
  JoinBuilder& BuilderOf(size_t task);

 private:
  void BuildDense(QueryContext& context);

  const HashJoinSpecification& join_;
  const JoinBuildRules rules_;
  std::optional<MemoryGrant> grant_;
  std::vector<std::unique_ptr<ChunkSink>> sinks_;
  JoinBuildSide built_;
  std::vector<RuntimeFilter> filters_;  // by key
  bool is_partitioned_ = false;
  bool has_null_key_ = false;
  uint64_t row_count_ = 0;
};

}  // namespace scaup
