// Dictionaries of strings: entries, NULL, filters once per entry.
#include <catch2/catch.hpp>

#include <set>

#include "../filter_reference.hpp"
#include "string_segment.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

const CompressionMethod& DictionaryOfStrings() { return *FindCompressionMethod(Encoding::kDictionary); }

TEST_CASE("a dictionary of strings lists each once, and NULL last", "[compression][strings]") {
  Random random(41);
  for (const bool with_nulls : {false, true}) {
    StringSegment source;
    for (int block = 0; block < 3; block++) {
      source.Add(
          kVectorSize,
          [&](size_t row) { return "entry " + std::to_string(row < 300 ? row : Below(random, 300)); },
          [&](size_t row) { return with_nulls && row >= 300 && Chance(random, 10); });
    }
    const auto compressed = DictionaryOfStrings().Compress(source.input);
    const auto decoder = DictionaryOfStrings().Open(PhysicalType::kString, compressed->header);
    const Dictionary& dictionary = *decoder->dictionary();
    const size_t string_count = dictionary.size - with_nulls;
    REQUIRE(string_count == 300);
    REQUIRE(dictionary.is_distinct);
    REQUIRE(decoder->encodes_nulls() == with_nulls);
    REQUIRE(decoder->size_bytes() >= dictionary.size * sizeof(StringRef));
    std::set<std::string_view> distinct;
    const auto* strings = reinterpret_cast<const StringRef*>(dictionary.data);
    for (size_t entry = 0; entry < string_count; entry++) {
      distinct.insert(strings[entry].view());
      if (with_nulls) REQUIRE(TestValid(dictionary.validity, entry));
    }
    REQUIRE(distinct.size() == string_count);
    if (with_nulls) REQUIRE(!TestValid(dictionary.validity, dictionary.size - 1));
    // Vectors share it: what is cached for one serves all.
    Vector output(TypeId::kVarchar);
    decoder->Decode(BlockOf(*compressed, 1), kVectorSize, KernelsOf(KernelLevel::kPlain), nullptr, output);
    REQUIRE(output.kind() == VectorKind::kDictionary);
    REQUIRE(output.dictionary().data == dictionary.data);
    REQUIRE(output.dictionary().is_distinct);
  }
}

TEST_CASE("too many distinct strings make no dictionary", "[compression][strings]") {
  for (const bool with_null : {false, true}) {
    for (const size_t extra : {0, 1}) {
      StringSegment source;
      size_t number = 0;
      while (number < 65536) {
        source.Add(
            kVectorSize, [&](size_t) { return std::to_string(number++); },
            [&](size_t row) { return with_null && number == 1 && row == 0; });
      }
      source.Add(1, [&](size_t) { return std::to_string(number - 1 + extra); });
      const auto compressed = DictionaryOfStrings().Compress(source.input);
      // 65536 numbers, of which one is NULL instead; and perhaps one number more.
      REQUIRE(compressed.has_value() == (extra == 0));
      if (!compressed) continue;
      const auto decoder = DictionaryOfStrings().Open(PhysicalType::kString, compressed->header);
      REQUIRE(decoder->dictionary()->size == 65536);
      Vector output(TypeId::kVarchar);
      decoder->Decode(BlockOf(*compressed, 63), kVectorSize, KernelsOf(KernelLevel::kPlain), nullptr, output);
      REQUIRE(output.GetValue(1023).GetString() == "65535");
    }
  }
}

TEST_CASE("a large dictionary keeps its text compressed", "[compression][strings]") {
  StringSegment source;
  size_t text_bytes = 0, number = 0;
  for (int block = 0; block < 4; block++) {
    source.Add(kVectorSize, [&](size_t) {
      const std::string text = "https://www.example.org/item?number=" + std::to_string(number++ / 2);
      text_bytes += number % 2 == 0 ? 0 : text.size();
      return text;
    });
  }
  const auto compressed = DictionaryOfStrings().Compress(source.input);
  REQUIRE(compressed->header.size() < text_bytes / 2);
  const auto decoder = DictionaryOfStrings().Open(PhysicalType::kString, compressed->header);
  REQUIRE(decoder->dictionary()->size == 2048);
  // Codes lie together where the values come in an order.
  REQUIRE(compressed->bytes.size() < source.input.blocks.size() * kVectorSize * 10 / 8);
}

TEST_CASE("filters on dictionaries of strings pass what the strings pass", "[compression][strings]") {
  Random random(42);
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  for (const size_t domain : {1, 3, 200, 3000}) {
    StringSegment source;
    for (const size_t count : {kVectorSize, kVectorSize, size_t{77}}) {
      source.Add(
          count, [&](size_t) { return "entry " + std::to_string(Below(random, domain)); },
          [&](size_t row) { return row != 0 && Chance(random, 10); });
    }
    const auto compressed = DictionaryOfStrings().Compress(source.input);
    const auto decoder = DictionaryOfStrings().Open(PhysicalType::kString, compressed->header);
    const Dictionary& dictionary = *decoder->dictionary();
    for (int op = 0; op < 6; op++) {
      for (const char* constant :
           {"entry 0", "entry 2", "entry 17", "", "entry", "zebra", "entry 1 and more"}) {
        const ScanFilter filter{0, static_cast<ScanFilter::Op>(op), Value::Varchar(constant)};
        std::vector<uint8_t> entry_mask(dictionary.size);
        EvaluateScanFilter(kernels, filter, PhysicalType::kString, dictionary.data, dictionary.validity,
                           dictionary.size, entry_mask.data());
        for (size_t block = 0; block < source.input.blocks.size(); block++) {
          const size_t count = source.input.blocks[block].count;
          std::vector<uint8_t> mask(count), mask_by_entries(count);
          const bool filtered =
              decoder->Filter(BlockOf(*compressed, block), count, kernels, filter, mask.data());
          REQUIRE(filtered == (dictionary.size <= kVectorSize));
          REQUIRE(decoder->FilterByEntries(BlockOf(*compressed, block), count, kernels, entry_mask.data(),
                                           mask_by_entries.data()));
          size_t wrong = 0;
          for (size_t row = 0; row < count; row++) {
            if (!source.IsValid(block, row)) {
              wrong += mask_by_entries[row] != 0;
              continue;
            }
            const bool passes = Passes(Value::Varchar(std::string(source.At(block, row))), filter);
            wrong += mask_by_entries[row] != passes;
            wrong += filtered && mask[row] != passes;
          }
          REQUIRE(wrong == 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace scaup
