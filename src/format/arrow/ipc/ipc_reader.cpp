// Takes the messages of Arrow's streaming format out of bytes.
#include <cstring>
#include <optional>
#include <utility>

#include "format/arrow/ipc/ipc_decoder.hpp"
#include "scaup/arrow_ipc.hpp"

namespace scaup {

namespace {

/// A whole message.
struct IpcMessage {
  std::span<const std::byte> whole_metadata() const { return std::as_bytes(std::span(metadata)); }
  IpcBodySource source() const { return {{body.get(), body_bytes}, body}; }

  std::string metadata;
  ipc::Header kind;
  std::shared_ptr<std::byte[]> body;
  size_t body_bytes;
};

}  // namespace

struct ArrowIpcReader::State {
  std::string_view rest() const { return std::string_view(bytes).substr(begin); }

  /// Takes the next message, if it is there as a whole.
  std::optional<IpcMessage> TakeMessage() {
    SkipFileHead();
    if (is_at_end) return std::nullopt;
    const std::optional<IpcPrefix> prefix = ReadIpcPrefix(std::as_bytes(std::span(rest())));
    if (!prefix) return std::nullopt;
    if (prefix->metadata_bytes == 0) {
      is_at_end = true;
      begin += prefix->prefix_bytes;
      return std::nullopt;
    }
    const size_t body_begin = prefix->prefix_bytes + prefix->metadata_bytes;
    if (rest().size() < body_begin) return std::nullopt;
    IpcMessage message;
    message.metadata = rest().substr(prefix->prefix_bytes, prefix->metadata_bytes);
    const IpcMessageInfo info = ReadIpcMessage(message.whole_metadata());
    if (rest().size() - body_begin < info.body_bytes) return std::nullopt;
    message.kind = info.kind;
    message.body_bytes = info.body_bytes;
    message.body = std::make_shared_for_overwrite<std::byte[]>(message.body_bytes);
    std::memcpy(message.body.get(), rest().data() + body_begin, message.body_bytes);
    begin += body_begin + message.body_bytes;
    return message;
  }

  /// Reads messages up to the next batch, or only the schema. Returns the batch.
  std::shared_ptr<const IpcArray> Advance(bool wants_batch) {
    while (wants_batch || !decoder.schema()) {
      const std::optional<IpcMessage> message = TakeMessage();
      if (!message) return nullptr;
      switch (message->kind) {
        case ipc::Header::kSchema: decoder.ReadSchema(message->whole_metadata()); break;
        case ipc::Header::kDictionaryBatch:
          decoder.ReadDictionary(message->whole_metadata(), message->source());
          break;
        case ipc::Header::kRecordBatch:
          return decoder.ReadBatch(message->whole_metadata(), message->source());
        default: ThrowMalformedIpc("a message is of an unknown kind");
      }
    }
    return nullptr;
  }

  std::string bytes;
  size_t begin = 0;  // what is before it has been read
  bool has_begun = false;
  bool is_at_end = false;
  IpcDecoder decoder;

 private:
  void SkipFileHead() {
    if (has_begun || rest().size() < ipc::kFileHeadBytes) return;
    has_begun = true;
    if (rest().starts_with(ipc::kFileMagic)) begin += ipc::kFileHeadBytes;
  }
};

ArrowIpcReader::ArrowIpcReader() : state_(std::make_unique<State>()) {}

ArrowIpcReader::~ArrowIpcReader() = default;

void ArrowIpcReader::Append(std::string_view bytes) {
  // Bytes that have been read go once they are the larger part, so that each is moved about once.
  if (state_->begin > state_->bytes.size() / 2) {
    state_->bytes.erase(0, state_->begin);
    state_->begin = 0;
  }
  state_->bytes.append(bytes);
}

bool ArrowIpcReader::ReadSchema(ArrowSchema* out) {
  state_->Advance(false);
  if (!state_->decoder.schema()) return false;
  ExportIpcSchema(state_->decoder.schema(), out);
  return true;
}

bool ArrowIpcReader::ReadBatch(ArrowArray* out) {
  std::shared_ptr<const IpcArray> batch = state_->Advance(true);
  if (!batch) return false;
  ExportIpcArray(std::move(batch), out);
  return true;
}

bool ArrowIpcReader::is_at_end() const { return state_->is_at_end; }

void ArrowIpcReader::RequireEnd() const {
  if (!state_->decoder.schema()) ThrowMalformedIpc("it ends before its schema");
  if (!state_->is_at_end && !state_->rest().empty()) ThrowMalformedIpc("it ends within a message");
}

}  // namespace scaup
