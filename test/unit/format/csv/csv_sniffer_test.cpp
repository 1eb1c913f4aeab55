// Tests what is found out about files that no option describes.
#include "format/csv/csv_sniffer.hpp"

#include <catch2/catch.hpp>

#include "csv_test_context.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

std::string Columns(const CsvSniffed& sniffed) {
  std::string text;
  for (size_t i = 0; i < sniffed.names.size(); i++)
    text += sniffed.names[i] + " " + sniffed.types[i].ToString() + "; ";
  return text;
}

}  // namespace

TEST_CASE("every delimiter is recognized, with and without a header", "[csv]") {
  for (const char delimiter : {',', '|', ';', '\t'}) {
    for (const bool header : {false, true}) {
      for (const std::string line_break : {"\n", "\r\n", "\r"}) {
        const std::string d(1, delimiter);
        std::string text = header ? "id" + d + "name" + d + "price" + line_break : "";
        text += "1" + d + "\"x" + d + line_break + "y\"" + d + "1.5" + line_break + "2" + d + "two" + d +
                "2" + line_break;
        const CsvSniffed sniffed = SniffCsv(text, true, CsvOptions());
        INFO(text);
        CHECK(sniffed.dialect.delimiter == delimiter);
        CHECK(sniffed.dialect.quote == '"');
        CHECK(sniffed.has_header == header);
        CHECK(Columns(sniffed) == (header ? "id BIGINT; name VARCHAR; price DOUBLE; "
                                          : "column0 BIGINT; column1 VARCHAR; column2 DOUBLE; "));
      }
    }
  }
}

TEST_CASE("types are guessed from all sampled values", "[csv]") {
  const CsvSniffed sniffed = SniffCsv(
      "b,i,h,d,date,ts,t,zip,empty,mix\n"
      "true,1,12345678901234567890,1,2024-02-29,2024-02-29 10:00:00,10:00:00,0815,,1\n"
      "FALSE,-2,1,2.5e3,2024-03-01,2024-03-01,11:30:00,4711,,x\n,,,,,,,,,\n",
      true, CsvOptions());
  CHECK(Columns(sniffed) ==
        "b BOOLEAN; i BIGINT; h HUGEINT; d DOUBLE; date DATE; ts TIMESTAMP; t TIME; zip VARCHAR; empty "
        "VARCHAR; mix VARCHAR; ");
}

TEST_CASE("single quotes, trailing delimiters, marks and skipped lines", "[csv]") {
  const CsvSniffed single = SniffCsv("a,b\n'x,y',1\n'z',2\n", true, CsvOptions());
  CHECK(single.dialect.quote == '\'');
  CHECK(single.names.size() == 2);

  const CsvSniffed trailing = SniffCsv("1|x|\n2|y|\n", true, CsvOptions());
  CHECK(trailing.dialect.trailing_delimiter);
  CHECK(Columns(trailing) == "column0 BIGINT; column1 VARCHAR; ");
  CHECK_FALSE(SniffCsv("1|x|\n2|y|z\n", true, CsvOptions()).dialect.trailing_delimiter);

  CsvOptions skip;
  skip.skip = 2;
  const CsvSniffed marked = SniffCsv("\xEF\xBB\xBF# one\n# two\nid,x\n1,2\n", true, skip);
  CHECK(Columns(marked) == "id BIGINT; x BIGINT; ");
}

TEST_CASE("files with next to nothing in them", "[csv]") {
  CHECK(Columns(SniffCsv("", true, CsvOptions())) == "column0 VARCHAR; ");
  const CsvSniffed header_only = SniffCsv("id,name", true, CsvOptions());
  CHECK(header_only.has_header);
  CHECK(Columns(header_only) == "id VARCHAR; name VARCHAR; ");
  CHECK(Columns(SniffCsv("5\n", true, CsvOptions())) == "column0 BIGINT; ");
}

TEST_CASE("names of columns become unique and never empty", "[csv]") {
  CHECK(Columns(SniffCsv("a,,A,a\n1,2,3,4\n", true, CsvOptions())) ==
        "a BIGINT; column1 BIGINT; A_1 BIGINT; a_2 BIGINT; ");
}

TEST_CASE("a bad first value does not make a header when columns are given", "[csv]") {
  CsvOptions options;
  options.names = {"id", "name"};
  options.types = {TypeId::kBigInt, TypeId::kVarchar};
  options.columns_are_exact = true;
  CHECK_FALSE(SniffCsv("x1,7\n2,two\n", true, options).has_header);
  CHECK(SniffCsv("key,title\n2,two\n", true, options).has_header);
  CHECK(SniffCsv("id,name\n", true, options).has_header);
}

TEST_CASE("options of CSV are checked", "[csv]") {
  const auto message = [](const std::map<std::string, std::string>& options, CsvUse use) -> std::string {
    try {
      ParseCsvOptions(TableFunctionTest::Options(options), use);
    } catch (const Error& error) {
      return std::string(error.sqlstate()) + " " + error.message();
    }
    return "";
  };
  CHECK(message({{"delimeter", ","}}, CsvUse::kRead) ==
        "42601 unknown CSV option \"delimeter\"; did you mean \"delimiter\"?");
  CHECK(message({{"force_quote", "*"}}, CsvUse::kRead).substr(0, 5) == "42601");
  CHECK(message({{"delim", ","}, {"sep", ";"}}, CsvUse::kRead) == "42601 CSV option \"sep\" is given twice");
  CHECK(message({{"delim", "ab"}}, CsvUse::kRead).substr(0, 5) == "22023");
  CHECK(message({{"encoding", "latin1"}}, CsvUse::kCopyTo).substr(0, 5) == "22023");
  CHECK(message({{"types", "BIGINT,nonsense"}}, CsvUse::kRead).substr(0, 5) == "22023");
  const CsvOptions options = ParseCsvOptions(
      TableFunctionTest::Options({{"COLUMNS", "a BIGINT, \"b c\" DECIMAL(15, 2)"}, {"delim", "\\t"}}),
      CsvUse::kRead);
  CHECK(options.names == std::vector<std::string>{"a", "b c"});
  CHECK(options.types[1] == LogicalType::Decimal(15, 2));
  CHECK(options.delimiter == '\t');
}
