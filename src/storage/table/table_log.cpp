// Log records of table changes; docs/file-format.md describes the bytes.
#include "storage/table/table_log.hpp"

#include <algorithm>
#include <limits>

#include "storage/row_group/stored_row_group.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/shredded/segment_encodings.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/wal/log_record_kind.hpp"
#include "vector/chunk_bytes.hpp"

namespace scaup {

namespace {

// The kinds of parts of an insert record.
constexpr uint8_t kEndOfParts = 0;
constexpr uint8_t kRowsPart = 1;
constexpr uint8_t kStoredPart = 2;

void LogRows(const RowGroup& row_group, const std::vector<LogicalType>& types, ByteWriter& writer) {
  std::vector<std::unique_ptr<SegmentReader>> readers;
  for (size_t i = 0; i < types.size(); i++)
    readers.push_back(row_group.column(i)->MakeReader(KernelsOf(BestKernelLevel())));
  DataChunk chunk(types);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    chunk.Release();
    for (size_t i = 0; i < types.size(); i++)
      readers[i]->Read(block, row_group.BlockRows(block), chunk.column(i));
    chunk.SetSize(row_group.BlockRows(block));
    writer.WriteU8(kRowsPart);
    WriteChunk(writer, chunk);
  }
}

void LogInsert(const Table& table, const TableChanges& changes,
               const std::vector<std::shared_ptr<const RowGroup>>& inserted, ByteWriter& writer) {
  writer.WriteU8(static_cast<uint8_t>(LogRecordKind::kInsert));
  writer.WriteU64(table.id());
  bool has_stored = false;
  for (const auto& row_group : inserted) {
    if (!row_group->is_stored()) {
      LogRows(*row_group, table.types(), writer);
      continue;
    }
    const auto& pointer = static_cast<const StoredRowGroup&>(*row_group).pointer();
    writer.WriteU8(kStoredPart);
    pointer.Write(writer);
    // Even if the rows are dropped soon: recovery must not find other data in these blocks.
    table.store()->file().allocator().RetainUntilCheckpoint(pointer.block_ids);
    has_stored = true;
  }
  writer.WriteU8(kEndOfParts);
  writer.WriteBool(has_stored);
  if (!has_stored) return;
  // Stored rows are not read by recovery, so their statistics are logged.
  for (size_t i = 0; i < changes.statistics.size(); i++)
    changes.statistics[i].Write(PhysicalTypeOf(table.types()[i]), writer);
  if (table.attributes()) changes.attributes.Write(*table.attributes(), writer);
}

/// Writes the first row number of a block, the number of rows, and the rows.
void LogRowNumbers(const WrittenRows& rows, ByteWriter& writer) {
  writer.WriteVarint(rows.first_row);
  writer.WriteVarint(rows.record->rows.size());
  sel_t previous = 0;
  for (const sel_t row : rows.record->rows) writer.WriteVarint(row - std::exchange(previous, row));
}

std::vector<RowNumber> ReadRowNumbers(ByteReader& reader) {
  const RowNumber first = reader.ReadVarint("number of a row");
  const uint64_t count = reader.ReadVarint("number of rows");
  if (count == 0 || count > kVectorSize || first % kVectorSize != 0)
    reader.Fail("rows of a change", "they are no rows of a block");
  std::vector<RowNumber> rows;
  uint64_t row = 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t step = reader.ReadVarint("row of a block");
    row += step;
    if (row >= kVectorSize || (step == 0 && i != 0)) reader.Fail("row of a block", "there is no such row");
    rows.push_back(first + row);
  }
  return rows;
}

/// A view that sees everything, for reading the current values of rows: no other transaction can have changed
/// them since. A view of the transaction's own changes would not do. While older transactions run, it would
/// undo changes that were committed before.
constexpr ReadView kNewest{std::numeric_limits<Timestamp>::max(), 0};

void LogUpdate(const Table& table, const WrittenRows& rows, ByteWriter& writer)
    SCAUP_REQUIRES_LOCK(rows.block->mutex) {
  std::vector<LogicalType> types;
  for (const auto& image : rows.record->images) types.push_back(table.types()[image.column]);
  DataChunk chunk(types);
  chunk.SetSize(rows.record->rows.size());
  writer.WriteVarint(types.size());
  for (size_t i = 0; i < types.size(); i++) {
    const uint32_t column = rows.record->images[i].column;
    writer.WriteVarint(column);
    RowPatch patch(types[i]);
    patch.values.Reset();
    rows.block->ReadColumn(kNewest, column, 0, kVectorSize, 0, patch.rows, patch.values, patch.count);
    // Selects this record's rows among all that the block has in the column.
    auto selection = std::make_shared<SelectionVector>();
    size_t next = 0;
    for (size_t k = 0; k < rows.record->rows.size(); k++) {
      while (patch.rows[next] != rows.record->rows[k]) next++;
      selection->rows[k] = static_cast<sel_t>(next);
    }
    chunk.column(i).Slice(patch.values, patch.count, selection, rows.record->rows.size());
  }
  WriteChunk(writer, chunk);
}

/// Checks that rows of a log record exist: a log that does not match the table must not corrupt it.
void CheckRows(const Table& table, const Transaction& transaction, std::span<const RowNumber> rows,
               ByteReader& reader) {
  uint8_t is_visible[kVectorSize];
  RowFetcher(table.UnloggedView(transaction), table.types(), {}, KernelsOf(BestKernelLevel()))
      .TestVisible(rows, is_visible);
  for (size_t i = 0; i < rows.size(); i++) {
    if (is_visible[i] == 0) reader.Fail("row of a change", "there is no such row in the table");
  }
}

}  // namespace

void LogTableChanges(const Table& table, const TableChanges& changes,
                     const std::vector<std::shared_ptr<const RowGroup>>& inserted, ByteWriter& writer) {
  if (!inserted.empty()) LogInsert(table, changes, inserted, writer);
  for (const WrittenRows& rows : changes.written) {
    // Readers and other writers use the block meanwhile.
    MutexLock lock(rows.block->mutex);
    const bool is_deletion = rows.record->images.empty();
    writer.WriteU8(static_cast<uint8_t>(is_deletion ? LogRecordKind::kDelete : LogRecordKind::kUpdate));
    writer.WriteU64(table.id());
    LogRowNumbers(rows, writer);
    if (!is_deletion) LogUpdate(table, rows, writer);
  }
}

void LoadTable(Table& table, std::shared_ptr<const TableSnapshot> snapshot,
               std::span<const RowNumber> deleted, AttributeStatistics attributes) {
  while (!deleted.empty()) {
    const RowNumber first = deleted[0] - deleted[0] % kVectorSize;
    const auto end = std::lower_bound(deleted.begin(), deleted.end(), first + kVectorSize);
    const auto count = static_cast<size_t>(end - deleted.begin());
    std::vector<sel_t> rows;
    for (const RowNumber row : deleted.first(count)) rows.push_back(static_cast<sel_t>(row - first));
    const auto block = table.versions()->Require(first);
    MutexLock lock(block->mutex);
    block->LoadDeleted(rows);
    deleted = deleted.subspan(count);
  }
  table.snapshots().ReplaceNewest(std::move(snapshot));
  if (table.documents() != nullptr) table.documents()->Load(std::move(attributes));
}

void ReplayInsert(Table& table, Transaction& transaction, ByteReader& reader) {
  const std::vector<LogicalType>& types = table.types();
  const auto dictionary = table.attributes();
  RowGroupBuilder builder(types, table.memory());
  AttributeStatistics attributes;
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  // Keeps the order of rows when parts in memory and in the file alternate.
  const auto take_built = [&] {
    builder.Finish();
    for (auto& built : builder.TakeFinished()) row_groups.push_back(std::move(built));
  };
  for (uint8_t part = reader.ReadU8("part of an insert"); part != kEndOfParts;
       part = reader.ReadU8("part of an insert")) {
    if (part == kRowsPart) {
      DataChunk chunk = ReadChunk(reader);
      if (chunk.types() != types) reader.Fail("rows of an insert", "they are not of the table's types");
      if (dictionary) attributes.AddRecords(chunk.column(kRecordColumn), chunk.size(), *dictionary);
      builder.Append(chunk);
    } else if (part == kStoredPart) {
      take_built();
      auto pointer = StoredRowGroupPointer::Read(reader);
      auto stored =
          std::make_shared<const StoredRowGroup>(table.store(), types, std::move(pointer), &LoadSegment);
      // As in LogInsert: the next crash must find the blocks, too.
      table.store()->file().allocator().RetainUntilCheckpoint(stored->pointer().block_ids);
      row_groups.push_back(std::move(stored));
    } else {
      reader.Fail("part of an insert", "there is no such part");
    }
  }
  take_built();
  std::vector<ColumnStatistics> statistics = builder.statistics();
  if (reader.ReadBool("statistics of an insert")) {
    for (size_t i = 0; i < types.size(); i++)
      statistics[i] = ColumnStatistics::Read(PhysicalTypeOf(types[i]), reader);
    if (dictionary) attributes = AttributeStatistics::Read(*dictionary, reader);
  }
  // Replayed through the ordinary path, so that indexes and statistics follow.
  table.Insert({transaction, ""}, std::move(row_groups), statistics, attributes);
}

void ReplayDelete(Table& table, Transaction& transaction, ByteReader& reader) {
  const std::vector<RowNumber> rows = ReadRowNumbers(reader);
  CheckRows(table, transaction, rows, reader);
  table.Delete({transaction, ""}, rows);
}

void ReplayUpdate(Table& table, Transaction& transaction, ByteReader& reader) {
  const std::vector<RowNumber> rows = ReadRowNumbers(reader);
  CheckRows(table, transaction, rows, reader);
  std::vector<size_t> columns(reader.ReadCount("columns of an update", 1));
  std::vector<LogicalType> types;
  for (size_t& column : columns) {
    column = reader.ReadVarint("column of an update");
    if (column >= table.types().size()) reader.Fail("column of an update", "there is no such column");
    types.push_back(table.types()[column]);
  }
  DataChunk chunk = ReadChunk(reader);
  if (chunk.types() != types || chunk.size() != rows.size())
    reader.Fail("values of an update", "they are not of the columns' types, or not one for each row");
  table.Update({transaction, ""}, rows, columns, chunk);
}

void ReplayAttributes(Table& table, ByteReader& reader) {
  if (table.documents() == nullptr) reader.Fail("attributes", "the table is no collection");
  table.documents()->log().ReadLogged(reader);
}

}  // namespace scaup
