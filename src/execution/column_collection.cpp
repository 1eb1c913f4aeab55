// Column collection: copying chunks in, and reading them by position.
#include "execution/column_collection.hpp"

#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

template <size_t kBytes>
void CopyValues(const UnifiedView& view, size_t offset, size_t count, std::byte* out) {
  for (size_t i = 0; i < count; i++) {
    std::memcpy(out + i * kBytes, view.data + view.selection[offset + i] * kBytes, kBytes);
  }
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

ColumnCollection::ColumnCollection(std::vector<LogicalType> types, MemoryTracker& memory)
    : types_(std::move(types)),
      columns_(types_.size()),
      strings_(std::make_unique<Arena>(&memory)),
      reservation_(memory) {}

void ColumnCollection::Append(DataChunk& chunk) {
  size_t offset = 0;
  while (offset < chunk.size()) {
    const size_t filled = row_count_ % kVectorSize;
    if (filled == 0) {
      size_t piece_bytes = 0;
      for (const LogicalType& type : types_) piece_bytes += kVectorSize * PhysicalSize(type);
      reservation_.Resize(reservation_.size_bytes() + piece_bytes);
      for (size_t i = 0; i < types_.size(); i++) {
        columns_[i].push_back(
            {std::unique_ptr<std::byte[]>(new std::byte[kVectorSize * PhysicalSize(types_[i])]), nullptr});
      }
    }
    const size_t count = std::min(kVectorSize - filled, chunk.size() - offset);
    for (size_t i = 0; i < types_.size(); i++) {
      const UnifiedView view = chunk.column(i).View(chunk.size());
      const PhysicalType physical_type = PhysicalTypeOf(types_[i]);
      const size_t width = PhysicalSize(physical_type);
      Piece& piece = columns_[i].back();
      std::byte* out = piece.data.get() + filled * width;
      if (physical_type == PhysicalType::kString) {
        CopyStrings(view, offset, count, out, *strings_);
      } else {
        switch (width) {
          case 1: CopyValues<1>(view, offset, count, out); break;
          case 2: CopyValues<2>(view, offset, count, out); break;
          case 4: CopyValues<4>(view, offset, count, out); break;
          case 8: CopyValues<8>(view, offset, count, out); break;
          default: CopyValues<16>(view, offset, count, out); break;
        }
      }
      if (view.validity == nullptr) continue;
      for (size_t row = 0; row < count; row++) {
        if (view.IsValid(offset + row)) continue;
        if (!piece.validity) {
          piece.validity = std::make_unique<ValidityWord[]>(kValidityWords);
          SetAllValid(piece.validity.get(), kVectorSize);
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
    output.column(i).ReferenceFlat(columns_[i][piece].data.get(), columns_[i][piece].validity.get(), nullptr);
  }
  output.SetSize(PieceRows(piece));
}

void ColumnCollection::ReadColumn(size_t column, size_t piece, std::shared_ptr<const void> owner,
                                  Vector& result) const {
  const Piece& values = columns_[column][piece];
  result.ReferenceFlat(values.data.get(), values.validity.get(), std::move(owner));
}

UnifiedView ColumnCollection::PieceView(size_t column, size_t piece) const {
  return {columns_[column][piece].data.get(), IdentitySelection(), columns_[column][piece].validity.get()};
}

void ColumnCollection::Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const {
  const ColumnCollection* self = this;
  GatherFrom({&self, 1}, column, rows, count, result);
}

void GatherFrom(std::span<const ColumnCollection* const> collections, size_t column, const uint64_t* rows,
                size_t count, Vector& result) {
  constexpr uint64_t kRowMask = CollectionRow(1, 0) - 1;
  const auto gather = [&](auto width_tag) {
    constexpr size_t kBytes = decltype(width_tag)::value;
    std::byte* out = result.MutableData<std::byte>();
    for (size_t i = 0; i < count; i++) {
      const uint64_t position = rows[i] & kRowMask;
      const auto& piece =
          collections[rows[i] >> kCollectionRowBits]->columns_[column][position / kVectorSize];
      const size_t row = position % kVectorSize;
      std::memcpy(out + i * kBytes, piece.data.get() + row * kBytes, kBytes);
      if (piece.validity && !TestValid(piece.validity.get(), row)) result.SetNull(i);
    }
  };
  switch (PhysicalSize(result.physical_type())) {
    case 1: return gather(std::integral_constant<size_t, 1>{});
    case 2: return gather(std::integral_constant<size_t, 2>{});
    case 4: return gather(std::integral_constant<size_t, 4>{});
    case 8: return gather(std::integral_constant<size_t, 8>{});
    case 16: return gather(std::integral_constant<size_t, 16>{});
  }
  ThrowInternal("unknown value width");
}

void GatherFrom(std::span<const ColumnCollection* const> collections, const uint64_t* rows, size_t count,
                DataChunk& result) {
  result.ResetForWriting();
  for (size_t i = 0; i < result.column_count(); i++)
    GatherFrom(collections, i, rows, count, result.column(i));
  result.SetSize(count);
}

}  // namespace scaup
