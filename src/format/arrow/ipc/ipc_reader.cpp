// Takes the messages of Arrow's streaming format out of bytes.
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "common/throw.hpp"
#include "format/arrow/ipc/ipc_batch.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "scaup/arrow_ipc.hpp"

namespace scaup {

namespace {

constexpr std::string_view kFileMagic = "ARROW1";
/// The magic number of files with its padding.
constexpr size_t kFileHeadBytes = 8;
constexpr size_t kMostMetadataBytes = size_t{1} << 28;

/// A whole message. Its FlatBuffer borrows from `metadata`.
struct IpcMessage {
  std::string metadata;
  ipc::Header kind;
  std::shared_ptr<std::byte[]> body;
  size_t body_bytes;

  FlatTable root() const { return FlatTable::Root(std::as_bytes(std::span(metadata))); }
  FlatTable header() const {
    const std::optional<FlatTable> header = root().Table(ipc::message::kHeader);
    if (!header) ThrowMalformedIpc("a message has no content");
    return *header;
  }
};

}  // namespace

struct ArrowIpcReader::State {
  std::string_view rest() const { return std::string_view(bytes).substr(begin); }

  /// Takes the next message, if it is there as a whole.
  std::optional<IpcMessage> TakeMessage() {
    SkipFileHead();
    if (is_at_end || rest().size() < sizeof(uint32_t)) return std::nullopt;
    // Before version 0.15 of Arrow, messages began with their size.
    size_t prefix_bytes = sizeof(uint32_t);
    uint32_t size_bytes = NumberAt(0);
    if (size_bytes == ipc::kContinuation) {
      prefix_bytes = 2 * sizeof(uint32_t);
      if (rest().size() < prefix_bytes) return std::nullopt;
      size_bytes = NumberAt(sizeof(uint32_t));
    }
    if (size_bytes == 0) {
      is_at_end = true;
      begin += prefix_bytes;
      return std::nullopt;
    }
    if (size_bytes > kMostMetadataBytes) ThrowMalformedIpc("a message has an impossible size");
    if (rest().size() < prefix_bytes + size_bytes) return std::nullopt;
    IpcMessage message;
    message.metadata = rest().substr(prefix_bytes, size_bytes);
    const FlatTable root = message.root();
    const auto body_bytes = root.Field<int64_t>(ipc::message::kBodyLength, 0);
    if (body_bytes < 0 || body_bytes > std::numeric_limits<int64_t>::max() / 2)
      ThrowMalformedIpc("a message has an impossible size");
    message.body_bytes = static_cast<size_t>(body_bytes);
    if (rest().size() - prefix_bytes - size_bytes < message.body_bytes) return std::nullopt;
    message.kind = root.Field<ipc::Header>(ipc::message::kHeaderType, ipc::Header{});
    message.body = std::make_shared_for_overwrite<std::byte[]>(message.body_bytes);
    std::memcpy(message.body.get(), rest().data() + prefix_bytes + size_bytes, message.body_bytes);
    begin += prefix_bytes + size_bytes + message.body_bytes;
    return message;
  }

  /// Reads messages up to the next batch, or only the schema. Returns the batch.
  std::shared_ptr<const IpcArray> Advance(bool wants_batch) {
    while (wants_batch || !schema) {
      const std::optional<IpcMessage> message = TakeMessage();
      if (!message) return nullptr;
      if ((message->kind == ipc::Header::kSchema) == (schema != nullptr))
        ThrowMalformedIpc("it does not begin with one schema");
      switch (message->kind) {
        case ipc::Header::kSchema: SetSchema(ReadIpcSchema(message->header())); break;
        case ipc::Header::kDictionaryBatch: SetDictionary(*message); break;
        case ipc::Header::kRecordBatch: return ReadBatch(*message);
        default: ThrowMalformedIpc("a message is of an unknown kind");
      }
    }
    return nullptr;
  }

  void SetSchema(std::unique_ptr<IpcField> field) {
    std::shared_ptr<const IpcField> root(std::move(field));
    ArrowSchema exported;
    ExportIpcSchema(root, &exported);
    const std::unique_ptr<ArrowSchema, void (*)(ArrowSchema*)> owner(
        &exported, [](ArrowSchema* schema) { schema->release(schema); });
    int64_t count = 0;
    columns = ReadIpcLayout(exported, count);
    NoteDictionaries(*root, columns);
    schema = std::move(root);
  }

  void NoteDictionaries(const IpcField& field, const IpcColumn& column) {
    if (field.dictionary) {
      dictionary_types[field.dictionary_id] = {field.dictionary.get(), &column.children[0]};
      NoteDictionaries(*field.dictionary, column.children[0]);
    }
    for (size_t i = 0; i < field.children.size(); i++)
      NoteDictionaries(*field.children[i], column.children[i]);
  }

  void SetDictionary(const IpcMessage& message) {
    const FlatTable header = message.header();
    if (header.Flag(ipc::dictionary_batch::kIsDelta))
      ThrowNotSupported("Arrow data whose dictionaries grow from batch to batch cannot be read");
    const auto number = header.Field<int64_t>(ipc::dictionary_batch::kId, 0);
    const auto type = dictionary_types.find(number);
    const std::optional<FlatTable> data = header.Table(ipc::dictionary_batch::kData);
    if (type == dictionary_types.end() || !data) ThrowMalformedIpc("a dictionary belongs to no column");
    IpcBatchReader reader(*data, {message.body.get(), message.body_bytes}, message.body, dictionaries);
    dictionaries[number] = reader.Read(*type->second.first, *type->second.second);
  }

  std::shared_ptr<const IpcArray> ReadBatch(const IpcMessage& message) {
    const FlatTable header = message.header();
    IpcBatchReader reader(header, {message.body.get(), message.body_bytes}, message.body, dictionaries);
    auto batch = std::make_shared<IpcArray>();
    batch->length = reader.length();
    batch->buffers.push_back(nullptr);
    for (size_t i = 0; i < columns.children.size(); i++) {
      batch->children.push_back(reader.Read(*schema->children[i], columns.children[i]));
      if (batch->children.back()->length != batch->length)
        ThrowMalformedIpc("the columns of a batch have different numbers of rows");
    }
    return batch;
  }

  std::string bytes;
  size_t begin = 0;  // what is before it has been read
  bool has_begun = false;
  bool is_at_end = false;
  std::shared_ptr<const IpcField> schema;
  IpcColumn columns;
  std::map<int64_t, std::pair<const IpcField*, const IpcColumn*>> dictionary_types;
  IpcDictionaries dictionaries;

 private:
  uint32_t NumberAt(size_t place) const {
    uint32_t number;
    std::memcpy(&number, rest().data() + place, sizeof(number));
    return number;
  }
  void SkipFileHead() {
    if (has_begun || rest().size() < kFileHeadBytes) return;
    has_begun = true;
    if (rest().starts_with(kFileMagic)) begin += kFileHeadBytes;
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
  if (!state_->schema) return false;
  ExportIpcSchema(state_->schema, out);
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
  if (!state_->schema) ThrowMalformedIpc("it ends before its schema");
  if (!state_->is_at_end && !state_->rest().empty()) ThrowMalformedIpc("it ends within a message");
}

}  // namespace scaup
