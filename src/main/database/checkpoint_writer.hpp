// Writes the state of all tables to the file, and reads it back: the layout of a checkpoint.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/function_entry.hpp"
#include "catalog/table_definition.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/index/index_place.hpp"
#include "storage/scan/table_sample.hpp"
#include "storage/shredded/attribute_statistics.hpp"

namespace scaup {

/// The contents of a table's directory, without the dictionary of a collection. A value without owner; the
/// row groups of a directory that was read refer to the store.
struct TableDirectory {
  std::shared_ptr<const TableSnapshot> snapshot;
  std::vector<RowNumber> deleted;             ///< rows of the row groups, ascending
  std::shared_ptr<const TableSample> sample;  ///< null: none; its row group is stored
  AttributeStatistics attributes = {};        ///< of a collection; only where the directory was read
};
void WriteTableDirectory(const TableDirectory& directory, const Table& table, ByteWriter& writer);
/// Reads a directory. Fills the dictionary of `table` if that is a collection. Throws Error(kIo, XX001).
TableDirectory ReadTableDirectory(const std::shared_ptr<BlockStore>& store, const Table& table,
                                  ByteReader& reader);

/// The contents of the root: the catalog, with the location of each table's directory and of each index. A
/// value; used by one thread.
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
  std::vector<Index> indexes;  ///< indexes that serve no constraint
  std::vector<SequenceEntryRef> sequences;
  std::vector<ViewEntryRef> views;
  std::vector<TypeEntryRef> types;
  std::vector<DomainEntryRef> domains;
  std::vector<FunctionEntryRef> functions;
};
/// Reads the root from the extents in the header. Throws Error(kIo, XX001). Adds the blocks of the root
/// itself to `block_ids`.
CheckpointRoot ReadCheckpointRoot(BlockStore& store, const Extents& root, std::vector<uint64_t>& block_ids);

/// Writes one checkpoint bottom-up: rows, indexes, directories, root, so that each step knows the locations
/// of what it refers to. Used by one thread, and owned by the checkpoint. Nothing that it writes counts
/// before the caller switches the file to the root; if it is destroyed before, its blocks are free again.
class CheckpointWriter {
 public:
  CheckpointWriter(std::shared_ptr<BlockStore> store, std::optional<Encoding> forced);
  ~CheckpointWriter();

  /// The rows of a table as `reader` sees them; see CompactVersions. Borrowed.
  struct TableRows {
    const TableSnapshot& snapshot;
    const std::shared_ptr<const TableVersions>& versions;
    const ReadView& reader;
  };
  /// Adds rows. Writes row groups that are in memory and those for which `rewrite` returns true; the others
  /// stay where they are. `target` is complete after FinishRows, and must not move before.
  void AddRows(const TableRows& rows, TableSnapshot& target, const TableLayout& layout,
               const std::function<bool(const RowGroup&)>& rewrite);
  /// Adds a sample, which may be null. `sample` is replaced by FinishRows.
  void AddSample(std::shared_ptr<const TableSample>& sample, const TableLayout& layout,
                 const std::function<bool(const RowGroup&)>& rewrite);
  void FinishRows();

  /// Writes what has changed in an index; see IndexCheckpoint. Returns a number for IndexPlaceOf, which is
  /// valid after FinishIndexes. InstallIndexes must follow once the file has been switched.
  size_t AddIndex(OrderedIndex& index, std::function<bool(uint64_t)> is_committed,
                  const std::function<bool(uint64_t)>& leaves_block);
  void FinishIndexes();
  const IndexPlace& IndexPlaceOf(size_t index) const { return index_places_[index]; }
  void InstallIndexes() noexcept;

  /// Writes the directory of a table. Returns a number for DirectoryPlace, which is valid after
  /// FinishDirectories.
  size_t AddDirectory(const TableDirectory& directory, const Table& table);
  void FinishDirectories();
  Extents DirectoryPlace(size_t index) const;

  /// Writes the root. Returns its extents, which go into the header.
  Extents WriteRoot(const CheckpointRoot& root);
  /// Returns the blocks of directories and of the root.
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
