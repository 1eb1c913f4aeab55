// Reads the messages of Arrow's IPC format.
#include "format/arrow/ipc/ipc_decoder.hpp"

#include <cstring>
#include <limits>
#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr uint32_t kMostMetadataBytes = uint32_t{1} << 28;

FlatTable ContentOf(std::span<const std::byte> metadata) {
  const std::optional<FlatTable> content = FlatTable::Root(metadata).Table(ipc::message::kHeader);
  if (!content) ThrowMalformedIpc("a message has no content");
  return *content;
}

uint32_t NumberAt(std::span<const std::byte> bytes, size_t place) {
  uint32_t number;
  std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}

}  // namespace

IpcMessageInfo ReadIpcMessage(std::span<const std::byte> metadata) {
  const FlatTable root = FlatTable::Root(metadata);
  const auto body_bytes = root.Field<int64_t>(ipc::message::kBodyLength, 0);
  if (body_bytes < 0 || body_bytes > std::numeric_limits<int64_t>::max() / 2)
    ThrowMalformedIpc("a message has an impossible size");
  return {root.Field<ipc::Header>(ipc::message::kHeaderType, ipc::Header{}),
          static_cast<uint64_t>(body_bytes)};
}

std::optional<IpcPrefix> ReadIpcPrefix(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(uint32_t)) return std::nullopt;
  // Before version 0.15 of Arrow, messages began with their size.
  IpcPrefix prefix{sizeof(uint32_t), NumberAt(bytes, 0)};
  if (prefix.metadata_bytes == ipc::kContinuation) {
    if (bytes.size() < kMostIpcPrefixBytes) return std::nullopt;
    prefix = {kMostIpcPrefixBytes, NumberAt(bytes, sizeof(uint32_t))};
  }
  if (prefix.metadata_bytes > kMostMetadataBytes) ThrowMalformedIpc("a message has an impossible size");
  return prefix;
}

void IpcDecoder::ReadSchema(std::span<const std::byte> metadata) {
  if (schema_) ThrowMalformedIpc("it does not begin with one schema");
  std::shared_ptr<const IpcField> root(ReadIpcSchema(ContentOf(metadata)));
  ArrowSchema exported;
  ExportIpcSchema(root, &exported);
  const std::unique_ptr<ArrowSchema, void (*)(ArrowSchema*)> owner(
      &exported, [](ArrowSchema* schema) { schema->release(schema); });
  int64_t count = 0;
  columns_ = ReadIpcLayout(exported, count);
  NoteDictionaries(*root, columns_);
  schema_ = std::move(root);
}

void IpcDecoder::NoteDictionaries(const IpcField& field, const IpcColumn& column) {
  if (field.dictionary) {
    dictionary_types_[field.dictionary_id] = {field.dictionary.get(), &column.children[0]};
    NoteDictionaries(*field.dictionary, column.children[0]);
  }
  for (size_t i = 0; i < field.children.size(); i++) NoteDictionaries(*field.children[i], column.children[i]);
}

void IpcDecoder::ReadDictionary(std::span<const std::byte> metadata, IpcBodySource body) {
  if (!schema_) ThrowMalformedIpc("it does not begin with one schema");
  const FlatTable content = ContentOf(metadata);
  if (content.Flag(ipc::dictionary_batch::kIsDelta))
    ThrowNotSupported("Arrow data whose dictionaries grow from batch to batch cannot be read");
  const auto number = content.Field<int64_t>(ipc::dictionary_batch::kId, 0);
  const auto type = dictionary_types_.find(number);
  const std::optional<FlatTable> data = content.Table(ipc::dictionary_batch::kData);
  if (type == dictionary_types_.end() || !data) ThrowMalformedIpc("a dictionary belongs to no column");
  IpcBatchReader reader(*data, std::move(body), dictionaries_);
  dictionaries_[number] = reader.Read(*type->second.first, *type->second.second);
}

std::shared_ptr<const IpcArray> IpcDecoder::ReadBatch(std::span<const std::byte> metadata, IpcBodySource body,
                                                      std::optional<std::span<const size_t>> columns) const {
  if (!schema_) ThrowMalformedIpc("it does not begin with one schema");
  const FlatTable content = ContentOf(metadata);
  IpcBatchReader reader(content, std::move(body), dictionaries_);
  std::vector<bool> is_wanted(columns_.children.size(), !columns);
  if (columns) {
    for (const size_t column : *columns) is_wanted[column] = true;
  }
  std::vector<std::shared_ptr<const IpcArray>> arrays(columns_.children.size());
  for (size_t i = 0; i < arrays.size(); i++) {
    if (!is_wanted[i]) {
      reader.Skip(columns_.children[i]);
      continue;
    }
    arrays[i] = reader.Read(*schema_->children[i], columns_.children[i]);
    if (arrays[i]->length != reader.length())
      ThrowMalformedIpc("the columns of a batch have different numbers of rows");
  }
  auto batch = std::make_shared<IpcArray>();
  batch->length = reader.length();
  batch->buffers.push_back(nullptr);
  if (columns) {
    for (const size_t column : *columns) batch->children.push_back(arrays[column]);
  } else {
    batch->children = std::move(arrays);
  }
  return batch;
}

int64_t IpcDecoder::RowsOfBatch(std::span<const std::byte> metadata) {
  return ContentOf(metadata).Field<int64_t>(ipc::record_batch::kLength, 0);
}

}  // namespace scaup
