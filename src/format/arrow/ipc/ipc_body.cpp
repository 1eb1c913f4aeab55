// Collects, slices and compresses the buffers of columns.
#include "format/arrow/ipc/ipc_body.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/codec/compressor.hpp"

namespace scaup {

namespace {

/// The buffers of a column of views besides those with bytes: validity, views, and the sizes of the others.
constexpr int64_t kBuffersBesidesViews = 3;

int64_t Padded(int64_t size_bytes) {
  return (size_bytes + ipc::kAlignment - 1) / ipc::kAlignment * ipc::kAlignment;
}

bool IsSet(const uint8_t* bits, int64_t index) { return (bits[index / 8] >> (index % 8) & 1) != 0; }

/// Compresses with an LZ4 frame. Returns the number of bytes; 0 if they do not fit.
size_t CompressLz4(std::span<const char> input, std::span<char> output) {
  LZ4F_preferences_t preferences = {};
  preferences.frameInfo.contentSize = input.size();
  preferences.frameInfo.blockSizeID = LZ4F_max1MB;
  const size_t size_bytes =
      LZ4F_compressFrame(output.data(), output.size(), input.data(), input.size(), &preferences);
  return LZ4F_isError(size_bytes) != 0 ? 0 : size_bytes;
}

/// Returns a buffer as a compressed body has it: its size, then its bytes, compressed if that makes them
/// fewer.
std::string Compressed(std::span<const char> input, ArrowIpcWriter::Compression compression,
                       Compressor* zstd) {
  constexpr int64_t kNotCompressed = -1;
  auto raw_bytes = static_cast<int64_t>(input.size());
  std::string output(sizeof(raw_bytes), '\0');
  size_t size_bytes = 0;
  if (compression == ArrowIpcWriter::Compression::kZstd) {
    output.resize(sizeof(raw_bytes) + zstd->MostBytes(input.size()));
    size_bytes =
        zstd->Run(std::as_bytes(input), std::as_writable_bytes(std::span(output).subspan(sizeof(raw_bytes))));
  } else {
    output.resize(sizeof(raw_bytes) + LZ4F_compressFrameBound(input.size(), nullptr));
    size_bytes = CompressLz4(input, std::span(output).subspan(sizeof(raw_bytes)));
  }
  if (size_bytes == 0 || size_bytes >= input.size()) {
    raw_bytes = kNotCompressed;
    output.resize(sizeof(raw_bytes));
    output.append(input.data(), input.size());
  } else {
    output.resize(sizeof(raw_bytes) + size_bytes);
  }
  std::memcpy(output.data(), &raw_bytes, sizeof(raw_bytes));
  return output;
}

}  // namespace

void IpcBody::AddBuffer(const void* data, int64_t size_bytes) {
  buffers_.emplace_back(static_cast<const char*>(data), static_cast<size_t>(size_bytes));
}

std::string& IpcBody::AddCopy() { return copies_.emplace_back(); }

void IpcBody::AddBits(const void* bits, int64_t first, int64_t count) {
  const auto* const bytes = static_cast<const uint8_t*>(bits);
  const int64_t size_bytes = (count + 7) / 8;
  if (first % 8 == 0) return AddBuffer(bytes + first / 8, size_bytes);
  std::string& copy = AddCopy();
  copy.resize(static_cast<size_t>(size_bytes));
  for (int64_t i = 0; i < count; i++)
    copy[static_cast<size_t>(i / 8)] |= static_cast<char>((IsSet(bytes, first + i) ? 1 : 0) << (i % 8));
  AddBuffer(copy.data(), size_bytes);
}

void IpcBody::AddValidity(const ArrowArray& array, int64_t first, int64_t count) {
  const auto* const bits = static_cast<const uint8_t*>(array.buffers[0]);
  int64_t null_count = 0;
  if (bits != nullptr && array.null_count != 0) {
    for (int64_t i = 0; i < count; i++) null_count += IsSet(bits, first + i) ? 0 : 1;
  }
  nodes_.push_back({count, null_count});
  if (null_count == 0) return AddBuffer(nullptr, 0);
  AddBits(bits, first, count);
}

// Returns where the values that the offsets are about begin, and how many there are.
template <typename Offset>
std::pair<int64_t, int64_t> IpcBody::AddOffsets(const void* offsets, int64_t first, int64_t count) {
  // An array without rows need not have offsets.
  static constexpr Offset kZero = 0;
  if (count == 0 || offsets == nullptr) {
    AddBuffer(&kZero, sizeof(kZero));
    return {0, 0};
  }
  const Offset* const begin = static_cast<const Offset*>(offsets) + first;
  const auto size_bytes = static_cast<int64_t>(sizeof(Offset)) * (count + 1);
  if (*begin == 0) {
    AddBuffer(begin, size_bytes);
  } else {
    std::string& copy = AddCopy();
    copy.resize(static_cast<size_t>(size_bytes));
    auto* const rebased = reinterpret_cast<Offset*>(copy.data());
    for (int64_t i = 0; i <= count; i++) rebased[i] = static_cast<Offset>(begin[i] - *begin);
    AddBuffer(copy.data(), size_bytes);
  }
  return {static_cast<int64_t>(*begin), static_cast<int64_t>(begin[count] - *begin)};
}

void IpcBody::Add(const IpcColumn& column, const ArrowArray& array, int64_t first, int64_t count) {
  CheckStack();
  first += array.offset;
  if (column.layout == IpcLayout::kNull) {
    nodes_.push_back({count, count});
    return;
  }
  const bool is_union = column.layout == IpcLayout::kSparseUnion || column.layout == IpcLayout::kDenseUnion;
  if (is_union) {
    nodes_.push_back({count, 0});
  } else {
    AddValidity(array, first, count);
  }
  const auto bytes_of = [&](int64_t buffer) { return static_cast<const char*>(array.buffers[buffer]); };
  switch (column.layout) {
    case IpcLayout::kNull: return;
    case IpcLayout::kBits: return AddBits(bytes_of(1), first, count);
    case IpcLayout::kFixed:
    case IpcLayout::kDictionary: return AddBuffer(bytes_of(1) + first * column.width, count * column.width);
    case IpcLayout::kVariable32:
    case IpcLayout::kVariable64: {
      const auto [begin, size_bytes] = column.layout == IpcLayout::kVariable32
                                           ? AddOffsets<int32_t>(bytes_of(1), first, count)
                                           : AddOffsets<int64_t>(bytes_of(1), first, count);
      return AddBuffer(bytes_of(2) + begin, size_bytes);
    }
    case IpcLayout::kViews: {
      AddBuffer(bytes_of(1) + first * ipc::kViewBytes, count * ipc::kViewBytes);
      const int64_t variadic_count = array.n_buffers - kBuffersBesidesViews;
      const auto* const sizes = static_cast<const int64_t*>(array.buffers[array.n_buffers - 1]);
      for (int64_t i = 0; i < variadic_count; i++) AddBuffer(bytes_of(2 + i), sizes[i]);
      variadic_counts_.push_back(variadic_count);
      return;
    }
    case IpcLayout::kList32:
    case IpcLayout::kList64: {
      const auto [begin, length] = column.layout == IpcLayout::kList32
                                       ? AddOffsets<int32_t>(bytes_of(1), first, count)
                                       : AddOffsets<int64_t>(bytes_of(1), first, count);
      return Add(column.children[0], *array.children[0], begin, length);
    }
    case IpcLayout::kFixedList:
      return Add(column.children[0], *array.children[0], first * column.width, count * column.width);
    case IpcLayout::kDenseUnion:
      AddBuffer(bytes_of(0) + first, count);
      AddBuffer(bytes_of(1) + first * static_cast<int64_t>(sizeof(int32_t)),
                count * static_cast<int64_t>(sizeof(int32_t)));
      for (size_t i = 0; i < column.children.size(); i++)
        Add(column.children[i], *array.children[i], 0, array.children[i]->length);
      return;
    case IpcLayout::kSparseUnion: AddBuffer(bytes_of(0) + first, count); [[fallthrough]];
    case IpcLayout::kStruct:
      for (size_t i = 0; i < column.children.size(); i++)
        Add(column.children[i], *array.children[i], first, count);
      return;
  }
}

void IpcBody::Finish() {
  if (compression_ == ArrowIpcWriter::Compression::kNone) return;
  std::optional<Compressor> zstd;
  if (compression_ == ArrowIpcWriter::Compression::kZstd) zstd.emplace(Codec::kZstd, 1);
  for (Bytes& buffer : buffers_) {
    if (buffer.empty()) continue;
    buffer = copies_.emplace_back(Compressed(buffer, compression_, zstd ? &*zstd : nullptr));
  }
}

std::vector<ipc::Buffer> IpcBody::Places() const {
  std::vector<ipc::Buffer> places;
  int64_t offset = 0;
  for (const Bytes& buffer : buffers_) {
    const auto size_bytes = static_cast<int64_t>(buffer.size());
    places.push_back({offset, size_bytes});
    offset += Padded(size_bytes);
  }
  return places;
}

int64_t IpcBody::size_bytes() const {
  int64_t size_bytes = 0;
  for (const Bytes& buffer : buffers_) size_bytes += Padded(static_cast<int64_t>(buffer.size()));
  return size_bytes;
}

void IpcBody::AppendTo(std::string& out) const {
  for (const Bytes& buffer : buffers_) {
    out.append(buffer.data(), buffer.size());
    out.append(static_cast<size_t>(Padded(static_cast<int64_t>(buffer.size()))) - buffer.size(), '\0');
  }
}

}  // namespace scaup
