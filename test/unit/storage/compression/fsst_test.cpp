// FSST's parts: tables, and texts of every length through them.
#include <catch2/catch.hpp>

#include "scaup/error.hpp"
#include "storage/compression/fsst_decoder.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "string_segment.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

FsstSymbol SymbolFor(std::string_view text) {
  FsstSymbol symbol;
  std::memcpy(&symbol.bytes, text.data(), text.size());
  symbol.length = static_cast<uint32_t>(text.size());
  return symbol;
}

FsstDecoder DecoderFor(const FsstEncoder& encoder) {
  std::vector<std::byte> header;
  AppendFsstSymbols(encoder.symbols(), header);
  EncodedReader reader(header);
  FsstDecoder decoder(reader);
  REQUIRE(reader.rest().empty());
  return decoder;
}

std::vector<std::byte> Encode(const FsstEncoder& encoder, std::string_view text) {
  // Exactly as much behind the text as the encoder may read.
  std::vector<std::byte> padded(text.size() + kFsstReadAheadBytes);
  std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), padded.begin());
  std::vector<std::byte> codes = {std::byte{42}};
  encoder.Encode(std::span(padded).first(text.size()), codes);
  REQUIRE(codes[0] == std::byte{42});
  codes.erase(codes.begin());
  return codes;
}

void CheckText(const FsstEncoder& encoder, const FsstDecoder& decoder, std::string_view text) {
  const auto codes = Encode(encoder, text);
  std::vector<char> decoded(text.size() + FsstDecoder::kWriteAheadBytes);
  decoder.Decode(codes, decoded.data(), text.size());
  REQUIRE(std::string_view(decoded.data(), text.size()) == text);
  REQUIRE_THROWS_AS(decoder.Decode(codes, decoded.data(), text.size() + 1), Error);
  if (!text.empty()) REQUIRE_THROWS_AS(decoder.Decode(codes, decoded.data(), text.size() - 1), Error);
}

TEST_CASE("texts of every length through a symbol table", "[compression][fsst]") {
  Random random(71);
  StringSegment source;
  source.Add(kVectorSize, [&](size_t) { return Comment(random); });
  const FsstEncoder encoder = TrainFsst(source.input);
  REQUIRE(encoder.symbols().size() > 100);
  const FsstDecoder decoder = DecoderFor(encoder);
  std::string text;
  while (text.size() < 3000) text += Comment(random);
  for (size_t length = 0; length < 120; length++) {
    CheckText(encoder, decoder, std::string_view(text).substr(length, length));
  }
  for (size_t length = 2000; length < 2100; length++) {
    CheckText(encoder, decoder, std::string_view(text).substr(3 * length % 400, length));
  }
  // What the table was not made for: all escapes, now and then a symbol.
  for (size_t length = 0; length < 60; length++) {
    CheckText(encoder, decoder, RandomBytes(random, length));
    CheckText(encoder, decoder, std::string(length, '\0'));
    CheckText(encoder, decoder, RandomBytes(random, 3000 + length));
  }
}

TEST_CASE("the longest symbol that fits is taken", "[compression][fsst]") {
  FsstEncoder encoder;
  for (const char* symbol : {"a", "ab", "abcd", "xyzxyzxy", "z"}) REQUIRE(encoder.TryAdd(SymbolFor(symbol)));
  // One symbol for the first three bytes.
  REQUIRE(!encoder.TryAdd(SymbolFor("abcde")));
  const FsstDecoder decoder = DecoderFor(encoder);
  const auto codes_of = [&](std::string_view text) { return Encode(encoder, text).size(); };
  REQUIRE(codes_of("abcd") == 1);
  REQUIRE(codes_of("abcab") == 3 + 1);  // ab, c escaped, ab.
  REQUIRE(codes_of("aaa") == 3);
  REQUIRE(codes_of("xyzxyzxy") == 1);
  REQUIRE(codes_of("xyzxyzx") == 2 + 2 + 1 + 2 + 2 + 1 + 2);
  REQUIRE(codes_of("") == 0);
  for (const char* text : {"abcdabcaba", "xyzxyzxyzxyzxyzxy", "zzzzzzzz", "bcbcbc"})
    CheckText(encoder, decoder, text);
}

TEST_CASE("a table has at most 255 symbols", "[compression][fsst]") {
  FsstEncoder encoder;
  size_t added = 0;
  for (int byte = 0; byte < 256; byte++) added += encoder.TryAdd({static_cast<uint64_t>(byte), 1});
  REQUIRE(added == 255);
  REQUIRE(!encoder.TryAdd(SymbolFor("more")));
  std::string all;
  for (int byte = 0; byte < 256; byte++) all += static_cast<char>(byte);
  REQUIRE(Encode(encoder, all).size() == 257);
  CheckText(encoder, DecoderFor(encoder), all);
}

TEST_CASE("tables are learned from nearly nothing", "[compression][fsst]") {
  for (const size_t rows : {1, 2, 30}) {
    for (const char* value : {"", "a", "ab", "a somewhat longer one"}) {
      StringSegment source;
      source.Add(rows, [&](size_t) { return std::string(value); });
      const FsstEncoder encoder = TrainFsst(source.input);
      CheckText(encoder, DecoderFor(encoder), std::string(value) + value + "and more");
    }
  }
  REQUIRE(TrainFsst({PhysicalType::kString, {}}).symbols().empty());
}

}  // namespace
}  // namespace scaup
