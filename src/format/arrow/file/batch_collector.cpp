// Copies values of vectors to the ends of columns.
#include "format/arrow/file/batch_collector.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

namespace {

template <typename T>
void CopyRows(const UnifiedView& view, size_t begin, size_t end, std::byte* out) {
  const auto values = view.As<T>();
  for (size_t row = begin; row < end; row++) {
    const T value = values[row];
    std::memcpy(out + (row - begin) * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

BatchCollector::BatchCollector(const std::vector<LogicalType>& types, MemoryTracker& memory)
    : types_(types), memory_(memory), rows_(std::make_shared<Rows>(memory)) {
  rows_->columns.resize(types_.size());
  for (const LogicalType& type : types_) row_bytes_ += PhysicalSize(type) + 1;
}

size_t BatchCollector::size_bytes() const { return row_count_ * row_bytes_ + rows_->texts.size_bytes(); }

void BatchCollector::AddColumn(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end,
                               Column& column) {
  const size_t width = PhysicalSize(type), count = end - begin;
  const size_t old_bytes = column.values.size();
  column.values.resize(old_bytes + count * width);
  std::byte* const out = column.values.data() + old_bytes;
  const bool is_null_type = type.id() == TypeId::kNull;
  const bool has_nulls = view.validity != nullptr || is_null_type;
  if (has_nulls || !column.nulls.empty()) {
    column.nulls.resize(row_count_ + count);  // Rows before the first NULL are not NULL.
    if (has_nulls) {
      for (size_t row = begin; row < end; row++)
        column.nulls[row_count_ + row - begin] = is_null_type || !view.IsValid(row) ? 1 : 0;
    }
  }
  if (IsStringLike(type)) {
    const auto values = view.As<StringRef>();
    for (size_t row = begin; row < end; row++) {
      StringRef value = view.IsValid(row) ? values[row] : StringRef();
      if (!value.is_inline()) {
        auto* const copy = reinterpret_cast<char*>(rows_->texts.Allocate(value.size(), 1));
        std::memcpy(copy, value.data(), value.size());
        value = StringRef(copy, value.size());
      }
      std::memcpy(out + (row - begin) * width, &value, width);
    }
    return;
  }
  switch (width) {
    case 1: return CopyRows<uint8_t>(view, begin, end, out);
    case 2: return CopyRows<uint16_t>(view, begin, end, out);
    case 4: return CopyRows<uint32_t>(view, begin, end, out);
    case 8: return CopyRows<uint64_t>(view, begin, end, out);
    default: SCAUP_ASSERT(width == sizeof(int128_t)); return CopyRows<int128_t>(view, begin, end, out);
  }
}

void BatchCollector::Add(DataChunk& chunk, size_t begin, size_t end) {
  // Vectors grow by doubling.
  const size_t wanted = 2 * (row_count_ + end - begin) * row_bytes_;
  if (wanted > rows_->reservation.size_bytes())
    rows_->reservation.Resize(std::max(wanted, 2 * rows_->reservation.size_bytes()));
  for (size_t i = 0; i < types_.size(); i++)
    AddColumn(types_[i], chunk.column(i).View(chunk.size()), begin, end, rows_->columns[i]);
  row_count_ += end - begin;
}

BatchCollector::Batch BatchCollector::Take() {
  Batch batch;
  batch.row_count = std::exchange(row_count_, 0);
  for (size_t i = 0; i < types_.size(); i++) {
    const Column& column = rows_->columns[i];
    batch.columns.push_back(
        {types_[i], column.values.data(), column.nulls.empty() ? nullptr : column.nulls.data()});
  }
  batch.owner = std::exchange(rows_, std::make_shared<Rows>(memory_));
  rows_->columns.resize(types_.size());
  return batch;
}

}  // namespace scaup
