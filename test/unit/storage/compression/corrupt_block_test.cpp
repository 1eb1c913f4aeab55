// Bytes that no encoder made: an error, or some values, but never a step outside memory.
#include <catch2/catch.hpp>

#include "common/sqlstate.hpp"
#include "fixed_segment.hpp"
#include "scaup/error.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

std::vector<std::byte> Mutate(Random& random, std::vector<std::byte> bytes) {
  const size_t kind = Below(random, 10);
  if (kind == 0) bytes.resize(Below(random, bytes.size() + 1));
  if (kind == 1) bytes.insert(bytes.end(), 1 + Below(random, 200), static_cast<std::byte>(random()));
  for (size_t i = Below(random, 4) + (kind > 1); i > 0 && !bytes.empty(); i--) {
    // The first bytes, with widths and counts, matter most.
    const size_t at =
        Chance(random, 50) ? Below(random, std::min<size_t>(bytes.size(), 20)) : Below(random, bytes.size());
    bytes[at] = static_cast<std::byte>(Chance(random, 30) ? 255 : random());
  }
  return bytes;
}

/// Decodes, filters, and reads every value. True if an error said that the bytes are corrupt.
bool Use(const CompressionMethod& method, const FixedSegment& source, std::span<const std::byte> header,
         std::span<const std::byte> block, size_t count, const ScanFilter& filter) {
  try {
    const auto header_copy = ExactCopy(header), block_copy = ExactCopy(block);
    const auto decoder = method.Open(source.input.type, *header_copy);
    Vector output(source.type);
    decoder->Decode(*block_copy, count, KernelsOf(BestKernelLevel()), block_copy, output);
    output.Flatten(count);
    if (source.input.type == PhysicalType::kBool) {
      for (size_t row = 0; row < count; row++) REQUIRE(output.Data<uint8_t>()[row] <= 1);
    }
    static Random random(73);
    output.Reset();
    decoder->Gather(*block_copy, count, SomeRows(random, count), output, 0);
    std::vector<uint8_t> mask(count);
    if (decoder->Filter(*block_copy, count, KernelsOf(BestKernelLevel()), filter, mask.data())) {
      for (const uint8_t passes : mask) REQUIRE(passes <= 1);
    }
    return false;
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::kIo);
    REQUIRE(error.sqlstate() == std::string(sqlstate::kDataCorrupted));
    return true;
  }
}

TEST_CASE("mutated blocks and headers never lead outside memory", "[compression]") {
  Random random(21);
  size_t errors = 0;
  for (const LogicalType& type : FixedTypes()) {
    for (const Shape shape : {Shape::kConstant, Shape::kSmall, Shape::kSorted, Shape::kRuns, Shape::kFew}) {
      FixedSegment source(type);
      AddShape(random, source, shape, kVectorSize);
      AddShape(random, source, shape, 100, kVectorSize);
      Vector values(type);
      values.ReferenceFlat(source.At(0, 0), nullptr, nullptr);
      for (const CompressionMethod* method : AllCompressionMethods()) {
        if (!method->Supports(source.input.type)) continue;
        const auto compressed = method->Compress(source.input);
        if (!compressed) continue;
        for (int round = 0; round < 60; round++) {
          const ScanFilter filter{0, static_cast<ScanFilter::Op>(Below(random, 6)),
                                  values.GetValue(Below(random, kVectorSize))};
          const size_t index = Below(random, 2);
          std::vector<std::byte> header = compressed->header;
          const auto original = BlockOf(*compressed, index);
          std::vector<std::byte> block(original.begin(), original.end());
          if (!header.empty() && Chance(random, 30)) {
            header = Mutate(random, header);
          } else {
            block = Mutate(random, block);
          }
          errors += Use(*method, source, header, block, source.input.blocks[index].count, filter);
        }
      }
    }
  }
  CHECK(errors > 1000);
}

TEST_CASE("a wrong count, and nothing at all, are errors", "[compression]") {
  Random random(22);
  FixedSegment source(TypeId::kBigInt);
  AddShape(random, source, Shape::kSmall, kVectorSize);
  const ScanFilter filter{0, ScanFilter::Op::kLess, Value::FromInteger(TypeId::kBigInt, 3)};
  for (const CompressionMethod* method : AllCompressionMethods()) {
    if (!method->Supports(source.input.type)) continue;
    const auto compressed = method->Compress(source.input);
    if (!compressed) continue;
    INFO(EncodingName(method->encoding()));
    CHECK(Use(*method, source, compressed->header, {}, kVectorSize, filter));
    CHECK(Use(*method, source, compressed->header, BlockOf(*compressed, 0), 10, filter));
    CHECK_FALSE(Use(*method, source, compressed->header, BlockOf(*compressed, 0), kVectorSize, filter));
  }
}

}  // namespace
}  // namespace scaup
