// Reads footers, and refuses those that contradict themselves or the file.
#include "format/parquet/parquet_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "format/parquet/parquet_damage.hpp"

namespace scaup {

namespace {

constexpr size_t kTailBytes = 8;  // the footer's size, and PAR1
constexpr size_t kFirstReadBytes = 64 << 10;
/// Memory that a footer takes, at most, for each of its bytes.
constexpr size_t kMemoryPerByte = 24;
constexpr int64_t kMostRows = INT32_MAX;  // of a row group

}  // namespace

std::vector<std::byte> ReadParquetBytes(File& file, uint64_t offset, size_t size_bytes) {
  std::vector<std::byte> bytes(size_bytes);
  if (file.Read(offset, bytes.data(), size_bytes) != size_bytes) ThrowParquetDamage("it is cut off");
  return bytes;
}

ParquetFile::ParquetFile(const FunctionContext& context, const std::string& path,
                         const ParquetOptions& options)
    : path_(path), memory_(context.memory) {
  Guard([&] { ReadFooter(context, options); });
}

std::unique_ptr<File> ParquetFile::Open(const FunctionContext& context) const {
  return context.files.Open(path_, OpenMode::kRead);
}

void ParquetFile::ReadFooter(const FunctionContext& context, const ParquetOptions& options) {
  const std::unique_ptr<File> file = Open(context);
  size_bytes_ = file->Size();
  if (size_bytes_ < 4 + kTailBytes) ThrowParquetDamage("it is too short");
  const size_t first = std::min<uint64_t>(size_bytes_, kFirstReadBytes);
  std::vector<std::byte> tail = ReadParquetBytes(*file, size_bytes_ - first, first);
  const std::byte* const end = tail.data() + tail.size();
  if (std::memcmp(end - 4, "PARE", 4) == 0) ThrowParquetUnknown("its footer is encrypted");
  if (std::memcmp(end - 4, "PAR1", 4) != 0) ThrowParquetDamage("it does not end as Parquet files do");
  uint32_t size;
  std::memcpy(&size, end - kTailBytes, sizeof(size));
  if (size > size_bytes_ - kTailBytes - 4) ThrowParquetDamage("its footer is longer than the file");
  footer_bytes_ = size;
  memory_.Resize(size * kMemoryPerByte);
  if (size + kTailBytes > tail.size())
    tail = ReadParquetBytes(*file, size_bytes_ - size - kTailBytes, size + kTailBytes);
  metadata_ = ReadParquetMetadata({tail.data() + tail.size() - size - kTailBytes, size});
  tree_ = MakeParquetTree(metadata_.schema, options);
  CheckRowGroups();
}

void ParquetFile::CheckRowGroups() const {
  int64_t row_count = 0;
  for (const ParquetRowGroup& group : metadata_.row_groups) {
    if (group.row_count < 0) ThrowParquetDamage("a row group has a negative number of rows");
    if (group.row_count > kMostRows) ThrowParquetUnknown("a row group has more than 2147483647 rows");
    row_count += group.row_count;
    if (group.columns.size() != tree_.leaves.size())
      ThrowParquetDamage("a row group has the wrong number of columns");
    for (size_t i = 0; i < group.columns.size(); i++)
      CheckChunk(group.columns[i], tree_.leaves[i], group.row_count);
  }
  if (row_count != metadata_.row_count)
    ThrowParquetDamage("its row groups do not have as many rows as it has");
}

void ParquetFile::CheckChunk(const ParquetColumnChunk& chunk, const ParquetLeaf& leaf,
                             int64_t row_count) const {
  if (!chunk.file_path.empty())
    ThrowParquetUnknown(fmt::format("the data of column \"{}\" is in another file", leaf.name));
  if (chunk.type != leaf.physical) ThrowParquetDamage(fmt::format("column \"{}\" has two types", leaf.name));
  const auto size = static_cast<int64_t>(size_bytes_);
  // Some writers put the offset 0 where there is no dictionary.
  const int64_t begin = chunk.dictionary_offset > 0 && chunk.dictionary_offset < chunk.data_offset
                            ? chunk.dictionary_offset
                            : chunk.data_offset;
  if (begin < 0 || chunk.compressed_bytes < 0 || begin > size || chunk.compressed_bytes > size - begin)
    ThrowParquetDamage(fmt::format("the data of column \"{}\" is outside of the file", leaf.name));
  const bool fits = leaf.repetition == 0 ? chunk.value_count == row_count : chunk.value_count >= row_count;
  if (!fits) ThrowParquetDamage(fmt::format("column \"{}\" does not have a value for each row", leaf.name));
}

}  // namespace scaup
