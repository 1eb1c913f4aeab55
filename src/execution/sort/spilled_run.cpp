// Spilled runs: packing blocks into stretches, and reading them back. Each block is a spilled chunk behind
// its length, so that readers can pass it by. Keys are not written: they are computed from the rows.
#include "execution/sort/spilled_run.hpp"

#include <algorithm>

#include "common/check.hpp"
#include "common/memory/memory_use.hpp"
#include "execution/rows/spilled_chunk.hpp"

namespace scaup {

namespace {

// Large enough for sequential speed when reading and writing.
constexpr size_t kWantedStretchBytes = size_t{64} << 10;
// The fraction (1/2048) of the memory that a stretch takes, if that is less.
constexpr size_t kStretchShare = 2048;
// A block may be larger than the intended stretch.
constexpr size_t kWantedBlockBytes = size_t{192} << 10;
constexpr size_t kRunBlockShare = 1024;

constexpr const char* kSource = "temporary file";

}  // namespace

size_t SpilledRun::StretchOf(uint64_t row) const {
  SCAUP_ASSERT(row < row_count());
  return static_cast<size_t>(std::upper_bound(first_rows.begin(), first_rows.end(), row) -
                             first_rows.begin()) -
         1;
}

size_t SpilledRun::IndexBytes() const {
  return slots.size() * (sizeof(TemporarySlot) + sizeof(uint64_t) + sizeof(uint32_t)) + first_keys.size();
}

void SpilledRun::MakeReaders() { readers = std::make_unique<std::atomic<uint32_t>[]>(slots.size()); }

void SpilledRun::AddReader(uint64_t begin, uint64_t end) {
  if (begin == end) return;
  for (size_t i = StretchOf(begin); i < slots.size() && first_rows[i] < end; i++)
    readers[i].fetch_add(1, std::memory_order_relaxed);
}

void SpilledRun::RemoveReader(uint64_t begin, uint64_t end) {
  if (begin == end) return;
  for (size_t i = StretchOf(begin); i < slots.size() && first_rows[i] < end; i++) Release(i);
}

void SpilledRun::ReleaseUnread() {
  for (size_t i = 0; i < slots.size(); i++) {
    if (readers[i].load(std::memory_order_relaxed) == 0) slots[i].Reset();
  }
}

void SpilledRun::Release(size_t stretch) {
  // acq_rel: the last reader frees the slot only after all others have finished reading it.
  if (readers && readers[stretch].fetch_sub(1, std::memory_order_acq_rel) == 1) slots[stretch].Reset();
}

SpilledRunWriter::SpilledRunWriter(TemporaryStorage& storage, MemoryUse* use, const SortSchema& schema,
                                   size_t rows_per_block, size_t memory_bytes)
    : storage_(storage),
      use_(use),
      schema_(schema),
      wanted_stretch_bytes_(std::min(kWantedStretchBytes, memory_bytes / kStretchShare)) {
  run_.rows_per_block = rows_per_block;
}

size_t SpilledRunWriter::RowsPerBlock(size_t row_bytes, size_t memory_bytes) {
  return std::clamp<size_t>(BlockBytes(memory_bytes) / std::max<size_t>(row_bytes, 1), 1, kVectorSize);
}

size_t SpilledRunWriter::BlockBytes(size_t memory_bytes) {
  return std::min(kWantedBlockBytes, memory_bytes / kRunBlockShare);
}

void SpilledRunWriter::Write(DataChunk& rows) {
  const size_t count = rows.size();
  if (count == 0) return;
  if (block_count_++ == 0) {
    const std::vector<std::byte> key = schema_.KeyOf(rows, 0);
    run_.first_keys.insert(run_.first_keys.end(), key.begin(), key.end());
  }
  run_.last_key = schema_.KeyOf(rows, count - 1);
  const size_t begin = bytes_.size();
  bytes_.WriteU64(0);
  run_.most_block_bytes = std::max(run_.most_block_bytes, WriteSpilledChunk(bytes_, rows));
  bytes_.OverwriteU64(begin, bytes_.size() - begin - sizeof(uint64_t));
  row_count_ += count;
  if (bytes_.size() >= wanted_stretch_bytes_) EndStretch();
}

void SpilledRunWriter::EndStretch() {
  run_.slots.push_back(storage_.Write(bytes_.bytes()));
  if (use_ != nullptr) use_->AddSpilled(bytes_.size());
  run_.first_rows.push_back(row_count_);
  if (block_count_ > 1) run_.most_stretch_bytes = std::max(run_.most_stretch_bytes, bytes_.size());
  bytes_.Clear();
  block_count_ = 0;
}

SpilledRun SpilledRunWriter::Take() {
  if (bytes_.size() != 0) EndStretch();
  return std::move(run_);
}

SpilledRunReader::SpilledRunReader(TemporaryStorage& storage, const SortSchema& schema, SpilledRun& run,
                                   uint64_t begin, uint64_t end, bool releases)
    : storage_(storage), schema_(schema), run_(run), begin_(begin), end_(end), releases_(releases) {
  if (begin == end) return;
  stretch_ = run.StretchOf(begin);
  next_row_ = run.first_rows[stretch_];
}

void SpilledRunReader::ReadStretch() {
  const TemporarySlot& slot = run_.slots[stretch_];
  // Uninitialized, because all of it is read.
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(slot.size_bytes());
  storage_.Read(slot, {bytes_.get(), slot.size_bytes()});
  offset_ = 0;
}

bool SpilledRunReader::Next() {
  block_.reset();
  while (next_row_ < end_) {
    if (!bytes_) ReadStretch();
    const std::span<const std::byte> bytes(bytes_.get(), run_.slots[stretch_].size_bytes());
    ByteReader stretch(bytes.subspan(offset_), kSource);
    const size_t size_bytes = stretch.ReadU64("length of a block");
    ByteReader reader(stretch.ReadBytes(size_bytes, "block of a run"), kSource);
    offset_ += stretch.position();
    const uint64_t first_row = next_row_;
    next_row_ += SpilledRowCount(reader);
    if (next_row_ > begin_) Load(reader, first_row);
    if (next_row_ == run_.first_rows[stretch_ + 1] || next_row_ >= end_) {
      if (releases_) run_.Release(stretch_);
      stretch_++;
      // Frees the memory at once: the merge counts that of stretches with several blocks alone.
      bytes_.reset();
    }
    if (block_) return true;
  }
  return false;
}

void SpilledRunReader::Load(ByteReader& reader, uint64_t first_row) {
  auto block = std::make_shared<SpilledBlock>();
  block->rows = ReadSpilledChunk(reader, schema_.types);
  reader.ExpectEnd("block of a run");
  block->keys.resize(block->row_count() * schema_.encoder.key_bytes());
  schema_.EncodeKeys(block->rows, block->keys.data());
  first_in_block_ = std::max(begin_, first_row) - first_row;
  end_in_block_ = std::min(end_, next_row_) - first_row;
  block_ = std::move(block);
}

}  // namespace scaup
