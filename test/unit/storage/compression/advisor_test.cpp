// What the compression advisor chooses, and what it does when its sample misled it.
#include <catch2/catch.hpp>

#include "fixed_segment.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

FixedSegment Segment(const LogicalType& type, const std::function<int128_t(size_t)>& value,
                     size_t blocks = 128) {
  FixedSegment segment(type);
  for (size_t block = 0; block < blocks; block++) {
    segment.Add(kVectorSize, [&](size_t i) { return value(block * kVectorSize + i); });
  }
  return segment;
}
Encoding Choice(const FixedSegment& segment) { return CompressSegment(segment.input).encoding; }

TEST_CASE("the advisor knows typical columns", "[compression]") {
  Random random(31);
  CHECK(Choice(Segment(TypeId::kBigInt, [](size_t) { return 5; })) == Encoding::kConstant);
  CHECK(Choice(Segment(TypeId::kBigInt, [](size_t i) { return i; })) == Encoding::kDelta);
  CHECK(Choice(Segment(TypeId::kInteger, [&](size_t) { return Below(random, 500); })) ==
        Encoding::kFrameOfReference);
  CHECK(Choice(Segment(TypeId::kBoolean, [&](size_t) { return Below(random, 2); })) ==
        Encoding::kFrameOfReference);
  CHECK(Choice(Segment(TypeId::kBigInt, [](size_t i) { return i / 300 * 0x123456789abcdef; })) ==
        Encoding::kRunLength);
  CHECK(Choice(Segment(TypeId::kInterval, [&](size_t) { return Below(random, 9) * 1000000007; })) ==
        Encoding::kDictionary);
  CHECK(Choice(Segment(TypeId::kBigInt, [&](size_t) { return Below(random, 9) * 1000000007 * 1000; })) ==
        Encoding::kDictionary);
  CHECK(Choice(Segment(TypeId::kInterval, [&](size_t) { return static_cast<int64_t>(random()); })) ==
        Encoding::kRaw);
}

TEST_CASE("a forced encoding is taken where it can hold the values", "[compression]") {
  const FixedSegment segment = Segment(
      TypeId::kInteger, [](size_t i) { return i % 100; }, 3);
  for (const Encoding encoding : {Encoding::kRunLength, Encoding::kFrameOfReference, Encoding::kDelta,
                                  Encoding::kDictionary, Encoding::kRaw}) {
    CHECK(CompressSegment(segment.input, encoding).encoding == encoding);
  }
  CHECK(CompressSegment(segment.input, Encoding::kConstant).encoding ==
        CompressSegment(segment.input).encoding);
  CHECK(CompressSegment(segment.input, Encoding::kFsst).encoding == CompressSegment(segment.input).encoding);
  Random random(32);
  const FixedSegment distinct =
      Segment(TypeId::kBigInt, [&](size_t) { return static_cast<int64_t>(random()); });
  CHECK(CompressSegment(distinct.input, Encoding::kDictionary).encoding != Encoding::kDictionary);
}

TEST_CASE("a sample that misleads costs little", "[compression]") {
  // The sampled blocks are constant, the others are not.
  size_t sampled = 0;
  FixedSegment segment(TypeId::kBigInt);
  for (size_t block = 0; block < 128; block++) {
    const bool is_sampled = block % 16 == 8;
    sampled += is_sampled;
    segment.Add(kVectorSize, [&](size_t i) { return is_sampled ? 7 : static_cast<int>(i * 37 % 1000); });
  }
  REQUIRE(sampled == 8);
  const CompressedSegment compressed = CompressSegment(segment.input);
  CHECK(compressed.encoding != Encoding::kConstant);
  CHECK(compressed.bytes.size() < 128 * 1024 * 2);
}

TEST_CASE("integers beyond 64 bits apart are kept another way", "[compression]") {
  const FixedSegment far = Segment(
      TypeId::kHugeInt, [](size_t i) { return (int128_t{1} << 90) * (i % 5) + i; }, 2);
  CHECK_FALSE(FindCompressionMethod(Encoding::kFrameOfReference)->Compress(far.input));
  const FixedSegment near = Segment(
      TypeId::kHugeInt, [](size_t i) { return (int128_t{1} << 90) + i * 7919 % 1000; }, 2);
  CHECK(CompressSegment(near.input).encoding == Encoding::kFrameOfReference);
}

TEST_CASE("a small difference takes small space", "[compression]") {
  const FixedSegment segment = Segment(
      TypeId::kBigInt, [](size_t i) { return 1'000'000'000'000 + i * 7919 % 1000; }, 2);
  const auto compressed = FindCompressionMethod(Encoding::kFrameOfReference)->Compress(segment.input);
  REQUIRE(compressed);
  CHECK(compressed->bytes.size() == 2 * (9 + 10 * 128));
  FixedSegment tiny(TypeId::kBigInt);
  tiny.Add(5, [](size_t i) { return i; });
  CHECK(FindCompressionMethod(Encoding::kFrameOfReference)->Compress(tiny.input)->bytes.size() == 9 + 128);
}

}  // namespace
}  // namespace scaup
