// Spillable sort: sorts any number of rows on one thread, in as much memory as there is.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "execution/sort/sort_run.hpp"
#include "execution/sort/spilled_merge.hpp"

namespace scaup {

/// Collects rows and gives them back in order. They stay in memory while its grant has room for them, and are
/// spilled as sorted runs otherwise. Equal rows come in any order. Borrows all arguments. One thread.
class SpillableSort {
 public:
  /// `use`, if not null, counts the memory, and outlives this object.
  SpillableSort(QueryContext& context, const SortSchema& schema, MemoryUse* use);

  /// The rows of `rows` may change.
  void Append(DataChunk& rows);
  /// Calls visit(rows) for all rows in order, in chunks that are valid during the call. May be called once.
  /// Takes the memory of a merge from `merge_grant`, or opens a grant for it.
  void ForEachChunk(const std::function<void(DataChunk&)>& visit, MemoryGrant* merge_grant = nullptr);

 private:
  void Spill();
  bool SortInMemory(const std::function<void(DataChunk&)>& visit);

  QueryContext& context_;
  const SortSchema& schema_;
  MemoryUse* const use_;
  std::optional<MemoryGrant> grant_;
  std::optional<TaskMemory> memory_;
  std::optional<SortRun> run_;
};

}  // namespace scaup
