// Sort run: collecting, truncating and spilling rows.
#include "execution/sort/sort_run.hpp"

#include <algorithm>
#include <iterator>

#include "execution/run/query_context.hpp"
#include "execution/sort/row_order.hpp"

namespace scaup {

namespace {

/// The bytes that the next block of an arena may take, as its blocks double in size.
size_t ArenaBlockBytes(size_t string_bytes) {
  constexpr size_t kMostArenaBlock = size_t{1} << 20;
  constexpr size_t kLeastArenaBlock = 4096;
  return std::min(kMostArenaBlock, kLeastArenaBlock + 4 * string_bytes);
}

/// The memory for sorting 1024 rows.
size_t OrderPieceBytes(const SortSchema& schema) {
  return kVectorSize * (OrderBytes(schema) + sizeof(uint64_t));
}

}  // namespace

SortRun::SortRun(const SortSchema& schema, const FunctionContext& context, MemoryTracker* memory)
    : schema_(schema),
      context_(context),
      memory_(memory == nullptr ? context.memory : *memory),
      reservation_(memory_),
      threshold_(schema) {
  Clear();
}

void SortRun::Clear() {
  rows_ = std::make_unique<ColumnCollection>(schema_.types, memory_);
  string_bytes_ = 0;
  reservation_.Reset();
}

size_t SortRun::LeastBytes(const SortSchema& schema) {
  return ColumnCollection::MostBytes(schema.types, 0) + OrderPieceBytes(schema);
}

size_t SortRun::MostAppendBytes(DataChunk& rows) const {
  const size_t string_bytes = LongStringBytes(rows);
  // One more piece of everything, as at most 1024 rows come, and one arena block.
  return rows_->NextPieceBytes() + OrderPieceBytes(schema_) +
         (string_bytes == 0 ? 0 : string_bytes + ArenaBlockBytes(string_bytes_));
}

size_t SortRun::TruncateBytes(size_t count) const {
  const size_t rows = std::min(count, row_count());
  if (rows == 0) return 0;
  const double part = static_cast<double>(rows) / static_cast<double>(row_count());
  const auto string_bytes = static_cast<size_t>(part * static_cast<double>(string_bytes_));
  return ColumnCollection::MostBytes(schema_.types, rows) +
         (rows / kVectorSize + 1) * OrderPieceBytes(schema_) +
         (string_bytes == 0 ? 0 : string_bytes + ArenaBlockBytes(string_bytes));
}

void SortRun::Append(DataChunk& rows) {
  if (!threshold_.is_set()) return AppendAll(rows);
  auto selection = std::make_shared<SelectionVector>();
  const size_t kept = threshold_.SelectBefore(rows, selection->rows);
  if (kept == 0) return;
  if (kept < rows.size()) rows.Slice(selection, kept);
  AppendAll(rows);
}

void SortRun::AppendAll(DataChunk& rows) {
  const size_t before = rows_->piece_count();
  string_bytes_ += LongStringBytes(rows);
  rows_->Append(rows);
  const size_t more = rows_->piece_count() - before;
  reservation_.Resize(reservation_.size_bytes() + more * OrderPieceBytes(schema_));
}

LargeVector<uint64_t> SortRun::Order(size_t limit) const {
  const ColumnCollection* rows = rows_.get();
  return OrderRows(schema_, {&rows, 1}, limit, context_);
}

void SortRun::SetThreshold(uint64_t row) {
  DataChunk rows(schema_.types);
  const ColumnCollection* source = rows_.get();
  GatherFrom({&source, 1}, &row, 1, rows);
  threshold_.Set(rows, 0);
}

void SortRun::Truncate(size_t count) {
  const LargeVector<uint64_t> order = Order(count);
  const bool sets_threshold = count != 0 && count < row_count();
  const std::unique_ptr<ColumnCollection> all = std::move(rows_);
  const MemoryReservation all_memory = std::move(reservation_);
  reservation_ = MemoryReservation(memory_);
  Clear();
  const ColumnCollection* source = all.get();
  DataChunk rows(schema_.types);
  for (size_t begin = 0; begin < order.size(); begin += kVectorSize) {
    GatherFrom({&source, 1}, order.data() + begin, std::min(kVectorSize, order.size() - begin), rows);
    AppendAll(rows);
  }
  if (sets_threshold) SetThreshold(count - 1);
}

void SortRun::Spill(QueryContext& query, size_t count) {
  if (row_count() == 0) return;
  const LargeVector<uint64_t> order = Order(count);
  const size_t row_bytes = size_bytes() / row_count();
  const size_t memory_bytes = query.MemoryBytes();
  SpilledRunWriter writer(query.temporary_storage, memory_.use(), schema_,
                          SpilledRunWriter::RowsPerBlock(row_bytes, memory_bytes), memory_bytes);
  const ColumnCollection* source = rows_.get();
  DataChunk rows(schema_.types);
  for (size_t begin = 0; begin < order.size(); begin += writer.rows_per_block()) {
    context_.CheckInterrupt();
    const size_t part = std::min(writer.rows_per_block(), order.size() - begin);
    GatherFrom({&source, 1}, order.data() + begin, part, rows);
    writer.Write(rows);
  }
  if (count != 0 && count < row_count()) SetThreshold(order[count - 1]);
  Clear();
  spilled_.push_back(writer.Take());
}

void SortRun::MoveSpilledTo(std::vector<SpilledRun>& runs) {
  std::move(spilled_.begin(), spilled_.end(), std::back_inserter(runs));
  spilled_.clear();
}

}  // namespace scaup
