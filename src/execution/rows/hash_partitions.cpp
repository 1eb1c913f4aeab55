// Hash partitions: scattering columns to pieces, spilling them, and reading them back.
#include "execution/rows/hash_partitions.hpp"

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "execution/rows/column_collection.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

constexpr size_t kColumnAlignment = 64;
size_t AlignUp(size_t value) { return (value + kColumnAlignment - 1) / kColumnAlignment * kColumnAlignment; }

constexpr size_t kLeastPieceRows = 16;
// The assumed average length of strings, for the size of string blocks.
constexpr size_t kUsualStringBytes = 24;

// One row in this many is sampled to find out whether a hash dominates.
constexpr size_t kSampleStep = 8;

// With less memory per thread there are fewer partitions, as each has an open piece.
constexpr size_t kFewBitsLimit = size_t{16} << 20;
constexpr size_t kAllBitsLimit = size_t{128} << 20;

}  // namespace

unsigned PartitionBits::BitCountFor(size_t memory_share_bytes) {
  if (memory_share_bytes < kFewBitsLimit) return 4;
  return memory_share_bytes < kAllBitsLimit ? 6 : 8;
}

/// The bytes of strings, in blocks that never move.
class HashPartitions::StringSpace {
 public:
  /// `reservation` accounts for the blocks.
  char* Allocate(size_t size_bytes, size_t block_bytes, MemoryReservation& reservation) {
    if (size_bytes > left_) {
      const size_t wanted = std::max(size_bytes, block_bytes);
      reservation.Resize(reservation.size_bytes() + wanted);
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(wanted));
      // A long string gets a block of its own if the current block has more space left than the new one
      // would.
      if (wanted - size_bytes <= left_) return blocks_.back().get();
      next_ = blocks_.back().get();
      left_ = wanted;
    }
    char* result = next_;
    next_ += size_bytes;
    left_ -= size_bytes;
    return result;
  }

  /// The bytes left in the current block.
  size_t room_bytes() const { return left_; }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

/// The rows of one partition.
struct HashPartitions::Partition {
  explicit Partition(MemoryTracker& memory) : reservation(memory) {}
  SpilledChunks spilled;  // Older than the pieces.
  uint64_t spilled_rows = 0;
  std::vector<Piece> pieces;  // All pieces but the last are full.
  size_t last_piece_rows = 0;
  StringSpace strings;
  MemoryReservation reservation;  // For the pieces and the strings.
  MajorityHash majority;
};

/// The state of a reader, which owns the rows that it reads.
struct PartitionReader::State {
  State(const HashPartitions& owner_in, HashPartitions::Partition rows_in)
      : owner(owner_in), rows(std::move(rows_in)) {}
  const HashPartitions& owner;
  HashPartitions::Partition rows;
  uint64_t row_count = 0;
  size_t next_spilled = 0;
  size_t next_piece = 0;
  bool keeps = false;
  bool has_dropped = false;  // Rows that were read do not exist any more.
  DataChunk chunk;           // Rows read from storage.
};

HashPartitions::HashPartitions(std::vector<LogicalType> types, PartitionBits bits, size_t memory_share_bytes,
                               MemoryTracker& memory)
    : types_(std::move(types)),
      bits_(bits),
      memory_(&memory),
      has_nulls_(types_.size()),
      cursors_(bits.partition_count()),
      targets_(std::make_unique_for_overwrite<Target[]>(kVectorSize)) {
  size_t row_bytes = 1;
  for (const LogicalType& type : types_)
    row_bytes += PhysicalSize(type) + (PhysicalTypeOf(type) == PhysicalType::kString ? kUsualStringBytes : 0);
  const size_t budget = ReserveBytes(memory_share_bytes) / 2 / bits.partition_count() / row_bytes;
  // Validity words are not shared between pieces, so a piece has at most one vector of rows.
  piece_rows_ = std::clamp(budget, kLeastPieceRows, kVectorSize);
  for (const LogicalType& type : types_) {
    offsets_.push_back(piece_bytes_);
    piece_bytes_ = AlignUp(piece_bytes_ + piece_rows_ * PhysicalSize(type));
  }
  for (size_t i = 0; i < types_.size(); i++) {
    validity_offsets_.push_back(piece_bytes_);
    piece_bytes_ += (piece_rows_ + 63) / 64 * sizeof(ValidityWord);
  }
  for (size_t i = 0; i < bits.partition_count(); i++) partitions_.emplace_back(memory);
}

size_t HashPartitions::LeastBytes(const std::vector<LogicalType>& types, PartitionBits bits,
                                  size_t memory_share_bytes) {
  constexpr size_t kWantedBytes = size_t{1} << 20;
  size_t piece_bytes = 0;
  for (const LogicalType& type : types) {
    const size_t string_bytes = PhysicalTypeOf(type) == PhysicalType::kString ? kUsualStringBytes : 0;
    piece_bytes +=
        AlignUp(kLeastPieceRows * PhysicalSize(type)) + kLeastPieceRows * string_bytes + sizeof(ValidityWord);
  }
  return std::max(bits.partition_count() * piece_bytes,
                  std::min(ReserveBytes(memory_share_bytes), kWantedBytes));
}

HashPartitions::~HashPartitions() = default;
HashPartitions::HashPartitions(HashPartitions&&) noexcept = default;

uint64_t HashPartitions::row_count(size_t partition) const {
  const Partition& rows = partitions_[partition];
  const size_t full = rows.pieces.empty() ? 0 : (rows.pieces.size() - 1) * piece_rows_;
  return rows.spilled_rows + full + cursors_[partition].row_count;
}

void HashPartitions::BeginPiece(size_t number) {
  Partition& partition = partitions_[number];
  partition.pieces.reserve(partition.pieces.size() + 1);
  partition.reservation.Resize(partition.reservation.size_bytes() + piece_bytes_);
  auto piece = std::make_unique_for_overwrite<std::byte[]>(piece_bytes_);
  if (!types_.empty()) {
    const size_t validity = validity_offsets_.front();
    std::memset(piece.get() + validity, 0xff, piece_bytes_ - validity);
  }
  partition.pieces.push_back(std::move(piece));
  cursors_[number] = {partition.pieces.back().get(), 0};
}

void HashPartitions::Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count) {
  if (rows == nullptr) rows = IdentitySelection();
  // The destination of every row is computed once, so that the columns can then be scattered one by one.
  for (size_t i = 0; i < count; i++) {
    const size_t number = bits_.Of(hashes[rows[i]]);
    Cursor& cursor = cursors_[number];
    if (cursor.piece == nullptr || cursor.row_count == piece_rows_) BeginPiece(number);
    targets_[i] = {cursor.piece, cursor.row_count++, static_cast<uint32_t>(number)};
  }
  for (size_t i = row_count_ % kSampleStep; i < count; i += kSampleStep)
    partitions_[targets_[i].partition].majority.Add(hashes[rows[i]]);
  row_count_ += count;
  for (size_t column = 0; column < types_.size(); column++) {
    const UnifiedView view = chunk.column(column).View(chunk.size());
    const PhysicalType type = PhysicalTypeOf(types_[column]);
    if (type == PhysicalType::kString) {
      ScatterStrings(column, view, rows, count);
    } else {
      VisitWidth(PhysicalSize(type),
                 [&]<size_t kBytes>() { ScatterFixed<kBytes>(column, view, rows, count); });
    }
    if (view.validity != nullptr) ScatterNulls(column, view, rows, count);
  }
}

template <size_t kBytes>
void HashPartitions::ScatterFixed(size_t column, const UnifiedView& view, const sel_t* rows, size_t count) {
  const size_t offset = offsets_[column];
  for (size_t i = 0; i < count; i++) {
    const Target& target = targets_[i];
    std::memcpy(target.piece + offset + target.place * kBytes, view.data + view.selection[rows[i]] * kBytes,
                kBytes);
  }
}

void HashPartitions::ScatterStrings(size_t column, const UnifiedView& view, const sel_t* rows, size_t count) {
  const auto strings = view.As<StringRef>();
  const size_t block_bytes = piece_rows_ * kUsualStringBytes;
  for (size_t i = 0; i < count; i++) {
    StringRef value = view.IsValid(rows[i]) ? strings[rows[i]] : StringRef();
    const Target& target = targets_[i];
    if (!value.is_inline()) {
      Partition& partition = partitions_[target.partition];
      char* copy = partition.strings.Allocate(value.size(), block_bytes, partition.reservation);
      std::memcpy(copy, value.data(), value.size());
      value = StringRef(copy, value.size());
    }
    std::memcpy(target.piece + offsets_[column] + target.place * sizeof(StringRef), &value, sizeof(value));
  }
}

void HashPartitions::ScatterNulls(size_t column, const UnifiedView& view, const sel_t* rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (view.IsValid(rows[i])) continue;
    const Target& target = targets_[i];
    SetInvalid(reinterpret_cast<ValidityWord*>(target.piece + validity_offsets_[column]), target.place);
    has_nulls_[column] = true;
  }
}

size_t HashPartitions::MostAppendBytes(DataChunk& chunk, const sel_t* rows, size_t count) const {
  if (rows == nullptr) rows = IdentitySelection();
  size_t strings = 0;
  ForEachLongString(chunk, rows, count, [&](size_t, size_t length) { strings += length; });
  const bool has_strings = std::any_of(types_.begin(), types_.end(), [](const LogicalType& type) {
    return PhysicalTypeOf(type) == PhysicalType::kString;
  });
  // Each partition may begin a piece, and further ones where its rows fill pieces.
  const size_t pieces = std::min(count, bits_.partition_count()) + count / piece_rows_;
  return strings + pieces * (piece_bytes_ + (has_strings ? piece_rows_ * kUsualStringBytes : 0));
}

// The bytes that appending reserves, for the partitions to which the rows go.
size_t HashPartitions::AppendBytes(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows,
                                   size_t count) const {
  std::vector<size_t> row_counts(bits_.partition_count()), string_bytes(bits_.partition_count());
  for (size_t i = 0; i < count; i++) row_counts[bits_.Of(hashes[rows[i]])]++;
  ForEachLongString(chunk, rows, count,
                    [&](size_t row, size_t length) { string_bytes[bits_.Of(hashes[row])] += length; });
  size_t size_bytes = 0;
  for (size_t number = 0; number < row_counts.size(); number++) {
    if (row_counts[number] == 0) continue;
    const Cursor& cursor = cursors_[number];
    const size_t room = cursor.piece == nullptr ? 0 : piece_rows_ - cursor.row_count;
    if (row_counts[number] > room)
      size_bytes += (row_counts[number] - room + piece_rows_ - 1) / piece_rows_ * piece_bytes_;
    if (string_bytes[number] > partitions_[number].strings.room_bytes())
      size_bytes += string_bytes[number] + piece_rows_ * kUsualStringBytes;
  }
  return size_bytes;
}

void HashPartitions::AppendWithin(MemoryTracker& memory, TemporaryStorage& storage, DataChunk& chunk,
                                  const uint64_t* hashes, const sel_t* rows, size_t count) {
  if (rows == nullptr) rows = IdentitySelection();
  if (memory.free_bytes() >= AppendBytes(chunk, hashes, rows, count))
    return Append(chunk, hashes, rows, count);
  if (count <= 1) {
    Spill(storage);
    return Append(chunk, hashes, rows, count);
  }
  AppendWithin(memory, storage, chunk, hashes, rows, count / 2);
  AppendWithin(memory, storage, chunk, hashes, rows + count / 2, count - count / 2);
}

void HashPartitions::Read(const Piece& piece, size_t row_count, DataChunk& output) const {
  for (size_t i = 0; i < types_.size(); i++) {
    const auto* validity = reinterpret_cast<const ValidityWord*>(piece.get() + validity_offsets_[i]);
    output.column(i).ReferenceFlat(piece.get() + offsets_[i], has_nulls_[i] ? validity : nullptr, nullptr);
  }
  output.SetSize(row_count);
}

void HashPartitions::Spill(TemporaryStorage& storage) {
  storage_ = &storage;
  SpilledChunkWriter writer(storage, memory_->use());
  DataChunk chunk(types_);
  for (size_t number = 0; number < partitions_.size(); number++) {
    Partition& partition = partitions_[number];
    const uint64_t rows = row_count(number);
    for (size_t i = 0; i < partition.pieces.size(); i++) {
      const bool is_last = i + 1 == partition.pieces.size();
      Read(partition.pieces[i], is_last ? cursors_[number].row_count : piece_rows_, chunk);
      writer.Write(chunk, partition.spilled);
    }
    chunk.Release();
    partition.spilled_rows = rows;
    partition.pieces.clear();
    cursors_[number] = Cursor();
    partition.strings = StringSpace();
    partition.reservation.Reset();
  }
  writer.Flush();
}

PartitionReader HashPartitions::Take(size_t partition) {
  auto state = std::make_unique<PartitionReader::State>(*this, Partition(*memory_));
  state->row_count = row_count(partition);
  std::swap(state->rows, partitions_[partition]);
  state->rows.last_piece_rows = cursors_[partition].row_count;
  cursors_[partition] = Cursor();
  return PartitionReader(std::move(state));
}

PartitionReader::PartitionReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
PartitionReader::PartitionReader(PartitionReader&&) noexcept = default;
PartitionReader& PartitionReader::operator=(PartitionReader&&) noexcept = default;
PartitionReader::~PartitionReader() = default;

uint64_t PartitionReader::row_count() const { return state_->row_count; }
const MajorityHash& PartitionReader::majority() const { return state_->rows.majority; }
void PartitionReader::SetKeeping(bool keeps) { state_->keeps = keeps; }
void PartitionReader::Rewind() {
  SCAUP_ASSERT(!state_->has_dropped);
  state_->next_spilled = state_->next_piece = 0;
}

bool PartitionReader::Next(DataChunk& output) {
  State& state = *state_;
  output.Release();
  if (state.next_spilled < state.rows.spilled.size()) {
    const size_t next = state.next_spilled++;
    state.chunk = state.rows.spilled.Read(next, *state.owner.storage_, state.owner.types_);
    if (!state.keeps) {
      state.rows.spilled.Drop(next);
      state.has_dropped = true;
    }
    output.Reference(state.chunk);
    return true;
  }
  const size_t next = state.next_piece;
  if (next == state.rows.pieces.size()) return false;
  // Free the piece that the previous call returned: its rows were valid until this call.
  if (next != 0 && !state.keeps) {
    MemoryReservation& reservation = state.rows.reservation;
    state.rows.pieces[next - 1].reset();
    state.has_dropped = true;
    reservation.Resize(reservation.size_bytes() - state.owner.piece_bytes_);
  }
  state.next_piece++;
  const bool is_last = state.next_piece == state.rows.pieces.size();
  state.owner.Read(state.rows.pieces[next], is_last ? state.rows.last_piece_rows : state.owner.piece_rows_,
                   output);
  return true;
}

}  // namespace scaup
