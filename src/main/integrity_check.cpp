// Checks blocks, values, zone maps and counts of all tables.
#include "main/integrity_check.hpp"

#include <fmt/format.h>

#include <set>

#include "scaup/error.hpp"
#include "storage/table/stored_row_group.hpp"

namespace scaup {

namespace {

class IntegrityCheck {
 public:
  std::vector<std::string> problems;

  void CheckTable(const TableEntry& table, const TableSnapshot& snapshot) {
    name_ = fmt::format("table \"{}\".\"{}\"", table.schema, table.name);
    uint64_t row_count = 0;
    for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
      const RowGroup& row_group = *snapshot.row_groups[i];
      row_count += row_group.row_count();
      if (row_group.is_stored())
        CheckBlocks(*table.storage->store(), static_cast<const StoredRowGroup&>(row_group));
      for (size_t column = 0; column < table.columns.size(); column++) {
        Try([&] { CheckColumn(row_group, i, column, table.columns[column]); });
      }
    }
    if (row_count == snapshot.row_count) return;
    problems.push_back(fmt::format("{} should have {} rows, but its row groups have {}", name_,
                                   snapshot.row_count, row_count));
  }

 private:
  template <typename Body>
  void Try(Body&& body) {
    try {
      body();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kIo) throw;
      problems.push_back(fmt::format("{}: {}", name_, error.message()));
    }
  }

  /// The checksums of all blocks that the row group needs.
  void CheckBlocks(BlockStore& store, const StoredRowGroup& row_group) {
    const auto check = [&](const Extents& extents) {
      for (const Extent& extent : extents) {
        if (!checked_.insert(extent.block.block_id).second) continue;
        buffer_.resize(kFileBlockBytes);
        Try([&] { store.file().ReadBlock(extent.block, buffer_.data()); });
      }
    };
    check(row_group.pointer().metadata);
    for (size_t column = 0; column < row_group.column_count(); column++) {
      Try([&] {
        check(std::static_pointer_cast<const StoredSegment>(row_group.column(column))->metadata().extents);
      });
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
    for (const auto& table : catalog.Tables(transaction, *schema)) {
      check.CheckTable(*table, *table->storage->Snapshot(transaction));
    }
  }
  return std::move(check.problems);
}

}  // namespace scaup
