// Frames the messages of Arrow's streaming format.
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "common/throw.hpp"
#include "format/arrow/ipc/flat_buffer.hpp"
#include "format/arrow/ipc/ipc_body.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/arrow/ipc/ipc_schema.hpp"
#include "scaup/arrow_ipc.hpp"

namespace scaup {

namespace {

using Place = FlatBufferBuilder::Place;

void AppendNumber(uint32_t number, std::string& out) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

/// Appends a message's FlatBuffer, which with what stands before it is padded for the body behind it.
void AppendMetadata(std::span<const char> metadata, std::string& out) {
  constexpr size_t kPrefixBytes = 2 * sizeof(uint32_t);
  constexpr auto kAlignment = static_cast<size_t>(ipc::kAlignment);
  static_assert(kPrefixBytes % kAlignment == 0);
  const size_t padded = (metadata.size() + kAlignment - 1) / kAlignment * kAlignment;
  AppendNumber(ipc::kContinuation, out);
  AppendNumber(static_cast<uint32_t>(padded), out);
  out.append(metadata.data(), metadata.size()).append(padded - metadata.size(), '\0');
}

Place WriteBatch(FlatBufferBuilder& builder, const IpcBody& body, int64_t row_count,
                 ArrowIpcWriter::Compression compression) {
  const Place nodes = builder.AddVector(std::span(body.nodes()));
  const std::vector<ipc::Buffer> places = body.Places();
  const Place buffers = builder.AddVector(std::span(places));
  const Place counts = builder.AddVector(std::span(body.variadic_counts()));
  std::optional<Place> compressed;
  if (compression != ArrowIpcWriter::Compression::kNone) {
    const bool is_lz4 = compression == ArrowIpcWriter::Compression::kLz4;
    builder.BeginTable();
    builder.AddField(ipc::body_compression::kCodec,
                     is_lz4 ? ipc::body_compression::kLz4Frame : ipc::body_compression::kZstd);
    builder.AddField(ipc::body_compression::kMethod, ipc::body_compression::kByBuffer);
    compressed = builder.EndTable();
  }
  builder.BeginTable();
  builder.AddField(ipc::record_batch::kLength, row_count);
  builder.AddReference(ipc::record_batch::kNodes, nodes);
  builder.AddReference(ipc::record_batch::kBuffers, buffers);
  if (compressed) builder.AddReference(ipc::record_batch::kCompression, *compressed);
  builder.AddReference(ipc::record_batch::kVariadicCounts, counts);
  return builder.EndTable();
}

void AppendMessage(FlatBufferBuilder& builder, ipc::Header kind, Place header, const IpcBody& body,
                   std::string& out) {
  builder.BeginTable();
  builder.AddField(ipc::message::kBodyLength, body.size_bytes());
  builder.AddField(ipc::message::kVersion, ipc::kVersion5);
  builder.AddField(ipc::message::kHeaderType, kind);
  builder.AddReference(ipc::message::kHeader, header);
  const std::span<const std::byte> metadata = builder.Finish(builder.EndTable());
  AppendMetadata({reinterpret_cast<const char*>(metadata.data()), metadata.size()}, out);
  body.AppendTo(out);
}

}  // namespace

struct ArrowIpcWriter::State {
  State(const ArrowSchema& schema, Compression compression_in)
      : compression(compression_in),
        columns(ReadIpcLayout(schema, dictionary_count)),
        schema(IpcSchemaMessage(schema)) {}

  /// Appends the dictionaries of a column, the innermost first.
  void AppendDictionaries(const IpcColumn& column, const ArrowArray& array, std::string& out) {
    const bool is_dictionary = column.layout == IpcLayout::kDictionary;
    for (size_t i = 0; i < column.children.size(); i++)
      AppendDictionaries(column.children[i], is_dictionary ? *array.dictionary : *array.children[i], out);
    if (!is_dictionary) return;
    const ArrowArray& values = *array.dictionary;
    IpcBody body(compression);
    body.Add(column.children[0], values, 0, values.length);
    body.Finish();
    FlatBufferBuilder builder;
    const Place data = WriteBatch(builder, body, values.length, compression);
    builder.BeginTable();
    builder.AddField(ipc::dictionary_batch::kId, column.dictionary);
    builder.AddReference(ipc::dictionary_batch::kData, data);
    std::string message;
    AppendMessage(builder, ipc::Header::kDictionaryBatch, builder.EndTable(), body, message);
    // Batches of a result usually have equal dictionaries, though each its own.
    std::string& last = last_dictionaries[column.dictionary];
    if (last == message) return;
    out.append(message);
    last = std::move(message);
  }

  const Compression compression;
  int64_t dictionary_count = 0;
  const IpcColumn columns;
  const std::string schema;  // its message
  std::map<int64_t, std::string> last_dictionaries;
};

ArrowIpcWriter::ArrowIpcWriter(const ArrowSchema& schema, Compression compression)
    : state_(std::make_unique<State>(schema, compression)) {}

ArrowIpcWriter::~ArrowIpcWriter() = default;

void ArrowIpcWriter::AppendSchema(std::string& out) { AppendMetadata(std::span(state_->schema), out); }

void ArrowIpcWriter::AppendBatch(const ArrowArray& batch, std::string& out) {
  AppendDictionaries(batch, out);
  AppendRecordBatch(batch, out);
}

void ArrowIpcWriter::AppendDictionaries(const ArrowArray& batch, std::string& out) {
  state_->AppendDictionaries(state_->columns, batch, out);
}

void ArrowIpcWriter::AppendRecordBatch(const ArrowArray& batch, std::string& out) const {
  IpcBody body(state_->compression);
  for (size_t i = 0; i < state_->columns.children.size(); i++)
    body.Add(state_->columns.children[i], *batch.children[i], batch.offset, batch.length);
  body.Finish();
  FlatBufferBuilder builder;
  const Place header = WriteBatch(builder, body, batch.length, state_->compression);
  AppendMessage(builder, ipc::Header::kRecordBatch, header, body, out);
}

void ArrowIpcWriter::AppendEnd(std::string& out) const {
  AppendNumber(ipc::kContinuation, out);
  AppendNumber(0, out);
}

}  // namespace scaup
