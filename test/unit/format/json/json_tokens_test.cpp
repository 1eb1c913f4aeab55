// Tests that tokens accept what IsJsonText accepts, and give the same values as JsonIterator.
#include "format/json/json_tokens.hpp"
#include "type/text/utf8_text.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

namespace scaup {

namespace {

std::string RandomJson(std::mt19937& random, int depth) {
  const auto space = [&] {
    const unsigned kind = random() % 6;
    return std::string(kind == 0 ? " " : kind == 1 ? "\n" : "");
  };
  static const char* const kScalars[] = {"1",    "-0",    "12.5e+3",    "true",        "false",    "null",
                                         "\"\"", "\"x\"", "\"a\\\"b\"", "\"\\u00e4\"", "\"[{,:\"", "1E9"};
  const unsigned kind = depth == 0 ? 0 : random() % 3;
  if (kind == 0) return kScalars[random() % std::size(kScalars)];
  std::string text(1, kind == 1 ? '[' : '{');
  const unsigned count = random() % 4;
  for (unsigned i = 0; i < count; i++) {
    text += (i == 0 ? "" : ",") + space();
    if (kind == 2) text += "\"k" + std::to_string(random() % 3) + "\"" + space() + ":" + space();
    text += RandomJson(random, depth - 1) + space();
  }
  return text + (kind == 1 ? ']' : '}');
}

/// Compares a value with what the iterator over its text finds.
void CheckSame(const JsonTokens& tokens, size_t value, std::string_view json) {
  REQUIRE(tokens.text(value) == json);
  REQUIRE(tokens.kind(value) == JsonKindOf(json));
  if (tokens.kind(value) == JsonKind::kObject) {
    JsonIterator members(json);
    tokens.ForMembers(value, [&](std::string_view name, size_t member) {
      REQUIRE(members.Next());
      REQUIRE(members.quoted_name() == name);
      CheckSame(tokens, member, members.value());
    });
    REQUIRE_FALSE(members.Next());
  } else if (tokens.kind(value) == JsonKind::kArray) {
    JsonIterator elements(json);
    tokens.ForElements(value, [&](size_t element) {
      REQUIRE(elements.Next());
      CheckSame(tokens, element, elements.value());
    });
    REQUIRE_FALSE(elements.Next());
  }
}

}  // namespace

TEST_CASE("tokens of random documents, whole and broken", "[json]") {
  std::mt19937 random(11);
  JsonTokens tokens;
  for (int round = 0; round < 5000; round++) {
    std::string text = RandomJson(random, 4);
    INFO(text);
    REQUIRE(tokens.Parse(text));
    CheckSame(tokens, JsonTokens::kRoot, text);
    for (int change = 0; change < 5; change++) {
      std::string broken = text;
      const size_t at = random() % broken.size();
      if (change == 0) broken.resize(at);
      if (change == 1) broken.erase(at, 1);
      if (change > 1) broken[at] = "{}[],:\"\\ 01-.etrufalsn\x01\xff"[random() % 24];
      INFO(broken);
      REQUIRE(tokens.Parse(broken) == (IsUtf8(broken) && IsJsonText(broken)));
    }
  }
}

TEST_CASE("documents that are nested too deeply are none", "[json]") {
  JsonTokens tokens;
  for (const size_t depth : {size_t{1}, kMaxJsonDepth, kMaxJsonDepth + 1}) {
    const std::string text = std::string(depth, '[') + std::string(depth, ']');
    CHECK(tokens.Parse(text) == IsJsonText(text));
  }
}

}  // namespace scaup
