// Opening a database: what its checkpoint says, then what the log adds.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "catalog/catalog_changes.hpp"
#include "catalog/function_changes.hpp"
#include "common/memory/memory_advance.hpp"
#include "common/throw.hpp"
#include "main/database/checkpoint_writer.hpp"
#include "main/database/database_storage.hpp"
#include "main/database/log_replay.hpp"
#include "storage/row_group/stored_row_group.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_log.hpp"
#include "storage/table/table_sampler.hpp"

namespace scaup {

namespace {

/// The least length of log between two writes of rows during replay. Each write takes new blocks and rewrites
/// the indexes that have changed, so small commits must not cause one each.
constexpr uint64_t kLeastReplayedBytes = uint64_t{256} << 10;

/// Adds the foreign keys of a table that was made without them. They may refer to any table, so all tables
/// must exist first.
void PutForeignKeys(Catalog& catalog, Transaction& transaction, const TableDefinition& definition) {
  if (definition.constraints.foreign_keys.empty()) return;
  const TableEntryRef table = catalog.Find<TableEntry>(transaction, definition.schema, definition.name);
  auto with_keys = std::make_shared<TableEntry>(*table);
  with_keys->constraints.foreign_keys = definition.constraints.foreign_keys;
  ReplaceTable(catalog, transaction, {table, std::move(with_keys), {}, false});
}

/// Makes a table of the checkpoint, with the indexes of its constraints, which go to `loaded` with its
/// blocks.
TableDirectory LoadTable(const std::shared_ptr<BlockStore>& store, Catalog& catalog, Transaction& transaction,
                         const CheckpointRoot::Table& stored, LoadedTable& loaded) {
  std::vector<uint64_t>& block_ids = loaded.block_ids;
  TableDefinition definition = stored.definition;
  // PutForeignKeys adds them once all tables exist.
  definition.constraints.foreign_keys.clear();
  const auto table = MakeStorage(catalog, transaction, definition, store->memory(), store->file().path());
  uint64_t size_bytes = 0;
  for (const Extent& extent : stored.directory) {
    size_bytes += extent.size_bytes;
    block_ids.push_back(extent.block.block_id);
  }
  const auto bytes = store->Read(stored.directory, 0, size_bytes);
  ByteReader reader(bytes, store->file().path());
  TableDirectory directory = ReadTableDirectory(store, *table, reader);
  const auto add_blocks = [&](const RowGroup& row_group) {
    const auto& ids = static_cast<const StoredRowGroup&>(row_group).pointer().block_ids;
    block_ids.insert(block_ids.end(), ids.begin(), ids.end());
  };
  for (const auto& row_group : directory.snapshot->row_groups) add_blocks(*row_group);
  if (directory.sample) add_blocks(*directory.sample->row_group());
  LoadTable(*table, directory.snapshot, directory.deleted, std::move(directory.attributes));
  table->sampler().Set(directory.sample);
  // The file has the attributes that were just read, so the next commits need not log them again.
  if (auto* documents = table->documents()) documents->log().SetStored(documents->log().Present());
  // The entry is for the column numbers of the indexes only. The catalog gets another one below, which has
  // the indexes.
  const TableEntryRef entry = EntryOf(definition, table);
  for (size_t i = 0; i < stored.unique_indexes.size(); i++) {
    UniqueConstraint& unique = definition.constraints.uniques[i];
    const IndexPlace& place = stored.unique_indexes[i];
    unique.index = table->indexes().Load(IndexDefinitionOf(*entry, unique), place);
    block_ids.insert(block_ids.end(), place.block_ids.begin(), place.block_ids.end());
    loaded.unique_indexes.push_back(unique.index);
  }
  loaded.storage = table;
  CreateTable(catalog, transaction, EntryOf(definition, table));
  return directory;
}

/// Puts a table that a reader has loaded before into the catalog of another checkpoint.
void KeepTable(Catalog& catalog, Transaction& transaction, const CheckpointRoot::Table& stored,
               const LoadedTable& loaded) {
  TableDefinition definition = stored.definition;
  definition.constraints.foreign_keys.clear();
  for (size_t i = 0; i < loaded.unique_indexes.size(); i++)
    definition.constraints.uniques[i].index = loaded.unique_indexes[i];
  CreateTable(catalog, transaction, EntryOf(definition, loaded.storage));
}

/// Returns the tables in the order in which they were created, so that collections precede their element
/// tables. Ids are given in that order.
std::vector<const CheckpointRoot::Table*> InOrderOfMaking(const std::vector<CheckpointRoot::Table>& tables) {
  std::vector<const CheckpointRoot::Table*> sorted;
  for (const CheckpointRoot::Table& table : tables) sorted.push_back(&table);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->definition.table_id < b->definition.table_id; });
  return sorted;
}

/// Loads an index that serves no constraint, unless its table has been kept with it. Adds its blocks to
/// `block_ids`.
void LoadIndex(Catalog& catalog, Transaction& transaction, const CheckpointRoot::Index& stored,
               std::map<uint64_t, LoadedTable>& tables, std::vector<uint64_t>& block_ids) {
  auto index = std::make_shared<IndexEntry>(*stored.definition);
  if (const auto table = catalog.Find<TableEntry>(transaction, index->schema, index->table)) {
    std::shared_ptr<TableIndex>& loaded = tables.at(table->storage->id()).further_indexes[index->name];
    if (loaded == nullptr) {
      loaded = table->storage->indexes().Load(
          IndexDefinitionOf(*table, index->name, index->columns, index->kind), stored.place);
    }
    index->index = loaded;
  }
  block_ids.insert(block_ids.end(), stored.place.block_ids.begin(), stored.place.block_ids.end());
  CreateIndex(catalog, transaction, index);
}

/// Declares all blocks of the file in use until the next checkpoint. Large inserts write their rows to blocks
/// before they commit, and the log only names these blocks. Until a frame has been read, its blocks look
/// free.
void RetainAllBlocks(DatabaseFile& file) {
  std::vector<uint64_t> block_ids((file.size_bytes() + kFileBlockBytes - 1) / kFileBlockBytes);
  std::iota(block_ids.begin(), block_ids.end(), uint64_t{0});
  // The first blocks are the copies of the header, which the allocator never hands out.
  block_ids.erase(block_ids.begin(), block_ids.begin() + std::min<size_t>(block_ids.size(), kHeaderCopies));
  file.allocator().RetainUntilCheckpoint(block_ids);
}

}  // namespace

void DatabaseStorage::Load(Catalog& catalog, TransactionManager& transactions, const Settings& settings) {
  // The log is connected last: what replay commits is in it already.
  if (read_only() && settings.recovery_mode != RecoveryMode::kSalvage) {
    follower_ = std::make_unique<DatabaseFollower>(
        DatabaseFollower::Place{files_, *store_, log_.path(), catalog, transactions},
        [this, &catalog, &transactions] { LoadCheckpoint(catalog, transactions); });
    Follow();
  } else {
    LoadCheckpoint(catalog, transactions);
    Replay(catalog, transactions, settings);
  }
  log_.RemoveLeftover(log_.path() + WriteAheadLog::kUnfinishedEnding);
  transactions.SetLog(&log_);
}

void DatabaseStorage::LoadCheckpoint(Catalog& catalog, TransactionManager& transactions) {
  DatabaseFile& file = store_->file();
  std::vector<uint64_t> block_ids;
  // Everything that the root refers to is collected in `block_ids`: the file stores no list of free blocks.
  const CheckpointRoot root = ReadCheckpointRoot(*store_, file.header().root, block_ids);
  const std::map<uint64_t, std::vector<std::byte>> descriptions = LoadedTables::DescriptionsOf(root);
  std::map<uint64_t, LoadedTable> tables;
  std::set<uint64_t> kept;
  const auto transaction = transactions.Begin();
  transaction->SetReplay();
  try {
    // A reader loads one checkpoint after the other.
    if (read_only()) ForgetSchemas(catalog, *transaction);
    // Entries are made in the order of their dependencies: columns use types, foreign keys and indexes need
    // tables, views read any of them.
    for (const CheckpointRoot::Schema& schema : root.schemas) {
      if (!catalog.FindSchema(*transaction, schema.name)) CreateSchema(catalog, *transaction, schema.name);
      if (!schema.comment.empty())
        SetComment(catalog, *transaction, {CommentTarget::Kind::kSchema, schema.name, "", ""},
                   schema.comment);
    }
    // A new catalog has the default schema. If the checkpoint lacks it, it was dropped. A file without a root
    // has had no checkpoint, which says nothing.
    const bool has_default = std::any_of(root.schemas.begin(), root.schemas.end(), [](const auto& schema) {
      return schema.name == Catalog::kDefaultSchema;
    });
    const std::string main = Catalog::kDefaultSchema;
    const bool is_there = catalog.FindSchema(*transaction, main) != nullptr;
    if (is_there && !file.header().root.empty() && !has_default)
      DropSchema(catalog, *transaction, main, false);
    if (!is_there && file.header().root.empty()) CreateSchema(catalog, *transaction, main);
    for (const TypeEntryRef& type : root.types) CreateType(catalog, *transaction, type);
    for (const DomainEntryRef& domain : root.domains) CreateDomain(catalog, *transaction, domain);
    for (const CheckpointRoot::Table* stored : InOrderOfMaking(root.tables)) {
      const TableDefinition& definition = stored->definition;
      const std::vector<std::byte>& description = descriptions.at(definition.table_id);
      LoadedTable& table = tables[definition.table_id];
      const LoadedTable* const before = loaded_tables_.Find(definition.table_id, description);
      // An element table reads its collection.
      const bool has_source = !definition.elements_of || kept.contains(definition.elements_of->collection_id);
      if (before != nullptr && has_source) {
        table = *before;
        kept.insert(definition.table_id);
        KeepTable(catalog, *transaction, *stored, table);
      } else {
        TableDirectory loaded = LoadTable(store_, catalog, *transaction, *stored, table);
        table.description = description;
        // Only a checkpoint asks for them, and they would keep the blocks of tables that are gone.
        if (!read_only())
          directories_[definition.table_id] = {std::move(loaded.snapshot), std::move(loaded.sample),
                                               stored->directory};
      }
      block_ids.insert(block_ids.end(), table.block_ids.begin(), table.block_ids.end());
    }
    for (const CheckpointRoot::Table& stored : root.tables)
      PutForeignKeys(catalog, *transaction, stored.definition);
    for (const CheckpointRoot::Index& stored : root.indexes)
      LoadIndex(catalog, *transaction, stored, tables, block_ids);
    for (const SequenceEntryRef& sequence : root.sequences) CreateSequence(catalog, *transaction, sequence);
    for (const ViewEntryRef& view : root.views) CreateView(catalog, *transaction, view);
    for (const FunctionEntryRef& function : root.functions) CreateFunction(catalog, *transaction, function);
  } catch (...) {
    transactions.Rollback(*transaction);
    throw;
  }
  transactions.Commit(*transaction);
  // Only readers load one checkpoint after the other.
  if (read_only()) loaded_tables_.Set(std::move(tables));
  // The ids are checked before they are marked: a damaged id could be of any size, and the marks take one bit
  // for each id below it.
  file.CheckBlockIds(block_ids);
  file.allocator().SetDurable(BlockAllocator::MarkBlocks(block_ids));
}

void DatabaseStorage::ReplayFrames(LogReader& reader, Catalog& catalog, TransactionManager& transactions,
                                   const Settings& settings) {
  // A commit is repeated as a whole. It fitted the memory once, perhaps under a higher limit than today's,
  // and must not fail now. Between commits, rows are written to the file to get below the limit again.
  const MemoryAdvance advance(store_->memory(), SIZE_MAX / 2);
  LogReplay replay(catalog, transactions, store_->memory(), log_.path());
  uint64_t written_until = 0, replayed = 0;
  bool may_write = !read_only();
  const auto write_rows = [&] {
    try {
      // Frames that are not read yet may refer to blocks that look free. So only new blocks at the end are
      // written.
      if (written_until == 0) RetainAllBlocks(store_->file());
      WriteRowsOnly(catalog, transactions, settings);
    } catch (const std::exception&) {
      // A full disk, for example, must not prevent opening: the rows stay in memory, as in a read-only
      // database.
      may_write = false;
    }
    written_until = replayed;
  };
  std::vector<std::byte> payload;
  while (reader.Next(payload)) {
    replay.Apply(payload);
    replayed += payload.size();
    if (!may_write || replayed - written_until < kLeastReplayedBytes || !KeepsMuchMemory()) continue;
    // The frame's own bytes are freed before writing, which needs memory itself.
    payload = std::vector<std::byte>();
    write_rows();
  }
  // The rows of the last frames are written as well, since statements begin with the ordinary limit.
  if (may_write && KeepsMuchMemory()) write_rows();
}

void DatabaseStorage::Replay(Catalog& catalog, TransactionManager& transactions, const Settings& settings) {
  const bool salvage = settings.recovery_mode == RecoveryMode::kSalvage;
  auto reader = LogReader::Open(files_, log_.path(),
                                salvage ? LogReader::Mode::kSalvage : LogReader::Mode::kStrict, !read_only());
  if (!reader) return;
  if (!reader->was_damaged()) {
    if (!ContinuesCheckpoint(reader->identity(), log_.path(), store_->file())) {
      // The checkpoint has everything that is in the log; a crash came between its end and the removal of the
      // log. The first frame is read before the removal: if it does not fit the log's header, the header is
      // an old one, and the frames may be newer. In strict mode Next then throws; in salvage mode the log is
      // treated as damaged below.
      std::vector<std::byte> payload;
      reader->Next(payload);
      if (!reader->was_damaged()) {
        reader.reset();
        return log_.RemoveLeftover(log_.path());
      }
    } else {
      ReplayFrames(*reader, catalog, transactions, settings);
    }
  }
  // Continuing the log would cut off its torn tail, and a read-only database changes nothing.
  if (read_only()) return;
  if (!reader->was_damaged()) {
    return log_.Continue(reader->Continue());
  }
  // The salvaged commits become durable by a checkpoint before the damaged log is renamed, so that a crash in
  // between loses none of them. The log is retained for inspection, under a name that is free.
  reader.reset();
  std::string damaged = log_.path() + ".damaged";
  for (int number = 2; files_.Exists(damaged); number++)
    damaged = log_.path() + ".damaged." + std::to_string(number);
  WriteCheckpoint(catalog, transactions, settings, {}, damaged);
}

}  // namespace scaup
