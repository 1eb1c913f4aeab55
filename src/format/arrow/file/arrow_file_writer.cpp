// Writes the messages and the footer of an Arrow file.
#include "format/arrow/file/arrow_file_writer.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "common/throw.hpp"
#include "format/arrow/ipc/flat_buffer.hpp"
#include "format/arrow/ipc/ipc_decoder.hpp"
#include "format/arrow/ipc/ipc_schema.hpp"

namespace scaup {

namespace {

/// A batch is in memory as columns, as an array and as a message; other operators need some, too.
constexpr size_t kShareOfMemory = 12;

/// An array, and the message of it.
struct EncodedArray {
  EncodedArray() = default;
  EncodedArray(EncodedArray&& other) noexcept
      : array(std::exchange(other.array, {})), message(std::move(other.message)) {}
  ~EncodedArray() {
    if (array.release != nullptr) array.release(&array);
  }
  ArrowArray array = {};
  std::string message;
};

}  // namespace

ArrowFileWriter::ArrowFileWriter(const FunctionContext& context, NewFilePath path,
                                 const ArrowWriteOptions& options, const std::vector<std::string>& names,
                                 const std::vector<LogicalType>& types)
    : context_(context),
      options_(options),
      threads_(std::max<size_t>(1, context.settings.threads)),
      most_bytes_(std::max<size_t>(1, context.memory.limit_bytes() / kShareOfMemory / threads_)),
      rows_(types, context.memory),
      file_(context.files, std::move(path)) {
  if (names.empty()) ThrowNotSupported("COPY TO an Arrow file needs at least one column");
  ExportSchema(names, types, layout_, &schema_);
  writer_.emplace(schema_, options.compression);
  if (!options_.is_stream) {
    buffer_.assign(ipc::kFileMagic, ipc::kFileMagicBytes);
    buffer_.resize(ipc::kFileHeadBytes);
    file_.Append(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  writer_->AppendSchema(buffer_);
  file_.Append(buffer_.data(), buffer_.size());
  buffer_.clear();
}

ArrowFileWriter::~ArrowFileWriter() {
  if (schema_.release != nullptr) schema_.release(&schema_);
}

void ArrowFileWriter::Append(DataChunk& chunk) {
  for (size_t begin = 0; begin < chunk.size();) {
    const size_t end = std::min(chunk.size(), begin + options_.batch_rows - rows_.row_count());
    rows_.Add(chunk, begin, end);
    begin = end;
    if (rows_.row_count() == options_.batch_rows || rows_.size_bytes() >= most_bytes_) TakeBatch();
  }
}

void ArrowFileWriter::Flush() {
  if (rows_.row_count() != 0) TakeBatch();
  WriteBatches();
}

void ArrowFileWriter::TakeBatch() {
  waiting_bytes_ += rows_.size_bytes();
  waiting_.push_back(rows_.Take());
  if (waiting_.size() == threads_) WriteBatches();
}

void ArrowFileWriter::WriteBatches() {
  std::vector<std::vector<EncodedArray>> encoded(waiting_.size());
  context_.scheduler.RunAll(waiting_.size(), [&](size_t task) {
    context_.CheckInterrupt();
    BatchCollector::Batch& batch = waiting_[task];
    const ArrowWriter writer(std::move(batch.columns), layout_, context_.memory, std::move(batch.owner));
    for (size_t begin = 0; begin < batch.row_count;) {
      const size_t count = writer.RowsOfArray(begin, batch.row_count - begin);
      EncodedArray& one = encoded[task].emplace_back();
      writer.Export(begin, count, &one.array);
      writer_->AppendRecordBatch(one.array, one.message);
      begin += count;
    }
  });
  waiting_.clear();
  waiting_bytes_ = 0;
  for (std::vector<EncodedArray>& batch : encoded) {
    for (EncodedArray& one : batch) {
      writer_->AppendDictionaries(one.array, buffer_);
      WriteMessages();
      buffer_ = std::move(one.message);
      WriteMessages();
    }
    batch.clear();
  }
}

void ArrowFileWriter::WriteMessages() {
  std::span<const std::byte> rest = std::as_bytes(std::span(buffer_));
  uint64_t offset = file_.size();
  while (!rest.empty()) {
    const IpcPrefix prefix = ReadIpcPrefix(rest).value();
    const size_t metadata_bytes = prefix.prefix_bytes + prefix.metadata_bytes;
    const IpcMessageInfo info = ReadIpcMessage(rest.subspan(prefix.prefix_bytes, prefix.metadata_bytes));
    auto& blocks = info.kind == ipc::Header::kDictionaryBatch ? dictionaries_ : batches_;
    blocks.push_back({static_cast<int64_t>(offset), static_cast<int32_t>(metadata_bytes), 0,
                      static_cast<int64_t>(info.body_bytes)});
    offset += metadata_bytes + info.body_bytes;
    rest = rest.subspan(metadata_bytes + info.body_bytes);
  }
  file_.Append(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void ArrowFileWriter::WriteFooter() {
  FlatBufferBuilder builder;
  const FlatBufferBuilder::Place schema = AddIpcSchema(schema_, builder);
  const auto dictionaries = builder.AddVector(std::span<const ipc::Block>(dictionaries_));
  const auto batches = builder.AddVector(std::span<const ipc::Block>(batches_));
  builder.BeginTable();
  builder.AddField(ipc::footer::kVersion, ipc::kVersion5);
  builder.AddReference(ipc::footer::kSchema, schema);
  builder.AddReference(ipc::footer::kDictionaries, dictionaries);
  builder.AddReference(ipc::footer::kRecordBatches, batches);
  const std::span<const std::byte> footer = builder.Finish(builder.EndTable());
  const auto size = static_cast<int32_t>(footer.size());
  buffer_.append(reinterpret_cast<const char*>(footer.data()), footer.size());
  buffer_.append(reinterpret_cast<const char*>(&size), sizeof(size));
  buffer_.append(ipc::kFileMagic, ipc::kFileMagicBytes);
}

void ArrowFileWriter::Finish() {
  Flush();
  writer_->AppendEnd(buffer_);
  if (!options_.is_stream) WriteFooter();
  file_.Append(buffer_.data(), buffer_.size());
  file_.Finish();
}

}  // namespace scaup
