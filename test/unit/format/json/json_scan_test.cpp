// Tests reading JSON files: values of every shape, cut at every byte, in every layout, and errors.
#include "format/json/json_scan.hpp"

#include <catch2/catch.hpp>

#include <random>

#include "../csv/csv_test_context.hpp"
#include "format/json/json_layout.hpp"
#include "format/json/read_json.hpp"
#include "type/text/json_text.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

class JsonTest : public TableFunctionTest {
 public:
  using TableFunctionTest::TableFunctionTest;

  std::unique_ptr<BoundJson> BindFile(const std::string& path,
                                      const std::map<std::string, std::string>& options = {}) {
    return BindJson(context, FindFiles(context, "read_json", Value::Varchar(path)),
                    ParseJsonOptions(Options(options), JsonUse::kRead));
  }
  std::vector<std::string> Documents(const std::string& path,
                                     const std::map<std::string, std::string>& options = {}) {
    const auto bound = BindFile(path, options);
    std::vector<std::string> documents;
    for (const auto& row : Scan(MakeReadJsonDocuments(), *bound)) documents.push_back(row[0]);
    return documents;
  }
  std::string ErrorText(const std::string& text, const std::map<std::string, std::string>& options = {}) {
    const std::string path = Write("bad.json", text);
    try {
      Documents(path, options);
    } catch (const Error& error) {
      const std::string message = error.message();
      return std::string(error.sqlstate()) + message.substr(message.find("bad.json\"") + 9);
    }
    return "no error";
  }
  Rows Columns(const std::string& path, std::vector<std::string> names, std::vector<LogicalType> types,
               const std::map<std::string, std::string>& options = {}) {
    const auto bound = BindFile(path, options);
    bound->output = JsonOutput::kColumns;
    bound->column_names = std::move(names);
    bound->column_types = std::move(types);
    return Scan(MakeReadJsonDocuments(), *bound);
  }
};

/// A value with white space in all places where some may stand; without line ends if it is for a line.
std::string RandomValue(std::mt19937& random, size_t depth, bool is_line) {
  const auto pick = [&](size_t n) { return random() % n; };
  const auto space = [&]() -> std::string {
    return pick(4) != 0 ? "" : is_line ? std::string(1 + pick(3), ' ') : " \n\t";
  };
  const auto string = [&] {
    std::string text = "\"";
    for (size_t i = pick(pick(8) == 0 ? 150 : 6); i > 0; i--) {
      static const char* const kParts[] = {"a", "{",    "}",    "[",   "]",       ",",
                                           ":", "\\\"", "\\\\", "\\n", "\\u00e4", "'"};
      text += kParts[pick(12)];
    }
    return text + "\"";
  };
  switch (depth == 0 ? pick(3) : pick(5)) {
    case 0: return string();
    case 1: return std::to_string(static_cast<int64_t>(random()) - 1000);
    case 2: {
      static const char* const kWords[] = {"null", "true", "false", "-1.5e3"};
      return kWords[pick(4)];
    }
    case 3: {
      std::string text = "[" + space();
      for (size_t i = 0, n = pick(4); i < n; i++)
        text += (i == 0 ? "" : "," + space()) + RandomValue(random, depth - 1, is_line) + space();
      return text + "]";
    }
    default: {
      std::string text = "{" + space();
      for (size_t i = 0, n = pick(4); i < n; i++)
        text += (i == 0 ? "" : "," + space()) + string() + space() + ":" + space() +
                RandomValue(random, depth - 1, is_line) + space();
      return text + "}";
    }
  }
}

}  // namespace

TEST_CASE("the bracket that closes one, wherever blocks end", "[json]") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; round++) {
    std::string value = "[";
    while (value.size() < 2 || random() % 6 != 0) value += RandomValue(random, 4, false) + ",";
    value.back() = ']';
    std::string text = std::string(random() % 70, ' ') + value;
    const size_t begin = text.size() - value.size();
    const size_t size = text.size();
    text += std::string(64, ']');
    INFO(text);
    REQUIRE(FindClosingBracket(std::string_view(text).substr(0, size), begin) == size);
    REQUIRE(FindClosingBracket(std::string_view(text).substr(0, size - 1), begin) == std::string_view::npos);
  }
}

TEST_CASE("layouts", "[json]") {
  const auto layout = [](std::string text, bool is_whole = true) {
    const size_t size = text.size();
    text += std::string(64, '}');
    size_t begin = 0;
    const JsonLayout found = DetectJsonLayout(std::string_view(text).substr(0, size), is_whole, begin);
    return std::to_string(static_cast<int>(found)) + "@" + std::to_string(begin);
  };
  CHECK(layout("") == "0@0");
  CHECK(layout("{\"a\": 1}\n\n {\"a\": \"}\"} \r\n1") == "0@0");
  CHECK(layout("\xEF\xBB\xBF{}\n{}") == "0@3");
  CHECK(layout("{} {}\n") == "1@0");
  CHECK(layout("{\n}\n") == "1@0");
  CHECK(layout("{\"a\": 1}\n{\"a\": ", false) == "0@0");
  CHECK(layout("{\"a\": 1}\n{\"a\": ", true) == "1@0");
  CHECK(layout("\n [1]") == "2@3");
}

TEST_CASE("random values read as they were written, however the file is cut", "[json]") {
  JsonTest test(3);
  std::mt19937 random(42);
  for (int round = 0; round < 45; round++) {
    const int layout = round % 3;
    std::vector<std::string> values;
    std::string text = layout == 2 ? "[" : round % 2 == 0 ? "" : "\xEF\xBB\xBF";
    for (size_t i = random() % 30; i > 0; i--) {
      values.push_back(RandomValue(random, 3, layout == 0));
      if (layout == 2 && text.size() > 1) text += random() % 2 == 0 ? "," : " ,\n";
      text += values.back();
      if (layout == 0) text += random() % 4 == 0 ? "\r\n" : random() % 4 == 0 ? "\n \n" : "\n";
      if (layout == 1) text += random() % 2 == 0 ? " " : "\n\n";
    }
    if (layout == 2) text += "] \n";
    const std::string path = test.Write("random.json", text);
    for (const size_t chunk_bytes : {1, 2, 3, 7, 16, 63, 64, 65, 1000, 1 << 20}) {
      INFO("round " << round << ", chunks of " << chunk_bytes << ":\n" << text);
      std::map<std::string, std::string> options{{"buffer_size", std::to_string(chunk_bytes)}};
      if (layout != 2) options["newline_delimited"] = layout == 0 ? "true" : "false";
      if (layout == 1 && !values.empty() && values[0][0] == '[') continue;  // Taken for an array of all.
      REQUIRE(test.Documents(path, options) == values);
    }
  }
}

TEST_CASE("many documents and several files", "[json]") {
  JsonTest test(2);
  std::string text;
  for (int i = 0; i < 5000; i++) text += "{\"i\": " + std::to_string(i) + "}\n";
  test.Write("a.jsonl", text);
  test.Write("b.jsonl", "[{\"i\": 5000},\n{\"i\": 5001}]");
  for (const char* chunk_bytes : {"100", "20000", "1000000"}) {
    const auto documents = test.Documents(test.directory + "/?.jsonl", {{"buffer_size", chunk_bytes}});
    REQUIRE(documents.size() == 5002);
    for (size_t i = 0; i < documents.size(); i++)
      REQUIRE(documents[i] == "{\"i\": " + std::to_string(i) + "}");
  }
}

TEST_CASE("errors name file, line and fault", "[json]") {
  JsonTest test;
  CHECK(test.ErrorText("{\"a\": 1}\n\n{\"a\" 1}\n").starts_with("22P02, line 3: the document is not JSON: "));
  CHECK(test.ErrorText("{\n\"a\": 1,\n}\n{}").starts_with("22P02, line 3: the document is not JSON: "));
  CHECK(test.ErrorText("[{},\n{}") == "22P04, line 2: the array of documents ends without ]");
  CHECK(test.ErrorText("[{}\n{}]") == "22P04, line 2: documents of an array are followed by , or ]");
  CHECK(test.ErrorText("[{}]\n\n{}") ==
        "22P04, line 3: nothing but white space may follow the array of documents");
  CHECK(test.ErrorText("[{},]").starts_with("22P"));
  CHECK(test.ErrorText("[]") == "no error");
  CHECK(test.ErrorText("{\"a\": 1}\n{\"a\": \xFF}\n{}", {{"newline_delimited", "true"}})
            .starts_with("22021, line 2"));
  CHECK(test.ErrorText("{}\n{bad}\n{}\n[", {{"ignore_errors", "true"}}) == "no error");
  const std::string path = test.Write("some.jsonl", "{\"a\": 1}\n{bad}\n\n{\"a\": 2}\n");
  CHECK(test.Documents(path, {{"ignore_errors", "true"}}) ==
        std::vector<std::string>{"{\"a\": 1}", "{\"a\": 2}"});
}

TEST_CASE("the earliest error is told, whichever thread meets one first", "[json]") {
  JsonTest test(3);
  std::string text;
  for (int i = 1; i <= 3000; i++) text += i % 1000 == 0 ? "{bad}\n" : "{\"i\": 1}\n";
  for (int round = 0; round < 20; round++)
    CHECK(test.ErrorText(text, {{"buffer_size", "500"}}).starts_with("22P02, line 1000: "));
}

TEST_CASE("members as columns", "[json]") {
  JsonTest test;
  const std::string path =
      test.Write("t.jsonl",
                 "{\"a\": 1, \"b\": \"x\", \"j\": {\"k\": [1, 2]}, \"l\": [1, null, 3]}\n"
                 "{\"b\": \"\\u00e4\\\"\", \"a\": null, \"l\": []}\n"
                 "{\"l\": null, \"j\": \"s\", \"\\u0061\": \"7\", \"a\": 8}\n"
                 "{}\n");
  const LogicalType list = LogicalType::List(TypeId::kInteger);
  CHECK(test.Columns(path, {"a", "b", "j", "l"}, {TypeId::kInteger, TypeId::kVarchar, TypeId::kJson, list}) ==
        Rows{{"1", "x", "{\"k\": [1, 2]}", "{1,NULL,3}"},
             {"<null>", "\xC3\xA4\"", "<null>", "{}"},
             {"8", "<null>", "\"s\"", "<null>"},
             {"<null>", "<null>", "<null>", "<null>"}});
  const auto error = [&](const std::string& text, LogicalType type,
                         const std::map<std::string, std::string>& options = {}) {
    const std::string bad = test.Write("bad.json", text);
    try {
      const Rows rows = test.Columns(bad, {"a"}, {std::move(type)}, options);
      return std::to_string(rows.size()) + " rows";
    } catch (const Error& error) {
      const std::string message = error.message();
      return std::string(error.sqlstate()) + message.substr(message.find("bad.json\"") + 9);
    }
  };
  CHECK(error("{\"a\": 1}\n{\"b\": 1}", TypeId::kInteger) ==
        "22P04, line 2: the document has the key \"b\", but the table has no such column; "
        "UNKNOWN_KEYS 'ignore' leaves it out");
  CHECK(error("{\"a\": 1}\n{\"a\": \"x\"}", TypeId::kInteger) ==
        "22P02, line 2: \"x\" of key \"a\" is not an INTEGER");
  CHECK(error("{\"a\": \"2024-13-01\"}", TypeId::kDate).starts_with("22007, line 1: "));
  CHECK(error("[1]", TypeId::kInteger) ==
        "22P04, line 1: the document is not an object, whose members could be columns");
  CHECK(error("{\"a\": \"\\u0000\"}", TypeId::kVarchar).starts_with("22P05, line 1: "));
  CHECK(error("{\"a\": 1}\n{\"a\": \"x\"}\n{\"b\": 1}\n[1]\n{\"a\": 2}", TypeId::kInteger,
              {{"ignore_errors", "true"}}) == "2 rows");
}
