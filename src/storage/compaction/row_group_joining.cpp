// Joins small row groups and stores large ones.
#include "storage/compaction/row_group_joining.hpp"

#include <utility>

#include "storage/compaction/row_group_writer.hpp"
#include "storage/row_group/row_group_size.hpp"

namespace scaup {

void RowGroupJoiner::Add(std::shared_ptr<const RowGroup> row_group) {
  const bool is_stored = row_group->is_stored();
  // A heavy row group is near its byte limit already, so joining it would only split it again.
  const bool may_join = (join_stored_ || !is_stored) && !IsHeavy(*row_group, types_.size(), memory_);
  if (!may_join || row_count_ + row_group->row_count() > kRowsPerRowGroup) Finish();
  if (!may_join) return sink_(std::move(row_group));
  row_count_ += row_group->row_count();
  if (builder_) return Join(*row_group);
  // Decided lazily: neighbours that are all in the file and turn out to have no partner in memory stay there
  // untouched.
  const bool has_memory = !waiting_.empty() && !waiting_.back()->is_stored();
  if (waiting_.empty() || (is_stored && !has_memory)) {
    waiting_.push_back(std::move(row_group));
    return;
  }
  // A second row group in memory, or one beside those in the file, makes joining worthwhile.
  builder_ = std::make_unique<RowGroupBuilder>(types_, memory_);
  for (const auto& waiting : std::exchange(waiting_, {})) Join(*waiting);
  Join(*row_group);
}

void RowGroupJoiner::Join(const RowGroup& row_group) {
  builder_->AppendRowGroup(row_group);
  // Full row groups leave the builder at once, which bounds its memory.
  for (auto& full : builder_->TakeFinished()) sink_(std::move(full));
}

void RowGroupJoiner::Finish() {
  for (auto& waiting : std::exchange(waiting_, {})) sink_(std::move(waiting));
  if (builder_) {
    builder_->Finish();
    for (auto& built : builder_->TakeFinished()) sink_(std::move(built));
    builder_.reset();
  }
  row_count_ = 0;
}

RowGroupList JoinSmallRowGroups(RowGroupList row_groups, const std::vector<LogicalType>& types,
                                MemoryTracker& memory, bool join_stored) {
  RowGroupList joined;
  RowGroupJoiner joiner(types, memory, join_stored, [&](std::shared_ptr<const RowGroup> row_group) {
    joined.push_back(std::move(row_group));
  });
  for (auto& row_group : row_groups) joiner.Add(std::move(row_group));
  joiner.Finish();
  return joined;
}

RowGroupList StoreLargeRowGroups(RowGroupList row_groups, const TableLayout& layout,
                                 const std::shared_ptr<BlockStore>& store, std::optional<Encoding> forced,
                                 uint64_t failed_syncs) {
  RowGroupList result = JoinSmallRowGroups(std::move(row_groups), layout.types, store->memory(), false);
  // Writing starts only after joining, so that what is written is as large as possible.
  RowGroupWriter writer(store, layout.types.size(), forced);
  std::vector<size_t> written;
  bool has_stored = false;
  for (size_t i = 0; i < result.size(); i++) {
    has_stored |= result[i]->is_stored();
    if (result[i]->is_stored() || !RowGroupWriter::IsLarge(*result[i], layout.types.size(), store->memory()))
      continue;
    writer.Add(*result[i], layout);
    // Frees the memory now; the loop may write many row groups.
    result[i].reset();
    written.push_back(i);
  }
  if (!written.empty()) {
    const auto stored = writer.Finish();
    for (size_t i = 0; i < written.size(); i++) result[written[i]] = stored[i];
  }
  // The rows may include row groups that were written earlier, by other tasks, and never synced.
  if (has_stored || !written.empty()) store->file().SyncSince(failed_syncs);
  return result;
}

}  // namespace scaup
