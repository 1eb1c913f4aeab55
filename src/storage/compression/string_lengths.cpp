// Encodes string lengths in as few bytes as the longest needs, and makes StringRefs without branches.
#include "storage/compression/string_lengths.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr size_t kMostReservedBytes = size_t{64} << 20;

/// The bytes of an inline string's first word (after the length) and second word that are in use, by length.
struct InlineMasks {
  uint32_t head[StringRef::kInlineBytes + 2];
  uint64_t tail[StringRef::kInlineBytes + 2];
  constexpr InlineMasks() : head{}, tail{} {
    for (uint32_t length = 0; length <= StringRef::kInlineBytes + 1; length++) {
      for (uint32_t i = 0; i < 4 && i < length; i++) head[length] |= uint32_t{0xff} << (8 * i);
      for (uint32_t i = 4; i < 12 && i < length; i++) tail[length] |= uint64_t{0xff} << (8 * (i - 4));
    }
  }
};
constexpr InlineMasks kInlineMasks;

/// Makes StringRef(data, length) on little-endian systems. 12 bytes must be readable whatever the length.
void MakeStringRef(const char* data, uint32_t length, StringRef* target) {
  uint32_t head;
  uint64_t tail;
  std::memcpy(&head, data, sizeof(head));
  std::memcpy(&tail, data + sizeof(head), sizeof(tail));
  const uint32_t index = length < StringRef::kInlineBytes + 1 ? length : StringRef::kInlineBytes + 1;
  tail &= kInlineMasks.tail[index];
  const uint64_t words[2] = {length | static_cast<uint64_t>(head & kInlineMasks.head[index]) << 32,
                             length <= StringRef::kInlineBytes ? tail : reinterpret_cast<uint64_t>(data)};
  std::memcpy(static_cast<void*>(target), words, sizeof(words));
}

template <typename T>
void AppendNarrow(std::span<const uint32_t> lengths, uint32_t least, std::byte* target) {
  for (const uint32_t length : lengths) {
    const T narrow = static_cast<T>(length - least);
    std::memcpy(target, &narrow, sizeof(T));
    target += sizeof(T);
  }
}

template <typename T>
uint64_t ReadNarrow(const std::byte* source, size_t count, uint32_t least, uint32_t* lengths) {
  uint64_t sum = 0, all_bits = 0;
  for (size_t i = 0; i < count; i++) {
    T narrow;
    std::memcpy(&narrow, source + i * sizeof(T), sizeof(T));
    const uint64_t length = uint64_t{least} + narrow;
    lengths[i] = static_cast<uint32_t>(length);
    sum += length;
    // Collects overflows of all lengths for a single test behind the loop.
    all_bits |= length;
  }
  if (all_bits > UINT32_MAX) ThrowCorruptEncoding("a string is too long");
  return sum;
}

/// Sums at most kVectorSize numbers of one or two bytes. Those at even and at odd positions of a word are
/// added separately, in lanes twice as wide, which this many numbers cannot overflow.
template <typename T>
uint64_t SumNarrow(const std::byte* source, size_t count) {
  constexpr size_t kPerWord = sizeof(uint64_t) / sizeof(T);
  constexpr int kBits = 8 * sizeof(T);
  constexpr uint64_t kEven = sizeof(T) == 1 ? 0x00ff00ff00ff00ff : 0x0000ffff0000ffff;
  static_assert(kVectorSize / kPerWord * 2 * std::numeric_limits<T>::max() < uint64_t{1} << 2 * kBits);
  uint64_t lanes = 0, sum = 0;
  size_t i = 0;
  for (; i + kPerWord <= count; i += kPerWord) {
    uint64_t word;
    std::memcpy(&word, source + i * sizeof(T), sizeof(word));
    lanes += (word & kEven) + (word >> kBits & kEven);
  }
  for (; lanes != 0; lanes >>= 2 * kBits) sum += lanes & ((uint64_t{1} << 2 * kBits) - 1);
  for (; i < count; i++) {
    T narrow;
    std::memcpy(&narrow, source + i * sizeof(T), sizeof(T));
    sum += narrow;
  }
  return sum;
}

uint64_t SumWide(const std::byte* source, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t number;
    std::memcpy(&number, source + i * sizeof(number), sizeof(number));
    sum += number;
  }
  return sum;
}

}  // namespace

void JoinedStrings::Assign(const SegmentInput::Block& block) {
  const auto* strings = reinterpret_cast<const StringRef*>(block.values);
  if (block.validity == nullptr) return Assign({strings, block.count});
  // NULLs may hold dangling references, so they are replaced before their bytes are read.
  std::vector<StringRef> valid(strings, strings + block.count);
  for (size_t row = 0; row < block.count; row++) {
    if (!TestValid(block.validity, row)) valid[row] = StringRef();
  }
  Assign(valid);
}

void JoinedStrings::Assign(std::span<const StringRef> strings) {
  lengths.resize(strings.size());
  size_bytes = 0;
  for (size_t i = 0; i < strings.size(); i++) {
    lengths[i] = strings[i].size();
    size_bytes += strings[i].size();
  }
  // Never shrinks, as it is reused for many blocks.
  if (bytes.size() < size_bytes + kReadAheadBytes) bytes.resize(size_bytes + kReadAheadBytes);
  char* target = bytes.data();
  for (const StringRef& string : strings) {
    std::memcpy(target, string.data(), string.size());
    target += string.size();
  }
  std::memset(target, 0, kReadAheadBytes);
}

bool EndStringBlock(const SegmentInput& input, CompressedSegment& segment) {
  if (segment.bytes.size() > UINT32_MAX) return false;
  if (segment.block_ends.empty()) {
    // Reserves memory for blocks like the first at once; if they are large, growing step by step costs less.
    segment.bytes.reserve(std::min(segment.bytes.size() * (input.blocks.size() + 1), kMostReservedBytes));
    segment.block_ends.reserve(input.blocks.size());
  }
  segment.block_ends.push_back(static_cast<uint32_t>(segment.bytes.size()));
  return true;
}

void AppendStringLengths(std::span<const uint32_t> lengths, std::vector<std::byte>& bytes) {
  uint32_t least = UINT32_MAX, greatest = 0;
  for (const uint32_t length : lengths) {
    least = std::min(least, length);
    greatest = std::max(greatest, length);
  }
  if (lengths.empty()) least = 0;
  // A width of zero stores equal lengths once.
  const uint32_t range = greatest - least;
  const uint8_t width = range == 0 ? 0 : range <= UINT8_MAX ? 1 : range <= UINT16_MAX ? 2 : 4;
  AppendNumber(bytes, least);
  AppendNumber(bytes, width);
  const size_t start = bytes.size();
  bytes.resize(start + lengths.size() * width);
  switch (width) {
    case 0: break;
    case 1: AppendNarrow<uint8_t>(lengths, least, bytes.data() + start); break;
    case 2: AppendNarrow<uint16_t>(lengths, least, bytes.data() + start); break;
    default: AppendNarrow<uint32_t>(lengths, least, bytes.data() + start); break;
  }
}

StringLengths::StringLengths(EncodedReader& reader, size_t count)
    : least_(reader.Read<uint32_t>()), width_(reader.Read<uint8_t>()) {
  if (width_ > 4 || width_ == 3) ThrowCorruptEncoding("unknown width of string lengths");
  bytes_ = reader.Take(count * width_).data();
}

uint64_t StringLengths::Read(size_t begin, size_t end, uint32_t* lengths) const {
  const size_t count = end - begin;
  const std::byte* source = bytes_ + begin * width_;
  switch (width_) {
    case 0: std::fill_n(lengths, count, least_); return uint64_t{least_} * count;
    case 1: return ReadNarrow<uint8_t>(source, count, least_, lengths);
    case 2: return ReadNarrow<uint16_t>(source, count, least_, lengths);
    default: return ReadNarrow<uint32_t>(source, count, least_, lengths);
  }
}

uint64_t StringLengths::operator[](size_t index) const {
  uint32_t number = 0;
  std::memcpy(&number, bytes_ + index * width_, width_);
  return uint64_t{least_} + number;
}

uint64_t StringLengths::Sum(size_t begin, size_t end) const {
  const size_t count = end - begin;
  SCAUP_ASSERT(count <= kVectorSize);
  const std::byte* source = bytes_ + begin * width_;
  const uint64_t least = uint64_t{least_} * count;
  switch (width_) {
    case 0: return least;
    case 1: return least + SumNarrow<uint8_t>(source, count);
    case 2: return least + SumNarrow<uint16_t>(source, count);
    default: return least + SumWide(source, count);
  }
}

uint64_t ReadStringLengths(EncodedReader& reader, size_t count, uint32_t* lengths) {
  return StringLengths(reader, count).Read(0, count, lengths);
}

void MakeStringRefs(std::span<const char> bytes, const uint32_t* lengths, size_t count, StringRef* strings) {
  SCAUP_ASSERT(std::accumulate(lengths, lengths + count, uint64_t{0}) <= bytes.size());
  const char* data = bytes.data();
  size_t i = 0;
  if constexpr (std::endian::native == std::endian::little && sizeof(void*) == 8) {
    const char* end = data + bytes.size();
    // The fast path reads 12 bytes whatever the length, so it stops before the end.
    for (; i < count && end - data >= static_cast<ptrdiff_t>(StringRef::kInlineBytes); i++) {
      MakeStringRef(data, lengths[i], strings + i);
      data += lengths[i];
    }
  }
  for (; i < count; i++) {
    strings[i] = lengths[i] == 0 ? StringRef() : StringRef(data, lengths[i]);
    data += lengths[i];
  }
}

void GatherStrings(std::span<const char> bytes, std::span<const uint32_t> lengths,
                   std::span<const sel_t> rows, size_t first_row, Vector& output, size_t offset) {
  SCAUP_ASSERT(std::accumulate(lengths.begin(), lengths.end(), uint64_t{0}) <= bytes.size());
  auto* strings = output.MutableData<StringRef>() + offset;
  size_t at = 0, index = 0;
  for (const sel_t row : rows) {
    for (; index < row - first_row; index++) at += lengths[index];
    *strings++ = output.AddString({bytes.data() + at, lengths[index]});
  }
}

}  // namespace scaup
