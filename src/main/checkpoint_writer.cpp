// The layout of a checkpoint: rows, then the directories of tables, then the root.
#include "main/checkpoint_writer.hpp"

#include "storage/table/row_group_joining.hpp"
#include "storage/table/row_group_writer.hpp"

namespace scaup {

namespace {

// What begins the bytes that the header refers to.
constexpr uint8_t kCatalogRoot = 1;
constexpr uint8_t kMoreExtents = 2;  // The root's place is too long for the header: it stands here.

/// Each step refers to thousands of times more bytes than the one before it.
constexpr int kMostRootDepth = 4;

}  // namespace

void WriteTableDirectory(const TableSnapshot& snapshot, const std::vector<LogicalType>& types,
                         ByteWriter& writer) {
  writer.WriteVarint(snapshot.row_groups.size());
  for (const auto& row_group : snapshot.row_groups) {
    static_cast<const StoredRowGroup&>(*row_group).pointer().Write(writer);
  }
  for (size_t i = 0; i < types.size(); i++) snapshot.statistics[i].Write(PhysicalTypeOf(types[i]), writer);
}

std::shared_ptr<const TableSnapshot> ReadTableDirectory(const std::shared_ptr<BlockStore>& store,
                                                        const std::vector<LogicalType>& types,
                                                        ByteReader& reader) {
  auto snapshot = std::make_shared<TableSnapshot>();
  const size_t row_group_count = reader.ReadCount("row groups of a table", kExtentBytes);
  for (size_t i = 0; i < row_group_count; i++) {
    auto row_group =
        std::make_shared<const StoredRowGroup>(store, types, StoredRowGroupPointer::Read(reader));
    snapshot->row_count += row_group->row_count();
    snapshot->row_groups.push_back(std::move(row_group));
  }
  for (const LogicalType& type : types) {
    snapshot->statistics.push_back(ColumnStatistics::Read(PhysicalTypeOf(type), reader));
  }
  reader.ExpectEnd("directory of a table");
  return snapshot;
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
    root.schemas.resize(reader.ReadCount("schemas", 1));
    for (std::string& schema : root.schemas) schema = reader.ReadString("name of a schema");
    root.tables.resize(reader.ReadCount("tables", 8));
    for (CheckpointRoot::Table& table : root.tables) {
      table.definition = ReadTableDefinition(reader);
      table.directory = ReadExtents(reader);
    }
    reader.ExpectEnd("root");
    break;
  }
  return root;
}

CheckpointWriter::CheckpointWriter(std::shared_ptr<BlockStore> store, std::optional<Encoding> forced)
    : store_(std::move(store)), forced_(forced) {}

CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::AddRows(const RowGroupList& row_groups, const std::vector<LogicalType>& types,
                               const std::function<bool(const RowGroup&)>& rewrite, RowGroupList& result) {
  result = JoinSmallRowGroups(row_groups, types, store_->memory(), true);
  if (!small_) small_ = std::make_unique<RowGroupWriter>(store_, 0, forced_);
  RowGroupWriter large(store_, types.size(), forced_);
  std::vector<size_t> large_places;
  for (size_t i = 0; i < result.size(); i++) {
    if (result[i]->is_stored() && !rewrite(*result[i])) continue;
    if (RowGroupWriter::IsLarge(*result[i])) {
      large.Add(*result[i], types);
      large_places.push_back(i);
    } else {
      small_->Add(*result[i], types);
      small_places_.push_back({&result, i});
    }
  }
  const auto stored = large.Finish();
  for (size_t i = 0; i < stored.size(); i++) result[large_places[i]] = stored[i];
}

void CheckpointWriter::FinishRows() {
  if (!small_) return;
  const auto stored = small_->Finish();
  for (size_t i = 0; i < stored.size(); i++) (*small_places_[i].target)[small_places_[i].index] = stored[i];
  small_.reset();
}

size_t CheckpointWriter::AddDirectory(const TableSnapshot& snapshot, const std::vector<LogicalType>& types) {
  if (!directories_)
    directories_ = std::make_unique<StreamWriter>(store_->file(), store_->memory(), 1, false);
  ByteWriter writer;
  WriteTableDirectory(snapshot, types, writer);
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
  writer.WriteU8(kCatalogRoot);
  writer.WriteVarint(root.schemas.size());
  for (const std::string& schema : root.schemas) writer.WriteString(schema);
  writer.WriteVarint(root.tables.size());
  for (const CheckpointRoot::Table& table : root.tables) {
    WriteTableDefinition(table.definition, writer);
    WriteExtents(table.directory, writer);
  }
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
