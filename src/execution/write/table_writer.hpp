// The way of new rows into a table: row groups per task, put together in the source's order.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/write/foreign_key_notes.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/table/table.hpp"

namespace scaup {

/// How the rows of a table are written.
struct TableWriteOptions {
  static TableWriteOptions Of(const Settings& settings) {
    return {ShreddingPolicy::Of(settings), EncodingFromName(settings.force_compression)};
  }
  ShreddingPolicy shredding;
  std::optional<Encoding> encoding;  ///< one that all segments get, for tests
};

/// The way of new rows into a table, whether a statement (INSERT, COPY, CREATE TABLE AS, MERGE) or an
/// appender gives them. They come in parts, one for each task, with all columns of the table and keeping its
/// constraints. Publish makes them rows of the table; without it nothing is written.
class TableWriter {
 public:
  /// The rows that one task adds. A gap in the batches of the source ends a row group, so that the rows of
  /// several parts can be put in the source's order. For a table in a file, large row groups go there at
  /// once. One thread at a time.
  class Part {
   public:
    /// Adds all rows, after those before it in batch_index.
    void Append(DataChunk& chunk);
    /// After the last row.
    void Finish();
    uint64_t row_count() const { return row_count_; }

   private:
    friend class TableWriter;
    /// Row groups built from batches of the source that follow one another.
    struct BuiltBatch {
      uint64_t batch;
      RowGroupList row_groups;
    };
    explicit Part(const TableWriter& writer);
    void TakeFinished();

    const Table& table_;
    const TableWriteOptions& options_;
    std::optional<ForeignKeyNotes> notes_;  // Of a statement.
    RowGroupBuilder builder_;
    std::vector<BuiltBatch> batches_;
    AttributeStatistics attributes_;                 // Of the documents of a collection.
    std::optional<RowGroupWriter> writer_;           // For a table in a file.
    std::vector<std::pair<size_t, size_t>> places_;  // Of what the writer has: batch, row group in it.
    uint64_t batch_ = 0;
    uint64_t row_count_ = 0;
  };

  /// For a statement, which hears of the foreign keys that rows have.
  TableWriter(QueryContext& context, TableEntryRef table);
  /// For rows that come before there is a transaction, of a table without foreign keys.
  TableWriter(const Settings& settings, MemoryTracker& memory, TableEntryRef table);

  /// Lives as long as the writer. Thread-safe.
  Part& NewPart();
  /// How many parts a statement may build at once: what they build and compress should be half of the memory
  /// at most. REQUIRES: it was made for a statement.
  size_t MostParts() const;
  /// All rows of finished parts in the source's order; the parts have none any more.
  RowGroupList TakeRowGroups();
  /// Hands them over to the transaction.
  void Publish(Transaction& transaction);

 private:
  TableEntryRef table_;
  const TableWriteOptions options_;
  MemoryTracker& memory_;
  QueryContext* context_ = nullptr;  // The statement's.
  const uint64_t failed_syncs_;      // Of the file, from before anything was written to it.
  std::mutex mutex_;                 // Guards parts_ until they are finished.
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace scaup
