// Tests that errors name file, line, column and value, and that the first one in the file is reported.
#include "format/csv/csv_error.hpp"

#include <catch2/catch.hpp>

#include "csv_test_context.hpp"

using namespace scaup;
using namespace scaup::test;

TEST_CASE("a bad value is reported with its physical line", "[csv]") {
  TableFunctionTest test(3);
  std::string text = "id,note,price\n";
  for (int i = 0; i < 500; i++) text += std::to_string(i) + ",\"two\nlines\",1.00\n";
  text += "500,x,abc\n501,x,def\n";
  for (int i = 0; i < 500; i++) text += std::to_string(i) + ",x,bad\n";
  const std::string path = test.Write("x.csv", text);
  for (const char* chunk : {"10", "100", "3000", "1000000"}) {
    std::string state;
    CHECK(test.ErrorOf(path, {{"types", "BIGINT,VARCHAR,DECIMAL(15,2)"}, {"buffer_size", chunk}}, &state) ==
          "could not read \"" + path + "\", line 1002, column 3 (\"price\"): \"abc\" is not a DECIMAL(15,2)");
    CHECK(state == "22P02");
  }
  CHECK(test.ReadCsv(
                path,
                {{"types", "BIGINT,VARCHAR,DECIMAL(15,2)"}, {"buffer_size", "77"}, {"ignore_errors", "true"}})
            .size() == 500);
  CHECK(test.memory.used_bytes() == 0);
}

TEST_CASE("rows that are not CSV", "[csv]") {
  TableFunctionTest test(2);
  std::string state;
  const std::map<std::string, std::string> options = {
      {"columns", "a BIGINT, b VARCHAR"}, {"header", "false"}, {"delim", ","}, {"quote", "\""}};
  const auto error = [&](const std::string& text) {
    const std::string path = test.Write("bad.csv", text);
    std::string message = test.ErrorOf(path, options, &state);
    return message.substr(std::min(message.size(), std::string("could not read \"\"").size() + path.size()));
  };
  CHECK(error("1,a\n2\n3,b,c\n") == ", line 2: the row has 1 field instead of 2");
  CHECK(state == "22P04");
  CHECK(error("1,a\n\n2,b,c\n") == ", line 3: the row has 3 fields instead of 2");
  CHECK(error("1,a\n2,\"b\nc\n") == ", line 2: a quote in the row that begins here is never closed");
  CHECK(error("1,\"a\"b\n") ==
        ", line 1, column 2 (\"b\"): \"a\"b has text after its closing quote, or a quote inside that is not "
        "doubled");
  CHECK(error("1,a\n2,\xFFz\n") ==
        ", line 2, column 2 (\"b\"): \"\\xFFz\" is not valid UTF-8; if the file is in another encoding, name "
        "it: "
        "encoding => 'latin-1' or 'windows-1252'");
  CHECK(state == "22021");
  CHECK(error("1,\xC3\xA4\n") == "");
  CHECK(error("99999999999999999999,a\n") ==
        ", line 1, column 1 (\"a\"): \"99999999999999999999\" is not a BIGINT");
  // The value that comes first decides, and the earlier line, whatever kind of error it is.
  CHECK(error("1,a\nx,b\n3\n") == ", line 2, column 1 (\"a\"): \"x\" is not a BIGINT");
  test.ErrorOf(test.directory + "/missing.csv", {}, &state);
  CHECK(state.substr(0, 2) == "58");
}

TEST_CASE("an interrupt and the memory limit end a scan", "[csv]") {
  TableFunctionTest test;
  const std::string path = test.Write("x.csv", "1,a\n2,b\n");
  const auto bound = test.Bind(path);
  test.interrupted = true;
  CHECK_THROWS_AS(test.Scan(MakeReadCsv(), *bound), Error);
  test.interrupted = false;
  test.memory.SetLimit(100);
  CHECK_THROWS_AS(test.Scan(MakeReadCsv(), *bound), Error);
  CHECK(test.memory.used_bytes() == 0);
}
