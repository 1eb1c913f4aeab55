// PLAIN, BYTE_STREAM_SPLIT, and the encodings of differences.
#include "format/parquet/write/value_encoder.hpp"

#include <algorithm>

#include "common/check.hpp"
#include "format/parquet/write/delta_encoder.hpp"
#include "format/parquet/write/rle_encoder.hpp"

namespace scaup {

namespace {

/// Writes the first bytes of all values, then the second ones, and so on: those of similar numbers compress.
void AppendByteStreams(const std::byte* values, size_t count, size_t width, ByteBuffer& out) {
  std::byte* const streams = out.Extend(count * width);
  for (size_t byte = 0; byte < width; byte++) {
    std::byte* const stream = streams + byte * count;
    for (size_t i = 0; i < count; i++) stream[i] = values[i * width + byte];
  }
}

/// Writes the lengths of all texts as differences, then their bytes.
void AppendTexts(const LeafValues& values, const ValueRange& range, ByteBuffer& out) {
  ByteBuffer lengths(out.memory());
  ValueCursor<std::string_view> cursor(values.values().data() + range.offset);
  for (size_t i = 0; i < range.count; i++) lengths.AppendValue(static_cast<int32_t>(cursor.Next().size()));
  AppendDeltas(lengths.As<int32_t>(), range.count, out);
  cursor = ValueCursor<std::string_view>(values.values().data() + range.offset);
  for (size_t i = 0; i < range.count; i++) {
    const std::string_view text = cursor.Next();
    out.Append(text.data(), text.size());
  }
}

/// Writes how many bytes each text shares with the one before it, and then the rests as AppendTexts does.
void AppendSuffixes(const LeafValues& values, const ValueRange& range, ByteBuffer& out) {
  ByteBuffer prefixes(out.memory()), lengths(out.memory()), suffixes(out.memory());
  ValueCursor<std::string_view> cursor(values.values().data() + range.offset);
  std::string_view last;
  for (size_t i = 0; i < range.count; i++) {
    const std::string_view text = cursor.Next();
    const size_t most = std::min(text.size(), last.size());
    const size_t shared = static_cast<size_t>(
        std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(most), last.begin()).first -
        text.begin());
    prefixes.AppendValue(static_cast<int32_t>(shared));
    lengths.AppendValue(static_cast<int32_t>(text.size() - shared));
    suffixes.Append(text.data() + shared, text.size() - shared);
    last = text;
  }
  AppendDeltas(prefixes.As<int32_t>(), range.count, out);
  AppendDeltas(lengths.As<int32_t>(), range.count, out);
  out.Append(suffixes.data(), suffixes.size());
}

void AppendPlain(const LeafValues& values, const ValueRange& range, ByteBuffer& out) {
  if (values.leaf().physical == ParquetType::kBoolean) {
    AppendPacked(values.values().As<uint8_t>() + range.first, range.count, 1, out);
  } else {
    out.Append(values.values().data() + range.offset, range.size_bytes);
  }
}

void AppendDifferences(const LeafValues& values, const ValueRange& range, ByteBuffer& out) {
  if (values.leaf().physical == ParquetType::kInt32) {
    AppendDeltas(values.values().As<int32_t>() + range.first, range.count, out);
  } else {
    AppendDeltas(values.values().As<int64_t>() + range.first, range.count, out);
  }
}

}  // namespace

std::span<const ParquetEncoding> NewEncodings(const ParquetLeaf& leaf) {
  static constexpr ParquetEncoding kIntegers[] = {ParquetEncoding::kDeltaBinary};
  static constexpr ParquetEncoding kFloats[] = {ParquetEncoding::kByteStreamSplit};
  static constexpr ParquetEncoding kTexts[] = {ParquetEncoding::kDeltaLength, ParquetEncoding::kDeltaBytes};
  switch (leaf.physical) {
    case ParquetType::kInt32:
    case ParquetType::kInt64: return kIntegers;
    case ParquetType::kFloat:
    case ParquetType::kDouble: return kFloats;
    case ParquetType::kByteArray: return kTexts;
    case ParquetType::kBoolean:
    case ParquetType::kInt96:
    case ParquetType::kFixedBytes: break;
  }
  return {};
}

void AppendEncoded(ParquetEncoding encoding, const LeafValues& values, const ValueRange& range,
                   ByteBuffer& out) {
  switch (encoding) {
    case ParquetEncoding::kPlain: return AppendPlain(values, range, out);
    case ParquetEncoding::kDeltaBinary: return AppendDifferences(values, range, out);
    case ParquetEncoding::kDeltaLength: return AppendTexts(values, range, out);
    case ParquetEncoding::kDeltaBytes: return AppendSuffixes(values, range, out);
    case ParquetEncoding::kByteStreamSplit:
      return AppendByteStreams(values.values().data() + range.offset, range.count,
                               values.leaf().physical == ParquetType::kFloat ? 4 : 8, out);
    case ParquetEncoding::kPlainDictionary:
    case ParquetEncoding::kRle:
    case ParquetEncoding::kBitPacked:
    case ParquetEncoding::kRleDictionary: break;
  }
  ThrowInternal("an encoding of Parquet that is not written");
}

}  // namespace scaup
