// Table writer: the only way to add rows to a table, as row groups per task, assembled in the source's order.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/lock/mutex.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/write/foreign_key_notes.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table.hpp"

namespace scaup {

/// Options for writing rows to a table.
struct TableWriteOptions {
  static TableWriteOptions Of(const Settings& settings) {
    return {ShreddingPolicy::Of(settings), settings.force_compression};
  }
  ShreddingPolicy shredding;
  std::optional<Encoding> encoding;  ///< forced for all segments, by tests
};

/// Adds rows to a table, for statements (INSERT, COPY, CREATE TABLE AS, MERGE) and appenders. The rows come
/// in parts, one for each task; they have all columns of the table and satisfy its constraints. Publish makes
/// them rows of the table; without it nothing is written.
class TableWriter {
 public:
  /// The rows that one task adds. A gap in the batches of the source ends a row group, so that the rows of
  /// several parts can be assembled in the source's order. For a table in a file, large row groups are
  /// written to it at once. One thread at a time.
  class Part {
   public:
    /// Appends all rows. REQUIRES: batch_index does not descend.
    void Append(DataChunk& chunk);
    /// Called after the last row.
    void Finish();
    uint64_t row_count() const { return row_count_; }

   private:
    friend class TableWriter;
    /// Row groups built from consecutive batches of the source.
    struct BuiltBatch {
      uint64_t batch;
      RowGroupList row_groups;
    };
    explicit Part(const TableWriter& writer);
    void TakeFinished();

    const Table& table_;
    const TableWriteOptions& options_;
    std::optional<ForeignKeyNotes> notes_;  // Set for a statement.
    RowGroupBuilder builder_;
    std::vector<BuiltBatch> batches_;
    AttributeStatistics attributes_;        // Statistics of a collection's documents.
    std::optional<RowGroupWriter> writer_;  // Set for a table in a file.
    std::vector<std::pair<size_t, size_t>>
        places_;  // Stored row groups: index in batches_, and within the batch.
    uint64_t batch_ = 0;
    uint64_t row_count_ = 0;
  };

  /// For a statement; records the foreign keys of the rows.
  TableWriter(QueryContext& context, TableEntryRef table);
  /// For rows that are added before there is a transaction, to a table without foreign keys.
  TableWriter(const Settings& settings, MemoryTracker& memory, TableEntryRef table);

  /// The part lives as long as the writer. Thread-safe.
  Part& NewPart();
  /// The most parts that a statement may build at once, such that they take at most half of the memory while
  /// building and compressing. REQUIRES: the writer was made for a statement.
  size_t MostParts() const;
  /// Takes all rows of finished parts, in the source's order.
  RowGroupList TakeRowGroups();
  /// Hands the rows over to the transaction.
  void Publish(Transaction& transaction);

 private:
  TableEntryRef table_;
  const TableWriteOptions options_;
  MemoryTracker& memory_;
  QueryContext* context_ = nullptr;  // Null without a statement.
  const uint64_t failed_syncs_;      // Failed syncs of the file before the first write.
  Mutex mutex_;                      // Held while parts_ grows; read when all parts are finished.
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace scaup
