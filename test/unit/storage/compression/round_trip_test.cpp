// Every compression method gives back, bit for bit, the fixed-width values that it was given.
#include <catch2/catch.hpp>

#include "fixed_segment.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

/// Picks single rows and compares.
void CheckGather(const FixedSegment& source, const CompressedSegment& compressed,
                 const SegmentDecoder& decoder, size_t block) {
  static Random random(71);
  const size_t size = PhysicalSize(source.input.type), count = source.input.blocks[block].count;
  const std::vector<sel_t> rows = SomeRows(random, count);
  const auto bytes = ExactCopy(BlockOf(compressed, block));
  const size_t offset = Below(random, kVectorSize - rows.size() + 1);
  Vector output(source.type);
  output.Reset();
  const bool can_gather = decoder.Gather(*bytes, count, rows, output, offset);
  const Encoding encoding = compressed.encoding;
  REQUIRE(can_gather == (encoding != Encoding::kConstant && encoding != Encoding::kDelta));
  if (!can_gather) return;
  for (size_t i = 0; i < rows.size(); i++) {
    const bool is_valid = source.IsValid(block, rows[i]);
    if (decoder.encodes_nulls()) {
      const bool found = output.Validity() == nullptr || TestValid(output.Validity(), offset + i);
      if (found != is_valid) REQUIRE(rows[i] == kVectorSize);
    }
    if (!is_valid) continue;
    if (std::memcmp(output.Data<std::byte>() + (offset + i) * size, source.At(block, rows[i]), size) != 0) {
      INFO(source.type.ToString() << ' ' << EncodingName(encoding) << " block " << block);
      REQUIRE(rows[i] == kVectorSize);  // Shows the row.
    }
  }
}

/// Decodes all blocks and compares; NULLs may be anything.
void CheckRoundTrip(const FixedSegment& source, const CompressedSegment& compressed, KernelLevel level) {
  const CompressionMethod* method = FindCompressionMethod(compressed.encoding);
  REQUIRE(method != nullptr);
  REQUIRE(compressed.block_ends.size() == source.input.blocks.size());
  REQUIRE(compressed.block_ends.back() == compressed.bytes.size());
  const auto decoder = method->Open(source.input.type, compressed.header);
  const size_t size = PhysicalSize(source.input.type);
  Vector output(source.type);
  for (size_t block = 0; block < source.input.blocks.size(); block++) {
    const size_t count = source.input.blocks[block].count;
    const auto bytes = ExactCopy(BlockOf(compressed, block));
    output.Release();
    decoder->Decode(*bytes, count, KernelsOf(level), bytes, output);
    const UnifiedView view = output.View(count);
    const bool has_nulls = output.kind() == VectorKind::kDictionary && decoder->encodes_nulls();
    if (!has_nulls) REQUIRE(view.validity == nullptr);
    for (size_t row = 0; row < count; row++) {
      if (has_nulls && view.IsValid(row) != source.IsValid(block, row)) REQUIRE(row == kVectorSize);
      if (!source.IsValid(block, row)) continue;
      if (std::memcmp(view.data + view.selection[row] * size, source.At(block, row), size) != 0) {
        INFO(source.type.ToString() << ' ' << EncodingName(compressed.encoding) << " block " << block);
        REQUIRE(row == kVectorSize);  // Shows the row.
      }
    }
    CheckGather(source, compressed, *decoder, block);
  }
}

bool MustHold(Encoding encoding, Shape shape, PhysicalType type) {
  switch (encoding) {
    case Encoding::kConstant: return shape == Shape::kConstant;
    case Encoding::kFrameOfReference: return type != PhysicalType::kInt128 || shape != Shape::kWide;
    case Encoding::kFsst:
    case Encoding::kAlp: return false;
    case Encoding::kRunLength:
    case Encoding::kDelta:
    case Encoding::kDictionary:
    case Encoding::kRaw: return true;
  }
  return false;
}

void CheckAllMethods(const FixedSegment& source, Shape shape) {
  for (const CompressionMethod* method : AllCompressionMethods()) {
    if (!method->Supports(source.input.type)) continue;
    const auto compressed = method->Compress(source.input);
    INFO(EncodingName(method->encoding()) << " of " << source.type.ToString() << " shape " << int(shape));
    if (MustHold(method->encoding(), shape, source.input.type)) REQUIRE(compressed);
    if (!compressed) continue;
    REQUIRE(compressed->encoding == method->encoding());
    for (const KernelLevel level : KernelLevels()) CheckRoundTrip(source, *compressed, level);
  }
}

TEST_CASE("every method gives back its values in every shape and type", "[compression]") {
  Random random(1);
  for (const LogicalType& type : FixedTypes()) {
    for (const Shape shape : kShapes) {
      FixedSegment source(type);
      AddShape(random, source, shape, kVectorSize);
      AddShape(random, source, shape, kVectorSize, kVectorSize);
      AddShape(random, source, shape, 1 + Below(random, kVectorSize - 1), 2 * kVectorSize);
      CheckAllMethods(source, shape);
      CheckRoundTrip(source, CompressSegment(source.input), BestKernelLevel());
    }
  }
}

TEST_CASE("short blocks of every length", "[compression]") {
  Random random(2);
  for (const LogicalType& type : FixedTypes()) {
    for (const size_t count :
         {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 511, 1000, 1022, 1023}) {
      for (const Shape shape : {Shape::kSmall, Shape::kNulls, Shape::kRandom, Shape::kSorted}) {
        FixedSegment source(type);
        AddShape(random, source, shape, count);
        CheckAllMethods(source, shape);
        CheckRoundTrip(source, CompressSegment(source.input), BestKernelLevel());
      }
    }
  }
}

TEST_CASE("whole segments of 128 blocks of mixed shapes", "[compression]") {
  Random random(3);
  for (const LogicalType& type :
       {LogicalType(TypeId::kInteger), LogicalType(TypeId::kBigInt), LogicalType(TypeId::kDouble)}) {
    for (const bool mixed : {false, true}) {
      FixedSegment source(type);
      for (size_t block = 0; block < 128; block++) {
        const Shape shape = mixed ? kShapes[Below(random, std::size(kShapes) - 1)] : Shape::kFew;
        AddShape(random, source, shape, block == 127 ? 321 : kVectorSize, block * kVectorSize);
      }
      for (const CompressionMethod* method : AllCompressionMethods()) {
        if (!method->Supports(source.input.type)) continue;
        if (const auto compressed = method->Compress(source.input)) {
          CheckRoundTrip(source, *compressed, BestKernelLevel());
        }
      }
      CheckRoundTrip(source, CompressSegment(source.input), BestKernelLevel());
    }
  }
}

TEST_CASE("a dictionary has an entry for NULL", "[compression]") {
  Random random(5);
  FixedSegment source(TypeId::kBigInt);
  for (const size_t count : {kVectorSize, size_t{300}}) {
    source.Add(
        count, [&](size_t) { return Below(random, 5) * 1000; }, [&](size_t) { return Chance(random, 30); });
  }
  const auto compressed = CompressSegment(source.input, Encoding::kDictionary);
  REQUIRE(compressed.encoding == Encoding::kDictionary);
  const auto decoder =
      FindCompressionMethod(Encoding::kDictionary)->Open(source.input.type, compressed.header);
  REQUIRE(decoder->encodes_nulls());
  REQUIRE(decoder->dictionary() != nullptr);
  CHECK(decoder->dictionary()->size == 6);
  CHECK_FALSE(TestValid(decoder->dictionary()->validity, 5));
  CheckRoundTrip(source, compressed, BestKernelLevel());
  const uint8_t entry_mask[] = {1, 0, 1, 1, 0, 0};
  uint8_t mask[kVectorSize];
  for (size_t block = 0; block < 2; block++) {
    const size_t count = source.input.blocks[block].count;
    REQUIRE(decoder->FilterByEntries(BlockOf(compressed, block), count, KernelsOf(BestKernelLevel()),
                                     entry_mask, mask));
    Vector output(source.type);
    decoder->Decode(BlockOf(compressed, block), count, KernelsOf(BestKernelLevel()), nullptr, output);
    REQUIRE(output.kind() == VectorKind::kDictionary);
    for (size_t row = 0; row < count; row++) REQUIRE(mask[row] == entry_mask[output.selection()->rows[row]]);
  }
}

TEST_CASE("every width of differences", "[compression]") {
  Random random(4);
  for (unsigned width = 1; width <= 64; width++) {
    FixedSegment source(TypeId::kBigInt);
    source.Add(kVectorSize, [&](size_t) { return static_cast<int64_t>(random() >> (64 - width)) - 12345; });
    CheckAllMethods(source, Shape::kRandom);
  }
}

TEST_CASE("every width of steps between neighbours", "[compression]") {
  Random random(6);
  for (const LogicalType& type :
       {LogicalType(TypeId::kSmallInt), LogicalType(TypeId::kInteger), LogicalType(TypeId::kBigInt)}) {
    for (unsigned width = 0; width <= 8 * PhysicalSize(type); width++) {
      for (const int64_t step : {0, 1, -3, 1'000'000'007}) {
        FixedSegment source(type);
        // The largest rest of the width at every step, so that sums are as large as they get.
        uint64_t value = random();
        const uint64_t largest = width == 0 ? 0 : ~uint64_t{0} >> (64 - width);
        for (const size_t count : {kVectorSize, size_t{77}}) {
          source.Add(count, [&](size_t i) {
            value += static_cast<uint64_t>(step) + (i == 5 ? 0 : largest);
            return static_cast<int64_t>(value);
          });
        }
        const auto compressed = FindCompressionMethod(Encoding::kDelta)->Compress(source.input);
        REQUIRE(compressed);
        for (const KernelLevel level : KernelLevels()) CheckRoundTrip(source, *compressed, level);
      }
    }
  }
}

TEST_CASE("the numbers of encodings are those in files", "[compression]") {
  CHECK(static_cast<int>(Encoding::kConstant) == 1);
  CHECK(static_cast<int>(Encoding::kRunLength) == 2);
  CHECK(static_cast<int>(Encoding::kFrameOfReference) == 3);
  CHECK(static_cast<int>(Encoding::kDelta) == 4);
  CHECK(static_cast<int>(Encoding::kDictionary) == 5);
  CHECK(static_cast<int>(Encoding::kFsst) == 6);
  CHECK(static_cast<int>(Encoding::kAlp) == 7);
  CHECK(static_cast<int>(Encoding::kRaw) == 8);
  int last = 0;
  for (const CompressionMethod* method : AllCompressionMethods()) {
    CHECK(static_cast<int>(method->encoding()) == ++last);
    CHECK(FindCompressionMethod(method->encoding()) == method);
    CHECK(EncodingName(method->encoding()) != "unknown");
  }
  CHECK(FindCompressionMethod(static_cast<Encoding>(0)) == nullptr);
  CHECK(FindCompressionMethod(static_cast<Encoding>(9)) == nullptr);
}

}  // namespace
}  // namespace scaup
