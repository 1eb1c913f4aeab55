// Bytes that no encoder of strings made: an error, or some strings, but never a step outside memory.
#include <catch2/catch.hpp>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "storage/compression/string_lengths.hpp"
#include "string_segment.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

std::vector<std::byte> Damaged(Random& random, std::vector<std::byte> bytes) {
  const size_t kind = Below(random, 8);
  if (kind == 0) bytes.resize(Below(random, bytes.size() + 1));
  if (kind == 1) bytes.insert(bytes.end(), 1 + Below(random, 100), static_cast<std::byte>(random()));
  for (size_t i = Below(random, 4) + (kind > 1); i > 0 && !bytes.empty(); i--) {
    const size_t at =
        Chance(random, 50) ? Below(random, std::min<size_t>(bytes.size(), 16)) : Below(random, bytes.size());
    bytes[at] = static_cast<std::byte>(Chance(random, 40) ? 255 : random());
  }
  return bytes;
}

/// Decodes, filters and reads every byte. True if an error said that the bytes are corrupt.
bool Use(const CompressionMethod& method, std::span<const std::byte> header, std::span<const std::byte> block,
         size_t count) {
  try {
    const auto header_copy = ExactCopy(header), block_copy = ExactCopy(block);
    const auto decoder = method.Open(PhysicalType::kString, *header_copy);
    Vector output(TypeId::kVarchar);
    decoder->Decode(*block_copy, count, KernelsOf(BestKernelLevel()), block_copy, output);
    const auto view = output.ViewAs<StringRef>(count);
    size_t zeros = 0;
    for (size_t row = 0; row < count; row++) {
      for (const char byte : view[row].view()) zeros += byte == 0;
    }
    static Random random(73);
    Vector picked(TypeId::kVarchar);
    picked.Reset();
    decoder->Gather(*block_copy, count, SomeRows(random, count), picked, 0);
    BlockInPieces pieces(block);
    decoder->GatherFrom(pieces, count, SomeRows(random, count), picked, 0);
    std::vector<uint8_t> mask(count);
    const ScanFilter filter{0, ScanFilter::Op::kLess, Value::Varchar("middle")};
    decoder->Filter(*block_copy, count, KernelsOf(BestKernelLevel()), filter, mask.data());
    return zeros == SIZE_MAX;
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::kIo);
    REQUIRE(error.sqlstate() == std::string(sqlstate::kDataCorrupted));
    return true;
  }
}

TEST_CASE("damaged strings never lead outside memory", "[compression][strings]") {
  Random random(51);
  size_t errors = 0;
  for (const StringShape& shape : StringShapes()) {
    if (shape.name == std::string("wide lengths")) continue;
    StringSegment source;
    source.Add(kVectorSize, [&](size_t row) { return shape.value(random, row); });
    source.Add(
        100, [&](size_t row) { return shape.value(random, row); }, [](size_t row) { return row % 9 == 1; });
    for (const Encoding encoding : {Encoding::kDictionary, Encoding::kFsst, Encoding::kRaw}) {
      const CompressionMethod& method = *FindCompressionMethod(encoding);
      const auto compressed = method.Compress(source.input);
      for (int round = 0; round < 100; round++) {
        const size_t index = Below(random, 2);
        std::vector<std::byte> header = compressed->header;
        const auto original = BlockOf(*compressed, index);
        std::vector<std::byte> block(original.begin(), original.end());
        if (!header.empty() && Chance(random, 40)) {
          header = Damaged(random, header);
        } else {
          block = Damaged(random, block);
        }
        errors += Use(method, header, block, source.input.blocks[index].count);
      }
    }
  }
  REQUIRE(errors > 500);
}

TEST_CASE("what strings must not be", "[compression][strings]") {
  StringSegment source;
  source.Add(10, [](size_t row) { return "string number " + std::to_string(row); });
  const CompressionMethod& fsst = *FindCompressionMethod(Encoding::kFsst);
  const auto compressed = fsst.Compress(source.input);
  const auto block = BlockOf(*compressed, 0);
  REQUIRE(!Use(fsst, compressed->header, block, 10));
  REQUIRE(Use(fsst, compressed->header, block, 11));
  REQUIRE(Use(fsst, compressed->header, block.first(block.size() - 1), 10));
  REQUIRE(Use(fsst, {}, block, 10));
  for (const int length : {0, 9, 255}) {
    std::vector<std::byte> header = compressed->header;
    header[1] = static_cast<std::byte>(length);
    REQUIRE(Use(fsst, header, block, 10));
  }
  // Codes without a symbol, and an escape of nothing.
  const std::byte no_symbols[] = {std::byte{0}};
  const auto block_of_one = [](int group_rows, int code) {
    std::vector<std::byte> bytes;
    AppendStringLengths(std::vector<uint32_t>{1}, bytes);
    bytes.push_back(static_cast<std::byte>(group_rows));
    AppendStringLengths(std::vector<uint32_t>{1}, bytes);
    bytes.push_back(static_cast<std::byte>(code));
    return bytes;
  };
  const std::byte one_symbol[] = {std::byte{1}, std::byte{1}, std::byte{'x'}};
  REQUIRE(!Use(fsst, one_symbol, block_of_one(1, 0), 1));
  REQUIRE(!Use(fsst, one_symbol, block_of_one(16, 0), 1));
  REQUIRE(Use(fsst, one_symbol, block_of_one(0, 0), 1));
  REQUIRE(Use(fsst, one_symbol, block_of_one(17, 0), 1));
  REQUIRE(Use(fsst, no_symbols, block_of_one(16, 7), 1));
  REQUIRE(Use(fsst, no_symbols, block_of_one(16, 255), 1));

  const CompressionMethod& dictionary = *FindCompressionMethod(Encoding::kDictionary);
  const auto by_code = dictionary.Compress(source.input);
  std::vector<std::byte> codes(BlockOf(*by_code, 0).begin(), BlockOf(*by_code, 0).end());
  REQUIRE(!Use(dictionary, by_code->header, codes, 10));
  codes[1] = std::byte{9};  // The lowest code: what lies above it is none.
  REQUIRE(Use(dictionary, by_code->header, codes, 10));
}

}  // namespace
}  // namespace scaup
