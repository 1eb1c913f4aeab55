// Reads and checks the buffers of batches.
#include "format/arrow/ipc/ipc_batch.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/codec/codec.hpp"

namespace scaup {

namespace {

constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();
/// Texts of so many bytes stand in their views.
constexpr int64_t kInlineBytes = 12;
constexpr int64_t kMostDecompressed = int64_t{1} << 32;

/// Memory of a buffer that was read or decompressed, with what the array had before.
struct Owned {
  std::optional<MemoryReservation> reservation;
  std::shared_ptr<const void> before;
  std::unique_ptr<std::byte[]> bytes;
};

bool DecompressLz4(std::span<const std::byte> input, std::span<std::byte> output) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) return false;
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(
      context, &LZ4F_freeDecompressionContext);
  size_t written = 0, read = 0;
  while (read < input.size()) {
    size_t output_bytes = output.size() - written, input_bytes = input.size() - read;
    const size_t wanted = LZ4F_decompress(context, output.data() + written, &output_bytes,
                                          input.data() + read, &input_bytes, nullptr);
    if (LZ4F_isError(wanted) != 0) return false;
    written += output_bytes;
    read += input_bytes;
    if (wanted == 0) break;
    if (output_bytes == 0 && input_bytes == 0) return false;
  }
  return read == input.size() && written == output.size();
}

/// Exported arrays: the shared memory and the structures of the children.
struct ExportedArray {
  ~ExportedArray() {
    for (ArrowArray& child : arrays) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }
  std::shared_ptr<const IpcArray> array;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> children;
  ArrowArray dictionary = {};
};

}  // namespace

IpcBatchReader::IpcBatchReader(const FlatTable& batch, IpcBodySource body,
                               const IpcDictionaries& dictionaries)
    : batch_(batch),
      body_(std::move(body)),
      dictionaries_(dictionaries),
      nodes_(batch.Items(ipc::record_batch::kNodes, sizeof(ipc::Node))),
      buffers_(batch.Items(ipc::record_batch::kBuffers, sizeof(ipc::Buffer))),
      variadic_counts_(batch.Items(ipc::record_batch::kVariadicCounts, sizeof(int64_t))),
      length_(batch.Field<int64_t>(ipc::record_batch::kLength, 0)) {
  if (length_ < 0 || length_ > kMostRows) ThrowMalformedIpc("a batch has an impossible number of rows");
  if (const auto compression = batch.Table(ipc::record_batch::kCompression)) {
    compression_ =
        compression->Field<int8_t>(ipc::body_compression::kCodec, ipc::body_compression::kLz4Frame);
    if (compression_ != ipc::body_compression::kLz4Frame && compression_ != ipc::body_compression::kZstd)
      ThrowNotSupported("Arrow data is compressed by another codec than LZ4 or Zstandard");
  }
}

IpcBatchReader::Bytes IpcBatchReader::Decompress(Bytes compressed, IpcArray& array) const {
  int64_t size_bytes = 0;
  if (compressed.size_bytes < static_cast<int64_t>(sizeof(size_bytes)))
    ThrowMalformedIpc("a compressed buffer is cut off");
  std::memcpy(&size_bytes, compressed.data, sizeof(size_bytes));
  const Bytes rest = {compressed.data + sizeof(size_bytes),
                      compressed.size_bytes - static_cast<int64_t>(sizeof(size_bytes))};
  constexpr int64_t kNotCompressed = -1;
  if (size_bytes == kNotCompressed && body_.file == nullptr) return rest;
  if (size_bytes == kNotCompressed) {
    // Compressed bytes from a file are freed once they are decompressed.
    std::byte* const copy = Allocate(rest.size_bytes, array);
    if (rest.size_bytes != 0) std::memcpy(copy, rest.data, static_cast<size_t>(rest.size_bytes));
    return {copy, rest.size_bytes};
  }
  if (size_bytes < 0 || size_bytes > kMostDecompressed) ThrowMalformedIpc("a buffer has an impossible size");
  const std::span<const std::byte> input(rest.data, static_cast<size_t>(rest.size_bytes));
  const std::span<std::byte> output(Allocate(size_bytes, array), static_cast<size_t>(size_bytes));
  const bool is_intact = compression_ == ipc::body_compression::kZstd
                             ? Decompressor().Run(Codec::kZstd, input, output)
                             : DecompressLz4(input, output);
  if (!is_intact) ThrowMalformedIpc("a compressed buffer is damaged");
  return {output.data(), size_bytes};
}

std::byte* IpcBatchReader::Allocate(int64_t size_bytes, IpcArray& array) const {
  auto owned = std::make_shared<Owned>();
  if (body_.tracker != nullptr) {
    owned->reservation.emplace(*body_.tracker);
    owned->reservation->Resize(static_cast<size_t>(size_bytes));
  }
  owned->bytes = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(size_bytes));
  owned->before = std::exchange(array.memory, nullptr);
  std::byte* const bytes = owned->bytes.get();
  array.memory = std::move(owned);
  return bytes;
}

IpcBatchReader::Bytes IpcBatchReader::ReadFromFile(const ipc::Buffer& place, IpcArray& array) const {
  // Compressed bytes are needed only until they are decompressed.
  IpcArray temporary;
  IpcArray& owner = compression_ < 0 ? array : temporary;
  std::byte* const bytes = Allocate(place.length, owner);
  const auto size_bytes = static_cast<size_t>(place.length);
  if (body_.file->Read(body_.offset + static_cast<uint64_t>(place.offset), bytes, size_bytes) != size_bytes)
    ThrowMalformedIpc("it is cut off");
  const Bytes read = {bytes, place.length};
  return compression_ < 0 ? read : Decompress(read, array);
}

IpcBatchReader::Bytes IpcBatchReader::NextBuffer(IpcArray& array) {
  if (next_buffer_ >= buffers_.count) ThrowMalformedIpc("a batch has too few buffers");
  const auto place = batch_.Item<ipc::Buffer>(buffers_, next_buffer_++);
  const auto body_bytes = static_cast<int64_t>(body_.file == nullptr ? body_.bytes.size() : body_.size_bytes);
  if (place.offset < 0 || place.length < 0 || place.offset > body_bytes ||
      place.length > body_bytes - place.offset)
    ThrowMalformedIpc("a buffer lies outside of its message");
  if (body_.file != nullptr && place.length != 0) return ReadFromFile(place, array);
  const Bytes bytes = {body_.bytes.data() + (body_.file == nullptr ? place.offset : 0), place.length};
  return compression_ < 0 || bytes.size_bytes == 0 ? bytes : Decompress(bytes, array);
}

const void* IpcBatchReader::NextBufferOf(IpcArray& array, int64_t least_bytes) {
  const Bytes bytes = NextBuffer(array);
  if (bytes.size_bytes < least_bytes) ThrowMalformedIpc("a buffer has too few bytes");
  array.buffers.push_back(bytes.data);
  return bytes.data;
}

// Returns the end of the last value.
template <typename Offset>
int64_t IpcBatchReader::ReadOffsets(IpcArray& array) {
  static constexpr Offset kZero = 0;
  const Bytes bytes = NextBuffer(array);
  // An array without rows may have no offsets.
  if (array.length == 0 && bytes.size_bytes == 0) {
    array.buffers.push_back(&kZero);
    return 0;
  }
  if (bytes.size_bytes / static_cast<int64_t>(sizeof(Offset)) <= array.length)
    ThrowMalformedIpc("a column has too few offsets");
  array.buffers.push_back(bytes.data);
  Offset last = 0;
  for (int64_t i = 0; i <= array.length; i++) {
    Offset offset;
    std::memcpy(&offset, bytes.data + i * static_cast<int64_t>(sizeof(Offset)), sizeof(offset));
    if (offset < last) ThrowMalformedIpc("the offsets of a column fall");
    last = offset;
  }
  return static_cast<int64_t>(last);
}

int64_t IpcBatchReader::NextViewBuffers() {
  if (next_variadic_ == variadic_counts_.count)
    ThrowMalformedIpc("a column of views has no count of buffers");
  const auto count = batch_.Item<int64_t>(variadic_counts_, next_variadic_++);
  if (count < 0 || count > static_cast<int64_t>(buffers_.count))
    ThrowMalformedIpc("a batch has too few buffers");
  return count;
}

void IpcBatchReader::Skip(const IpcColumn& column) {
  CheckStack();
  next_node_++;
  if (column.layout == IpcLayout::kNull) return;
  const bool is_union = column.layout == IpcLayout::kSparseUnion || column.layout == IpcLayout::kDenseUnion;
  if (!is_union) next_buffer_++;  // validity
  switch (column.layout) {
    case IpcLayout::kNull:
    case IpcLayout::kFixedList:
    case IpcLayout::kStruct: break;
    case IpcLayout::kBits:
    case IpcLayout::kFixed:
    case IpcLayout::kList32:
    case IpcLayout::kList64:
    case IpcLayout::kSparseUnion:
    case IpcLayout::kDictionary: next_buffer_++; break;
    case IpcLayout::kVariable32:
    case IpcLayout::kDenseUnion:
    case IpcLayout::kVariable64: next_buffer_ += 2; break;
    case IpcLayout::kViews: next_buffer_ += 1 + static_cast<size_t>(NextViewBuffers()); break;
  }
  if (column.layout == IpcLayout::kDictionary) return;
  for (const IpcColumn& child : column.children) Skip(child);
}

void IpcBatchReader::ReadViews(IpcArray& array) {
  const auto* const views =
      static_cast<const std::byte*>(NextBufferOf(array, array.length * ipc::kViewBytes));
  const int64_t count = NextViewBuffers();
  for (int64_t i = 0; i < count; i++) {
    const Bytes bytes = NextBuffer(array);
    array.buffers.push_back(bytes.data);
    array.view_sizes.push_back(bytes.size_bytes);
  }
  for (int64_t i = 0; i < array.length; i++) {
    int32_t parts[4];  // the size, four bytes of the text, the buffer and the place in it
    std::memcpy(parts, views + i * ipc::kViewBytes, sizeof(parts));
    if (parts[0] < 0) ThrowMalformedIpc("a view has a negative size");
    if (parts[0] <= kInlineBytes) continue;
    const bool is_within = parts[2] >= 0 && parts[2] < count && parts[3] >= 0 &&
                           int64_t{parts[3]} + parts[0] <= array.view_sizes[static_cast<size_t>(parts[2])];
    if (!is_within) ThrowMalformedIpc("a view lies outside of its buffer");
  }
  array.buffers.push_back(array.view_sizes.data());
}

// Whether the numbers and places are good is seen when the values are read.
void IpcBatchReader::ReadUnion(const IpcField& field, const IpcColumn& column, IpcArray& array) {
  array.null_count = 0;
  NextBufferOf(array, array.length);
  const bool is_dense = column.layout == IpcLayout::kDenseUnion;
  if (is_dense) NextBufferOf(array, array.length * static_cast<int64_t>(sizeof(int32_t)));
  for (size_t i = 0; i < column.children.size(); i++) {
    array.children.push_back(Read(*field.children[i], column.children[i]));
    if (!is_dense && array.children.back()->length < array.length)
      ThrowMalformedIpc("a member of a union ends before its values");
  }
}

std::shared_ptr<const IpcArray> IpcBatchReader::Read(const IpcField& field, const IpcColumn& column) {
  CheckStack();
  auto array = std::make_shared<IpcArray>();
  array->memory = body_.memory;
  if (next_node_ >= nodes_.count) ThrowMalformedIpc("a batch has too few columns");
  const auto node = batch_.Item<ipc::Node>(nodes_, next_node_++);
  if (node.length < 0 || node.length > kMostRows || node.null_count < -1 || node.null_count > node.length)
    ThrowMalformedIpc("a column has an impossible number of values");
  array->length = node.length;
  array->null_count = node.null_count;
  if (column.layout == IpcLayout::kNull) {
    array->null_count = array->length;
    return array;
  }
  if (column.layout == IpcLayout::kSparseUnion || column.layout == IpcLayout::kDenseUnion) {
    ReadUnion(field, column, *array);
    return array;
  }
  const int64_t bit_bytes = (array->length + 7) / 8;
  // Without NULLs, the bits may be left out.
  const Bytes validity = NextBuffer(*array);
  if (validity.size_bytes == 0 && array->null_count <= 0) {
    array->null_count = 0;
    array->buffers.push_back(nullptr);
  } else {
    if (validity.size_bytes < bit_bytes) ThrowMalformedIpc("a buffer has too few bytes");
    array->buffers.push_back(validity.data);
  }
  const auto read_child = [&](int64_t least_values) {
    array->children.push_back(
        Read(*field.children[array->children.size()], column.children[array->children.size()]));
    if (array->children.back()->length < least_values) ThrowMalformedIpc("a list ends before its values");
  };
  switch (column.layout) {
    case IpcLayout::kNull:
    case IpcLayout::kSparseUnion:
    case IpcLayout::kDenseUnion: break;
    case IpcLayout::kBits: NextBufferOf(*array, bit_bytes); break;
    case IpcLayout::kFixed: NextBufferOf(*array, array->length * column.width); break;
    case IpcLayout::kVariable32: NextBufferOf(*array, ReadOffsets<int32_t>(*array)); break;
    case IpcLayout::kVariable64: NextBufferOf(*array, ReadOffsets<int64_t>(*array)); break;
    case IpcLayout::kViews: ReadViews(*array); break;
    case IpcLayout::kList32: read_child(ReadOffsets<int32_t>(*array)); break;
    case IpcLayout::kList64: read_child(ReadOffsets<int64_t>(*array)); break;
    case IpcLayout::kFixedList:
      if (column.width < 0 || (column.width != 0 && array->length > kMostRows / column.width))
        ThrowMalformedIpc("a list has an impossible size");
      read_child(array->length * column.width);
      break;
    case IpcLayout::kStruct:
      for (size_t i = 0; i < column.children.size(); i++) read_child(array->length);
      break;
    case IpcLayout::kDictionary: {
      NextBufferOf(*array, array->length * column.width);
      const auto found = dictionaries_.find(field.dictionary_id);
      if (found == dictionaries_.end()) ThrowMalformedIpc("a dictionary is missing");
      array->dictionary = found->second;
      break;
    }
  }
  return array;
}

void ExportIpcArray(std::shared_ptr<const IpcArray> array, ArrowArray* out) {
  CheckStack();
  auto exported = std::make_unique<ExportedArray>();
  exported->buffers = array->buffers;
  exported->arrays.resize(array->children.size());
  for (size_t i = 0; i < array->children.size(); i++) {
    ExportIpcArray(array->children[i], &exported->arrays[i]);
    exported->children.push_back(&exported->arrays[i]);
  }
  if (array->dictionary) ExportIpcArray(array->dictionary, &exported->dictionary);
  *out = {};
  out->length = array->length;
  out->null_count = array->null_count;
  out->n_buffers = static_cast<int64_t>(exported->buffers.size());
  out->buffers = exported->buffers.data();
  out->n_children = static_cast<int64_t>(exported->children.size());
  out->children = exported->children.data();
  out->dictionary = array->dictionary ? &exported->dictionary : nullptr;
  out->release = [](ArrowArray* self) {
    delete static_cast<ExportedArray*>(self->private_data);
    self->release = nullptr;
  };
  exported->array = std::move(array);
  out->private_data = exported.release();
}

}  // namespace scaup
