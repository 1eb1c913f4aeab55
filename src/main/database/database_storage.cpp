// Checkpoints, the log, closing; loading is in database_recovery.cpp.
#include "main/database/database_storage.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_map>

#include "common/memory/memory_advance.hpp"
#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "main/database/checkpoint_writer.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/compaction/row_group_writer.hpp"

namespace scaup {

namespace {

/// A sample is picked when one row in so many is another.
constexpr uint64_t kSampledShare = 16;

/// Bounds of checkpoint_threshold = 'auto'.
constexpr uint64_t kLeastThresholdBytes = uint64_t{16} << 20;
constexpr uint64_t kMostThresholdBytes = uint64_t{512} << 20;

std::unique_ptr<DatabaseFile> OpenFile(FileSystem& files, const std::string& path, AccessMode mode) {
  const bool read_only = mode == AccessMode::kReadOnly;
  if (read_only || files.Exists(path)) return DatabaseFile::Open(files, path, read_only);
  return DatabaseFile::Create(files, path);
}

std::vector<TableEntryRef> AllTables(const Catalog& catalog, const Transaction& transaction) {
  std::vector<TableEntryRef> tables;
  for (const auto& schema : catalog.Schemas(transaction)) {
    for (auto& table : catalog.Tables(transaction, *schema)) tables.push_back(std::move(table));
  }
  return tables;
}

/// One table on its way into a checkpoint.
struct TableWork {
  TableEntryRef entry;
  std::shared_ptr<const TableSnapshot> snapshot;
  bool is_changed = false;
  std::shared_ptr<TableSnapshot> changed;  // What the checkpoint makes of it.
  std::shared_ptr<const TableSample> sample;
  std::shared_ptr<const TableSample> stored_sample;  // The same in the file; also where it was before.
  size_t directory = 0;
  AttributeLog::Counts attributes;  // That the directory has, at least.
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

/// The indexes of all tables, by their storage.
std::unordered_map<const Table*, std::vector<TableIndexRef>> AllIndexes(const Catalog& catalog,
                                                                        const Transaction& transaction) {
  std::unordered_map<const Table*, std::vector<TableIndexRef>> indexes;
  for (const auto& schema : catalog.Schemas(transaction)) {
    std::unordered_map<std::string_view, const Table*> storages;  // By the table's name.
    const std::vector<TableEntryRef> tables = catalog.Tables(transaction, *schema);
    for (const TableEntryRef& table : tables) storages.emplace(table->name, table->storage.get());
    for (const auto& entry : catalog.Indexes(transaction, *schema)) {
      const auto table = storages.find(entry->table);
      if (table != storages.end()) indexes[table->second].push_back(entry->index);
    }
  }
  return indexes;
}

void AddBlocks(const std::vector<uint64_t>& added, std::vector<uint64_t>& block_ids) {
  block_ids.insert(block_ids.end(), added.begin(), added.end());
}

/// REQUIRES: stored.
void AddBlocks(const RowGroup& row_group, std::vector<uint64_t>& block_ids) {
  SCAUP_ASSERT(row_group.is_stored());
  AddBlocks(static_cast<const StoredRowGroup&>(row_group).pointer().block_ids, block_ids);
}

bool IsInMemory(const std::shared_ptr<const TableSample>& sample) {
  return sample && !sample->row_group()->is_stored();
}

bool NeedsWriting(const TableIndex& index, const std::set<uint64_t>& moved) {
  if (index.HasChanges()) return true;
  if (moved.empty()) return false;
  const IndexPlace place = index.place();
  return std::any_of(place.block_ids.begin(), place.block_ids.end(),
                     [&](uint64_t id) { return moved.count(id) != 0; });
}

/// Whether a row is of the row groups and not deleted.
bool IsAlive(const TableSnapshot& snapshot, const std::vector<RowNumber>& deleted, RowNumber row) {
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

/// How far a checkpoint may exceed the memory limit: what it needs for a row group at a time, and for blocks
/// on their way to the file. It can then be made whatever commits have left in memory.
size_t AdvanceBytes(const MemoryTracker& memory) {
  constexpr size_t kShare = 4, kLeastBytes = size_t{8} << 20;
  return std::max(std::min(memory.limit_bytes() / kShare, 5 * kMostHeapBytes), kLeastBytes);
}

/// Rows and indexes on their way into the file, between commits. One thread. Borrows all that it is given.
class CheckpointRun {
 public:
  CheckpointRun(std::shared_ptr<BlockStore> store, const Catalog& catalog, const Transaction& transaction,
                const Settings& settings, const std::set<uint64_t>& moved)
      : catalog_(catalog),
        transaction_(transaction),
        moved_(moved),
        memory_(store->memory()),
        writer_(std::move(store), EncodingFromName(settings.force_compression)),
        policy_(ShreddingPolicy::Of(settings)),
        works_(AllWorks(catalog, transaction)) {}

  CheckpointWriter& writer() { return writer_; }
  const std::vector<TableWork>& works() const { return works_; }

  /// Writes the rows of the tables that `is_changed` names, or that have rows in blocks that are to be moved.
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
    writer_.FinishRows();
    for (TableWork& work : works_) {
      if (work.is_changed) work.snapshot = std::move(work.changed);
    }
  }

  /// Writes the indexes that have changed, and directories of the tables that have.
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
        // Entries of rows that are deleted are for older readers, and stay in memory.
        index_numbers_[index.get()] = writer_.AddIndex(
            index->tree(),
            [&](uint64_t value) {
              return !IndexValue::IsLocal(value) && IsAlive(*work.snapshot, deleted, value);
            },
            [&](uint64_t block_id) { return moved_.count(block_id) != 0; });
      }
      if (!has_directory) continue;
      if (auto* documents = work.entry->storage->documents()) work.attributes = documents->log().Present();
      work.directory = writer_.AddDirectory({work.snapshot, std::move(deleted), work.stored_sample}, table);
    }
    writer_.FinishDirectories();
    writer_.FinishIndexes();
  }

  IndexPlace PlaceOf(const std::shared_ptr<TableIndex>& index) const {
    const auto number = index_numbers_.find(index.get());
    return number == index_numbers_.end() ? index->place() : writer_.IndexPlaceOf(number->second);
  }

  /// Puts what was written in the place of what is in memory; returns the tables that it concerns.
  std::vector<std::shared_ptr<Table>> Install(TransactionManager& transactions) {
    std::vector<std::shared_ptr<Table>> tables;
    const RowRange all_rows{0, kFirstLocalRow};
    for (const TableWork& work : works_) {
      if (!work.is_changed) continue;
      const auto& table = work.entry->storage;
      table->compactor().ReplaceNewest(work.snapshot, {&all_rows, 1}, transaction_.view(), transactions);
      if (work.sample) table->sampler().Replace(*work.sample, work.stored_sample);
      tables.push_back(table);
    }
    writer_.InstallIndexes();
    return tables;
  }

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
  std::map<const TableIndex*, size_t> index_numbers_;  // numbers of the indexes that are written
};

void RefreshSamples(const Catalog& catalog, TransactionManager& transactions) {
  std::vector<TableEntryRef> tables;
  {
    const ReadTransaction transaction(transactions);
    tables = AllTables(catalog, *transaction);
  }
  for (const TableEntryRef& table : tables) table->storage->sampler().Refresh(transactions, kSampledShare);
}

/// `place_of` an index: where it is stored.
template <typename PlaceOf>
CheckpointRoot RootWithoutTables(const Catalog& catalog, const Transaction& transaction, PlaceOf&& place_of) {
  CheckpointRoot root;
  for (const auto& schema : catalog.Schemas(transaction)) {
    root.schemas.push_back({schema->name, schema->comment});
    for (auto& index : catalog.Indexes(transaction, *schema)) {
      if (!index->is_of_constraint) root.indexes.push_back({index, place_of(index->index)});
    }
    for (auto& sequence : catalog.Sequences(transaction, *schema))
      root.sequences.push_back(std::move(sequence));
    for (auto& view : catalog.Views(transaction, *schema)) root.views.push_back(std::move(view));
    for (auto& type : catalog.Types(transaction, *schema)) root.types.push_back(std::move(type));
  }
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
      synchronous_(settings.synchronous) {}

DatabaseStorage::~DatabaseStorage() = default;

void DatabaseStorage::Append(std::span<const std::span<const std::byte>> payloads) {
  DatabaseFile& file = store_->file();
  if (file.read_only()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kReadOnlyTransaction,
               "cannot change anything: database file \"" + file.path() + "\" is open read-only");
  }
  file.EnsureHeader();
  MutexLock lock(log_mutex_);
  if (!log_)
    log_ = WriteAheadLog::Create(files_, log_path(),
                                 {file.header().database_id, file.header().checkpoint_number});
  const auto note_size = [&]() SCAUP_REQUIRES_LOCK(log_mutex_) { log_size_bytes_.store(log_->size_bytes()); };
  try {
    log_->Append(payloads, synchronous_.load() == SynchronousMode::kFull);
  } catch (...) {
    note_size();
    throw;
  }
  note_size();
}

bool DatabaseStorage::HasChanges() const {
  MutexLock lock(log_mutex_);
  return log_ != nullptr;
}

std::unique_lock<std::timed_mutex> DatabaseStorage::BeginCheckpoint() {
  constexpr std::chrono::milliseconds kCheckedTime{50};
  std::unique_lock lock(checkpoint_mutex_, std::defer_lock);
  while (!lock.try_lock_for(kCheckedTime)) RunningCall::CheckInterrupt();
  return lock;
}

void DatabaseStorage::Checkpoint(Catalog& catalog, TransactionManager& transactions,
                                 const Settings& settings) {
  const auto lock = BeginCheckpoint();
  if (read_only() || (!HasChanges() && !HasNewSamples(catalog, transactions))) return;
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
  if (log_size_bytes() <= kLeastThresholdBytes) return kLeastThresholdBytes;
  // Changes all over a table make a checkpoint write most of it again, twice as much as the log then. Opening
  // has to replay the log, which takes some seconds for the most.
  return std::clamp(store_->file().size_bytes() / 2, kLeastThresholdBytes, kMostThresholdBytes);
}

bool DatabaseStorage::KeepsMuchMemory() const {
  constexpr size_t kShare = 4;
  const MemoryTracker& memory = store_->memory();
  const size_t limit = memory.limit_bytes(), used = memory.used_bytes();
  return used > limit / kShare && used - std::min(used, memory.ReclaimableBytes()) > limit / kShare;
}

bool DatabaseStorage::IsMemoryShort() const {
  // A checkpoint takes some milliseconds, and others may have the memory, for long.
  constexpr size_t kLogShare = 64;
  constexpr uint64_t kLeastLoggedBytes = uint64_t{32} << 10;
  const uint64_t logged = std::max<uint64_t>(store_->memory().limit_bytes() / kLogShare, kLeastLoggedBytes);
  return log_size_bytes() >= memory_due_size_bytes_.load() + logged && KeepsMuchMemory();
}

void DatabaseStorage::CheckpointIfDue(Catalog& catalog, TransactionManager& transactions,
                                      const Settings& settings) noexcept {
  const auto is_due = [&] {
    return log_size_bytes() > std::max<uint64_t>(CheckpointThreshold(settings), due_size_bytes_.load()) ||
           IsMemoryShort();
  };
  if (!is_due()) return;
  // Who committed may interrupt what comes, not this.
  static constexpr std::atomic<bool> kNever{false};
  const RunningCall not_interrupted(kNever);
  try {
    std::unique_lock lock(checkpoint_mutex_, std::try_to_lock);
    if (lock && is_due()) WriteCheckpoint(catalog, transactions, settings, {});
  } catch (const std::exception& error) {
    // See the header. It is tried again when the log has grown as much once more, not at every commit.
    memory_due_size_bytes_.store(log_size_bytes());
    due_size_bytes_.store(log_size_bytes() + CheckpointThreshold(settings));
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
    automatic_error_.clear();  // No memory for it: the next one that fails says so.
  }
}

void DatabaseStorage::Vacuum(Catalog& catalog, TransactionManager& transactions, const Settings& settings) {
  const auto lock = BeginCheckpoint();
  if (read_only()) return;
  // What was moved frees the place of the rest, so that another round gets further. A round in which there
  // was no room in front makes the file longer; the next one moves everything there.
  constexpr int kMostRounds = 5;
  constexpr uint64_t kAlternatingBlocks = 2;  // Directories and root: never written where they are.
  uint64_t smallest = store_->file().size_bytes();
  for (int round = 0; round < kMostRounds; round++) {
    const std::set<uint64_t> moved = FindBlocksToMove(catalog, transactions);
    if (round != 0 && moved.empty() && store_->file().allocator().free_count() <= kAlternatingBlocks) break;
    directories_.clear();  // They are moved, too.
    WriteCheckpoint(catalog, transactions, settings, moved);
    const uint64_t size = store_->file().size_bytes();
    if (size == smallest) break;
    smallest = std::min(smallest, size);
  }
}

std::set<uint64_t> DatabaseStorage::FindBlocksToMove(Catalog& catalog, TransactionManager& transactions) {
  const ReadTransaction transaction(transactions);
  std::map<uint64_t, uint64_t> used_bytes;  // By block.
  uint64_t large_tables = 0;
  auto all_indexes = AllIndexes(catalog, *transaction);
  for (const TableEntryRef& table : AllTables(catalog, *transaction)) {
    const auto snapshot = table->storage->snapshots().Newest();  // Kept: a commit may replace it meanwhile.
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
    // An index moves parts out of sparse blocks by itself.
    for (const TableIndexRef& index : all_indexes[table->storage.get()]) {
      for (const uint64_t block_id : index->place().block_ids) used_bytes[block_id] += kFileBlockBytes / 2;
    }
  }
  const BlockAllocator& allocator = store_->file().allocator();
  const uint64_t wanted_end = allocator.end_block() - allocator.free_count();
  std::set<uint64_t> behind, sparse;
  uint64_t sparse_bytes = 0;
  for (const auto& [block_id, bytes] : used_bytes) {
    if (block_id >= wanted_end) behind.insert(block_id);
    if (bytes >= kFileBlockBytes / 2) continue;
    sparse.insert(block_id);
    sparse_bytes += bytes;
  }
  // Each large table, and all small ones together, end with a block of values and one of metadata that may be
  // nearly empty, however often they are written.
  const uint64_t unavoidable = sparse_bytes / kFileBlockBytes + 2 * (large_tables + 1);
  if (sparse.size() > unavoidable) behind.insert(sparse.begin(), sparse.end());
  return behind;
}

void DatabaseStorage::WriteCheckpoint(Catalog& catalog, TransactionManager& transactions,
                                      const Settings& settings, const std::set<uint64_t>& moved,
                                      const std::string& keep_log_as) {
  RefreshSamples(catalog, transactions);
  std::vector<std::shared_ptr<Table>> folded;
  const MemoryAdvance advance(store_->memory(), AdvanceBytes(store_->memory()));
  transactions.RunBetweenCommits([&] {
    DatabaseFile& file = store_->file();
    const uint64_t failed_syncs = file.failed_syncs();
    const ReadTransaction transaction(transactions);
    CheckpointRun run(store_, catalog, *transaction, settings, moved);
    run.WriteRows([&](const TableWork& work) {
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
    file.SyncSince(failed_syncs);
    file.SwitchTo(place, block_ids);

    folded = run.Install(transactions);
    for (const TableWork& work : run.works()) {
      auto* documents = work.entry->storage->documents();
      if (work.is_changed && documents != nullptr) documents->log().SetStored(work.attributes);
    }
    directories_ = std::move(directories);
    ForgetLog(keep_log_as);
  });
  for (const auto& table : folded) table->compactor().DropCompacted();
  SetAutomaticError("");
}

void DatabaseStorage::WriteRowsOnly(Catalog& catalog, TransactionManager& transactions,
                                    const Settings& settings) {
  std::vector<std::shared_ptr<Table>> folded;
  const std::set<uint64_t> no_blocks;
  transactions.RunBetweenCommits([&] {
    const ReadTransaction transaction(transactions);
    CheckpointRun run(store_, catalog, *transaction, settings, no_blocks);
    run.WriteRows([](const TableWork& work) { return NeedsWriting(*work.snapshot, *work.entry->storage); });
    run.WriteIndexes(false);
    folded = run.Install(transactions);
  });
  for (const auto& table : folded) table->compactor().DropCompacted();
}

void DatabaseStorage::ForgetLog(const std::string& keep_as) {
  MutexLock lock(log_mutex_);
  log_.reset();
  log_size_bytes_.store(0);
  due_size_bytes_.store(0);
  memory_due_size_bytes_.store(0);
  if (!keep_as.empty()) files_.Rename(log_path(), keep_as);
  try {
    // A log that stays is known as stale by its checkpoint number; space at the end does no harm.
    if (files_.Exists(log_path())) files_.Remove(log_path());
    store_->file().Shrink();
  } catch (const Error&) {
  }
}

void DatabaseStorage::Close(Catalog& catalog, TransactionManager& transactions,
                            const Settings& settings) noexcept {
  try {
    Checkpoint(catalog, transactions, settings);
  } catch (const std::exception&) {
    // The log has everything.
  }
}

}  // namespace scaup
