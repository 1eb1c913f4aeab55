// Compresses row groups and writes them to the file.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/file/stream_writer.hpp"
#include "storage/row_group/row_group_size.hpp"
#include "storage/row_group/stored_row_group.hpp"
#include "storage/shredded/document_segment.hpp"
#include "storage/snapshot/table_layout.hpp"

namespace scaup {

class AttributeStatistics;

/// Writes row groups, of one table or several, to free blocks of the file. One thread at a time. If it dies
/// before Finish, the blocks are free again.
class RowGroupWriter {
 public:
  /// `separate_columns`: each of that many columns in blocks of its own, for large tables; 0: all together,
  /// for small row groups of any tables.
  RowGroupWriter(std::shared_ptr<BlockStore> store, size_t separate_columns, std::optional<Encoding> forced);

  /// Row groups as large as this are worth blocks of their own.
  static constexpr size_t kLeastSeparateRows = kRowsPerRowGroup / 4;
  static bool IsLarge(const RowGroup& row_group, size_t column_count, const MemoryTracker& memory) {
    return row_group.row_count() >= kLeastSeparateRows || IsHeavy(row_group, column_count, memory);
  }
  /// More columns than this are never separated, and fewer where memory is little: each needs a block's.
  static constexpr size_t kMostSeparateColumns = 64;

  /// Columns that the file has already (PartlyStoredRowGroup) are kept where they are, unless `all_columns`.
  /// Documents of a collection are kept attribute by attribute where there are enough of them; they are added
  /// to `statistics`, unless that is null.
  void Add(const RowGroup& row_group, const TableLayout& layout, bool all_columns = false,
           AttributeStatistics* statistics = nullptr);
  /// Writes what is left and gives the row groups in the order in which they were added. They are not synced:
  /// the caller syncs the file, and compares failed_syncs, before anything durable refers to them.
  std::vector<std::shared_ptr<const StoredRowGroup>> Finish();
  uint64_t size_bytes() const { return data_.size_bytes(); }
  /// The memory for row groups that is in use until Finish.
  size_t pending_bytes() const { return pending_memory_.size_bytes(); }

 private:
  struct PendingSegment {
    SegmentMetadata metadata;
    uint64_t begin = 0;
    uint64_t size_bytes = 0;
    bool is_kept = false;  // The metadata says where it is.
  };
  struct PendingColumn {
    size_t stream = 0;
    std::vector<PendingSegment> segments;       // One, or the parts of documents.
    std::optional<DocumentMetadata> documents;  // Without its parts.
  };
  struct PendingRowGroup {
    uint32_t row_count = 0;
    std::vector<LogicalType> types;
    std::vector<PendingColumn> columns;
    uint64_t metadata_begin = 0;
    uint64_t metadata_bytes = 0;
  };
  PendingSegment AddSegment(const RowGroup& row_group, size_t column, const LogicalType& type);
  /// Nullopt where records stay what they are.
  std::optional<PendingColumn> AddDocuments(const RowGroup& row_group, const TableLayout& layout,
                                            AttributeStatistics* statistics);
  /// Adds values that are no column of the row group.
  PendingSegment AddValues(SegmentInput input);
  PendingSegment AddStrings(const std::vector<std::string>& strings);
  /// `input`: the blocks that are not all NULL.
  PendingSegment AppendSegment(size_t stream, const SegmentInput& input, const ZoneMap& zone,
                               const std::vector<ZoneMap>& block_zones);

  std::shared_ptr<BlockStore> store_;
  std::optional<Encoding> forced_;
  StreamWriter data_;
  std::vector<PendingRowGroup> pending_;
  MemoryReservation pending_memory_;
};

}  // namespace scaup
