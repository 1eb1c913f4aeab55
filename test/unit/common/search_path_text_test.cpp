// The text of search_path: names, with and without quotes.
#include "common/settings/search_path_text.hpp"

#include <catch2/catch.hpp>

using namespace scaup;

TEST_CASE("names of a search path", "[common][settings]") {
  using Names = std::vector<std::string>;
  CHECK(SplitSearchPath("").value().empty());
  CHECK(SplitSearchPath("  ").value().empty());
  CHECK(SplitSearchPath("a").value() == Names{"a"});
  CHECK(SplitSearchPath(" A ,b\t, \"C d\"").value() == Names{"a", "b", "C d"});
  CHECK(SplitSearchPath("\"$user\",$user").value() == Names{"$user", "$user"});
  CHECK(SplitSearchPath("\"a\"\"b\"\"\"").value() == Names{"a\"b\""});
  CHECK(SplitSearchPath("\"\"").value() == Names{""});
  for (const char* text : {",", "a,", ",a", "a b", "\"a", "a\"b\"", "a,,b", "\"a\"b"}) {
    INFO(text);
    CHECK_FALSE(SplitSearchPath(text));
  }
}

TEST_CASE("names are quoted so that a path gives them back", "[common][settings]") {
  CHECK(SearchPathName("a_1") == "a_1");
  CHECK(SearchPathName("1a") == "\"1a\"");
  for (const char* name : {"a", "A", "$user", "", "a,b", "a\"b", "\"", " ", "1", "\xc3\xa4"}) {
    INFO(name);
    CHECK(SplitSearchPath(SearchPathName(name)).value() == std::vector<std::string>{name});
  }
}

TEST_CASE("the path's name of the default schema", "[common][settings]") {
  Settings settings;
  CHECK(SearchPathText(settings) == "main");
  const auto name = [&](const std::string& path) {
    settings.client_values["search_path"] = path;
    return PreferredDefaultSchema(settings);
  };
  CHECK(name("a, public") == "public");
  CHECK(name("public, main") == "public");
  CHECK(name("main, public") == "main");
  CHECK(name("republic, maintenance") == "main");
}
