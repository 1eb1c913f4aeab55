// Tests of projections: conversions, forms of vectors, shared bytes, damage.
#include <catch2/catch.hpp>
#include <random>

#include "document/document_projection.hpp"
#include "document/visible_attributes.hpp"
#include "document_fixture.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

/// Values of a column as text, "NULL" for NULLs.
std::string Column(const Vector& vector, size_t count) {
  std::string text;
  for (size_t row = 0; row < count; row++) {
    if (row != 0) text += ' ';
    const Value value = vector.GetValue(row);
    text += value.is_null() ? "NULL" : value.ToString();
  }
  return text;
}

Vector Records(const std::vector<std::string>& records) {
  Vector vector(TypeId::kBlob);
  vector.Reset();
  for (size_t row = 0; row < records.size(); row++)
    vector.MutableData<StringRef>()[row] = vector.AddString(records[row]);
  return vector;
}

struct ReaderFixture : DocumentFixture {
  std::vector<std::string> records;
  void Add(std::string_view text) { records.push_back(Parse(text)); }
  std::string Read(std::string_view path, const LogicalType& type, std::vector<DocumentStep> steps = {}) {
    DocumentReader reader(dictionary, {{dictionary->FindPath(path).value(), type, std::move(steps)}});
    Vector output(type);
    output.Reset();
    Vector* const outputs[] = {&output};
    reader.Read(Records(records), records.size(), outputs);
    return Column(output, records.size());
  }
  std::string Default(std::string_view path) {
    return DefaultTypeOf(VisibleAttributes(dictionary), dictionary->FindPath(path).value()).ToString();
  }
};

}  // namespace

TEST_CASE("Projections convert", "[document][reader]") {
  ReaderFixture documents;
  for (const char* value :
       {"1", "9223372036854775808", "1.5", "1.50", "1e400", "-1e400", "\"x\"", "true", "null", "{}",
        "{\"b\":null}", "[]", "[1,null]", "[1.5,2]", "[\"y\",null]", "[false]", "[1,\"z\",[2],null]"})
    documents.Add("{\"a\":" + std::string(value) + "}");
  documents.Add("{}");
  CHECK(documents.Read("a", TypeId::kBigInt) ==
        "1 NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kHugeInt) ==
        "1 9223372036854775808 NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL "
        "NULL");
  CHECK(
      documents.Read("a", TypeId::kDouble) ==
      "1 9.223372036854776e+18 1.5 1.5 Infinity -Infinity NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL "
      "NULL NULL");
  CHECK(documents.Read("a", TypeId::kVarchar) ==
        "NULL NULL NULL NULL NULL NULL x NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kBoolean) ==
        "NULL NULL NULL NULL NULL NULL NULL true NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kJson) ==
        "1 9223372036854775808 1.5 1.50 1e400 -1e400 \"x\" true NULL {} {\"b\":null} [] [1,null] [1.5,2] "
        "[\"y\",null] [false] [1,\"z\",[2],null] NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kBigInt)) ==
        "NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL {} {1,NULL} NULL NULL NULL {1} NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kDouble)) ==
        "NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL {} {1,NULL} {1.5,2} NULL NULL {1} NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kVarchar)) ==
        "NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL {} NULL NULL {y,NULL} NULL {z} NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kBoolean)) ==
        "NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL {} NULL NULL NULL {f} {} NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kJson)) ==
        "NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL {} {1,NULL} {1.5,2} {\"\\\"y\\\"\",NULL} "
        "{false} {1,\"\\\"z\\\"\",[2],NULL} NULL");
  CHECK(documents.Read("", TypeId::kJson).substr(0, 9) == "{\"a\":1} {");
}

TEST_CASE("Steps lead into arrays", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(R"({"a":[1,{"b":"x","c":[2.5,null]},[3,4]]})");
  documents.Add(R"({"a":["s"]})");
  documents.Add(R"({"a":{"d":5}})");
  documents.Add(R"({"b":1})");
  const auto element = [](int64_t index) { return DocumentStep{.index = index, .is_element = true}; };
  const auto member = [](const char* key) { return DocumentStep{.key = key}; };
  CHECK(documents.Read("a", TypeId::kJson, {element(0)}) == R"(1 "s" NULL NULL)");
  CHECK(documents.Read("a", TypeId::kJson, {element(-1)}) == R"([3,4] "s" NULL NULL)");
  CHECK(documents.Read("a", TypeId::kBigInt, {element(0)}) == "1 NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kVarchar, {element(0)}) == "NULL s NULL NULL");
  CHECK(documents.Read("a", TypeId::kVarchar, {element(1), member("b")}) == "x NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kDouble, {element(1), member("c"), element(0)}) == "2.5 NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kJson, {element(1), member("c"), element(1)}) == "NULL NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kJson, {element(1)}) == R"({"b":"x","c":[2.5,null]} NULL NULL NULL)");
  CHECK(documents.Read("a", TypeId::kVarchar, {element(1)}) == "NULL NULL NULL NULL");
  CHECK(documents.Read("a", LogicalType::List(TypeId::kBigInt), {element(2)}) == "{3,4} NULL NULL NULL");
  CHECK(documents.Read("a", TypeId::kBigInt, {member("d")}) == "NULL NULL 5 NULL");
}

TEST_CASE("Objects are read whole", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(R"({"z":0,"o":{"p":1,"q":{"r":[1],"s":{}}}})");
  documents.Add(R"({"o":{"q":{"s":2,"r":3},"p":"x"},"z":1})");
  documents.Add(R"({"o":5})");
  documents.Add(R"({"o":{"p":1,"p":2},"o":{"p":3,"p":4}})");
  documents.Add("{}");
  CHECK(documents.Read("o", TypeId::kJson) ==
        R"({"p":1,"q":{"r":[1],"s":{}}} {"q":{"s":2,"r":3},"p":"x"} 5 {"p":3,"p":4} NULL)");
  CHECK(documents.Read("o.q", TypeId::kJson) == R"({"r":[1],"s":{}} {"s":2,"r":3} NULL NULL NULL)");
  CHECK(documents.Read("o.p", TypeId::kJson) == R"(1 "x" NULL 4 NULL)");
  CHECK(documents.Read("o.p", TypeId::kBigInt) == "1 NULL NULL 4 NULL");
}

TEST_CASE("Paths have types of themselves", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(R"({"n":null,"b":true,"i":1,"h":1,"d":1,"s":"x","o":{"p":1},"e":{},"m":1,"ea":[],"ia":[1],)"
                R"("da":[1],"sa":["x"],"ba":[true],"ja":[[1]],"ma":[1],"on":null,"f":1.50,"oa":{"x":1}})");
  documents.Add(R"({"b":null,"h":9223372036854775808,"d":1.5,"m":"x","ia":[],"da":[1.5],"ma":["x"],)"
                R"("on":{"p":1},"oa":[1]})");
  for (const auto& [path, type] : std::initializer_list<std::pair<const char*, const char*>>{
           {"n", "VARCHAR"}, {"b", "BOOLEAN"},   {"i", "BIGINT"},    {"h", "HUGEINT"},    {"d", "DOUBLE"},
           {"s", "VARCHAR"}, {"o", "JSON"},      {"o.p", "BIGINT"},  {"e", "JSON"},       {"m", "JSON"},
           {"ea", "JSON"},   {"ia", "BIGINT[]"}, {"da", "DOUBLE[]"}, {"sa", "VARCHAR[]"}, {"ba", "BOOLEAN[]"},
           {"ja", "JSON"},   {"ma", "JSON"},     {"on", "JSON"},     {"f", "DOUBLE"},     {"oa", "JSON"}}) {
    CAPTURE(path);
    CHECK(documents.Default(path) == type);
  }
}

TEST_CASE("Vectors of records have any form", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(R"({"a":"a string that is not short","b":1})");
  documents.Add(R"({"a":"short"})");
  documents.Add(R"({"b":2})");
  const auto read = [&](const Vector& records, size_t count) {
    DocumentReader reader(documents.dictionary, {{*documents.dictionary->FindPath("a"), TypeId::kVarchar},
                                                 {*documents.dictionary->FindPath("b"), TypeId::kBigInt},
                                                 {kRootPath, TypeId::kBlob}});
    std::string text;
    Vector a(TypeId::kVarchar), b(TypeId::kBigInt), whole(TypeId::kBlob);
    Vector* const outputs[] = {&a, &b, &whole};
    for (int round = 0; round < 2; round++) {
      for (Vector* const output : outputs) output->Reset();
      reader.Read(records, count, outputs);
      text = Column(a, count) + " | " + Column(b, count);
      for (size_t row = 0; row < count; row++)
        CHECK(whole.GetValue(row).is_null() == records.GetValue(row).is_null());
    }
    return text;
  };
  Vector flat = Records(documents.records);
  flat.MutableData<StringRef>()[3] = StringRef();
  flat.SetNull(3);
  CHECK(read(flat, 4) == "a string that is not short short NULL NULL | 1 NULL 2 NULL");
  for (const bool is_distinct : {false, true}) {
    const auto selection = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < 6; i++) selection->rows[i] = static_cast<sel_t>((i + 1) % 4);
    Vector dictionary(TypeId::kBlob);
    dictionary.ReferenceDictionary(
        {flat.Data<std::byte>(), flat.Validity(), 4, flat.SharedMemory(), is_distinct}, selection);
    CHECK(read(dictionary, 6) ==
          "short NULL NULL a string that is not short short NULL | NULL 2 NULL 1 NULL 2");
  }
  Vector constant(TypeId::kBlob);
  constant.ReferenceValue(flat.GetValue(0));
  CHECK(read(constant, 2) == "a string that is not short a string that is not short | 1 1");
  constant.SetConstantNull();
  CHECK(read(constant, 2) == "NULL NULL | NULL NULL");
}

TEST_CASE("Strings of projections outlive their records", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(R"({"a":"a string that is not short"})");
  DocumentReader reader(documents.dictionary, {{*documents.dictionary->FindPath("a"), TypeId::kVarchar}});
  Vector output(TypeId::kVarchar);
  output.Reset();
  Vector* const outputs[] = {&output};
  {
    const Vector records = Records(documents.records);
    reader.Read(records, 1, outputs);
    CHECK(output.Data<StringRef>()[0].data() >= records.Data<StringRef>()[0].data());
    CHECK(output.Data<StringRef>()[0].data() <
          records.Data<StringRef>()[0].data() + documents.records[0].size());
  }
  Records({std::string(2000, 'x'), std::string(2000, 'y')});
  CHECK(Column(output, 1) == "a string that is not short");
}

TEST_CASE("Many projections and few, of records with many attributes and few", "[document][reader]") {
  ReaderFixture documents;
  std::string all = "{";
  for (int i = 0; i < 1000; i++)
    all += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
  documents.Add(all + "}");
  documents.Add(R"({"k7":8,"k999":1,"k300":2})");
  documents.Add(R"({"k1":-1})");
  for (const size_t step : {1, 10, 300}) {
    std::vector<DocumentProjection> projections;
    std::vector<Vector> columns;
    std::vector<Vector*> outputs;
    for (size_t i = 1000; i-- > 0;) {
      if (i % step != 0) continue;
      projections.push_back({*documents.dictionary->FindPath("k" + std::to_string(i)), TypeId::kBigInt});
      columns.emplace_back(TypeId::kBigInt);
      columns.back().Reset();
    }
    for (Vector& column : columns) outputs.push_back(&column);
    DocumentReader reader(documents.dictionary, projections);
    documents.Parse(R"({"added later":1})");
    reader.Read(Records(documents.records), 3, outputs);
    for (size_t i = 0; i < columns.size(); i++) {
      const size_t key = std::stoull(documents.dictionary->KeyOf(projections[i].path).substr(1));
      const std::string second = key == 7 ? "8" : key == 999 ? "1" : key == 300 ? "2" : "NULL";
      CHECK(Column(columns[i], 3) == std::to_string(key) + " " + second + (key == 1 ? " -1" : " NULL"));
    }
  }
}

TEST_CASE("Damaged records are told", "[document][reader]") {
  ReaderFixture documents;
  documents.Add(
      R"({"s":"text","i":1000,"h":9223372036854775808,"d":1.5,"n":1.50,"t":true,"o":{"x":null,"y":{}}})");
  documents.Add(
      R"({"ia":[1,2],"da":[1.5],"sa":["x","yz"],"ba":[true],"ja":[1,"x",[2]],"e":[],"o":{"y":2,"x":1}})");
  documents.Add(R"({"o":{"x":1},"o":{"x":2},"s":"z"})");
  std::vector<DocumentProjection> projections = {{kRootPath, TypeId::kJson}};
  for (const PathId path : documents.dictionary->AllPaths()) {
    for (const LogicalType& type :
         {LogicalType(TypeId::kJson), LogicalType(TypeId::kVarchar), LogicalType(TypeId::kHugeInt),
          LogicalType(TypeId::kDouble), LogicalType(TypeId::kBoolean), LogicalType::List(TypeId::kJson),
          LogicalType::List(TypeId::kDouble), LogicalType::List(TypeId::kVarchar),
          LogicalType::List(TypeId::kBoolean)})
      projections.push_back({path, type});
    projections.push_back({path, TypeId::kVarchar, {DocumentStep{.index = 1, .is_element = true}}});
    projections.push_back({path, TypeId::kJson, {DocumentStep{.key = "x"}}});
  }
  DocumentReader reader(documents.dictionary, projections);
  std::vector<Vector> columns;
  for (const DocumentProjection& projection : projections) columns.emplace_back(projection.type);
  std::vector<Vector*> outputs;
  for (Vector& column : columns) outputs.push_back(&column);
  size_t told = 0, read = 0;
  const auto check = [&](const std::string& damaged) {
    // In memory of its own, so that a sanitizer sees who reads past the end.
    const std::vector<char> bytes(damaged.begin(), damaged.end());
    Vector records(TypeId::kBlob);
    const StringRef string(bytes.empty() ? "" : bytes.data(), static_cast<uint32_t>(bytes.size()));
    records.ReferenceFlat(reinterpret_cast<const std::byte*>(&string), nullptr, nullptr);
    for (Vector& column : columns) column.Reset();
    try {
      reader.Read(records, 1, outputs);
      read++;
    } catch (const Error& error) {
      CHECK(error.sqlstate() == std::string("XX001"));
      told++;
    }
    std::string text;
    try {
      AppendDocumentText(*documents.dictionary, damaged, text);
      for (const PathId path : documents.dictionary->AllPaths())
        AppendDocumentText(*documents.dictionary, damaged, path, text);
    } catch (const Error& error) {
      CHECK(error.sqlstate() == std::string("XX001"));
    }
  };
  for (const std::string& record : documents.records) {
    for (size_t size = 0; size < record.size(); size++) check(record.substr(0, size));
    for (size_t bit = 0; bit < 8 * record.size(); bit++) {
      std::string damaged = record;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      check(damaged);
    }
    std::minstd_rand random(1);
    for (int round = 0; round < 2000; round++) {
      std::string damaged = record;
      for (int i = 0; i < 3; i++) damaged[random() % damaged.size()] = static_cast<char>(random());
      check(damaged);
    }
  }
  CHECK(told > 1000);
  CHECK(read > 100);
}

}  // namespace scaup
