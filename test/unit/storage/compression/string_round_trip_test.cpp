// Every encoding of strings gives back what it was given.
#include <catch2/catch.hpp>

#include "storage/compression/compression.hpp"
#include "string_segment.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

constexpr Encoding kEncodings[] = {Encoding::kDictionary, Encoding::kFsst, Encoding::kRaw};

/// Picks single rows and compares; what is picked needs neither the block nor the decoder.
void CheckGather(const StringSegment& source, const CompressedSegment& compressed,
                 const SegmentDecoder& decoder, size_t block) {
  static Random random(72);
  const size_t count = source.input.blocks[block].count;
  const std::vector<sel_t> rows = SomeRows(random, count);
  Vector output(TypeId::kVarchar);
  output.Reset();
  static bool in_pieces = false;
  in_pieces = !in_pieces;
  if (in_pieces) {
    BlockInPieces pieces(BlockOf(compressed, block));
    REQUIRE(decoder.GatherFrom(pieces, count, rows, output, 0));
  } else {
    REQUIRE(decoder.Gather(*ExactCopy(BlockOf(compressed, block)), count, rows, output, 0));
  }
  for (size_t i = 0; i < rows.size(); i++) {
    const bool is_null = output.Validity() != nullptr && !TestValid(output.Validity(), i);
    if (decoder.encodes_nulls()) REQUIRE(is_null != source.IsValid(block, rows[i]));
    if (!source.IsValid(block, rows[i])) continue;
    REQUIRE(output.Data<StringRef>()[i] == source.Refs(block)[rows[i]]);
  }
}

void CheckRoundTrip(const StringSegment& source, const CompressedSegment& compressed) {
  REQUIRE(compressed.block_ends.size() == source.input.blocks.size());
  REQUIRE(compressed.block_ends.back() == compressed.bytes.size());
  std::vector<Vector> outputs;
  {
    const auto decoder =
        FindCompressionMethod(compressed.encoding)->Open(PhysicalType::kString, compressed.header);
    for (size_t block = 0; block < source.input.blocks.size(); block++) {
      const auto bytes = ExactCopy(BlockOf(compressed, block));
      outputs.emplace_back(TypeId::kVarchar);
      decoder->Decode(*bytes, source.input.blocks[block].count, KernelsOf(BestKernelLevel()), bytes,
                      outputs.back());
      CheckGather(source, compressed, *decoder, block);
      if (decoder->encodes_nulls()) REQUIRE(decoder->dictionary()->validity != nullptr);
    }
  }
  // Vectors outlive the decoder, and what they keep of the block.
  for (size_t block = 0; block < outputs.size(); block++) {
    const auto view = outputs[block].ViewAs<StringRef>(source.input.blocks[block].count);
    for (size_t row = 0; row < source.input.blocks[block].count; row++) {
      if (!source.IsValid(block, row)) {
        // Valid to read, and said to be NULL by those that say so.
        REQUIRE(view[row].view().size() == 0);
        if (compressed.encoding == Encoding::kDictionary) REQUIRE(!view.IsValid(row));
        continue;
      }
      REQUIRE(view.IsValid(row));
      if (view[row].view() == source.At(block, row) && view[row] == source.Refs(block)[row]) continue;
      INFO(EncodingName(compressed.encoding) << " block " << block << " row " << row);
      REQUIRE(view[row].view() == source.At(block, row));
      REQUIRE(view[row] == source.Refs(block)[row]);  // Padding and prefix, too.
    }
  }
}

void CheckAll(const StringSegment& source, bool must_have_dictionary = true) {
  for (const Encoding encoding : kEncodings) {
    const auto compressed = FindCompressionMethod(encoding)->Compress(source.input);
    if (!compressed) REQUIRE((encoding == Encoding::kDictionary && !must_have_dictionary));
    if (compressed) CheckRoundTrip(source, *compressed);
  }
}

TEST_CASE("strings of many kinds round trip", "[compression][strings]") {
  Random random(31);
  for (const StringShape& shape : StringShapes()) {
    INFO(shape.name);
    StringSegment source;
    size_t row = 0;
    const auto value = [&](size_t) { return shape.value(random, row++); };
    source.Add(kVectorSize, value);
    source.Add(kVectorSize, value, [&](size_t i) { return i % 5 == 1; });
    source.Add(1 + Below(random, 500), value);
    CheckAll(source);
  }
}

TEST_CASE("tiny segments of strings round trip", "[compression][strings]") {
  Random random(32);
  for (const size_t count : {1, 2, 3, 7, 8, 9, 63, 64, 65, 1023}) {
    for (const StringShape& shape : StringShapes()) {
      StringSegment source;
      source.Add(
          count, [&](size_t row) { return shape.value(random, row); },
          [&](size_t row) { return row != 0 && Chance(random, 20); });
      CheckAll(source);
    }
  }
}

TEST_CASE("strings of a megabyte round trip", "[compression][strings]") {
  Random random(33);
  StringSegment source;
  source.Add(6, [&](size_t row) {
    std::string text;
    while (text.size() < (1 << 20)) text += row % 2 == 0 ? Comment(random) : RandomBytes(random, 1000);
    return text;
  });
  CheckAll(source);
}

TEST_CASE("a block of NULLs but one", "[compression][strings]") {
  StringSegment source;
  source.Add(
      kVectorSize, [](size_t) { return std::string("here"); }, [](size_t row) { return row != 1000; });
  source.Add(kVectorSize, [](size_t) { return std::string("without NULLs"); });
  CheckAll(source);
}

TEST_CASE("text gets smaller", "[compression][strings]") {
  Random random(34);
  StringSegment source;
  size_t text_bytes = 0;
  for (int block = 0; block < 20; block++) {
    source.Add(kVectorSize, [&](size_t) {
      const std::string text = Comment(random);
      text_bytes += text.size();
      return text;
    });
  }
  const CompressionMethod& method = *FindCompressionMethod(Encoding::kFsst);
  const auto compressed = method.Compress(source.input);
  REQUIRE(compressed->bytes.size() + compressed->header.size() < text_bytes / 2);
  const auto estimate = method.Estimate(source.input, 20);
  REQUIRE(estimate->size_bytes > 0.8 * static_cast<double>(compressed->bytes.size()));
  REQUIRE(estimate->size_bytes < 1.2 * static_cast<double>(compressed->bytes.size()));
}

TEST_CASE("the advisor chooses by what strings repeat", "[compression][strings]") {
  Random random(35);
  const auto chosen = [&](const StringShape& shape) {
    StringSegment source;
    size_t row = 0;
    for (int block = 0; block < 20; block++) {
      source.Add(kVectorSize, [&](size_t) { return shape.value(random, row++); });
    }
    const auto compressed = CompressSegment(source.input);
    CheckRoundTrip(source, compressed);
    return compressed.encoding;
  };
  for (const StringShape& shape : StringShapes()) {
    const std::string name = shape.name;
    if (name == "wide lengths" || name == "long prefix") continue;  // Large, and nothing new.
    INFO(name);
    const Encoding encoding = chosen(shape);
    if (name == "few values") REQUIRE(encoding == Encoding::kDictionary);
    if (name == "comments" || name == "urls") REQUIRE(encoding == Encoding::kFsst);
    if (name == "random bytes") REQUIRE(encoding == Encoding::kRaw);
  }
}

}  // namespace
}  // namespace scaup
