// ByteWriter and ByteReader: what is written comes back, the layout is fixed, and no bytes lead past the end.
#include "common/byte_stream.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "common/checksum.hpp"
#include "common/sqlstate.hpp"
#include "scaup/error.hpp"

using namespace scaup;

namespace {

template <typename Action>
std::string DamageOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kIo);
    CHECK(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
    return error.message();
  }
  return "no error";
}

std::vector<uint8_t> Numbers(const ByteWriter& writer) {
  std::vector<uint8_t> numbers;
  for (const std::byte byte : writer.bytes()) numbers.push_back(static_cast<uint8_t>(byte));
  return numbers;
}

}  // namespace

TEST_CASE("every kind of value comes back", "[common][byte_stream]") {
  ByteWriter writer;
  writer.WriteU8(0xfe);
  writer.WriteU16(0xfedc);
  writer.WriteU32(0xfedcba98);
  writer.WriteU64(0xfedcba9876543210);
  writer.WriteI64(std::numeric_limits<int64_t>::min());
  writer.WriteBool(true);
  writer.WriteBool(false);
  writer.WriteDouble(-0.0);
  writer.WriteDouble(std::numeric_limits<double>::quiet_NaN());
  writer.WriteString("");
  writer.WriteString(std::string_view("a\0b", 3));
  writer.WriteSizedBytes(std::vector<std::byte>(300, std::byte{7}));
  writer.WriteBytes(std::vector<std::byte>(2, std::byte{9}));

  ByteReader reader(writer.bytes(), "test");
  CHECK(reader.ReadU8("x") == 0xfe);
  CHECK(reader.ReadU16("x") == 0xfedc);
  CHECK(reader.ReadU32("x") == 0xfedcba98);
  CHECK(reader.ReadU64("x") == 0xfedcba9876543210);
  CHECK(reader.ReadI64("x") == std::numeric_limits<int64_t>::min());
  CHECK(reader.ReadBool("x"));
  CHECK_FALSE(reader.ReadBool("x"));
  CHECK(std::signbit(reader.ReadDouble("x")));
  CHECK(std::isnan(reader.ReadDouble("x")));
  CHECK(reader.ReadString("x").empty());
  CHECK(reader.ReadString("x") == std::string_view("a\0b", 3));
  const auto sized = reader.ReadSizedBytes("x");
  CHECK(sized.size() == 300);
  CHECK(sized[299] == std::byte{7});
  CHECK(reader.remaining() == 2);
  CHECK(reader.ReadBytes(2, "x")[1] == std::byte{9});
  CHECK_NOTHROW(reader.ExpectEnd("x"));
}

TEST_CASE("the layout is little-endian and never changes", "[common][byte_stream]") {
  ByteWriter writer;
  writer.WriteU32(0x04030201);
  writer.WriteVarint(300);
  writer.WriteSignedVarint(-2);
  writer.WriteString("hi");
  CHECK(Numbers(writer) == std::vector<uint8_t>{1, 2, 3, 4, 0xac, 2, 3, 2, 'h', 'i'});
}

TEST_CASE("varints of all lengths come back", "[common][byte_stream]") {
  std::vector<uint64_t> values = {0, 1, 127, 128, std::numeric_limits<uint64_t>::max()};
  for (int bit = 0; bit < 64; bit++) values.push_back(uint64_t{1} << bit);
  ByteWriter writer;
  for (const uint64_t value : values) {
    writer.WriteVarint(value);
    writer.WriteSignedVarint(static_cast<int64_t>(value));
    writer.WriteSignedVarint(-static_cast<int64_t>(value >> 1));
  }
  ByteReader reader(writer.bytes(), "test");
  for (const uint64_t value : values) {
    CHECK(reader.ReadVarint("x") == value);
    CHECK(reader.ReadSignedVarint("x") == static_cast<int64_t>(value));
    CHECK(reader.ReadSignedVarint("x") == -static_cast<int64_t>(value >> 1));
  }
  writer.Clear();
  writer.WriteVarint(std::numeric_limits<uint64_t>::max());
  CHECK(writer.size() == 10);
  CHECK(writer.Take().size() == 10);
  CHECK(writer.size() == 0);
}

TEST_CASE("lengths can be filled in later", "[common][byte_stream]") {
  ByteWriter writer;
  writer.WriteU8(1);
  writer.WriteU64(0);
  writer.Extend(3)[2] = std::byte{5};
  writer.OverwriteU64(1, 77);
  ByteReader reader(writer.bytes(), "test");
  reader.ReadU8("x");
  CHECK(reader.ReadU64("x") == 77);
  CHECK(reader.ReadBytes(3, "x")[2] == std::byte{5});
  CHECK_THROWS_AS(writer.OverwriteU64(5, 1), Error);
}

TEST_CASE("bytes that cannot be are refused by name and place", "[common][byte_stream]") {
  const std::vector<std::byte> ones(12, std::byte{0xff});
  CHECK(DamageOf([&] { ByteReader(ones, "a.scaup").ReadVarint("count of columns"); }) ==
        "a.scaup is damaged: count of columns at byte 10 of 12: number of more than 64 bits");
  CHECK(DamageOf([&] { ByteReader(ones, "x").ReadBool("flag"); }).find("neither") != std::string::npos);
  CHECK(DamageOf([&] { ByteReader(std::span(ones).first(3), "x").ReadU32("number"); }) ==
        "x is damaged: number at byte 0 of 3: 4 bytes wanted, 3 left");
  CHECK(DamageOf([&] { ByteReader(ones, "x").ExpectEnd("record"); }).find("12 bytes follow") !=
        std::string::npos);

  ByteWriter writer;
  writer.WriteVarint(std::numeric_limits<uint64_t>::max());
  CHECK(DamageOf([&] { ByteReader(writer.bytes(), "x").ReadString("name"); }).find("name at byte 10") !=
        std::string::npos);
  CHECK(DamageOf([&] { ByteReader(writer.bytes(), "x").ReadCount("columns", 1); }).find("do not fit") !=
        std::string::npos);
  // Nine continuation bytes and then more than the one bit that is left.
  std::vector<std::byte> wide(9, std::byte{0x80});
  wide.push_back(std::byte{2});
  CHECK(DamageOf([&] { ByteReader(wide, "x").ReadVarint("v"); }) != "no error");
}

TEST_CASE("random bytes give a value or an error", "[common][byte_stream]") {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; round++) {
    std::vector<std::byte> bytes(random() % 40);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    ByteReader reader(bytes, "x");
    try {
      while (reader.remaining() > 0) {
        switch (random() % 5) {
          case 0: reader.ReadVarint("v"); break;
          case 1: reader.ReadString("s"); break;
          case 2: reader.ReadU64("u"); break;
          case 3: reader.ReadBool("b"); break;
          default: reader.ReadCount("c", 2); break;
        }
      }
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
    }
    CHECK(reader.position() <= bytes.size());
  }
}

TEST_CASE("checksums are the same for ever", "[common][checksum]") {
  const std::string text = "Scaup";
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  CHECK(Checksum({}) == 0x2d06800538d394c2);
  CHECK(Checksum(bytes) != Checksum(bytes, 1));
  CHECK(Checksum(bytes, 1) == Checksum(bytes, 1));
}
