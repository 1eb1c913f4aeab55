// The layout of a checkpoint: rows, then the directories of tables, then the root.
#include "main/database/checkpoint_writer.hpp"

#include "catalog/function_changes.hpp"
#include "document/attribute_census.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/index/index_checkpoint.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/shredded/segment_encodings.hpp"
#include "storage/table/table_documents.hpp"

namespace scaup {

namespace {

// Kinds of root, the first byte of the run that the header refers to.
constexpr uint8_t kCatalogRoot = 1;
// The root has more extents than fit the header. This run lists them instead.
constexpr uint8_t kMoreExtents = 2;

/// Most lists of extents between the header and the root. Each list refers to thousands of times as many
/// bytes as it has, so a longer chain can only be damage that forms a cycle.
constexpr int kMostRootDepth = 4;

/// Writes ascending row numbers as runs: the number of runs, then for each the gap before it and its length.
/// Deletes often hit neighbouring rows, so runs are far shorter than a list.
void WriteRowRuns(const std::vector<RowNumber>& rows, ByteWriter& writer) {
  std::vector<std::pair<RowNumber, uint64_t>> runs;
  for (const RowNumber row : rows) {
    if (!runs.empty() && runs.back().first + runs.back().second == row) {
      runs.back().second++;
    } else {
      runs.emplace_back(row, 1);
    }
  }
  writer.WriteVarint(runs.size());
  RowNumber end = 0;
  for (const auto& [begin, length] : runs) {
    writer.WriteVarint(begin - end);
    writer.WriteVarint(length);
    end = begin + length;
  }
}

/// Reads row numbers below `end_row`, at most `most` of them.
std::vector<RowNumber> ReadRowRuns(RowNumber end_row, uint64_t most, ByteReader& reader) {
  std::vector<RowNumber> rows;
  const size_t run_count = reader.ReadCount("deleted rows", 2);
  RowNumber next = 0;
  for (size_t i = 0; i < run_count; i++) {
    const uint64_t gap = reader.ReadVarint("deleted rows");
    const uint64_t length = reader.ReadVarint("deleted rows");
    // The bounds are checked before any row is appended: a damaged length must not exhaust the memory. The
    // subtractions cannot overflow, since next <= end_row.
    if (gap > end_row - next || length > end_row - next - gap || length > most - rows.size())
      reader.Fail("deleted rows", "there are not so many rows");
    next += gap;
    for (uint64_t k = 0; k < length; k++) rows.push_back(next++);
  }
  return rows;
}

}  // namespace

void WriteTableDirectory(const TableDirectory& directory, const Table& table, ByteWriter& writer) {
  const std::vector<LogicalType>& types = table.types();
  const TableSnapshot& snapshot = *directory.snapshot;
  writer.WriteVarint(snapshot.next_row);
  writer.WriteVarint(snapshot.row_groups.size());
  for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
    writer.WriteVarint(snapshot.first_rows[i]);
    static_cast<const StoredRowGroup&>(*snapshot.row_groups[i]).pointer().Write(writer);
  }
  WriteRowRuns(directory.deleted, writer);
  for (size_t i = 0; i < types.size(); i++) snapshot.statistics[i].Write(PhysicalTypeOf(types[i]), writer);
  writer.WriteBool(directory.sample != nullptr);
  if (directory.sample) {
    writer.WriteVarint(directory.sample->next_row);
    writer.WriteVarint(directory.sample->row_count);
    static_cast<const StoredRowGroup&>(*directory.sample->row_group()).pointer().Write(writer);
  }
  if (!table.attributes()) return;
  // The dictionary precedes the statistics and the census: both refer to attributes by their ids in it.
  table.attributes()->Write(0, 0, writer);
  table.documents()->WriteStatistics(writer);
  snapshot.attributes->Write(writer);
}

TableDirectory ReadTableDirectory(const std::shared_ptr<BlockStore>& store, const Table& table,
                                  ByteReader& reader) {
  const std::vector<LogicalType>& types = table.types();
  auto snapshot = std::make_shared<TableSnapshot>();
  const RowNumber next_row = reader.ReadVarint("next row of a table");
  const size_t row_group_count = reader.ReadCount("row groups of a table", kExtentBytes);
  for (size_t i = 0; i < row_group_count; i++) {
    const RowNumber first_row = reader.ReadVarint("first row of a row group");
    auto row_group = std::make_shared<const StoredRowGroup>(store, types, StoredRowGroupPointer::Read(reader),
                                                            &LoadSegment);
    const RowNumber end_row = first_row + row_group->row_count();
    // Row numbers are found by binary search over first rows, so row groups that overlap or descend would
    // silently give wrong rows. The second comparison detects overflow.
    if (first_row < snapshot->next_row || end_row < first_row || end_row > next_row)
      reader.Fail("first row of a row group", "its rows are among those of others, or past the table's end");
    snapshot->next_row = first_row;
    snapshot->Append(std::move(row_group));
  }
  snapshot->next_row = next_row;
  std::vector<RowNumber> deleted = ReadRowRuns(next_row, snapshot->row_count, reader);
  snapshot->deleted_count = deleted.size();
  for (const LogicalType& type : types) {
    snapshot->statistics.push_back(ColumnStatistics::Read(PhysicalTypeOf(type), reader));
  }
  std::shared_ptr<const TableSample> sample;
  if (reader.ReadBool("sample of a table")) {
    const RowNumber sampled_row = reader.ReadVarint("sample of a table");
    const uint64_t row_count = reader.ReadVarint("sample of a table");
    if (sampled_row > next_row) reader.Fail("sample of a table", "it is of rows that there never were");
    sample = std::make_shared<const TableSample>(
        std::make_shared<const StoredRowGroup>(store, types, StoredRowGroupPointer::Read(reader),
                                               &LoadSegment),
        sampled_row, row_count);
  }
  AttributeStatistics attributes;
  if (table.attributes()) {
    table.attributes()->Read(reader);
    attributes = AttributeStatistics::Read(*table.attributes(), reader);
    snapshot->attributes = AttributeCensus::Read(*table.attributes(), reader);
  }
  reader.ExpectEnd("directory of a table");
  return {std::move(snapshot), std::move(deleted), std::move(sample), std::move(attributes)};
}

CheckpointRoot ReadCheckpointRoot(BlockStore& store, const Extents& place, std::vector<uint64_t>& block_ids) {
  CheckpointRoot root;
  Extents extents = place;
  for (int depth = 0; !extents.empty(); depth++) {
    uint64_t size_bytes = 0;
    for (const Extent& extent : extents) {
      block_ids.push_back(extent.block.block_id);
      size_bytes += extent.size_bytes;
    }
    const auto bytes = store.Read(extents, 0, size_bytes);
    ByteReader reader(bytes, store.file().path());
    const uint8_t kind = reader.ReadU8("kind of root");
    if (kind == kMoreExtents) {
      if (depth == kMostRootDepth) reader.Fail("kind of root", "it refers to itself");
      extents = ReadExtents(reader);
      continue;
    }
    if (kind != kCatalogRoot) reader.Fail("kind of root", "there is no such kind");
    root.schemas.resize(reader.ReadCount("schemas", 2));
    for (CheckpointRoot::Schema& schema : root.schemas) {
      schema.name = reader.ReadString("name of a schema");
      schema.comment = reader.ReadString("comment");
    }
    // The second argument of ReadCount is the least size of one item. A damaged count is thus refused before
    // it allocates more than the run could describe.
    root.tables.resize(reader.ReadCount("tables", 9));
    for (CheckpointRoot::Table& table : root.tables) {
      table.definition = ReadTableDefinition(reader);
      table.directory = ReadExtents(reader);
      for (size_t i = 0; i < table.definition.constraints.uniques.size(); i++)
        table.unique_indexes.push_back(IndexPlace::Read(reader));
    }
    root.indexes.resize(reader.ReadCount("indexes", 6));
    for (CheckpointRoot::Index& index : root.indexes) {
      index.definition = ReadIndexDefinition(reader);
      index.place = IndexPlace::Read(reader);
    }
    root.sequences.resize(reader.ReadCount("sequences", 56));
    for (SequenceEntryRef& sequence : root.sequences) sequence = ReadSequenceDefinition(reader);
    root.views.resize(reader.ReadCount("views", 6));
    for (ViewEntryRef& view : root.views) view = ReadViewDefinition(reader);
    root.types.resize(reader.ReadCount("types", 9));
    for (TypeEntryRef& type : root.types) type = ReadTypeDefinition(reader);
    root.domains.resize(reader.ReadCount("domains", 9));
    for (DomainEntryRef& domain : root.domains) domain = ReadDomainDefinition(reader);
    root.functions.resize(reader.ReadCount("functions", 9));
    for (FunctionEntryRef& function : root.functions) function = ReadFunctionDefinition(reader);
    reader.ExpectEnd("root");
    break;
  }
  return root;
}

CheckpointWriter::CheckpointWriter(std::shared_ptr<BlockStore> store, std::optional<Encoding> forced)
    : store_(std::move(store)), forced_(forced) {}

CheckpointWriter::~CheckpointWriter() = default;

/// Writes the large row groups of one table, each column to blocks of its own. Used by one thread. Borrows
/// the writer, the target list and the layout.
class CheckpointWriter::LargeRowGroups {
 public:
  LargeRowGroups(CheckpointWriter& writer, RowGroupList& target, const TableLayout& layout)
      : writer_(writer), target_(target), layout_(layout) {}

  /// Adds a row group that goes to position `place` of the target.
  void Add(const RowGroup& row_group, size_t place, bool all_columns) {
    if (!large_)
      large_ = std::make_unique<RowGroupWriter>(writer_.store_, layout_.types.size(), writer_.forced_);
    large_->Add(row_group, layout_, all_columns);
    places_.push_back(place);
    // The writer retains metadata of its row groups until Finish. Ending it early bounds that memory, at the
    // price of a partly filled block per column.
    if (large_->pending_bytes() > MostHeapBytes(writer_.store_->memory())) Finish();
  }
  void Finish() {
    if (!large_) return;
    const auto stored = large_->Finish();
    for (size_t i = 0; i < stored.size(); i++) target_[places_[i]] = stored[i];
    places_.clear();
    large_.reset();
  }

 private:
  CheckpointWriter& writer_;
  RowGroupList& target_;
  const TableLayout& layout_;
  std::unique_ptr<RowGroupWriter> large_;
  std::vector<size_t> places_;
};

void CheckpointWriter::AddSmall(TableSnapshot& target, std::shared_ptr<const RowGroup> row_group,
                                const TableLayout& layout) {
  // Small row groups of all tables share one writer, and so share blocks. With a writer per table, each small
  // table would take whole blocks. Their places are filled by FinishRows, when the shared writer ends.
  const size_t place = target.row_groups.size() - 1;
  if (!small_) small_ = std::make_unique<RowGroupWriter>(store_, 0, forced_);
  small_->Add(*row_group, layout);
  RowGroupList& list = target.row_groups;
  small_places_.push_back([&list, place](auto stored) { list[place] = std::move(stored); });
}

void CheckpointWriter::AddRows(const TableRows& rows, TableSnapshot& target, const TableLayout& layout,
                               const std::function<bool(const RowGroup&)>& rewrite) {
  MemoryTracker& memory = store_->memory();
  LargeRowGroups large(*this, target.row_groups, layout);
  const auto write = [&](std::shared_ptr<const RowGroup> row_group) {
    target.Append(row_group);
    if (row_group->is_stored() && !rewrite(*row_group)) return;
    // The reference in the target is dropped now, so that the rows in memory can be freed as soon as they are
    // written.
    target.row_groups.back() = nullptr;
    if (!RowGroupWriter::IsLarge(*row_group, layout.types.size(), memory))
      return AddSmall(target, std::move(row_group), layout);
    // A partly stored row group has some columns in the file already. All of them are written only if their
    // blocks have to be vacated.
    const auto* partly = dynamic_cast<const PartlyStoredRowGroup*>(row_group.get());
    large.Add(*row_group, target.row_groups.size() - 1, partly != nullptr && rewrite(partly->base()));
  };
  // A row group that was written under a higher memory limit may be too large to be read as a whole now, so
  // it is split first.
  const auto write_parts = [&](std::shared_ptr<const RowGroup> row_group) {
    const auto* stored = dynamic_cast<const StoredRowGroup*>(row_group.get());
    const size_t most_bytes = MostRowGroupBytes(memory) / 4;
    if (stored == nullptr || stored->pointer().block_ids.size() * kFileBlockBytes <= most_bytes ||
        !rewrite(*stored)) {
      return write(std::move(row_group));
    }
    // The joiner hands over rows as the reader sees them. So there are no versions left to apply.
    const auto no_versions = std::make_shared<TableVersions>(memory, 0);
    RowGroupCompactor(no_versions, rows.reader, layout.types, memory)
        .Split(*stored, 0, [&](CompactedPart part) { write(std::move(part.row_group)); });
  };
  // Small commits leave small row groups. Joining them bounds the number of row groups, and
  // with it the cost of scans and the size of the directory.
  RowGroupJoiner joiner(layout.types, memory, true, write_parts);
  target.statistics = rows.snapshot.statistics;
  target.attributes = rows.snapshot.attributes;
  RowNumber next_row = 0;
  target.deleted_count = CompactVersions(rows.snapshot, rows.versions, rows.reader, layout.types, memory,
                                         [&](CompactedPart part) {
                                           // Only adjacent row numbers can be joined, as a row group numbers
                                           // its rows without gaps.
                                           if (part.first_row != next_row) {
                                             joiner.Finish();
                                             target.next_row = part.first_row;
                                           }
                                           next_row = part.first_row + part.row_group->row_count();
                                           joiner.Add(std::move(part.row_group));
                                         });
  joiner.Finish();
  // Row numbers of deleted rows at the end are not used again: indexes may still have entries for them, which
  // older readers need.
  target.next_row = rows.snapshot.next_row;
  large.Finish();
}

void CheckpointWriter::FinishRows() {
  if (!small_) return;
  const auto stored = small_->Finish();
  for (size_t i = 0; i < stored.size(); i++) small_places_[i](stored[i]);
  small_.reset();
}

void CheckpointWriter::AddSample(std::shared_ptr<const TableSample>& sample, const TableLayout& layout,
                                 const std::function<bool(const RowGroup&)>& rewrite) {
  if (!sample || (sample->row_group()->is_stored() && !rewrite(*sample->row_group()))) return;
  if (!small_) small_ = std::make_unique<RowGroupWriter>(store_, 0, forced_);
  small_->Add(*sample->row_group(), layout);
  // The file has the sampled rows, so that plans are the same after a restart.
  small_places_.push_back([&sample](auto row_group) {
    sample = std::make_shared<const TableSample>(std::move(row_group), sample->next_row, sample->row_count);
  });
}

size_t CheckpointWriter::AddIndex(OrderedIndex& index, std::function<bool(uint64_t)> is_committed,
                                  const std::function<bool(uint64_t)>& leaves_block) {
  if (!index_parts_)
    index_parts_ = std::make_unique<StreamWriter>(store_->file(), store_->memory(), 1, false);
  indexes_.push_back(std::make_unique<IndexCheckpoint>(index, std::move(is_committed)));
  indexes_.back()->WriteParts(*index_parts_, 0, leaves_block);
  return indexes_.size() - 1;
}

void CheckpointWriter::FinishIndexes() {
  if (!index_parts_) return;
  // Parts are finished first, since directories refer to their locations. Directories of all indexes share
  // one stream, so that small indexes share blocks.
  index_parts_->Finish();
  index_directories_ = std::make_unique<StreamWriter>(store_->file(), store_->memory(), 1, false);
  for (const auto& index : indexes_) index->WriteDirectory(*index_parts_, *index_directories_);
  index_directories_->Finish();
  for (const auto& index : indexes_) index_places_.push_back(index->Finish(*index_directories_));
}

// Called once the file has been switched: before, a crash would leave the file with the old locations.
void CheckpointWriter::InstallIndexes() noexcept {
  for (const auto& index : indexes_) index->Install();
}

size_t CheckpointWriter::AddDirectory(const TableDirectory& directory, const Table& table) {
  if (!directories_)
    directories_ = std::make_unique<StreamWriter>(store_->file(), store_->memory(), 1, false);
  ByteWriter writer;
  WriteTableDirectory(directory, table, writer);
  directory_places_.emplace_back(directories_->Append(0, writer.bytes()), writer.size());
  return directory_places_.size() - 1;
}

void CheckpointWriter::FinishDirectories() {
  if (!directories_) return;
  directories_->Finish();
  for (const auto& block : directories_->blocks()) blocks_.push_back(block);
}

Extents CheckpointWriter::DirectoryPlace(size_t index) const {
  return directories_->Locate(0, directory_places_[index].first, directory_places_[index].second);
}

Extents CheckpointWriter::WriteRoot(const CheckpointRoot& root) {
  ByteWriter writer;
  // Tables precede indexes, as loading an index needs the storage of its table.
  writer.WriteU8(kCatalogRoot);
  writer.WriteVarint(root.schemas.size());
  for (const CheckpointRoot::Schema& schema : root.schemas) {
    writer.WriteString(schema.name);
    writer.WriteString(schema.comment);
  }
  writer.WriteVarint(root.tables.size());
  for (const CheckpointRoot::Table& table : root.tables) {
    WriteTableDefinition(table.definition, writer);
    WriteExtents(table.directory, writer);
    for (const IndexPlace& index : table.unique_indexes) index.Write(writer);
  }
  writer.WriteVarint(root.indexes.size());
  for (const CheckpointRoot::Index& index : root.indexes) {
    WriteIndexDefinition(*index.definition, writer);
    index.place.Write(writer);
  }
  writer.WriteVarint(root.sequences.size());
  for (const SequenceEntryRef& sequence : root.sequences) WriteSequenceDefinition(*sequence, writer);
  writer.WriteVarint(root.views.size());
  for (const ViewEntryRef& view : root.views) WriteViewDefinition(*view, writer);
  writer.WriteVarint(root.types.size());
  for (const TypeEntryRef& type : root.types) WriteTypeDefinition(*type, writer);
  writer.WriteVarint(root.domains.size());
  for (const DomainEntryRef& domain : root.domains) WriteDomainDefinition(*domain, writer);
  writer.WriteVarint(root.functions.size());
  for (const FunctionEntryRef& function : root.functions) WriteFunctionDefinition(*function, writer);
  // The header has space for few extents. If the root has more, a list of them is written and becomes the
  // root, until one list fits.
  while (true) {
    StreamWriter stream(store_->file(), store_->memory(), 1, false);
    stream.Append(0, writer.bytes());
    stream.Finish();
    for (const auto& block : stream.blocks()) blocks_.push_back(block);
    const Extents place = stream.Locate(0, 0, writer.size());
    if (place.size() <= kMostRootExtents) return place;
    writer.Clear();
    writer.WriteU8(kMoreExtents);
    WriteExtents(place, writer);
  }
}

}  // namespace scaup
