// Finds the messages of a file, and reads its batches.
#include "format/arrow/file/arrow_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/throw.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "scaup/arrow.h"

namespace scaup {

namespace {

constexpr uint64_t kMostMessages = uint64_t{1} << 28;
constexpr std::string_view kFeather1Magic = "FEA1";

void ReadWhole(File& file, uint64_t offset, void* to, size_t size_bytes) {
  if (file.Read(offset, to, size_bytes) != size_bytes) ThrowMalformedIpc("it is cut off");
}

std::vector<std::byte> ReadWhole(File& file, uint64_t offset, size_t size_bytes) {
  std::vector<std::byte> bytes(size_bytes);
  ReadWhole(file, offset, bytes.data(), size_bytes);
  return bytes;
}

}  // namespace

ArrowFile::ArrowFile(const FunctionContext& context, std::string path)
    : path_(std::move(path)), memory_(context.memory) {
  try {
    ReadAll(context);
  } catch (const Error& error) {
    const std::string_view state = error.sqlstate();
    const bool is_about_data = state == sqlstate::kBadCopyFileFormat ||
                               state == sqlstate::kFeatureNotSupported ||
                               state == sqlstate::kInvalidParameterValue;
    if (!is_about_data) throw;
    ThrowError(error.kind() == ErrorKind::kNotSupported ? error.kind() : ErrorKind::kIo, error.sqlstate(),
               fmt::format("could not read \"{}\": {}", path_, error.message()));
  }
}

std::unique_ptr<File> ArrowFile::Open(const FunctionContext& context) const {
  return context.files.Open(path_, OpenMode::kRead);
}

void ArrowFile::ReadAll(const FunctionContext& context) {
  const std::unique_ptr<File> file = Open(context);
  size_bytes_ = file->Size();
  char head[ipc::kFileHeadBytes] = {};
  file->Read(0, head, sizeof(head));
  const std::string_view begin(head, sizeof(head));
  if (begin.starts_with(kFeather1Magic)) {
    ThrowNotSupported(
        "it is a Feather file of version 1, which Arrow has replaced; write it again with version 2");
  }
  if (begin.starts_with(ipc::kFileMagic)) {
    ReadFooter(*file, context);
  } else {
    Walk(*file, 0, context);
  }
  if (!decoder_.schema()) ThrowMalformedIpc("it has no schema");
  ArrowSchema schema;
  ExportIpcSchema(decoder_.schema(), &schema);
  const std::unique_ptr<ArrowSchema, void (*)(ArrowSchema*)> owner(
      &schema, [](ArrowSchema* exported) { exported->release(exported); });
  type_ = ReadArrowSchema(schema);
}

bool ArrowFile::ReadMetadata(File& file, uint64_t offset, Place& place,
                             std::vector<std::byte>& metadata) const {
  std::byte bytes[kMostIpcPrefixBytes];
  const size_t count = offset < size_bytes_ ? file.Read(offset, bytes, sizeof(bytes)) : 0;
  const auto prefix = ReadIpcPrefix(std::span(bytes, count));
  if (!prefix) ThrowMalformedIpc("it ends within a message");
  if (prefix->metadata_bytes == 0) return false;
  place.offset = offset + prefix->prefix_bytes;
  place.metadata_bytes = prefix->metadata_bytes;
  place.body_offset = place.offset + place.metadata_bytes;
  if (place.body_offset > size_bytes_) ThrowMalformedIpc("it ends within a message");
  metadata = ReadWhole(file, place.offset, place.metadata_bytes);
  place.body_bytes = ReadIpcMessage(metadata).body_bytes;
  if (place.body_bytes > size_bytes_ - place.body_offset) ThrowMalformedIpc("it ends within a message");
  return true;
}

void ArrowFile::Take(File& file, const Place& place, std::span<const std::byte> metadata,
                     MemoryTracker& memory) {
  switch (ReadIpcMessage(metadata).kind) {
    case ipc::Header::kSchema: return decoder_.ReadSchema(metadata);
    case ipc::Header::kDictionaryBatch: {
      IpcBodySource source;
      source.file = &file;
      source.offset = place.body_offset;
      source.size_bytes = place.body_bytes;
      source.tracker = &memory;
      return decoder_.ReadDictionary(metadata, std::move(source));
    }
    case ipc::Header::kRecordBatch: {
      const int64_t rows = IpcDecoder::RowsOfBatch(metadata);
      if (rows < 0 || rows > INT32_MAX) ThrowMalformedIpc("a batch has an impossible number of rows");
      memory_.Resize(memory_.size_bytes() + sizeof(Place));
      batches_.push_back(place);
      batches_.back().first_row = row_count_;
      row_count_ += static_cast<uint64_t>(rows);
      return;
    }
  }
  ThrowMalformedIpc("a message is of an unknown kind");
}

void ArrowFile::Walk(File& file, uint64_t offset, const FunctionContext& context) {
  Place place;
  std::vector<std::byte> metadata;
  // A stream may also end without its mark.
  while (offset != size_bytes_ && ReadMetadata(file, offset, place, metadata)) {
    context.CheckInterrupt();
    Take(file, place, metadata, context.memory);
    offset = place.body_offset + place.body_bytes;
  }
}

void ArrowFile::ReadFooter(File& file, const FunctionContext& context) {
  constexpr uint64_t kTailBytes = sizeof(int32_t) + ipc::kFileMagicBytes;
  if (size_bytes_ < ipc::kFileHeadBytes + kTailBytes) ThrowMalformedIpc("it is cut off");
  const std::vector<std::byte> tail = ReadWhole(file, size_bytes_ - kTailBytes, kTailBytes);
  if (std::memcmp(tail.data() + sizeof(int32_t), ipc::kFileMagic, ipc::kFileMagicBytes) != 0)
    ThrowMalformedIpc("it is cut off");
  int32_t footer_bytes;
  std::memcpy(&footer_bytes, tail.data(), sizeof(footer_bytes));
  if (footer_bytes <= 0 ||
      static_cast<uint64_t>(footer_bytes) > size_bytes_ - kTailBytes - ipc::kFileHeadBytes)
    ThrowMalformedIpc("its footer has an impossible size");
  const auto bytes = static_cast<size_t>(footer_bytes);
  const std::vector<std::byte> buffer = ReadWhole(file, size_bytes_ - kTailBytes - bytes, bytes);
  Place place;
  std::vector<std::byte> metadata;
  if (!ReadMetadata(file, ipc::kFileHeadBytes, place, metadata)) ThrowMalformedIpc("it has no schema");
  Take(file, place, metadata, context.memory);
  const FlatTable footer = FlatTable::Root(buffer);
  const auto take = [&](FlatTable::Slot slot, ipc::Header kind) {
    const FlatTable::Vector blocks = footer.Items(slot, sizeof(ipc::Block));
    if (blocks.count > kMostMessages) ThrowMalformedIpc("its footer has an impossible size");
    for (size_t i = 0; i < blocks.count; i++) {
      context.CheckInterrupt();
      const auto block = footer.Item<ipc::Block>(blocks, i);
      if (block.offset < 0 || !ReadMetadata(file, static_cast<uint64_t>(block.offset), place, metadata) ||
          ReadIpcMessage(metadata).kind != kind)
        ThrowMalformedIpc("its footer lists a message that is not there");
      Take(file, place, metadata, context.memory);
    }
  };
  take(ipc::footer::kDictionaries, ipc::Header::kDictionaryBatch);
  take(ipc::footer::kRecordBatches, ipc::Header::kRecordBatch);
}

std::shared_ptr<const ArrowArray> ArrowFile::ReadBatch(File& file, size_t batch,
                                                       std::span<const size_t> columns,
                                                       MemoryTracker& memory) const {
  const Place& place = batches_[batch];
  // A batch with all columns is read whole, another one in some of its buffers.
  const FileRange whole{place.offset, place.metadata_bytes + place.body_bytes};
  const bool is_whole = columns.size() == type_.children.size();
  file.Expect(is_whole ? std::span(&whole, 1) : std::span<const FileRange>());
  const std::vector<std::byte> metadata = ReadWhole(file, place.offset, place.metadata_bytes);
  IpcBodySource source;
  source.file = &file;
  source.offset = place.body_offset;
  source.size_bytes = place.body_bytes;
  source.tracker = &memory;
  const std::shared_ptr<const IpcArray> read = decoder_.ReadBatch(metadata, std::move(source), columns);
  auto array = std::shared_ptr<ArrowArray>(new ArrowArray{}, [](ArrowArray* exported) {
    if (exported->release != nullptr) exported->release(exported);
    delete exported;
  });
  ExportIpcArray(read, array.get());
  return array;
}

}  // namespace scaup
