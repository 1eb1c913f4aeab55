// Tests the conversion of streams to UTF-8.
#include "format/text/text_encoding.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>

#include "scaup/error.hpp"

namespace scaup {

namespace {

class TextStream final : public ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  size_t Read(char* buffer, size_t size_bytes) override {
    const size_t got = std::min(size_bytes, text_.size() - at_);
    std::memcpy(buffer, text_.data() + at_, got);
    at_ += got;
    return got;
  }
  uint64_t consumed_bytes() const override { return at_; }

 private:
  std::string text_;
  size_t at_ = 0;
};

std::string Decoded(const std::string& bytes, TextEncoding encoding, size_t piece) {
  DecodedStream stream(std::make_unique<TextStream>(bytes), encoding, "x.csv");
  std::string text, buffer(piece, '\0');
  for (size_t got = piece; got == piece;) {
    got = stream.Read(buffer.data(), piece);
    text.append(buffer, 0, got);
  }
  return text;
}

void AppendUnit(uint32_t unit, bool is_big, std::string& bytes) {
  const char low = static_cast<char>(unit), high = static_cast<char>(unit >> 8);
  bytes += is_big ? high : low;
  bytes += is_big ? low : high;
}

}  // namespace

TEST_CASE("UTF-16 of any characters, in any pieces", "[text]") {
  std::mt19937 random(3);
  for (const bool is_big : {false, true}) {
    std::string bytes, expected;
    for (int i = 0; i < 100000; i++) {  // more than the decoder reads at once
      switch (random() % 4) {
        case 0:
          AppendUnit('a' + random() % 26, is_big, bytes);
          expected += static_cast<char>(bytes[bytes.size() - (is_big ? 1 : 2)]);
          break;
        case 1:
          AppendUnit(0xE9, is_big, bytes);
          expected += "\xC3\xA9";
          break;
        case 2:
          AppendUnit(0x20AC, is_big, bytes);
          expected += "\xE2\x82\xAC";
          break;
        default:
          AppendUnit(0xD83E, is_big, bytes);
          AppendUnit(0xDD86, is_big, bytes);
          expected += "\xF0\x9F\xA6\x86";
          break;
      }
    }
    const std::string mark = is_big ? "\xFE\xFF" : "\xFF\xFE";
    const TextEncoding encoding = is_big ? TextEncoding::kUtf16Be : TextEncoding::kUtf16Le;
    for (const size_t piece : {size_t{1}, size_t{7}, size_t{65536}, size_t{10000000}}) {
      CHECK(Decoded(bytes, encoding, piece) == expected);
      CHECK(Decoded(mark + bytes, TextEncoding::kUtf16, piece) == expected);
    }
    CHECK_THROWS_AS(Decoded(bytes + "x", encoding, 100), Error);
    std::string lone;
    AppendUnit(0xDD86, is_big, lone);
    CHECK_THROWS_AS(Decoded(lone, encoding, 100), Error);
    lone.clear();
    AppendUnit(0xD83E, is_big, lone);
    CHECK_THROWS_AS(Decoded(lone, encoding, 100), Error);
  }
}

TEST_CASE("encodings of single bytes, marks and names", "[text]") {
  CHECK(Decoded("a\xE9\x80", TextEncoding::kLatin1, 10) == "a\xC3\xA9\xC2\x80");
  CHECK(Decoded("a\xE9\x80\x81", TextEncoding::kWindows1252, 1) == "a\xC3\xA9\xE2\x82\xAC\xC2\x81");
  CHECK(EncodingOfMark("\xFE\xFF") == TextEncoding::kUtf16Be);
  CHECK(EncodingOfMark("a,b") == TextEncoding::kUtf8);
  using namespace std::string_view_literals;
  CHECK(LooksLikeUtf16("a\0,\0b\0"sv));
  CHECK_FALSE(LooksLikeUtf16("a\0\0b"sv));
  CHECK_FALSE(LooksLikeUtf16("a,b\n"));
  CHECK(EncodingOption("encoding", Value::Varchar("ISO-8859-1")) == TextEncoding::kLatin1);
  CHECK(EncodingOption("encoding", Value::Varchar("UTF8")) == TextEncoding::kUtf8);
  CHECK_THROWS_AS(EncodingOption("encoding", Value::Varchar("koi8-r")), Error);
}

}  // namespace scaup
