// Tests that decoders read what encoders write, in every encoding that is written.
#include "format/parquet/write/value_encoder.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "format/parquet/rle_decoder.hpp"
#include "format/parquet/value_decoder.hpp"

using namespace scaup;

namespace {

class Encoded {
 public:
  explicit Encoded(ParquetType type) : memory_(size_t{1} << 30) {
    leaf_.physical = type;
    leaf_.name = "a";
    leaf_.definition = 1;
  }

  template <typename T>
  void CheckNumbers(const std::vector<T>& values, ParquetEncoding encoding) {
    LeafValues given(leaf_, memory_);
    given.AddPresent(values.size());
    if (!values.empty())
      std::memcpy(given.AddValues<T>(values.size()), values.data(), values.size() * sizeof(T));
    const auto decoder = Encode(given, encoding, values.size(), values.size() * sizeof(T));
    std::vector<T> read(kVectorSize);
    Vector heap(TypeId::kBlob);
    for (size_t begin = 0; begin < values.size(); begin += 700) {
      const size_t count = std::min<size_t>(700, values.size() - begin);
      decoder->Read(count, reinterpret_cast<std::byte*>(read.data()), heap);
      REQUIRE(std::memcmp(read.data(), values.data() + begin, count * sizeof(T)) == 0);
    }
  }

  void CheckTexts(const std::vector<std::string>& values, ParquetEncoding encoding) {
    LeafValues given(leaf_, memory_);
    given.AddPresent(values.size());
    for (const std::string& value : values)
      given.AddString(value.data(), static_cast<uint32_t>(value.size()));
    const auto decoder = Encode(given, encoding, values.size(), given.values().size());
    std::vector<StringRef> read(kVectorSize);
    for (size_t begin = 0; begin < values.size(); begin += 700) {
      const size_t count = std::min<size_t>(700, values.size() - begin);
      Vector heap(TypeId::kBlob);
      heap.Reset();
      decoder->Read(count, reinterpret_cast<std::byte*>(read.data()), heap);
      for (size_t i = 0; i < count; i++) REQUIRE(read[i].view() == values[begin + i]);
    }
  }

 private:
  std::unique_ptr<ValueDecoder> Encode(const LeafValues& given, ParquetEncoding encoding, size_t count,
                                       size_t size_bytes) {
    ByteBuffer out(memory_);
    AppendEncoded(encoding, given, {0, count, 0, size_bytes}, out);
    const auto* begin = out.data();
    page_.assign(begin, begin + out.size());
    const size_t size = page_.size();
    page_.resize(size + kPagePadding);
    return MakeValueDecoder(leaf_, encoding, std::span(page_.data(), size));
  }

  MemoryTracker memory_;
  ParquetLeaf leaf_;
  std::vector<std::byte> page_;
};

const std::vector<size_t> kCounts = {0, 1, 2, 127, 128, 129, 1023, 1024, 1025, 5000};

template <typename T, typename Make>
std::vector<T> MakeValues(size_t count, Make&& make) {
  std::vector<T> values;
  for (size_t i = 0; i < count; i++) values.push_back(make(i));
  return values;
}

}  // namespace

TEST_CASE("integers come back from their differences", "[format][parquet]") {
  std::mt19937_64 random(1);
  for (const size_t count : kCounts) {
    Encoded(ParquetType::kInt64)
        .CheckNumbers(MakeValues<int64_t>(count, [&](size_t) { return static_cast<int64_t>(random()); }),
                      ParquetEncoding::kDeltaBinary);
    Encoded(ParquetType::kInt32)
        .CheckNumbers(MakeValues<int32_t>(count, [&](size_t i) { return static_cast<int32_t>(i * 7); }),
                      ParquetEncoding::kDeltaBinary);
  }
}

TEST_CASE("floats come back from streams of their bytes", "[format][parquet]") {
  std::mt19937_64 random(2);
  const double special[] = {0.0, -0.0, std::nan(""), std::numeric_limits<double>::infinity()};
  for (const size_t count : kCounts) {
    Encoded(ParquetType::kDouble)
        .CheckNumbers(MakeValues<double>(count,
                                         [&](size_t i) {
                                           return i % 5 == 0 ? special[random() % 4]
                                                             : static_cast<double>(random()) / 3;
                                         }),
                      ParquetEncoding::kByteStreamSplit);
    Encoded(ParquetType::kFloat)
        .CheckNumbers(MakeValues<float>(count, [&](size_t i) { return static_cast<float>(i) / 8; }),
                      ParquetEncoding::kByteStreamSplit);
  }
}

TEST_CASE("texts come back from lengths and from shared beginnings", "[format][parquet]") {
  std::mt19937_64 random(3);
  for (const ParquetEncoding encoding :
       {ParquetEncoding::kPlain, ParquetEncoding::kDeltaLength, ParquetEncoding::kDeltaBytes}) {
    for (const size_t count : kCounts) {
      Encoded(ParquetType::kByteArray)
          .CheckTexts(MakeValues<std::string>(count,
                                              [&](size_t i) {
                                                return "https://example.org/" + std::to_string(i / 3) +
                                                       std::string(random() % 40, 'x');
                                              }),
                      encoding);
      Encoded(ParquetType::kByteArray)
          .CheckTexts(
              MakeValues<std::string>(
                  count, [&](size_t) { return std::string(random() % 3, static_cast<char>(random())); }),
              encoding);
    }
  }
}
