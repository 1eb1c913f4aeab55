// Tests that what is written reads back the same, plain and gzipped.
#include "format/csv/csv_writer.hpp"

#include <catch2/catch.hpp>

#include <random>

#include "csv_test_context.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

std::vector<Value> RandomRow(std::mt19937& random) {
  std::string text;
  for (size_t i = 0, length = random() % 20; i < length; i++) text += "ab,\"\n\r'; \\"[random() % 10];
  std::vector<Value> row = {Value::BigInt(static_cast<int64_t>(random()) - 2147483648),
                            Value::Varchar(text),
                            Value::Decimal(static_cast<int64_t>(random()) - 100, 15, 2),
                            Value::Double(static_cast<double>(random()) / 7),
                            Value::Date(static_cast<int32_t>(random() % 40000) - 10000),
                            Value::Timestamp(static_cast<int64_t>(random()) * 100003),
                            Value::Boolean(random() % 2 == 0)};
  for (Value& value : row) {
    if (random() % 8 == 0) value = Value(value.type());
  }
  return row;
}

}  // namespace

TEST_CASE("random rows survive writing and reading", "[csv]") {
  TableFunctionTest test(2);
  std::mt19937 random(3);
  const std::vector<std::string> names = {"i", "the, text", "d", "f", "day", "ts", "b"};
  const std::vector<LogicalType> types = {TypeId::kBigInt, TypeId::kVarchar, LogicalType::Decimal(15, 2),
                                          TypeId::kDouble, TypeId::kDate,    TypeId::kTimestamp,
                                          TypeId::kBoolean};
  std::vector<std::map<std::string, std::string>> variants = {{},
                                                              {{"delim", "|"}, {"nullstr", "NULL"}},
                                                              {{"quote", "'"}, {"escape", "\\"}},
                                                              {{"new_line", "\\r\\n"}},
                                                              {{"delim", "1"}}};
  for (const char* name : {"out.csv", "out.csv.gz"}) {
    for (auto options : variants) {
      const std::string path = test.Path(name);
      Rows expected;
      {
        CsvWriter writer(test.context, path,
                         ParseCsvOptions(TableFunctionTest::Options(options), CsvUse::kCopyTo), names, types);
        for (int chunk_index = 0; chunk_index < 5; chunk_index++) {
          DataChunk chunk(types);
          chunk.ResetForWriting();
          for (size_t row = 0; row < kVectorSize; row++) {
            const std::vector<Value> values = RandomRow(random);
            expected.emplace_back();
            for (size_t i = 0; i < values.size(); i++) {
              chunk.column(i).SetValue(row, values[i]);
              expected.back().push_back(values[i].is_null() ? "<null>" : values[i].ToString());
            }
          }
          chunk.SetSize(kVectorSize);
          std::string text;
          writer.Format(chunk, text);
          writer.Write(text);
        }
        writer.Finish();
      }
      options["types"] = "BIGINT,VARCHAR,DECIMAL(15,2),DOUBLE,DATE,TIMESTAMP,BOOLEAN";
      options["header"] = "true";
      options["buffer_size"] = "9999";
      options.emplace("delim", ",");
      options.emplace("quote", "\"");
      INFO(path << " " << options["delim"]);
      CHECK(test.Bind(path, options)->column_names == names);
      CHECK(test.ReadCsv(path, options) == expected);
    }
  }
}

TEST_CASE("only what needs quotes is quoted", "[csv]") {
  TableFunctionTest test;
  const auto write = [&](const std::map<std::string, std::string>& options) {
    const std::string path = test.Path("q.csv");
    CsvWriter writer(test.context, path,
                     ParseCsvOptions(TableFunctionTest::Options(options), CsvUse::kCopyTo), {"a", "b"},
                     {TypeId::kInteger, TypeId::kVarchar});
    DataChunk chunk({TypeId::kInteger, TypeId::kVarchar});
    chunk.ResetForWriting();
    const Value texts[] = {Value::Varchar("plain"), Value::Varchar("a,b"), Value::Varchar("say \"x\""),
                           Value::Varchar(""), Value(LogicalType(TypeId::kVarchar))};
    for (size_t row = 0; row < 5; row++) {
      chunk.column(0).SetValue(row, Value::Integer(static_cast<int32_t>(row)));
      chunk.column(1).SetValue(row, texts[row]);
    }
    chunk.SetSize(5);
    std::string text;
    writer.Format(chunk, text);
    writer.Write(text);
    writer.Finish();
    return test.Read(path);
  };
  CHECK(write({}) == "a,b\n0,plain\n1,\"a,b\"\n2,\"say \"\"x\"\"\"\n3,\"\"\n4,\n");
  CHECK(write({{"header", "off"}, {"force_quote", "a"}, {"delim", ";"}}) ==
        "\"0\";plain\n\"1\";a,b\n\"2\";\"say \"\"x\"\"\"\n\"3\";\"\"\n\"4\";\n");
  CHECK_THROWS_AS(write({{"force_quote", "c"}}), Error);
  CHECK_THROWS_AS(write({{"quote", ""}, {"delim", ","}}), Error);
}

TEST_CASE("a writer that does not finish leaves no file", "[csv]") {
  TableFunctionTest test;
  const std::string path = test.Path("part.csv");
  {
    CsvWriter writer(test.context, path, CsvOptions(), {"a"}, {TypeId::kInteger});
    writer.Write("1\n");
    CHECK(test.files->Exists(path + ".tmp"));
  }
  CHECK_FALSE(test.files->Exists(path));
  CHECK_FALSE(test.files->Exists(path + ".tmp"));
}

TEST_CASE("damaged gzip files", "[csv]") {
  TableFunctionTest test;
  const std::string path = test.Path("d.csv.gz");
  {
    CsvWriter writer(test.context, path, CsvOptions(), {"a"}, {TypeId::kInteger});
    for (int i = 0; i < 50000; i++) writer.Write(std::to_string(i * 7919 % 50021) + "\n");
    writer.Finish();
  }
  const std::string bytes = test.Read(path);
  CHECK(test.ReadCsv(path, {{"buffer_size", "1000"}}).size() == 50000);
  CHECK(test.ReadCsv(test.Write("two.csv.gz", bytes + bytes), {{"all_varchar", "true"}}).size() ==
        100001);  // Two members.
  std::string state;
  test.ErrorOf(test.Write("cut.csv.gz", bytes.substr(0, bytes.size() - 20)), {}, &state);
  CHECK(state == "22P04");
}
