// Row groups, page indexes and the footer of a Parquet file.
#include "format/parquet/write/parquet_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "common/memory/memory_tracker.hpp"
#include "common/task_scheduler.hpp"
#include "common/version.hpp"
#include "format/parquet/write/write_schema.hpp"

namespace scaup {

namespace {

constexpr std::string_view kMagic = "PAR1";
/// Values, codes and pages of a row group are in memory at once; other operators need some, too.
constexpr size_t kShareOfMemory = 6;
/// The memory that the footer takes for a page and for a column chunk, roughly.
constexpr size_t kBytesPerPage = 160, kBytesPerChunk = 512;

size_t MostRowGroupBytes(const ParquetWriteOptions& options, const MemoryTracker& memory) {
  const size_t share = memory.limit_bytes() / kShareOfMemory;
  return std::max<size_t>(1, options.row_group_bytes ? std::min(*options.row_group_bytes, share) : share);
}

/// The names of the elements from the root to each leaf.
void CollectPaths(const std::vector<ParquetSchemaElement>& schema, size_t& next,
                  std::vector<std::string>& path, std::vector<std::vector<std::string>>& paths) {
  const ParquetSchemaElement& element = schema[next++];
  const bool is_root = next == 1;
  if (!is_root) path.push_back(element.name);
  if (element.type) paths.push_back(path);
  for (int32_t i = 0; i < element.child_count; i++) CollectPaths(schema, next, path, paths);
  if (!is_root) path.pop_back();
}

}  // namespace

ParquetWriter::ParquetWriter(const FunctionContext& context, NewFilePath path,
                             const ParquetWriteOptions& options, const std::vector<std::string>& names,
                             const std::vector<LogicalType>& types)
    : context_(context),
      options_(options),
      most_bytes_(MostRowGroupBytes(options, context.memory)),
      metadata_memory_(context.memory),
      file_(context.files, std::move(path)) {
  metadata_.version = options.is_version_2 ? 2 : 1;
  metadata_.created_by = fmt::format("Scaup version {}", kVersion);
  metadata_.key_values = options.key_values;
  metadata_.schema = MakeParquetSchema(names, types);
  SetFieldIds(options.field_ids, metadata_.schema);
  tree_ = MakeParquetTree(metadata_.schema, ParquetOptions());
  size_t next = 0;
  std::vector<std::string> elements;
  CollectPaths(metadata_.schema, next, elements, paths_);
  leaves_.reserve(tree_.leaves.size());
  for (const ParquetLeaf& leaf : tree_.leaves) leaves_.emplace_back(leaf, context.memory);
  for (size_t i = 0; i < types.size(); i++) shredders_.emplace_back(tree_.columns[i], types[i], leaves_);
  Write(kMagic.data(), kMagic.size());
}

int64_t ParquetWriter::Write(const void* bytes, size_t size_bytes) {
  const auto offset = static_cast<int64_t>(file_.size());
  file_.Append(bytes, size_bytes);
  return offset;
}

bool ParquetWriter::IsRowGroupFull() const {
  return row_count_ == options_.row_group_rows || buffered_bytes() >= most_bytes_;
}

size_t ParquetWriter::buffered_bytes() const {
  size_t size_bytes = 0;
  for (const LeafValues& leaf : leaves_) size_bytes += leaf.size_bytes();
  return size_bytes;
}

void ParquetWriter::Flush() {
  if (row_count_ != 0) WriteRowGroup();
  for (LeafValues& leaf : leaves_) leaf.Release();
}

void ParquetWriter::Append(DataChunk& chunk) {
  for (size_t begin = 0; begin < chunk.size();) {
    const size_t end = std::min(chunk.size(), begin + options_.row_group_rows - row_count_);
    for (size_t i = 0; i < shredders_.size(); i++)
      shredders_[i].Add(chunk.column(i), chunk.size(), begin, end);
    row_count_ += end - begin;
    begin = end;
    if (IsRowGroupFull()) WriteRowGroup();
  }
}

void ParquetWriter::WriteRowGroup() {
  // The largest columns first, so that no task ends long after the others.
  std::vector<size_t> order(leaves_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return leaves_[a].size_bytes() > leaves_[b].size_bytes(); });
  std::vector<std::optional<EncodedChunk>> chunks(leaves_.size());
  context_.scheduler.RunAll(order.size(), [&](size_t task) {
    context_.CheckInterrupt();
    const size_t leaf = order[task];
    chunks[leaf].emplace(EncodeColumnChunk(leaves_[leaf], options_, context_.memory));
  });
  ParquetRowGroup group;
  group.row_count = static_cast<int64_t>(row_count_);
  for (size_t leaf = 0; leaf < leaves_.size(); leaf++) {
    WriteChunk(*chunks[leaf], leaf, group);
    chunks[leaf].reset();
    leaves_[leaf].Clear();
  }
  metadata_.row_count += group.row_count;
  metadata_.row_groups.push_back(std::move(group));
  row_count_ = 0;
}

void ParquetWriter::WriteChunk(EncodedChunk& chunk, size_t leaf, ParquetRowGroup& group) {
  metadata_memory_.Resize(metadata_memory_.size_bytes() + kBytesPerChunk +
                          chunk.pages.size() * kBytesPerPage);
  ParquetColumnChunk& metadata = chunk.metadata;
  metadata.path = paths_[leaf];
  const int64_t offset = Write(chunk.bytes.data(), chunk.bytes.size());
  if (metadata.data_offset != 0) metadata.dictionary_offset = offset;
  metadata.data_offset += offset;
  if (!chunk.bloom_filter.empty()) {
    metadata.bloom_offset = Write(chunk.bloom_filter.data(), chunk.bloom_filter.size());
    metadata.bloom_bytes = static_cast<int32_t>(chunk.bloom_filter.size());
  }
  group.total_bytes += metadata.uncompressed_bytes;
  group.compressed_bytes += metadata.compressed_bytes;
  for (WrittenPage& page : chunk.pages) page.offset += static_cast<uint64_t>(offset);
  std::string index;
  if (chunk.has_page_bounds) {
    AppendParquetColumnIndex(chunk.pages, index);
    metadata.column_index_bytes = static_cast<int32_t>(index.size());
    metadata.column_index_offset = Write(index.data(), index.size());
    index.clear();
  }
  AppendParquetOffsetIndex(chunk.pages, index);
  metadata.offset_index_bytes = static_cast<int32_t>(index.size());
  metadata.offset_index_offset = Write(index.data(), index.size());
  group.columns.push_back(std::move(metadata));
}

void ParquetWriter::WriteFooter() {
  std::string footer;
  AppendParquetMetadata(metadata_, footer);
  const auto size = static_cast<uint32_t>(footer.size());
  footer.append(reinterpret_cast<const char*>(&size), sizeof(size));
  footer += kMagic;
  Write(footer.data(), footer.size());
}

void ParquetWriter::Finish() {
  if (row_count_ != 0) WriteRowGroup();
  WriteFooter();
  file_.Finish();
}

}  // namespace scaup
