// Operations on all vectors of a DataChunk.
#include "vector/data_chunk.hpp"

#include <numeric>

namespace scaup {

void DataChunk::Initialize(const std::vector<LogicalType>& types) {
  columns_.clear();
  columns_.reserve(types.size());
  for (const LogicalType& type : types) columns_.emplace_back(type);
  size_ = 0;
}

std::vector<LogicalType> DataChunk::types() const {
  std::vector<LogicalType> types;
  types.reserve(columns_.size());
  for (const Vector& column : columns_) types.push_back(column.type());
  return types;
}

void DataChunk::Release() {
  for (Vector& column : columns_) column.Release();
  size_ = 0;
}

void DataChunk::ResetForWriting() {
  for (Vector& column : columns_) column.Reset();
  size_ = 0;
}

void DataChunk::Reference(DataChunk& other) {
  for (size_t i = 0; i < columns_.size(); i++) columns_[i].Reference(other.columns_[i]);
  size_ = other.size_;
  batch_index = other.batch_index;
}

void DataChunk::Slice(DataChunk& other, const SelectionRef& selection, size_t count) {
  // Columns that share one selection, because they came through the same filter or join, share the composed
  // one, too.
  const SelectionVector* last_inner = nullptr;
  const Vector* last_result = nullptr;
  for (size_t i = 0; i < columns_.size(); i++) {
    const Vector& source = other.columns_[i];
    if (source.kind() == VectorKind::kDictionary) {
      if (last_inner == source.selection().get() && last_result != nullptr) {
        Dictionary dictionary = source.dictionary();
        columns_[i].ReferenceDictionary(std::move(dictionary), last_result->selection());
        continue;
      }
      const SelectionVector* inner = source.selection().get();
      columns_[i].Slice(source, other.size_, selection, count);
      last_inner = inner;
      last_result = &columns_[i];
      continue;
    }
    columns_[i].Slice(source, other.size_, selection, count);
  }
  batch_index = other.batch_index;
  size_ = count;
}

void DataChunk::Slice(const SelectionRef& selection, size_t count) { Slice(*this, selection, count); }

void DataChunk::SliceRange(DataChunk& other, size_t begin, size_t count) {
  const auto selection = std::make_shared<SelectionVector>();
  std::iota(selection->rows, selection->rows + count, static_cast<sel_t>(begin));
  Slice(other, selection, count);
}

void DataChunk::Flatten() {
  for (Vector& column : columns_) column.Flatten(size_);
}

}  // namespace scaup
