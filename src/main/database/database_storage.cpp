// Checkpoints, the log, closing; loading is in database_recovery.cpp.
#include "main/database/database_storage.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "catalog/function_changes.hpp"
#include "common/memory/memory_advance.hpp"
#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "main/database/checkpoint_writer.hpp"
#include "main/database/log_replay.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/table/table_compactor.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_sampler.hpp"

namespace scaup {

namespace {

/// A sample is picked anew once one row in this many has changed.
constexpr uint64_t kSampledShare = 16;

/// Bounds of checkpoint_threshold = 'auto'. A shorter log is not worth a checkpoint; replaying a longer one
/// would make opening take too long.
constexpr uint64_t kLeastThresholdBytes = uint64_t{16} << 20;
constexpr uint64_t kMostThresholdBytes = uint64_t{512} << 20;

std::unique_ptr<DatabaseFile> OpenFile(FileSystem& files, const std::string& path, AccessMode mode) {
  const bool read_only = mode == AccessMode::kReadOnly;
  // A read-only database must exist: creating one would write.
  if (read_only || files.Exists(path)) return DatabaseFile::Open(files, path, read_only);
  return DatabaseFile::Create(files, path);
}

std::vector<TableEntryRef> AllTables(const Catalog& catalog, const Transaction& transaction) {
  std::vector<TableEntryRef> tables;
  for (const auto& schema : catalog.Schemas(transaction)) {
    for (auto& table : catalog.List<TableEntry>(transaction, *schema)) tables.push_back(std::move(table));
  }
  return tables;
}

/// The state of one table during a checkpoint. Owned by the CheckpointRun.
struct TableWork {
  TableEntryRef entry;
  std::shared_ptr<const TableSnapshot> snapshot;
  bool is_changed = false;
  // The snapshot that the checkpoint makes of it.
  std::shared_ptr<TableSnapshot> changed;
  std::shared_ptr<const TableSample> sample;
  // The sample as it is in the file after the checkpoint.
  std::shared_ptr<const TableSample> stored_sample;
  size_t directory = 0;
  // The least number of attributes that the directory has.
  AttributeLog::Counts attributes;
};

std::vector<TableWork> AllWorks(const Catalog& catalog, const Transaction& transaction) {
  std::vector<TableWork> works;
  for (const TableEntryRef& entry : AllTables(catalog, transaction)) {
    TableWork& work = works.emplace_back();
    work.entry = entry;
    work.snapshot = entry->storage->snapshots().Newest();
    work.sample = work.stored_sample = entry->storage->sampler().Sample();
  }
  return works;
}

/// Returns the indexes of all tables by storage. One pass over the catalog: asking for the indexes of each
/// table would take time quadratic in the number of tables.
std::unordered_map<const Table*, std::vector<TableIndexRef>> AllIndexes(const Catalog& catalog,
                                                                        const Transaction& transaction) {
  std::unordered_map<const Table*, std::vector<TableIndexRef>> indexes;
  for (const auto& schema : catalog.Schemas(transaction)) {
    std::unordered_map<std::string_view, const Table*> storages;  // by the table's name
    const std::vector<TableEntryRef> tables = catalog.List<TableEntry>(transaction, *schema);
    for (const TableEntryRef& table : tables) storages.emplace(table->name, table->storage.get());
    for (const auto& entry : catalog.List<IndexEntry>(transaction, *schema)) {
      const auto table = storages.find(entry->table);
      if (table != storages.end()) indexes[table->second].push_back(entry->index);
    }
  }
  return indexes;
}

void AddBlocks(const std::vector<uint64_t>& added, std::vector<uint64_t>& block_ids) {
  block_ids.insert(block_ids.end(), added.begin(), added.end());
}

/// Adds the blocks of a row group. REQUIRES: row_group.is_stored().
void AddBlocks(const RowGroup& row_group, std::vector<uint64_t>& block_ids) {
  SCAUP_ASSERT(row_group.is_stored());
  AddBlocks(static_cast<const StoredRowGroup&>(row_group).pointer().block_ids, block_ids);
}

bool IsInMemory(const std::shared_ptr<const TableSample>& sample) {
  return sample && !sample->row_group()->is_stored();
}

/// Returns whether a checkpoint has to write an index: if it has changed, or lies in a block that is vacated.
bool NeedsWriting(const TableIndex& index, const std::set<uint64_t>& moved) {
  if (index.HasChanges()) return true;
  if (moved.empty()) return false;
  const IndexPlace place = index.place();
  return std::any_of(place.block_ids.begin(), place.block_ids.end(),
                     [&](uint64_t id) { return moved.count(id) != 0; });
}

/// Returns whether a row is in the row groups and is not deleted. `deleted` ascends.
bool IsAlive(const TableSnapshot& snapshot, const std::vector<RowNumber>& deleted, RowNumber row) {
  // An index may have entries of rows in row groups that were dropped, since all their rows were deleted.
  if (row >= snapshot.next_row || snapshot.row_groups.empty() || row < snapshot.first_rows[0]) return false;
  const size_t row_group = snapshot.FindRowGroup(row);
  return row < snapshot.first_rows[row_group] + snapshot.row_groups[row_group]->row_count() &&
         !std::binary_search(deleted.begin(), deleted.end(), row);
}

bool NeedsWriting(const TableSnapshot& snapshot, const Table& table) {
  return table.versions()->has_blocks() ||
         std::any_of(snapshot.row_groups.begin(), snapshot.row_groups.end(),
                     [](const auto& row_group) { return !row_group->is_stored(); });
}

/// Returns how far a checkpoint may exceed the memory limit. It needs space for one row group at a time and
/// for blocks that are being written. With that space it succeeds whatever commits have left in memory, and
/// only it can free that.
size_t AdvanceBytes(const MemoryTracker& memory) {
  constexpr size_t kShare = 4, kLeastBytes = size_t{8} << 20;
  return std::max(std::min(memory.limit_bytes() / kShare, 5 * kMostHeapBytes), kLeastBytes);
}

/// Writes the rows and indexes of a checkpoint. Used by one thread while no commit is in progress, and lives
/// for one checkpoint. Borrows everything that it is given.
class CheckpointRun {
 public:
  CheckpointRun(std::shared_ptr<BlockStore> store, const Catalog& catalog, const Transaction& transaction,
                const Settings& settings, const std::set<uint64_t>& moved)
      : catalog_(catalog),
        transaction_(transaction),
        moved_(moved),
        memory_(store->memory()),
        writer_(std::move(store), settings.force_compression),
        policy_(ShreddingPolicy::Of(settings)),
        works_(AllWorks(catalog, transaction)) {}

  CheckpointWriter& writer() { return writer_; }
  const std::vector<TableWork>& works() const { return works_; }

  /// Writes the rows of the tables for which `is_changed` returns true, and of those with row groups in
  /// blocks that are to be vacated.
  template <typename IsChanged>
  void WriteRows(IsChanged&& is_changed) {
    const auto rewrite = [this](const RowGroup& row_group) { return IsMoved(row_group); };
    for (TableWork& work : works_) {
      const auto& row_groups = work.snapshot->row_groups;
      work.is_changed = is_changed(work) || (work.sample && IsMoved(*work.sample->row_group())) ||
                        std::any_of(row_groups.begin(), row_groups.end(),
                                    [&](const auto& row_group) { return IsMoved(*row_group); });
      if (!work.is_changed) continue;
      const Table& table = *work.entry->storage;
      work.changed = std::make_shared<TableSnapshot>();
      writer_.AddRows({*work.snapshot, table.versions(), transaction_.view()}, *work.changed,
                      table.layout(policy_), rewrite);
      writer_.AddSample(work.stored_sample, table.layout(policy_), rewrite);
    }
    // Small row groups of all tables share blocks, so no snapshot is complete before the last table is
    // written.
    writer_.FinishRows();
    for (TableWork& work : works_) {
      if (work.is_changed) work.snapshot = std::move(work.changed);
    }
  }

  /// Writes the indexes that have changed, and, if `with_directories`, the directories of changed tables.
  void WriteIndexes(bool with_directories) {
    auto all_indexes = AllIndexes(catalog_, transaction_);
    for (TableWork& work : works_) {
      std::vector<TableIndexRef> indexes = std::move(all_indexes[work.entry->storage.get()]);
      std::erase_if(indexes, [&](const TableIndexRef& index) { return !NeedsWriting(*index, moved_); });
      const bool has_directory = with_directories && work.is_changed;
      if (!has_directory && indexes.empty()) continue;
      const Table& table = *work.entry->storage;
      std::vector<RowNumber> deleted;
      if (work.snapshot->deleted_count != 0)
        deleted = DeletedRows(table.versions(), transaction_.view(), *work.snapshot, table.types(), memory_);
      for (const TableIndexRef& index : indexes) {
        // Entries of deleted rows serve only readers that began earlier. They stay in memory, as no such
        // reader survives a restart.
        index_numbers_[index.get()] = writer_.AddIndex(
            index->tree(),
            [&](uint64_t value) {
              return !IndexValue::IsLocal(value) && IsAlive(*work.snapshot, deleted, value);
            },
            [&](uint64_t block_id) { return moved_.count(block_id) != 0; });
      }
      if (!has_directory) continue;
      // The count is taken before the directory is written. A query may add attributes meanwhile; they are
      // then logged once more, which is harmless.
      if (auto* documents = work.entry->storage->documents()) work.attributes = documents->log().Present();
      work.directory = writer_.AddDirectory({work.snapshot, std::move(deleted), work.stored_sample}, table);
    }
    writer_.FinishDirectories();
    writer_.FinishIndexes();
  }

  /// Returns the location of an index after the checkpoint: the old one if it was not written.
  IndexPlace PlaceOf(const std::shared_ptr<TableIndex>& index) const {
    const auto number = index_numbers_.find(index.get());
    return number == index_numbers_.end() ? index->place() : writer_.IndexPlaceOf(number->second);
  }

  /// Allocates what Install needs. Called after everything is written.
  void PrepareInstall() {
    const RowRange all_rows{0, kFirstLocalRow};
    for (const TableWork& work : works_) {
      if (work.is_changed)
        replacements_.emplace_back(work.entry->storage, work.snapshot, std::span(&all_rows, 1));
    }
  }
  /// Replaces what is in memory by what was written.
  void Install(TransactionManager& transactions) noexcept {
    for (auto& replacement : replacements_) replacement.Install(transaction_.view(), transactions);
    for (const TableWork& work : works_) {
      if (work.is_changed && work.sample)
        work.entry->storage->sampler().Replace(*work.sample, work.stored_sample);
    }
    writer_.InstallIndexes();
  }
  /// Returns the exchanges of snapshots; each names a table that has changed.
  std::vector<TableCompactor::Replacement> TakeReplacements() { return std::move(replacements_); }

 private:
  bool IsMoved(const RowGroup& row_group) const {
    if (moved_.empty() || !row_group.is_stored()) return false;
    const auto& block_ids = static_cast<const StoredRowGroup&>(row_group).pointer().block_ids;
    return std::any_of(block_ids.begin(), block_ids.end(),
                       [&](uint64_t id) { return moved_.count(id) != 0; });
  }

  const Catalog& catalog_;
  const Transaction& transaction_;
  const std::set<uint64_t>& moved_;
  MemoryTracker& memory_;
  CheckpointWriter writer_;
  const ShreddingPolicy policy_;
  std::vector<TableWork> works_;
  std::vector<TableCompactor::Replacement> replacements_;
  std::map<const TableIndex*, size_t> index_numbers_;  // numbers of the indexes that are written
};

/// Picks new samples of tables that have changed much. Runs before commits are stopped, as it reads rows.
void RefreshSamples(const Catalog& catalog, TransactionManager& transactions) {
  std::vector<TableEntryRef> tables;
  {
    const ReadTransaction transaction(transactions);
    tables = AllTables(catalog, *transaction);
  }
  for (const TableEntryRef& table : tables) table->storage->sampler().Refresh(transactions, kSampledShare);
}

/// Returns the root without its tables. `place_of` returns the location of an index.
template <typename PlaceOf>
CheckpointRoot RootWithoutTables(const Catalog& catalog, const Transaction& transaction, PlaceOf&& place_of) {
  CheckpointRoot root;
  for (const auto& schema : catalog.Schemas(transaction)) {
    root.schemas.push_back({schema->name, schema->comment});
    for (auto& index : catalog.List<IndexEntry>(transaction, *schema)) {
      if (!index->is_of_constraint) root.indexes.push_back({index, place_of(index->index)});
    }
    for (auto& sequence : catalog.List<SequenceEntry>(transaction, *schema))
      root.sequences.push_back(std::move(sequence));
    for (auto& view : catalog.List<ViewEntry>(transaction, *schema)) root.views.push_back(std::move(view));
    for (auto& type : catalog.List<TypeEntry>(transaction, *schema)) root.types.push_back(std::move(type));
    for (auto& domain : catalog.List<DomainEntry>(transaction, *schema))
      root.domains.push_back(std::move(domain));
  }
  root.functions = AllFunctions(catalog, transaction);
  return root;
}

void AddIndexBlocks(const CheckpointRoot& root, std::vector<uint64_t>& block_ids) {
  for (const CheckpointRoot::Table& table : root.tables) {
    for (const IndexPlace& index : table.unique_indexes) AddBlocks(index.block_ids, block_ids);
  }
  for (const CheckpointRoot::Index& index : root.indexes) AddBlocks(index.place.block_ids, block_ids);
}

}  // namespace

DatabaseStorage::DatabaseStorage(FileSystem& files, const std::string& path, const Settings& settings,
                                 MemoryTracker& memory)
    : files_(files),
      store_(std::make_shared<BlockStore>(OpenFile(files, files.ResolvePath(path), settings.access_mode),
                                          memory)),
      log_(files, store_->file(), settings.synchronous) {}

DatabaseStorage::~DatabaseStorage() = default;

void DatabaseStorage::Checkpoint(Catalog& catalog, TransactionManager& transactions,
                                 const Settings& settings) {
  const CheckpointTurn turn(checkpoint_turns_);
  // ANALYZE commits nothing that the log would have, so new samples are asked for separately.
  if (read_only() || (!log_.HasCommits() && !HasNewSamples(catalog, transactions))) return;
  WriteCheckpoint(catalog, transactions, settings, {});
}

bool DatabaseStorage::HasNewSamples(const Catalog& catalog, TransactionManager& transactions) const {
  const ReadTransaction transaction(transactions);
  const std::vector<TableEntryRef> tables = AllTables(catalog, *transaction);
  return std::any_of(tables.begin(), tables.end(), [](const TableEntryRef& table) {
    return IsInMemory(table->storage->sampler().Sample());
  });
}

uint64_t DatabaseStorage::CheckpointThreshold(const Settings& settings) const {
  if (settings.checkpoint_threshold_bytes) return *settings.checkpoint_threshold_bytes;
  if (log_.size_bytes() <= kLeastThresholdBytes) return kLeastThresholdBytes;
  // Changes all over a table make a checkpoint rewrite most of it. A log of half the file's size limits what
  // checkpoints write to about twice what commits have logged. The upper bound limits how long opening may
  // replay the log: some seconds.
  return std::clamp(store_->file().size_bytes() / 2, kLeastThresholdBytes, kMostThresholdBytes);
}

bool DatabaseStorage::KeepsMuchMemory() const {
  constexpr size_t kShare = 4;
  const MemoryTracker& memory = store_->memory();
  const size_t limit = memory.limit_bytes(), used = memory.used_bytes();
  // ReclaimableBytes asks every cache, so it is called only if it may matter. The counters move meanwhile,
  // hence the minimum.
  return used > limit / kShare && used - std::min(used, memory.ReclaimableBytes()) > limit / kShare;
}

bool DatabaseStorage::IsMemoryShort() const {
  // Running queries may hold the memory for long, and then a checkpoint frees little. So the log must grow by
  // a share of the limit before the next attempt, as each one costs milliseconds.
  constexpr size_t kLogShare = 64;
  constexpr uint64_t kLeastLoggedBytes = uint64_t{32} << 10;
  const uint64_t logged = std::max<uint64_t>(store_->memory().limit_bytes() / kLogShare, kLeastLoggedBytes);
  return log_.size_bytes() >= memory_due_size_bytes_.load() + logged && KeepsMuchMemory();
}

void DatabaseStorage::CheckpointIfDue(Catalog& catalog, TransactionManager& transactions,
                                      const Settings& settings) noexcept {
  const auto is_due = [&] {
    return log_.size_bytes() > std::max<uint64_t>(CheckpointThreshold(settings), due_size_bytes_.load()) ||
           IsMemoryShort();
  };
  if (!is_due()) return;
  // The session's interruption belongs to its next statement: the commit has succeeded and must not appear to
  // fail.
  static constexpr std::atomic<bool> kNever{false};
  const RunningCall not_interrupted(kNever);
  try {
    // This thread need not wait for another thread's checkpoint, which does the same work. The condition is
    // tested again within the turn, as a checkpoint may have ended just before.
    if (!checkpoint_turns_.TryBegin()) return;
    const CheckpointTurn turn(checkpoint_turns_, std::adopt_lock);
    if (is_due()) WriteCheckpoint(catalog, transactions, settings, {});
  } catch (const std::exception& error) {
    // The log has everything, so the error is only noted; see the header. The next attempt waits until the
    // log has grown by another threshold, so that a full disk does not cost every commit a checkpoint.
    memory_due_size_bytes_.store(log_.size_bytes());
    due_size_bytes_.store(log_.size_bytes() + CheckpointThreshold(settings));
    SetAutomaticError(error.what());
  }
}

std::string DatabaseStorage::automatic_error() const {
  const MutexLock lock(error_mutex_);
  return automatic_error_;
}

void DatabaseStorage::SetAutomaticError(const char* message) noexcept {
  const MutexLock lock(error_mutex_);
  try {
    automatic_error_ = message;
  } catch (const std::exception&) {
    // No memory for the message: the next failure sets one.
    automatic_error_.clear();
  }
}

void DatabaseStorage::Vacuum(Catalog& catalog, TransactionManager& transactions, const Settings& settings) {
  const CheckpointTurn turn(checkpoint_turns_);
  if (read_only()) return;
  store_->file().ForgetReaders();
  // Each round vacates blocks at the end that a later round can cut off. A round that finds no free blocks
  // before the end makes the file longer first; the next one then moves everything to the front.
  constexpr int kMostRounds = 5;
  // Directories and root are never overwritten in place, so one block of each kind is always free.
  constexpr uint64_t kAlternatingBlocks = 2;
  uint64_t smallest = store_->file().size_bytes();
  for (int round = 0; round < kMostRounds; round++) {
    const std::set<uint64_t> moved = FindBlocksToMove(catalog, transactions);
    if (round != 0 && moved.empty() && store_->file().allocator().free_count() <= kAlternatingBlocks) break;
    // Without known directories all are written again, so their blocks are vacated, too.
    directories_.clear();
    WriteCheckpoint(catalog, transactions, settings, moved);
    const uint64_t size = store_->file().size_bytes();
    if (size == smallest) break;
    smallest = std::min(smallest, size);
  }
}

std::set<uint64_t> DatabaseStorage::FindBlocksToMove(Catalog& catalog, TransactionManager& transactions) {
  const ReadTransaction transaction(transactions);
  // Used bytes by block id.
  std::map<uint64_t, uint64_t> used_bytes;
  uint64_t large_tables = 0;
  auto all_indexes = AllIndexes(catalog, *transaction);
  for (const TableEntryRef& table : AllTables(catalog, *transaction)) {
    // The snapshot is retained: a commit may replace it meanwhile.
    const auto snapshot = table->storage->snapshots().Newest();
    bool is_large = false;
    RowGroupList row_groups = snapshot->row_groups;
    if (const auto sample = table->storage->sampler().Sample()) row_groups.push_back(sample->row_group());
    for (const auto& row_group : row_groups) {
      if (!row_group->is_stored()) continue;
      is_large |= row_group->row_count() >= RowGroupWriter::kLeastSeparateRows;
      const auto& stored = static_cast<const StoredRowGroup&>(*row_group);
      for (const Extent& extent : stored.pointer().metadata)
        used_bytes[extent.block.block_id] += extent.size_bytes;
      for (size_t i = 0; i < stored.column_count(); i++) {
        for (const Extent& extent : stored.column(i)->extents())
          used_bytes[extent.block.block_id] += extent.size_bytes;
      }
    }
    large_tables += is_large ? 1 : 0;
    // A checkpoint of an index moves parts out of sparse blocks by itself. Counting half a block for it makes
    // sure that this search does not take them for sparse.
    for (const TableIndexRef& index : all_indexes[table->storage.get()]) {
      for (const uint64_t block_id : index->place().block_ids) used_bytes[block_id] += kFileBlockBytes / 2;
    }
  }
  const BlockAllocator& allocator = store_->file().allocator();
  // The file would end here if all its free blocks were at the end.
  const uint64_t wanted_end = allocator.end_block() - allocator.free_count();
  std::set<uint64_t> behind, sparse;
  uint64_t sparse_bytes = 0;
  for (const auto& [block_id, bytes] : used_bytes) {
    if (block_id >= wanted_end) behind.insert(block_id);
    if (bytes >= kFileBlockBytes / 2) continue;
    sparse.insert(block_id);
    sparse_bytes += bytes;
  }
  // Each large table, and all small ones together, end with a block of values and a block of metadata. These
  // may be nearly empty however often they are written, so they alone justify no move.
  const uint64_t unavoidable = sparse_bytes / kFileBlockBytes + 2 * (large_tables + 1);
  if (sparse.size() > unavoidable) behind.insert(sparse.begin(), sparse.end());
  return behind;
}

void DatabaseStorage::WriteCheckpoint(Catalog& catalog, TransactionManager& transactions,
                                      const Settings& settings, const std::set<uint64_t>& moved,
                                      const std::string& keep_log_as) {
  // Samples are picked while commits still run.
  RefreshSamples(catalog, transactions);
  std::vector<TableCompactor::Replacement> replaced;
  // A checkpoint frees memory, so it must not fail because memory is short.
  const MemoryAdvance advance(store_->memory(), AdvanceBytes(store_->memory()));
  transactions.RunBetweenCommits([&] {
    DatabaseFile& file = store_->file();
    // The count is read before the first write. If any thread's sync fails from here on, the system may have
    // dropped blocks of this checkpoint, and the file must not switch to it.
    const uint64_t failed_syncs = file.failed_syncs();
    const ReadTransaction transaction(transactions);
    // No commit is in progress, so this snapshot has exactly the commits that the log has.
    CheckpointRun run(store_, catalog, *transaction, settings, moved);
    run.WriteRows([&](const TableWork& work) {
      // A table whose snapshot and sample are those of the last checkpoint keeps its directory.
      const auto known = directories_.find(work.entry->storage->id());
      return known == directories_.end() || known->second.snapshot != work.snapshot ||
             known->second.sample != work.sample;
    });
    run.WriteIndexes(true);

    CheckpointRoot root =
        RootWithoutTables(catalog, *transaction, [&](const auto& index) { return run.PlaceOf(index); });
    std::map<uint64_t, StoredDirectory> directories;
    std::vector<uint64_t> block_ids;
    for (const TableWork& work : run.works()) {
      const uint64_t id = work.entry->storage->id();
      const Extents place =
          work.is_changed ? run.writer().DirectoryPlace(work.directory) : directories_.at(id).extents;
      root.tables.push_back({DefinitionOf(*work.entry), place, {}});
      for (const UniqueConstraint& unique : work.entry->constraints.uniques)
        root.tables.back().unique_indexes.push_back(run.PlaceOf(unique.index));
      for (const Extent& extent : place) block_ids.push_back(extent.block.block_id);
      for (const auto& row_group : work.snapshot->row_groups) AddBlocks(*row_group, block_ids);
      if (work.stored_sample) AddBlocks(*work.stored_sample->row_group(), block_ids);
      directories[id] = {work.snapshot, work.stored_sample, place};
    }
    AddIndexBlocks(root, block_ids);
    const Extents place = run.writer().WriteRoot(root);
    for (const Extent& extent : place) block_ids.push_back(extent.block.block_id);
    for (const auto& block : run.writer().blocks()) block_ids.push_back(block->pointer.block_id);
    run.PrepareInstall();
    // Everything that the root refers to is durable before the header names the root. The switch is the only
    // write that counts: a crash before it leaves the last checkpoint and the log, a crash after it the new
    // checkpoint.
    file.SyncSince(failed_syncs);
    file.SwitchTo(place, block_ids);

    // Memory is changed only after the switch, so that a failed checkpoint leaves it as it was. Nothing may
    // fail before the log is forgotten: commits that continued the old one would be lost with it.
    run.Install(transactions);
    for (const TableWork& work : run.works()) {
      auto* documents = work.entry->storage->documents();
      if (work.is_changed && documents != nullptr) documents->log().SetStored(work.attributes);
    }
    directories_ = std::move(directories);
    replaced = run.TakeReplacements();
    // The log goes last. If a crash prevents that, its checkpoint number tells recovery that it is stale.
    EndLog(keep_log_as);
  });
  // Old versions are freed after commits run again, since this may take long.
  for (const auto& replacement : replaced) replacement.table()->compactor().DropCompacted();
  SetAutomaticError("");
}

void DatabaseStorage::WriteRowsOnly(Catalog& catalog, TransactionManager& transactions,
                                    const Settings& settings) {
  std::vector<TableCompactor::Replacement> replaced;
  const std::set<uint64_t> no_blocks;
  transactions.RunBetweenCommits([&] {
    DatabaseFile& file = store_->file();
    const uint64_t failed_syncs = file.failed_syncs();
    const ReadTransaction transaction(transactions);
    CheckpointRun run(store_, catalog, *transaction, settings, no_blocks);
    run.WriteRows([](const TableWork& work) { return NeedsWriting(*work.snapshot, *work.entry->storage); });
    run.WriteIndexes(false);
    run.PrepareInstall();
    // The next checkpoint refers to these blocks, but counts failed syncs only from its own start. So they
    // must be durable before memory forgets the rows.
    file.SyncSince(failed_syncs);
    run.Install(transactions);
    replaced = run.TakeReplacements();
  });
  for (const auto& replacement : replaced) replacement.table()->compactor().DropCompacted();
}

void DatabaseStorage::EndLog(const std::string& keep_as) {
  due_size_bytes_.store(0);
  memory_due_size_bytes_.store(0);
  if (!log_.End(keep_as)) return;
  try {
    // The checkpoint has succeeded, and free space at the end of the file does no harm. So errors are
    // ignored.
    store_->file().Shrink();
  } catch (const std::exception&) {
  }
}

void DatabaseStorage::Close(Catalog& catalog, TransactionManager& transactions,
                            const Settings& settings) noexcept {
  try {
    Checkpoint(catalog, transactions, settings);
  } catch (const std::exception&) {
    // The log has everything, and the next opening replays it.
  }
}

}  // namespace scaup
