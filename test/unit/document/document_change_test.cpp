// Tests of changes: what is set, replaced and taken away.
#include "document/document_change.hpp"

#include <catch2/catch.hpp>

#include "document_fixture.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

struct ChangeFixture : DocumentFixture {
  /// Sets the value at a path whose keys hold no dots; null: takes it away.
  std::string Change(std::string_view document, std::string_view path, const char* value) {
    PathId id = kRootPath;
    for (size_t begin = 0; begin <= path.size();) {
      const size_t end = std::min(path.find('.', begin), path.size());
      id = dictionary->AddPath(id, path.substr(begin, end - begin));
      begin = end + 1;
    }
    DocumentChange change(dictionary, {id});
    const std::optional<std::string_view> values[] = {value ? std::optional<std::string_view>(value)
                                                            : std::nullopt};
    std::string changed = "kept";
    change.Apply(Parse(document), values, changed);
    CHECK(changed.substr(0, 4) == "kept");
    return Text(changed.substr(4));
  }
};

}  // namespace

TEST_CASE("Values are set, replaced and taken away", "[document][change]") {
  ChangeFixture documents;
  for (const bool has_text : {false, true}) {
    CAPTURE(has_text);
    // Equal keys in another object make the record keep its text.
    const std::string more = has_text ? R"("#":{"x":1,"x":2},)" : R"("#":{"x":1},)";
    const auto check = [&](const std::string& document, const char* path, const char* value,
                           const std::string& expected) {
      CAPTURE(document, path);
      const auto with_more = [&](const std::string& text) {
        return "{" + more + (text == "{}" ? "\"$\":0" : text.substr(1, text.size() - 2)) + "}";
      };
      const auto expected_with_more = expected == "{}" && document != "{}"
                                          ? "{" + more.substr(0, more.size() - 1) + "}"
                                          : with_more(expected);
      if (document == "{}") {
        CHECK(documents.Change("{}", path, value) == expected);
      } else {
        CHECK(documents.Change(with_more(document), path, value) == expected_with_more);
      }
    };
    check("{}", "a", "1", R"({"a":1})");
    check("{}", "a.b.c", "1", R"({"a":{"b":{"c":1}}})");
    check(R"({"a":1,"b":2})", "a", "\"x\"", R"({"a":"x","b":2})");
    check(R"({"a":1,"b":2})", "b", " [ 1, 2 ] ", R"({"a":1,"b":[1,2]})");
    check(R"({"a":1,"b":2})", "c", "null", R"({"a":1,"b":2,"c":null})");
    check(R"({"a":{"b":1},"c":2})", "a.d", "3", R"({"a":{"b":1,"d":3},"c":2})");
    check(R"({"a":{"b":{}},"c":2})", "a.b.d", "3", R"({"a":{"b":{"d":3}},"c":2})");
    check(R"({"a":{},"c":2})", "a.b", "3", R"({"a":{"b":3},"c":2})");
    check(R"({"a":null,"c":2})", "a.b", "3", R"({"a":{"b":3},"c":2})");
    check(R"({"a":{"b":1,"x":{"y":2}},"c":2})", "a", R"({"z":{"b":0},"b":5})",
          R"({"a":{"z":{"b":0},"b":5},"c":2})");
    check(R"({"a":{"b":1},"c":2})", "a", "{}", R"({"a":{},"c":2})");
    check(R"({"a":1,"b":2})", "a", nullptr, R"({"b":2})");
    check(R"({"a":1})", "a", nullptr, "{}");
    check(R"({"a":1,"b":2})", "c", nullptr, R"({"a":1,"b":2})");
    check(R"({"a":1,"b":2})", "a.b", nullptr, R"({"a":1,"b":2})");
    check(R"({"a":{"b":1},"c":2})", "a.b", nullptr, R"({"a":{},"c":2})");
    check(R"({"a":{"b":1,"d":1},"c":2})", "a.b", nullptr, R"({"a":{"d":1},"c":2})");
    check(R"({"a":{"b":{"x":1}},"c":2})", "a.b.x", nullptr, R"({"a":{"b":{}},"c":2})");
    check(R"({"a":{"b":{"x":1}},"c":2})", "a.b", nullptr, R"({"a":{},"c":2})");
    check(R"({"a":1,"b":2})", "b", R"({"x":1,"x":[2]})", R"({"a":1,"b":{"x":1,"x":[2]}})");
  }
  // Of equal keys the last is set, and those before it go.
  CHECK(documents.Change(R"({"a":1,"b":2,"a":3})", "a", "4") == R"({"b":2,"a":4})");
  CHECK(documents.Change(R"({"a":1,"b":2,"a":3})", "a", nullptr) == R"({"b":2})");
  CHECK(documents.Change(R"({"a":{"x":1},"a":{"y":2}})", "a.y", "3") == R"({"a":{"x":1},"a":{"y":3}})");
}

TEST_CASE("Later changes see earlier ones", "[document][change]") {
  DocumentFixture documents;
  const PathId a = documents.dictionary->AddPath(kRootPath, "a"), b = documents.dictionary->AddPath(a, "b"),
               c = documents.dictionary->AddPath(kRootPath, "c");
  DocumentChange change(documents.dictionary, {a, b, c, a});
  std::string changed;
  const std::optional<std::string_view> values[] = {R"({"x":1})", "2", "3", std::nullopt};
  change.Apply(documents.Parse("{}"), values, changed);
  CHECK(documents.Text(changed) == R"({"c":3})");
  changed.clear();
  const std::optional<std::string_view> others[] = {R"({"x":1})", R"("y")", std::nullopt,
                                                    R"({"b":{"c":[]}})"};
  change.Apply(documents.Parse(R"({"c":0,"d":1})"), others, changed);
  CHECK(documents.Text(changed) == R"({"d":1,"a":{"b":{"c":[]}}})");
}

TEST_CASE("What stands where an object must be is not lost", "[document][change]") {
  ChangeFixture documents;
  const std::string equal_keys = R"("#":{"x":1,"x":2},)";
  for (const std::string& more : {std::string(), equal_keys}) {
    CAPTURE(more);
    CHECK_THROWS_WITH(documents.Change("{" + more + R"("a":{"b":1}})", "a.b.d", "3"),
                      Catch::StartsWith(R"(cannot set "a.b.d": "a.b" is a number in a document)"));
    CHECK_THROWS_WITH(documents.Change("{" + more + R"("a":[1]})", "a.b.c", "3"),
                      Catch::StartsWith(R"(cannot set "a.b.c": "a" is an array in a document)"));
    CHECK_THROWS_WITH(documents.Change("{" + more + R"("a":[]})", "a.b", "3"),
                      Catch::StartsWith(R"(cannot set "a.b": "a" is an array in a document)"));
    CHECK_THROWS_WITH(documents.Change("{" + more + R"("a":"x"})", "a.b", "3"),
                      Catch::StartsWith(R"(cannot set "a.b": "a" is a string in a document)"));
    CHECK_THROWS_WITH(documents.Change("{" + more + R"("a":false})", "a.b", "3"),
                      Catch::StartsWith(R"(cannot set "a.b": "a" is a boolean in a document)"));
  }
}

TEST_CASE("What a document cannot hold is not set", "[document][change]") {
  ChangeFixture documents;
  CHECK_THROWS_WITH(documents.Change("{}", "a", R"("\u0000")"),
                    R"(a document cannot have this value: \u0000 cannot be converted to text)");
  std::string deep(999, '[');
  deep.append(999, ']');
  CHECK(documents.Change("{}", "a", deep.c_str()) == "{\"a\":" + deep + "}");
  CHECK_THROWS_WITH(documents.Change("{}", "a.b", deep.c_str()),
                    "a document cannot have this value: it is nested too deeply");
}

}  // namespace scaup
