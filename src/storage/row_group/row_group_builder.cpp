// Builds row groups from chunks, in blocks of 1024 values; repetitive strings become dictionaries.
#include <algorithm>
#include <utility>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "storage/row_group/column_builder.hpp"
#include "storage/row_group/column_segment.hpp"
#include "storage/row_group/memory_segment.hpp"
#include "storage/row_group/row_group.hpp"
#include "storage/row_group/row_group_size.hpp"

namespace scaup {

bool MemoryRowGroup::is_heavy() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const auto& column) {
    return column->string_heap && column->string_heap->size_bytes() >= kHeavyBytes;
  });
}

RowGroupBuilder::RowGroupBuilder(std::vector<LogicalType> types, MemoryTracker& memory)
    : types_(std::move(types)), memory_(memory), statistics_(types_.size()) {
  columns_.reserve(types_.size());
  reserved_ = std::make_shared<SharedReservation>(memory_);
  for (const LogicalType& type : types_) columns_.push_back(std::make_unique<ColumnBuilder>(type, memory_));
}

RowGroupBuilder::~RowGroupBuilder() = default;

void RowGroupBuilder::Resume(const MemoryRowGroup& row_group) {
  SCAUP_ASSERT(row_count_ == 0 && finished_.empty());
  for (size_t i = 0; i < columns_.size(); i++)
    columns_[i]->Resume(*row_group.memory_column(i), row_group.row_count());
  row_count_ = row_group.row_count();
  // Without the right, the new version has a reservation of its own and may count shared blocks twice.
  if (row_group.memory()->right.Take(row_count_)) reserved_ = row_group.memory();
}

void RowGroupBuilder::Append(DataChunk& chunk) {
  SCAUP_ASSERT(!takes_row_groups_);
  AppendChunk(chunk);
}

void RowGroupBuilder::AppendChunk(DataChunk& chunk) {
  size_t offset = 0;
  // A chunk may end in the middle of a block, so each step fills at most the open block.
  while (offset < chunk.size()) {
    const size_t room = kVectorSize - row_count_ % kVectorSize;
    const size_t count = std::min(room, chunk.size() - offset);
    for (size_t i = 0; i < columns_.size(); i++)
      columns_[i]->Append(chunk.column(i), chunk.size(), offset, count);
    offset += count;
    row_count_ += count;
    const bool is_whole = row_count_ % kVectorSize == 0;
    if (is_whole) CloseBlocks();
    // A row group also ends at a block boundary when it has too many bytes.
    if (row_count_ != kRowsPerRowGroup && !IsFull()) continue;
    if (!is_whole) CloseBlocks();
    CloseRowGroup();
  }
}

void RowGroupBuilder::AppendRowGroup(const RowGroup& row_group) {
  takes_row_groups_ = true;
  const auto* in_memory = dynamic_cast<const MemoryRowGroup*>(&row_group);
  std::vector<std::unique_ptr<SegmentReader>> readers;
  for (size_t i = 0; in_memory == nullptr && i < types_.size(); i++)
    readers.push_back(row_group.column(i)->MakeReader(KernelsOf(BestKernelLevel())));
  DataChunk chunk(types_);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    chunk.Release();
    for (size_t i = 0; i < types_.size(); i++) {
      if (in_memory != nullptr) {
        // Blocks in memory are referenced, so their values are copied once, into the builder.
        in_memory->memory_column(i)->ReferenceBlock(block, chunk.column(i));
      } else {
        readers[i]->Read(block, row_group.BlockRows(block), chunk.column(i));
      }
    }
    chunk.SetSize(row_group.BlockRows(block));
    AppendChunk(chunk);
    RunningCall::CheckInterrupt();
  }
}

void RowGroupBuilder::CloseBlocks() {
  size_t size_bytes = 0;
  // The reservation follows block by block; the open blocks are small beside that.
  for (size_t i = 0; i < columns_.size(); i++) {
    columns_[i]->CloseBlock(takes_row_groups_ ? nullptr : &statistics_[i]);
    size_bytes += columns_[i]->size_bytes();
  }
  reserved_->reservation.Resize(size_bytes);
}

bool RowGroupBuilder::IsFull() const {
  const size_t most_heap_bytes = MostHeapBytes(memory_);
  size_t size_bytes = reserved_->reservation.size_bytes();
  for (const auto& column : columns_) {
    const size_t heap_bytes = column->heap_bytes();
    if (heap_bytes >= most_heap_bytes) return true;
    size_bytes += heap_bytes;
  }
  return size_bytes >= MostRowGroupBytes(memory_);
}

void RowGroupBuilder::CloseRowGroup() {
  std::vector<std::shared_ptr<const MemorySegment>> segments;
  segments.reserve(columns_.size());
  for (auto& column : columns_) segments.push_back(column->Finish());
  // The next builder may resume this row group.
  reserved_->right.GiveBack(row_count_);
  finished_.push_back(
      std::make_shared<const MemoryRowGroup>(std::move(segments), row_count_, std::move(reserved_)));
  reserved_ = std::make_shared<SharedReservation>(memory_);
  row_count_ = 0;
}

void RowGroupBuilder::Finish() {
  if (row_count_ == 0) return;
  if (row_count_ % kVectorSize != 0) CloseBlocks();
  CloseRowGroup();
}

std::vector<std::shared_ptr<const RowGroup>> RowGroupBuilder::TakeFinished() {
  return std::exchange(finished_, {});
}

}  // namespace scaup
