// Checks blocks, values, zone maps and counts of all tables.
#include "main/database/integrity_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "catalog/catalog_dependencies.hpp"
#include "document/attribute_census.hpp"
#include "scaup/error.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/row_group/stored_row_group.hpp"
#include "storage/scan/table_sample.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/shredded/attribute_counts.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_sampler.hpp"
#include "storage/table_index/unique_check.hpp"

namespace scaup {

namespace {

/// One run of the check. Collects problems instead of throwing at the first one, so that the user sees the
/// whole damage. Used by one thread.
class IntegrityCheck {
 public:
  std::vector<std::string> problems;

  void CheckTable(const TableEntry& table, const TableSnapshot& snapshot) {
    name_ = fmt::format("table \"{}\".\"{}\"", table.schema, table.name);
    uint64_t row_count = 0;
    for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
      const RowGroup& row_group = *snapshot.row_groups[i];
      row_count += row_group.row_count();
      // The cache may have intact copies of blocks that are damaged on disk, so checksums are tested by
      // reading the file itself.
      if (row_group.is_stored())
        CheckBlocks(*table.storage->store(), static_cast<const StoredRowGroup&>(row_group));
      for (size_t column = 0; column < table.columns.size(); column++) {
        Try([&] { CheckColumn(row_group, i, column, table.columns[column]); });
      }
    }
    if (const auto sample = table.storage->sampler().Sample(); sample && sample->row_group()->is_stored())
      CheckBlocks(*table.storage->store(), static_cast<const StoredRowGroup&>(*sample->row_group()));
    if (row_count == snapshot.row_count) return;
    problems.push_back(fmt::format("{} should have {} rows, but its row groups have {}", name_,
                                   snapshot.row_count, row_count));
  }

  /// Checks that every row that the transaction sees has its entry, that every entry belongs to a row that
  /// exists or existed, and that no two rows share a key of a unique index.
  void CheckIndex(const TableEntry& table, const TableIndex& index, const Transaction& transaction) {
    name_ = fmt::format("index \"{}\" of table \"{}\".\"{}\"", index.name(), table.schema, table.name);
    // An index that was made after the transaction began lacks older versions of rows, which is no damage.
    if (!index.IsWholeFor(transaction.view())) return;
    Try([&] {
      CheckRowsInIndex(*table.storage, index, transaction);
      CheckEntries(*table.storage, index);
    });
  }

  /// Checks that the census of a collection counts the documents that the transaction sees. The census has
  /// committed documents only, so the transaction's own are not counted.
  void CheckCensus(const TableEntry& collection, const Transaction& transaction) {
    name_ = fmt::format("collection \"{}\".\"{}\"", collection.schema, collection.name);
    Try([&] {
      const Table& table = *collection.storage;
      const AttributeCensus& census = *table.snapshots().SeenBy(transaction)->attributes;
      const AttributeCounts counts = CountAttributes(table.View(ReadView{transaction.start_timestamp(), 0}),
                                                     table.layout(), KernelsOf(BestKernelLevel()), [] {});
      uint64_t different = 0;
      for (AttributeId id = 0; id < counts.attributes.size(); id++)
        different += counts.attributes[id].documents != census[id].documents;
      if (different != 0)
        problems.push_back(
            fmt::format("{}: documents with {} attributes are not as many as counted", name_, different));
    });
  }

 private:
  void CheckRowsInIndex(const Table& table, const TableIndex& index, const Transaction& transaction) {
    TableScanSpecification specification{index.columns(), {}};
    specification.columns.push_back(kRowNumberColumn);
    std::vector<LogicalType> types = index.row_types();
    types.push_back(LogicalType(TypeId::kBigInt));
    TableScan scan(table.UnloggedView(transaction), table.types(), specification,
                   KernelsOf(BestKernelLevel()), kBlocksPerRowGroup);
    TableScan::Position position;
    DataChunk chunk(types), columns(index.row_types());
    RowKeys keys(table.memory());
    uint64_t missing = 0, shared = 0;
    std::vector<uint64_t> values;
    for (; scan.Next(position, chunk); chunk.Release()) {
      const size_t count = chunk.size();
      if (count == 0) continue;
      for (size_t i = 0; i < columns.column_count(); i++) columns.column(i).Reference(chunk.column(i));
      index.EncodeRows(columns, count, keys);
      const auto numbers = chunk.column(columns.column_count()).ViewAs<int64_t>(count);
      for (size_t i = 0; i < count; i++) {
        const auto row = static_cast<RowNumber>(numbers[i]);
        // Rows that the transaction has inserted get their numbers, and lasting index entries, only at the
        // commit.
        if (IsLocalRow(row)) continue;
        bool has_entries = true;
        for (size_t k = keys.begin(i); k < keys.end(i); k++) {
          values.clear();
          index.tree().Lookup(keys[k], values);
          has_entries = has_entries && std::find(values.begin(), values.end(), row) != values.end();
          // NULLs are distinct in a unique index. A key may have entries of deleted rows as well, so the
          // holders are tested for visibility.
          if (!index.is_unique() || keys.has_null(k) || values.size() < 2) continue;
          KeyHolderTest holders = table.indexes().HoldersSeenBy(transaction, index);
          for (const uint64_t value : values) {
            const bool is_other = value != row && !IndexValue::IsLocal(value);
            if (is_other && holders.Test(keys[k], value) == KeyHolderTest::Holder::kVisible) shared++;
          }
        }
        missing += !has_entries;
      }
    }
    if (missing != 0) problems.push_back(fmt::format("{}: {} rows have no entry", name_, missing));
    if (shared != 0) problems.push_back(fmt::format("{}: {} rows have the key of another", name_, shared));
  }

  void CheckEntries(const Table& table, const TableIndex& index) {
    OrderedIndexScan scan(index.tree(), {}, false);
    uint64_t unknown = 0;
    for (IndexBatch batch; scan.Next(kVectorSize, false, batch);) {
      // The snapshot is taken for each batch: commits during the check add entries of new rows.
      const RowNumber next_row = table.snapshots().Newest()->next_row;
      for (const uint64_t value : batch.values) unknown += !IndexValue::IsLocal(value) && value >= next_row;
    }
    // A commit in progress may have numbered its rows and put them into the index before it publishes them.
    // So an index with changes is not judged.
    if (unknown != 0 && !index.HasChanges())
      problems.push_back(fmt::format("{}: {} entries are of no row", name_, unknown));
  }

  template <typename Body>
  void Try(Body&& body) {
    try {
      body();
    } catch (const Error& error) {
      // Only errors of the file are findings. An interrupt or a lack of memory ends the check.
      if (error.kind() != ErrorKind::kIo) throw;
      problems.push_back(fmt::format("{}: {}", name_, error.message()));
    }
  }

  /// Checks the checksums of all blocks that a row group needs.
  void CheckBlocks(BlockStore& store, const StoredRowGroup& row_group) {
    const auto check = [&](const Extents& extents) {
      for (const Extent& extent : extents) {
        // Row groups share blocks; each block is read once.
        if (!checked_.insert(extent.block.block_id).second) continue;
        buffer_.resize(kFileBlockBytes);
        Try([&] { store.file().ReadBlock(extent.block, buffer_.data()); });
      }
    };
    check(row_group.pointer().metadata);
    for (size_t column = 0; column < row_group.column_count(); column++) {
      Try([&] { check(row_group.column(column)->extents()); });
    }
  }

  void CheckColumn(const RowGroup& row_group, size_t row_group_index, size_t column,
                   const ColumnDefinition& definition) {
    const auto reader = row_group.column(column)->MakeReader(KernelsOf(BestKernelLevel()));
    const PhysicalType type = PhysicalTypeOf(definition.type);
    for (size_t block = 0; block < row_group.block_count(); block++) {
      const size_t count = row_group.BlockRows(block);
      Vector values(definition.type);
      reader->Read(block, count, values);
      values.Flatten(count);
      const ZoneMap found = ComputeZoneMap(type, values.Data<std::byte>(), values.Validity(), count);
      // Bounds may be wider than the values, as for prefixes of strings. They fit if merging the values into
      // them does not widen them.
      ZoneMap merged = reader->segment().block_zone(block);
      const ZoneMap stated = merged;
      merged.Merge(found, type);
      const bool fits = found.null_count == stated.null_count && found.row_count == stated.row_count &&
                        (!stated.has_bounds || HasSameBounds(merged, stated, type));
      if (fits) continue;
      problems.push_back(
          fmt::format("{}: the zone map of column \"{}\", row group {}, block {} does not fit its values",
                      name_, definition.name, row_group_index, block));
    }
  }

  std::string name_;
  std::set<uint64_t> checked_;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::vector<std::string> CheckIntegrity(const Catalog& catalog, const Transaction& transaction) {
  IntegrityCheck check;
  for (const auto& schema : catalog.Schemas(transaction)) {
    for (const auto& table : catalog.List<TableEntry>(transaction, *schema)) {
      check.CheckTable(*table, *table->storage->snapshots().SeenBy(transaction));
      if (table->is_collection()) check.CheckCensus(*table, transaction);
      for (const auto& index : IndexesOf(catalog, transaction, *table))
        check.CheckIndex(*table, *index->index, transaction);
    }
  }
  return std::move(check.problems);
}

}  // namespace scaup
