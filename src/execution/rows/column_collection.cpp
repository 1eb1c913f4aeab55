// Column collection: copying chunks in, and reading them by position.
#include "execution/rows/column_collection.hpp"

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

// From this size on, memory for many pieces at once comes from huge pages: fewer page faults, and fewer TLB
// misses when rows are read in another order.
constexpr size_t kLeastForLargeBytes = size_t{8} << 20;

template <size_t kBytes>
void CopyValues(const UnifiedView& view, size_t offset, size_t count, std::byte* out) {
  for (size_t i = 0; i < count; i++) {
    std::memcpy(out + i * kBytes, view.data + view.selection[offset + i] * kBytes, kBytes);
  }
}

size_t PieceBytes(const std::vector<LogicalType>& types) {
  size_t piece_bytes = 0;
  for (const LogicalType& type : types) piece_bytes += kVectorSize * PhysicalSize(type);
  return piece_bytes;
}

void CopyStrings(const UnifiedView& view, size_t offset, size_t count, std::byte* out, Arena& arena) {
  const auto strings = view.As<StringRef>();
  auto* target = reinterpret_cast<StringRef*>(out);
  for (size_t i = 0; i < count; i++) {
    StringRef value = view.IsValid(offset + i) ? strings[offset + i] : StringRef();
    if (!value.is_inline()) {
      char* copy = reinterpret_cast<char*>(arena.Allocate(value.size(), 1));
      std::memcpy(copy, value.data(), value.size());
      value = StringRef(copy, value.size());
    }
    target[i] = value;
  }
}

}  // namespace

size_t LongStringBytes(DataChunk& rows) {
  size_t size_bytes = 0;
  ForEachLongString(rows, IdentitySelection(), rows.size(),
                    [&](size_t, size_t length) { size_bytes += length; });
  return size_bytes;
}

ColumnCollection::ColumnCollection(std::vector<LogicalType> types, MemoryTracker& memory, size_t bytes_before)
    : types_(std::move(types)),
      bytes_before_(bytes_before),
      columns_(types_.size()),
      has_nulls_(types_.size()),
      strings_(std::make_unique<Arena>(&memory)),
      reservation_(memory) {
  strings_->GrowSlowly();
}

size_t ColumnCollection::MostBytes(const std::vector<LogicalType>& types, size_t row_count) {
  const size_t all_bytes = (row_count / kVectorSize + 1) * PieceBytes(types);
  // The last large memory may hold one piece only.
  return all_bytes < kLeastForLargeBytes ? all_bytes : all_bytes + kLargeMemoryBytes;
}

size_t ColumnCollection::NextPieceBytes() const {
  const size_t piece_bytes = PieceBytes(types_);
  if (piece_bytes <= large_left_.size()) return 0;
  const bool is_large = bytes_before_ + piece_count() * piece_bytes >= kLeastForLargeBytes;
  return is_large ? std::max(piece_bytes, kLargeMemoryBytes) : piece_bytes;
}

void ColumnCollection::AddPiece() {
  const size_t size_bytes = NextPieceBytes();
  reservation_.Resize(reservation_.size_bytes() + size_bytes);
  const size_t piece_bytes = PieceBytes(types_);
  std::byte* data = nullptr;
  if (size_bytes > piece_bytes) {
    large_memory_.push_back(std::make_unique<LargeArray<std::byte>>(size_bytes));
    large_left_ = {large_memory_.back()->data(), size_bytes};
  }
  if (piece_bytes <= large_left_.size()) {
    data = large_left_.data();
    large_left_ = large_left_.subspan(piece_bytes);
  } else {
    small_memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(piece_bytes));
    data = small_memory_.back().get();
  }
  for (size_t i = 0; i < types_.size(); i++) {
    columns_[i].push_back({data, nullptr});
    data += kVectorSize * PhysicalSize(types_[i]);
  }
}

void ColumnCollection::Append(DataChunk& chunk, size_t begin, size_t row_count) {
  size_t offset = begin;
  const size_t end = begin + row_count;
  while (offset < end) {
    const size_t filled = row_count_ % kVectorSize;
    if (filled == 0) AddPiece();
    const size_t count = std::min(kVectorSize - filled, end - offset);
    for (size_t i = 0; i < types_.size(); i++) {
      const UnifiedView view = chunk.column(i).View(chunk.size());
      const PhysicalType physical_type = PhysicalTypeOf(types_[i]);
      const size_t width = PhysicalSize(physical_type);
      Piece& piece = columns_[i].back();
      std::byte* out = piece.data + filled * width;
      if (physical_type == PhysicalType::kString) {
        CopyStrings(view, offset, count, out, *strings_);
      } else {
        VisitWidth(width, [&]<size_t kBytes>() { CopyValues<kBytes>(view, offset, count, out); });
      }
      if (view.validity == nullptr) continue;
      for (size_t row = 0; row < count; row++) {
        if (view.IsValid(offset + row)) continue;
        if (!piece.validity) {
          piece.validity = std::make_unique<ValidityWord[]>(kValidityWords);
          SetAllValid(piece.validity.get(), kVectorSize);
          has_nulls_[i] = true;
        }
        SetInvalid(piece.validity.get(), filled + row);
      }
    }
    row_count_ += count;
    offset += count;
  }
}

void ColumnCollection::Read(size_t piece, DataChunk& output) const {
  for (size_t i = 0; i < types_.size(); i++) {
    output.column(i).ReferenceFlat(columns_[i][piece].data, columns_[i][piece].validity.get(), nullptr);
  }
  output.SetSize(PieceRows(piece));
}

void ColumnCollection::ReadColumn(size_t column, size_t piece, std::shared_ptr<const void> owner,
                                  Vector& result) const {
  const Piece& values = columns_[column][piece];
  result.ReferenceFlat(values.data, values.validity.get(), std::move(owner));
}

UnifiedView ColumnCollection::PieceView(size_t column, size_t piece) const {
  return {columns_[column][piece].data, IdentitySelection(), columns_[column][piece].validity.get()};
}

void ColumnCollection::Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const {
  const ColumnCollection* self = this;
  GatherFrom({&self, 1}, column, rows, count, result);
}

void GatherFrom(std::span<const ColumnCollection* const> collections, size_t column, const uint64_t* rows,
                size_t count, Vector& result) {
  constexpr uint64_t kRowMask = CollectionRow(1, 0) - 1;
  VisitWidth(PhysicalSize(result.physical_type()), [&]<size_t kBytes>() {
    std::byte* out = result.MutableData<std::byte>();
    // The common case, one collection without NULLs, needs neither the collection's number nor a validity
    // test.
    if (collections.size() == 1 && !collections[0]->has_nulls_[column]) {
      const auto* pieces = collections[0]->columns_[column].data();
      for (size_t i = 0; i < count; i++) {
        const std::byte* data = pieces[rows[i] / kVectorSize].data;
        std::memcpy(out + i * kBytes, data + rows[i] % kVectorSize * kBytes, kBytes);
      }
      return;
    }
    for (size_t i = 0; i < count; i++) {
      const uint64_t position = rows[i] & kRowMask;
      const auto& piece =
          collections[rows[i] >> kCollectionRowBits]->columns_[column][position / kVectorSize];
      const size_t row = position % kVectorSize;
      std::memcpy(out + i * kBytes, piece.data + row * kBytes, kBytes);
      if (piece.validity && !TestValid(piece.validity.get(), row)) result.SetNull(i);
    }
  });
}

void GatherFrom(std::span<const ColumnCollection* const> collections, const uint64_t* rows, size_t count,
                DataChunk& result) {
  SCAUP_ASSERT(count <= kVectorSize);
  result.ResetForWriting();
  for (size_t i = 0; i < result.column_count(); i++)
    GatherFrom(collections, i, rows, count, result.column(i));
  result.SetSize(count);
}

}  // namespace scaup
