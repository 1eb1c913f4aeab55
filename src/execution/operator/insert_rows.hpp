// The way of new rows into a table: row groups per task, put together in the source's order.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "catalog/catalog.hpp"
#include "execution/operator/foreign_key_notes.hpp"
#include "execution/physical_operator.hpp"
#include "storage/table/row_group_writer.hpp"
#include "storage/table/table.hpp"

namespace scaup {

/// What one task inserts. A gap in the batches of the source ends a row group, so that the rows of several
/// tasks can be put in the source's order afterwards. For a table in a file, large row groups go there at
/// once. One thread at a time.
class RowInserter {
 public:
  RowInserter(QueryContext& context, const TableEntryRef& table);
  /// Adds all rows, after those before it in batch_index.
  void Append(DataChunk& chunk);
  /// After the last row.
  void Finish();
  uint64_t row_count() const { return row_count_; }

 private:
  friend void InsertRows(QueryContext& context, const TableEntry& table,
                         std::span<RowInserter* const> inserters);
  /// Row groups built from batches of the source that follow one another.
  struct BuiltBatch {
    uint64_t batch;
    std::vector<std::shared_ptr<const RowGroup>> row_groups;
  };
  void TakeFinished();

  const Table& table_;
  ForeignKeyNotes notes_;
  RowGroupBuilder builder_;
  ShreddingPolicy policy_;
  std::vector<BuiltBatch> batches_;
  AttributeStatistics attributes_;  // Of the documents of a collection.
  uint64_t failed_syncs_;
  std::optional<RowGroupWriter> writer_;           // For a table in a file.
  std::vector<std::pair<size_t, size_t>> places_;  // Of what the writer has: batch, row group in it.
  uint64_t batch_ = 0;
  uint64_t row_count_ = 0;
};

/// How many tasks may insert rows of these types at once: what they build and compress should be half of the
/// memory at most.
size_t MostInserters(const QueryContext& context, const std::vector<LogicalType>& types);

/// Hands what finished inserters have over to the transaction.
void InsertRows(QueryContext& context, const TableEntry& table, std::span<RowInserter* const> inserters);

}  // namespace scaup
