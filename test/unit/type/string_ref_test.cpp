// Strings of 16 bytes: what is held inside, and their order.
#include "type/text/string_ref.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace scaup;

TEST_CASE("short strings are held whole, with zeros behind them", "[type][string]") {
  std::string bytes;
  for (int i = 0; i < 40; i++) bytes.push_back(static_cast<char>(i * 37 + 200));
  for (uint32_t length = 0; length <= StringRef::kInlineBytes; length++) {
    for (size_t offset = 0; offset < 20; offset++) {
      // Of its own length, so that a sanitizer sees bytes read from beyond it.
      const std::string exact = bytes.substr(offset, length);
      const StringRef string{std::string_view(exact)};
      char expected[sizeof(StringRef)] = {};
      std::memcpy(expected, &length, sizeof(length));
      std::memcpy(expected + sizeof(length), exact.data(), length);
      REQUIRE(std::memcmp(&string, expected, sizeof(expected)) == 0);
      REQUIRE(string.view() == exact);
    }
  }
  CHECK(StringRef(nullptr, 0) == StringRef());
}

TEST_CASE("strings order by their bytes", "[type][string]") {
  std::mt19937 random(31);
  for (int round = 0; round < 200000; round++) {
    // Long common beginnings, and bytes above 127.
    std::string texts[2];
    for (std::string& text : texts) {
      text.assign(random() % 30, 'a');
      for (char& c : text) {
        if (random() % 20 == 0) c = static_cast<char>(random());
      }
    }
    const StringRef a{std::string_view(texts[0])}, b{std::string_view(texts[1])};
    const int expected = texts[0].compare(texts[1]);
    const auto order = a <=> b;
    REQUIRE((order < 0) == (expected < 0));
    REQUIRE((order > 0) == (expected > 0));
    REQUIRE((a == b) == (expected == 0));
  }
}
