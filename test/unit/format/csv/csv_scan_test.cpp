// Tests reading whole files: quoting against a simple reference parser, cuts at every byte, types and NULLs.
#include "format/csv/csv_scan.hpp"

#include <catch2/catch.hpp>

#include <random>

#include "csv_test_context.hpp"
#include "format/csv/csv_sniffer.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

/// Random rows of three text columns, full of quotes, delimiters and line breaks.
std::string RandomCsv(std::mt19937& random, char escape, size_t rows) {
  const auto pick = [&](size_t n) { return random() % n; };
  std::string text;
  for (size_t row = 0; row < rows; row++) {
    for (int column = 0; column < 3; column++) {
      if (column != 0) text += ',';
      const size_t length = pick(6) == 0 ? pick(90) : pick(7);
      if (pick(2) == 0) {
        for (size_t i = 0; i < length; i++) text += "ab 1\"'"[i == 0 ? pick(4) : pick(6)];
        continue;
      }
      text += '"';
      for (size_t i = 0; i < length; i++) {
        const char c = "a,\n\r\"b\\,\n"[pick(9)];
        if (c == '"' || c == escape) text += escape;
        text += c;
      }
      text += '"';
    }
    text += pick(3) == 0 ? "\r\n" : "\n";
  }
  if (pick(2) == 0) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

Rows Reference(const std::string& text, const CsvDialect& dialect) {
  CsvRowReader reader(dialect, text, true);
  Rows rows;
  std::vector<CsvField> row;
  while (reader.Next(row)) {
    if (row.size() == 1 && row[0].text.empty()) continue;
    rows.emplace_back();
    for (const CsvField& field : row)
      rows.back().push_back(field.text.empty() && !field.is_quoted ? "<null>" : field.text);
  }
  return rows;
}

}  // namespace

TEST_CASE("random quoting reads as by the reference parser, however the file is cut", "[csv]") {
  TableFunctionTest test(3);
  std::mt19937 random(42);
  for (int round = 0; round < 60; round++) {
    CsvDialect dialect;
    dialect.escape = round % 3 == 0 ? '\\' : '"';
    const std::string text = RandomCsv(random, dialect.escape, 1 + random() % 40);
    const std::string path = test.Write("random.csv", text);
    const Rows expected = Reference(text, dialect);
    for (const size_t chunk_bytes : {1, 2, 3, 7, 16, 63, 64, 65, 1000, 1 << 20}) {
      INFO("round " << round << ", chunks of " << chunk_bytes << ":\n" << text);
      REQUIRE(test.ReadCsv(path, {{"columns", "a VARCHAR, b VARCHAR, c VARCHAR"},
                                  {"delim", ","},
                                  {"quote", "\""},
                                  {"escape", std::string(1, dialect.escape)},
                                  {"header", "false"},
                                  {"new_line", "\r\n"},
                                  {"buffer_size", std::to_string(chunk_bytes)}}) == expected);
    }
  }
  CHECK(test.memory.used_bytes() == 0);
}

TEST_CASE("the state of quoting is the same step by step, at once and mapped", "[csv]") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; round++) {
    CsvDialect dialect;
    dialect.escape = round % 2 == 0 ? '"' : '\\';
    std::string text;
    dialect.comment = round % 3 == 0 ? '#' : '\0';
    for (size_t i = 0, length = random() % 150; i < length; i++) text += "a\"\"\\,\n#"[random() % 7];
    const QuoteStateMap map = MapQuoteStates(dialect, text);
    for (size_t start = 0; start < kQuoteStates; start++) {
      if (static_cast<QuoteState>(start) == QuoteState::kEscaped && dialect.escape == '"') continue;
      if (static_cast<QuoteState>(start) == QuoteState::kComment && dialect.comment == '\0') continue;
      QuoteState state = static_cast<QuoteState>(start);
      for (const char c : text) state = StepQuoteState(dialect, state, c);
      INFO(text << " from " << start);
      REQUIRE(map[start] == state);
      REQUIRE(AdvanceQuoteState(dialect, static_cast<QuoteState>(start), text) == state);
    }
  }
}

TEST_CASE("values of every type", "[csv]") {
  TableFunctionTest test;
  const std::string path =
      test.Write("types.csv",
                 "t,1,-32768,2147483647,-9223372036854775808,170141183460469231731687303715884105727,1.5,-2."
                 "25,12.3,1e2,x,\\x41,2024-02-29,"
                 "23:59:59.5,2024-02-29T01:02:03.25,1 day\n"
                 "no,+1,0,0,00000000000000000000001,0,inf,NaN,-.5,-1234567.895,\"\",\\x,0044-03-15,00:00,"
                 "infinity,-1 mon\n"
                 ",,,,,,,,,,,,,,,\n");
  const Rows rows =
      test.ReadCsv(path, {{"header", "false"},
                          {"columns",
                           "a BOOLEAN, b TINYINT, c SMALLINT, d INTEGER, e BIGINT, f HUGEINT, g REAL, h "
                           "DOUBLE, i DECIMAL(4,2), j "
                           "DECIMAL(15,2), k VARCHAR, l BLOB, m DATE, n TIME, o TIMESTAMP, p INTERVAL"}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == std::vector<std::string>{"true", "1", "-32768", "2147483647", "-9223372036854775808",
                                            "170141183460469231731687303715884105727", "1.5", "-2.25",
                                            "12.30", "100.00", "x", "\\x41", "2024-02-29", "23:59:59.5",
                                            "2024-02-29 01:02:03.25", "1 day"});
  CHECK(rows[1] == std::vector<std::string>{"false", "1", "0", "0", "1", "0", "Infinity", "NaN", "-0.50",
                                            "-1234567.90", "", "\\x", "0044-03-15", "00:00:00", "infinity",
                                            "-1 mons"});
  CHECK(rows[2] == std::vector<std::string>(16, "<null>"));
}

TEST_CASE("NULL strings, formats, projection and glob", "[csv]") {
  TableFunctionTest test(2);
  const std::string first = test.Write("part1.csv", "id;day;x\n1;31.12.1999;NA\n2;01.02.2003;\"NA\"\n");
  test.Write("part2.csv", "id;day;x\n3;NA;\n");
  const std::map<std::string, std::string> options = {{"nullstr", "NA"}, {"dateformat", "%d.%m.%Y"}};
  const auto bound = test.Bind(test.directory + "/part*.csv", options);
  CHECK(bound->column_types[1].id() == TypeId::kDate);
  CHECK(test.Scan(MakeReadCsv(), *bound) ==
        Rows{{"1", "1999-12-31", "<null>"}, {"2", "2003-02-01", "NA"}, {"3", "<null>", ""}});
  CHECK(test.Scan(MakeReadCsv(), *bound, {2, 0}) == Rows{{"<null>", "1"}, {"NA", "2"}, {"", "3"}});
  CHECK(test.Scan(MakeReadCsv(), *bound, {}).size() == 3);

  test.Write("part3.csv", "id;x\n");
  CHECK(test.ErrorOf(test.directory + "/part*.csv", options).find("part3.csv") != std::string::npos);
}

TEST_CASE("dbgen's trailing delimiter and empty lines", "[csv]") {
  TableFunctionTest test;
  CHECK(test.ReadCsv(test.Write("x.tbl", "1|a|\r\n\r\n2|b|\r\n")) == Rows{{"1", "a"}, {"2", "b"}});
  CHECK(test.ReadCsv(test.Write("one.csv", "1\n\n3\n")) == Rows{{"1"}, {"<null>"}, {"3"}});
  CHECK(test.ReadCsv(test.Write("empty.csv", "")).empty());
  CHECK(LooksLikeCsvPath("dir/X.TBL.gz"));
  CHECK_FALSE(LooksLikeCsvPath("x.json"));
}

TEST_CASE("more than a vector of rows from many chunks keeps its order", "[csv]") {
  TableFunctionTest test(4);
  std::string text = "n,s\n";
  for (int i = 0; i < 20000; i++)
    text += std::to_string(i) + ",\"a rather long text, number\n" + std::to_string(i) + "\"\n";
  const std::string path = test.Write("many.csv", text);
  const Rows rows = test.ReadCsv(path, {{"buffer_size", "5000"}});
  REQUIRE(rows.size() == 20000);
  for (int i = 0; i < 20000; i++)
    REQUIRE(rows[i] ==
            std::vector<std::string>{std::to_string(i), "a rather long text, number\n" + std::to_string(i)});
}
