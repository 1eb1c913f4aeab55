// Writes the state of all tables to the file, and reads it back: the layout of a checkpoint.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/scan/table_sample.hpp"

namespace scaup {

/// The contents of a table's directory, but for the dictionary of a collection. Read with `store` to keep the
/// row groups.
struct TableDirectory {
  std::shared_ptr<const TableSnapshot> snapshot;
  std::vector<RowNumber> deleted;             ///< rows of the row groups, ascending
  std::shared_ptr<const TableSample> sample;  ///< null: none; its row group is stored
  AttributeStatistics attributes = {};        ///< of a collection; only where the directory was read
};
void WriteTableDirectory(const TableDirectory& directory, const Table& table, ByteWriter& writer);
/// Puts the dictionary of a collection into that of `table`.
TableDirectory ReadTableDirectory(const std::shared_ptr<BlockStore>& store, const Table& table,
                                  ByteReader& reader);

/// The contents of the root about the whole database.
struct CheckpointRoot {
  struct Table {
    TableDefinition definition;
    Extents directory;
    std::vector<IndexPlace> unique_indexes;  ///< of definition.constraints.uniques
  };
  struct Index {
    IndexEntryRef definition;
    IndexPlace place;
  };
  struct Schema {
    std::string name;
    std::string comment;
  };
  std::vector<Schema> schemas;
  std::vector<Table> tables;
  std::vector<Index> indexes;  ///< those that serve no constraint
  std::vector<SequenceEntryRef> sequences;
  std::vector<ViewEntryRef> views;
  std::vector<TypeEntryRef> types;
};
/// Follows the extents in the header. Throws Error(kIo, XX001). `block_ids`: gets the blocks that the root
/// itself lies in.
CheckpointRoot ReadCheckpointRoot(BlockStore& store, const Extents& root, std::vector<uint64_t>& block_ids);

/// Writes one checkpoint, step by step: first what others refer to. One thread; nothing durable before the
/// caller switches the file to `root()`.
class CheckpointWriter {
 public:
  CheckpointWriter(std::shared_ptr<BlockStore> store, std::optional<Encoding> forced);
  ~CheckpointWriter();

  /// Which rows of a table, as who sees them: see CompactVersions. Borrowed.
  struct TableRows {
    const TableSnapshot& snapshot;
    const std::shared_ptr<const TableVersions>& versions;
    const ReadView& reader;
  };
  /// Row groups that are in memory, or `rewrite` wants anew, are written one after the other; the others
  /// stay. What they become is in `target` once FinishRows is called; it stays where it is until then.
  void AddRows(const TableRows& rows, TableSnapshot& target, const TableLayout& layout,
               const std::function<bool(const RowGroup&)>& rewrite);
  /// Adds a sample (null: none). It is in its place once FinishRows is called.
  void AddSample(std::shared_ptr<const TableSample>& sample, const TableLayout& layout,
                 const std::function<bool(const RowGroup&)>& rewrite);
  void FinishRows();

  /// Writes what has changed in an index: see IndexCheckpoint. The place is known after FinishIndexes; once
  /// the file has been switched, InstallIndexes.
  size_t AddIndex(OrderedIndex& index, std::function<bool(uint64_t)> is_committed,
                  const std::function<bool(uint64_t)>& leaves_block);
  void FinishIndexes();
  const IndexPlace& IndexPlaceOf(size_t index) const { return index_places_[index]; }
  void InstallIndexes() noexcept;

  /// Directories of tables; the place of each is known after FinishDirectories.
  size_t AddDirectory(const TableDirectory& directory, const Table& table);
  void FinishDirectories();
  Extents DirectoryPlace(size_t index) const;

  /// The root, which refers to all directories. Returns what goes into the header.
  Extents WriteRoot(const CheckpointRoot& root);
  /// Blocks of directories and of the root.
  const std::vector<std::shared_ptr<const WrittenBlock>>& blocks() const { return blocks_; }

 private:
  /// Replaces a small row group in its table's list once it is stored. Small row groups share blocks.
  using SmallRowGroup = std::function<void(std::shared_ptr<const RowGroup>)>;
  class LargeRowGroups;
  void AddSmall(TableSnapshot& target, std::shared_ptr<const RowGroup> row_group, const TableLayout& layout);
  std::shared_ptr<BlockStore> store_;
  std::optional<Encoding> forced_;
  std::unique_ptr<class RowGroupWriter> small_;
  std::vector<SmallRowGroup> small_places_;
  std::unique_ptr<class StreamWriter> index_parts_;
  std::unique_ptr<class StreamWriter> index_directories_;
  std::vector<std::unique_ptr<class IndexCheckpoint>> indexes_;
  std::vector<IndexPlace> index_places_;
  std::unique_ptr<class StreamWriter> directories_;
  std::vector<std::pair<uint64_t, uint64_t>> directory_places_;
  std::vector<std::shared_ptr<const WrittenBlock>> blocks_;
};

}  // namespace scaup
