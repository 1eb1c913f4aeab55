// Keys of rows are the bytes of their values, so that only a new partition needs text.
#include "execution/write/partition_numbers.hpp"

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "format/files/file_list.hpp"

namespace scaup {

namespace {

size_t WidthOf(PhysicalType type) { return type == PhysicalType::kString ? 0 : PhysicalSize(type); }

}  // namespace

PartitionNumbers::PartitionNumbers(const FunctionContext& context, const std::vector<std::string>& names,
                                   const std::vector<LogicalType>& types, const std::vector<size_t>& columns)
    : context_(context), keys_(kVectorSize), numbers_(kVectorSize) {
  for (const size_t position : columns) {
    const auto cast = FindCast(types[position], TypeId::kVarchar);
    if (!cast) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 fmt::format("column \"{}\" of PARTITION_BY is of type {}, which has no text",
                             names[position], types[position].ToString()));
    }
    columns_.push_back({names[position], position, types[position], cast->kernel});
  }
}

void PartitionNumbers::AddToKeys(const Column& column, Vector& values, size_t row_count) {
  if (column.type.id() == TypeId::kNull) return;
  const UnifiedView view = values.View(row_count);
  const size_t width = WidthOf(values.physical_type());
  for (size_t row = 0; row < row_count; row++) {
    std::string& key = keys_[row];
    if (!view.IsValid(row)) {
      key += '\0';
      continue;
    }
    key += '\1';
    if (width != 0) {
      key.append(reinterpret_cast<const char*>(view.data) + view.selection[row] * width, width);
      continue;
    }
    const StringRef text = view.As<StringRef>()[row];
    const uint32_t size = text.size();
    key.append(reinterpret_cast<const char*>(&size), sizeof(size));
    key += text.view();
  }
}

std::string PartitionNumbers::FolderOf(DataChunk& chunk, size_t row) {
  std::string folder;
  DataChunk one(chunk.types());
  one.SliceRange(chunk, row, 1);
  for (const Column& column : columns_) {
    Vector text{LogicalType(TypeId::kVarchar)};
    text.Reset();
    column.cast({context_, column.type, TypeId::kVarchar}, one.column(column.position), 1, text);
    const auto view = text.ViewAs<StringRef>(1);
    if (!folder.empty()) folder += '/';
    folder += view.IsValid(0) ? PartitionFolder(column.key, view[0].ToString())
                              : PartitionFolder(column.key, std::nullopt);
  }
  return folder;
}

uint32_t PartitionNumbers::NumberOf(size_t row, DataChunk& chunk) {
  const auto known = numbers_by_key_.find(keys_[row]);
  if (known != numbers_by_key_.end()) return known->second;
  // Values of different bytes may have the same text, as the many forms of NaN.
  std::string folder = FolderOf(chunk, row);
  const auto [place, is_new] = numbers_by_folder_.emplace(folder, static_cast<uint32_t>(folders_.size()));
  if (is_new) folders_.push_back(std::move(folder));
  numbers_by_key_.emplace(keys_[row], place->second);
  return place->second;
}

const uint32_t* PartitionNumbers::Find(DataChunk& chunk) {
  for (size_t row = 0; row < chunk.size(); row++) keys_[row].clear();
  for (const Column& column : columns_) AddToKeys(column, chunk.column(column.position), chunk.size());
  for (size_t row = 0; row < chunk.size(); row++) {
    // Rows of a partition often follow one another.
    const bool is_same = row != 0 && keys_[row] == keys_[row - 1];
    numbers_[row] = is_same ? numbers_[row - 1] : NumberOf(row, chunk);
  }
  return numbers_.data();
}

}  // namespace scaup
