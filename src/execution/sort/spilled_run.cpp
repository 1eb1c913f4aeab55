// Spilled runs: serializing blocks, and reading them back. Values have the same layout as in vectors, so that
// blocks are read without copying. Keys are not written: they are computed from the rows.
#include "execution/sort/spilled_run.hpp"

#include <algorithm>
#include <cstring>

#include "common/memory/memory_use.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// Large enough for sequential speed when reading and writing.
constexpr size_t kWantedStretchBytes = size_t{64} << 10;
// The fraction (1/2048) of the memory that a stretch takes, if that is less.
constexpr size_t kStretchShare = 2048;
// A block may be larger than the intended stretch.
constexpr size_t kWantedBlockBytes = size_t{192} << 10;
constexpr size_t kRunBlockShare = 1024;

// All parts are aligned to this, because vectors refer to them.
constexpr size_t kAlignment = 16;

size_t RoundUp(size_t size_bytes) { return (size_bytes + kAlignment - 1) / kAlignment * kAlignment; }
size_t ValidityBytes(size_t row_count) { return (row_count + 63) / 64 * sizeof(ValidityWord); }

/// Stored before each block.
struct BlockHeader {
  uint64_t row_count;
  uint64_t size_bytes;  // Including this header.
};
/// Stored before each column of a block.
struct ColumnHeader {
  uint64_t has_nulls;
  uint64_t string_bytes;
};
static_assert(sizeof(BlockHeader) == kAlignment && sizeof(ColumnHeader) == kAlignment);

template <typename T>
void WriteObject(ByteWriter& writer, const T& object) {
  writer.WriteBytes(std::as_bytes(std::span(&object, 1)));
}

void WritePadded(ByteWriter& writer, const std::byte* data, size_t size_bytes) {
  static constexpr std::byte kZeros[kAlignment]{};
  writer.WriteBytes({data, size_bytes});
  writer.WriteBytes({kZeros, RoundUp(size_bytes) - size_bytes});
}

void WriteStrings(ByteWriter& writer, const std::vector<uint32_t>& lengths, const StringRef* strings,
                  size_t string_bytes) {
  WritePadded(writer, reinterpret_cast<const std::byte*>(lengths.data()), lengths.size() * sizeof(uint32_t));
  std::byte* out = writer.Extend(RoundUp(string_bytes)).data();
  for (size_t row = 0; row < lengths.size(); row++) {
    if (lengths[row] == 0) continue;
    std::memcpy(out, strings[row].data(), lengths[row]);
    out += lengths[row];
  }
}

void WriteColumn(ByteWriter& writer, const Vector& column, size_t row_count) {
  SCAUP_CHECK(column.is_flat());
  const ValidityWord* validity = column.Validity();
  const bool is_string = column.physical_type() == PhysicalType::kString;
  ColumnHeader header{validity != nullptr, 0};
  std::vector<uint32_t> lengths;
  if (is_string) {
    const auto* strings = column.Data<StringRef>();
    for (size_t row = 0; row < row_count; row++) {
      lengths.push_back(validity == nullptr || TestValid(validity, row) ? strings[row].size() : 0);
      header.string_bytes += lengths.back();
    }
  }
  WriteObject(writer, header);
  if (validity != nullptr)
    WritePadded(writer, reinterpret_cast<const std::byte*>(validity), ValidityBytes(row_count));
  if (is_string) return WriteStrings(writer, lengths, column.Data<StringRef>(), header.string_bytes);
  WritePadded(writer, column.Data<std::byte>(), row_count * PhysicalSize(column.physical_type()));
}

// Reads a column written by WriteColumn from `data`, and advances `data` past it.
void ReadColumn(const std::byte*& data, size_t row_count, const std::shared_ptr<const std::byte>& owner,
                SpilledBlock& block, Vector& column) {
  const auto take = [&](size_t size_bytes) { return std::exchange(data, data + RoundUp(size_bytes)); };
  ColumnHeader header;
  std::memcpy(&header, take(sizeof(header)), sizeof(header));
  const ValidityWord* validity = nullptr;
  if (header.has_nulls != 0) validity = reinterpret_cast<const ValidityWord*>(take(ValidityBytes(row_count)));
  const std::byte* values = nullptr;
  if (column.physical_type() == PhysicalType::kString) {
    const auto* lengths = reinterpret_cast<const uint32_t*>(take(row_count * sizeof(uint32_t)));
    const char* text = reinterpret_cast<const char*>(take(header.string_bytes));
    std::vector<StringRef>& strings = block.strings.emplace_back(row_count);
    for (size_t row = 0; row < row_count; row++) {
      strings[row] = StringRef(text, lengths[row]);
      text += lengths[row];
    }
    values = reinterpret_cast<const std::byte*>(strings.data());
  } else {
    values = take(row_count * PhysicalSize(column.physical_type()));
  }
  column.ReferenceFlat(values, validity, owner);
}

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
  if (bytes_.size() == 0) {
    const std::vector<std::byte> key = schema_.KeyOf(rows, 0);
    run_.first_keys.insert(run_.first_keys.end(), key.begin(), key.end());
  }
  const size_t begin = bytes_.size();
  WriteObject(bytes_, BlockHeader{count, 0});
  for (const Vector& column : rows.columns()) WriteColumn(bytes_, column, count);
  bytes_.OverwriteU64(begin + offsetof(BlockHeader, size_bytes), bytes_.size() - begin);
  run_.last_key = schema_.KeyOf(rows, count - 1);
  row_count_ += count;
  if (bytes_.size() >= wanted_stretch_bytes_) EndStretch();
}

void SpilledRunWriter::EndStretch() {
  run_.slots.push_back(storage_.Write(bytes_.bytes()));
  if (use_ != nullptr) use_->AddSpilled(bytes_.size());
  run_.first_rows.push_back(row_count_);
  run_.most_stretch_bytes = std::max(run_.most_stretch_bytes, bytes_.size());
  bytes_.Clear();
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
  std::byte* bytes = static_cast<std::byte*>(::operator new(slot.size_bytes()));
  bytes_ = std::shared_ptr<const std::byte>(
      bytes, [](const std::byte* data) { ::operator delete(const_cast<std::byte*>(data)); });
  storage_.Read(slot, {bytes, slot.size_bytes()});
  offset_ = 0;
}

bool SpilledRunReader::Next() {
  block_.reset();
  while (next_row_ < end_) {
    if (bytes_ == nullptr) ReadStretch();
    const std::byte* data = bytes_.get() + offset_;
    BlockHeader header;
    std::memcpy(&header, data, sizeof(header));
    data += sizeof(header);
    const uint64_t first_row = next_row_;
    const auto bytes = bytes_;
    next_row_ += header.row_count;
    offset_ += header.size_bytes;
    if (next_row_ == run_.first_rows[stretch_ + 1] || next_row_ >= end_) {
      if (releases_) run_.Release(stretch_);
      stretch_++;
      bytes_.reset();
    }
    if (next_row_ <= begin_) continue;
    auto block = std::make_shared<SpilledBlock>(schema_);
    block->rows.SetSize(header.row_count);
    for (Vector& column : block->rows.columns()) ReadColumn(data, header.row_count, bytes, *block, column);
    block->keys.resize(header.row_count * schema_.encoder.key_bytes());
    schema_.EncodeKeys(block->rows, block->keys.data());
    first_in_block_ = std::max(begin_, first_row) - first_row;
    end_in_block_ = std::min(end_, next_row_) - first_row;
    block_ = std::move(block);
    return true;
  }
  return false;
}

}  // namespace scaup
