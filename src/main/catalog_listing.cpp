// Lists the catalog for the system table functions.
#include "main/catalog_listing.hpp"

#include <fmt/format.h>

#include "main/integrity_check.hpp"
#include "main/zone_text.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

namespace {

StorageSegmentListing ListSegment(const RowGroup& row_group, size_t column, const LogicalType& type) {
  const auto segment = row_group.column(column);
  SegmentSummary summary = segment->Summarize();
  StorageSegmentListing listing;
  listing.column = column;
  listing.row_count = row_group.row_count();
  listing.encoding = summary.encoding;
  listing.size_bytes = summary.size_bytes;
  listing.block_ids = std::move(summary.block_ids);
  listing.is_persistent = row_group.is_stored();
  listing.minimum = MinimumText(segment->zone(), type);
  listing.maximum = MaximumText(segment->zone(), type);
  listing.null_count = segment->zone().null_count;
  return listing;
}

}  // namespace

std::vector<std::string> CatalogListing::Schemas() const {
  std::vector<std::string> names;
  for (const auto& schema : catalog_.Schemas(transaction_)) names.push_back(schema->name);
  return names;
}

std::vector<TableListing> CatalogListing::Tables() const {
  std::vector<TableListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const auto& table : catalog_.Tables(transaction_, *schema)) {
      TableListing listing;
      listing.schema = schema->name;
      listing.name = table->name;
      listing.row_count = table->storage->View(transaction_).row_count();
      for (const auto& column : table->columns) {
        listing.columns.push_back({column.name, column.type, column.not_null, column.default_text});
      }
      listings.push_back(std::move(listing));
    }
  }
  return listings;
}

std::vector<StorageSegmentListing> CatalogListing::StorageSegments(const std::string& schema,
                                                                   const std::string& table) const {
  std::vector<StorageSegmentListing> listings;
  const TableEntryRef entry = catalog_.FindTable(transaction_, schema, table);
  if (!entry) return listings;
  const auto snapshot = entry->storage->Snapshot(transaction_);
  for (size_t i = 0; i < snapshot->row_groups.size(); i++) {
    for (size_t column = 0; column < entry->columns.size(); column++) {
      listings.push_back(ListSegment(*snapshot->row_groups[i], column, entry->columns[column].type));
      listings.back().row_group = i;
    }
  }
  return listings;
}

DatabaseSizeListing CatalogListing::DatabaseSize() const {
  DatabaseSizeListing listing;
  listing.name = "memory";
  listing.block_size_bytes = kFileBlockBytes;
  listing.memory_usage_bytes = database_.memory().used_bytes();
  listing.memory_limit_bytes = database_.memory().limit_bytes();
  DatabaseStorage* storage = database_.storage();
  if (storage == nullptr) return listing;
  DatabaseFile& file = storage->store()->file();
  listing.path = file.path();
  const size_t name_begin = listing.path.rfind('/') + 1;
  listing.name = listing.path.substr(name_begin, listing.path.rfind('.') - name_begin);
  listing.database_size_bytes = file.size_bytes();
  listing.total_blocks = file.allocator().end_block();
  listing.free_blocks = file.allocator().free_count();
  listing.used_blocks = listing.total_blocks - listing.free_blocks;
  listing.log_size_bytes = storage->log_size_bytes();
  return listing;
}

std::vector<std::string> CatalogListing::IntegrityProblems() const {
  return CheckIntegrity(catalog_, transaction_);
}

}  // namespace scaup
