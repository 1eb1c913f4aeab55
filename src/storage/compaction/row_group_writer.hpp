// RowGroupWriter: compresses row groups and writes them to the file.
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

/// Writes row groups of one or several tables to free blocks of the file. Used by one thread at a time. If it
/// is destroyed before Finish, the blocks become free again.
class RowGroupWriter {
 public:
  /// With `separate_columns` > 0, each of that many columns gets blocks of its own, for large tables. With 0
  /// all columns share blocks, for small row groups of any tables.
  RowGroupWriter(std::shared_ptr<BlockStore> store, size_t separate_columns, std::optional<Encoding> forced);

  /// Row groups of at least this size are worth blocks of their own.
  static constexpr size_t kLeastSeparateRows = kRowsPerRowGroup / 4;
  static bool IsLarge(const RowGroup& row_group, size_t column_count, const MemoryTracker& memory) {
    return row_group.row_count() >= kLeastSeparateRows || IsHeavy(row_group, column_count, memory);
  }
  /// More columns than this never get blocks of their own, and fewer if memory is short, as each column
  /// buffers a block.
  static constexpr size_t kMostSeparateColumns = 64;

  /// Adds a row group. Columns that are in the file already (PartlyStoredRowGroup) stay where they are,
  /// unless `all_columns`. Documents of a collection are shredded into attributes if there are enough of
  /// them. Their statistics are added to `statistics`, unless that is null.
  void Add(const RowGroup& row_group, const TableLayout& layout, bool all_columns = false,
           AttributeStatistics* statistics = nullptr);
  /// Writes the rest, and returns the row groups in the order of the Add calls. They are not synced. The
  /// caller must sync the file and compare failed_syncs before anything durable refers to them.
  std::vector<std::shared_ptr<const StoredRowGroup>> Finish();
  uint64_t size_bytes() const { return data_.size_bytes(); }
  /// Returns the memory for row groups that is in use until Finish.
  size_t pending_bytes() const { return pending_memory_.size_bytes(); }

 private:
  struct PendingSegment {
    SegmentMetadata metadata;
    uint64_t begin = 0;
    uint64_t size_bytes = 0;
    bool is_kept = false;  // already in the file, where the metadata says
  };
  struct PendingColumn {
    size_t stream = 0;
    std::vector<PendingSegment> segments;       // one, or the parts of shredded documents
    std::optional<DocumentMetadata> documents;  // without its parts
  };
  struct PendingRowGroup {
    uint32_t row_count = 0;
    std::vector<LogicalType> types;
    std::vector<PendingColumn> columns;
    uint64_t metadata_begin = 0;
    uint64_t metadata_bytes = 0;
  };
  PendingSegment AddSegment(const RowGroup& row_group, size_t column, const LogicalType& type);
  /// Shreds the records into attributes. Returns nullopt if they stay records.
  std::optional<PendingColumn> AddDocuments(const RowGroup& row_group, const TableLayout& layout,
                                            AttributeStatistics* statistics);
  /// Adds values that are not a column of the row group.
  PendingSegment AddValues(SegmentInput input);
  PendingSegment AddStrings(const std::vector<std::string>& strings);
  /// Compresses and appends a segment. `input` has only the blocks that are not all NULL.
  PendingSegment AppendSegment(size_t stream, const SegmentInput& input, const ZoneMap& zone,
                               const std::vector<ZoneMap>& block_zones);

  std::shared_ptr<BlockStore> store_;
  std::optional<Encoding> forced_;
  StreamWriter data_;
  std::vector<PendingRowGroup> pending_;
  MemoryReservation pending_memory_;
};

}  // namespace scaup
