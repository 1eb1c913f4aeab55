// Spillable rows: blocks in memory, spilling them piece by piece, and reading them back.
#include "execution/rows/spillable_rows.hpp"

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "common/memory/large_memory.hpp"
#include "execution/run/query_context.hpp"
#include "scaup/error.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

/// A block is spilled as a whole and pinned by its readers, so it is a small part of a thread's memory share.
constexpr size_t kSpillBlockShare = 64;
constexpr size_t kLeastBlockBytes = size_t{64} << 10;
/// A block is at most this many times the intended size.
constexpr size_t kMostBlocks = 3;
/// Freed memory is returned to the operating system once it is this part of the memory limit, within bounds.
constexpr size_t kReturnPart = 32;
constexpr size_t kLeastReturnBytes = size_t{4} << 20, kMostReturnBytes = size_t{16} << 20;
/// When the rows are no longer needed, their memory is returned if it is this part of the limit: malloc would
/// keep it with the thread that made them, where others do not find it.
constexpr size_t kLargePart = 8;

size_t DefaultBlockBytes(const QueryContext& context) {
  return std::clamp(context.MemoryShareBytes() / kSpillBlockShare, kLeastBlockBytes, kLargeMemoryBytes);
}

template <typename F>
void GatherRows(const UnifiedView& view, size_t count, Vector& result, size_t offset, F&& row_of) {
  VisitWidth(PhysicalSize(result.physical_type()), [&]<size_t kBytes>() {
    std::byte* out = result.MutableData<std::byte>() + offset * kBytes;
    for (size_t i = 0; i < count; i++)
      std::memcpy(out + i * kBytes, view.data + view.selection[row_of(i)] * kBytes, kBytes);
  });
  if (view.validity == nullptr) return;
  for (size_t i = 0; i < count; i++)
    if (!view.IsValid(row_of(i))) result.SetNull(offset + i);
}

}  // namespace

UnifiedView RowsPiece::View(size_t column) const {
  if (collection_ != nullptr) return collection_->PieceView(column, index_);
  const Vector& values = chunk_->column(column);
  return {values.Data<std::byte>(), IdentitySelection(), values.Validity()};
}

void RowsPiece::ReadColumn(size_t column, Vector& result) const {
  const UnifiedView view = View(column);
  result.ReferenceFlat(view.data, view.validity, memory_);
}

void RowsPiece::CopyRange(size_t column, size_t begin, size_t count, Vector& result, size_t offset) const {
  const UnifiedView view = View(column);
  if (view.validity == nullptr) {
    const size_t width = PhysicalSize(result.physical_type());
    std::memcpy(result.MutableData<std::byte>() + offset * width, view.data + begin * width, count * width);
    return;
  }
  GatherRows(view, count, result, offset, [&](size_t i) { return begin + i; });
}

void RowsPiece::Gather(size_t column, const sel_t* rows, size_t count, Vector& result, size_t offset) const {
  GatherRows(View(column), count, result, offset, [&](size_t i) { return rows[i]; });
}

SpillableRows::SpillableRows(QueryContext& context, std::vector<LogicalType> types,
                             std::shared_ptr<SpillFailure> failure, size_t block_bytes)
    : types_(std::move(types)),
      memory_(context.memory()),
      storage_(context.temporary_storage),
      failure_(std::move(failure)),
      block_bytes_(block_bytes != 0 ? block_bytes : DefaultBlockBytes(context)),
      is_forced_(context.forces_spilling()) {}

SpillableRows::~SpillableRows() {
  if (is_reclaimer_) memory_.RemoveReclaimer(*this);
  if (bytes_in_memory_.load(std::memory_order_relaxed) < memory_.limit_bytes() / kLargePart) return;
  {
    const MutexLock lock(mutex_);
    blocks_.clear();
  }
  ReturnFreePages(ReturnBytes());
}

size_t SpillableRows::ReturnBytes() const {
  return std::clamp(memory_.limit_bytes() / kReturnPart, kLeastReturnBytes, kMostReturnBytes);
}

void SpillableRows::Append(DataChunk& chunk) {
  try {
    for (size_t begin = 0; begin < chunk.size();) {
      if (!filling_) BeginBlock();
      const size_t left = kVectorSize - filling_->row_count() % kVectorSize;
      const size_t count = std::min(left, chunk.size() - begin);
      filling_->Append(chunk, begin, count);
      row_count_ += count;
      begin += count;
      if (count == left && IsWhole()) EndBlock();
    }
  } catch (const Error& error) {
    // Without the spill failure the user would see "out of memory" instead of, say, a full disk.
    if (error.kind() == ErrorKind::kOutOfMemory) failure_->Rethrow();
    throw;
  }
}

void SpillableRows::BeginBlock() {
  // Blocks below the size of large memory must not use it: one allocation would be larger than the block.
  const size_t bytes_before = block_bytes_ < kLargeMemoryBytes ? 0 : appended_bytes_;
  filling_ = std::make_shared<ColumnCollection>(types_, memory_, bytes_before);
}

bool SpillableRows::IsWhole() const {
  const size_t size_bytes = filling_->size_bytes();
  // Memory already allocated for further pieces is used up first, unless most of the block is strings.
  const bool has_room = filling_->NextPieceBytes() == 0 && size_bytes < kMostBlocks * block_bytes_;
  return is_forced_ || (size_bytes >= block_bytes_ && !has_room);
}

void SpillableRows::Finish() {
  if (filling_) EndBlock();
}

void SpillableRows::EndBlock() {
  const size_t size_bytes = filling_->size_bytes();
  appended_bytes_ += size_bytes;
  {
    const MutexLock lock(mutex_);
    const size_t first_piece = blocks_.empty() ? 0 : blocks_.back().first_piece + blocks_.back().piece_count;
    const size_t piece_count = filling_->piece_count();
    blocks_.push_back({std::move(filling_), {}, first_piece, piece_count});
    bytes_in_memory_.fetch_add(size_bytes, std::memory_order_relaxed);
    if (is_forced_) Spill(blocks_.back());
  }
  // Small collections are read soon, so they are not worth registering as a reclaimer.
  if (is_reclaimer_ || is_forced_ || size_bytes < kLeastBlockBytes) return;
  // Without mutex_ held: Reclaim takes it under the lock that AddReclaimer takes.
  memory_.AddReclaimer(*this);
  is_reclaimer_ = true;
}

size_t SpillableRows::Spill(Block& block) {
  SpilledChunkWriter writer(storage_, nullptr);
  SpilledChunks spilled;
  DataChunk chunk(types_);
  for (size_t piece = 0; piece < block.piece_count; piece++) {
    block.rows->Read(piece, chunk);
    writer.Write(chunk, spilled);
  }
  writer.Flush();
  chunk.Release();
  block.spilled = std::move(spilled);
  has_spilled_.store(true, std::memory_order_relaxed);
  const size_t freed = block.rows->size_bytes();
  bytes_in_memory_.fetch_sub(freed, std::memory_order_relaxed);
  block.rows.reset();
  return freed;
}

size_t SpillableRows::Reclaim(size_t wanted_bytes) noexcept {
  const MutexLock lock(mutex_);
  size_t freed = 0;
  try {
    while (first_in_memory_ < blocks_.size() && !blocks_[first_in_memory_].rows) first_in_memory_++;
    for (size_t i = first_in_memory_; i < blocks_.size() && freed < wanted_bytes; i++) {
      // New references are handed out under the mutex only, so a count of 1 means that the block has no
      // reader.
      if (blocks_[i].rows && blocks_[i].rows.use_count() == 1) freed += Spill(blocks_[i]);
    }
  } catch (...) {
    // A reclaimer must not throw. The error is reported where a reservation then fails.
    failure_->Note();
  }
  unreturned_bytes_ += freed;
  if (unreturned_bytes_ >= ReturnBytes()) {
    ReturnFreePages(ReturnBytes());
    unreturned_bytes_ = 0;
  }
  return freed;
}

bool SpillableRows::HoldBlocks(std::vector<std::shared_ptr<const ColumnCollection>>& held) const {
  SCAUP_ASSERT(filling_ == nullptr);
  const MutexLock lock(mutex_);
  for (const Block& block : blocks_)
    if (!block.rows) return false;
  for (const Block& block : blocks_) held.push_back(block.rows);
  return true;
}

RowsPiece SpillableRows::Piece(size_t index) const {
  SCAUP_ASSERT(filling_ == nullptr);
  RowsPiece result;
  result.row_count_ = std::min<uint64_t>(kVectorSize, row_count_ - uint64_t{index} * kVectorSize);
  const SpilledChunks* spilled = nullptr;
  {
    const MutexLock lock(mutex_);
    const auto after =
        std::upper_bound(blocks_.begin(), blocks_.end(), index,
                         [](size_t piece, const Block& block) { return piece < block.first_piece; });
    const Block& block = *std::prev(after);
    result.index_ = index - block.first_piece;
    if (block.rows) {
      result.collection_ = block.rows.get();
      result.memory_ = block.rows;
      return result;
    }
    // Stable without the lock: no blocks are added any more, and this one is spilled already.
    spilled = &block.spilled;
  }
  auto chunk = std::make_shared<DataChunk>(spilled->Read(result.index_, storage_, types_));
  result.chunk_ = chunk.get();
  result.memory_ = std::move(chunk);
  return result;
}

void SpillableRows::Read(size_t index, DataChunk& output) const {
  const RowsPiece piece = Piece(index);
  for (size_t i = 0; i < types_.size(); i++) piece.ReadColumn(i, output.column(i));
  output.SetSize(piece.row_count());
}

}  // namespace scaup
