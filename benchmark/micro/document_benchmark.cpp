// How fast documents become records, records become text, and paths become columns: documents like NoBench's.
#include <benchmark/benchmark.h>

#include <random>

#include "document/document_change.hpp"
#include "document/document_parser.hpp"
#include "document/document_projection.hpp"
#include "document/document_text.hpp"

namespace scaup {
namespace {

/// Ten keys that all have, one that changes its type, and ten of a thousand sparse ones.
std::string MakeDocument(std::minstd_rand& random) {
  const auto text = [&] {
    static const char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    std::string word;
    for (int i = 0; i < 24; i++) word += kLetters[random() % 32];
    return word + "======";
  };
  const auto string = [&] { return '"' + text() + '"'; };
  std::string document = "{\"str1\":" + string() + ",\"str2\":" + string();
  document += ",\"num\":" + std::to_string(random() % 1000000);
  document += std::string(",\"bool\":") + (random() % 2 == 0 ? "true" : "false");
  document += ",\"dyn1\":" + (random() % 2 == 0 ? std::to_string(random() % 1000000) : string());
  document += ",\"dyn2\":" + (random() % 2 == 0 ? std::to_string(random() % 1000000) : string());
  document += ",\"nested_arr\":[";
  for (size_t i = random() % 8; i > 0; i--) document += string() + (i > 1 ? "," : "");
  document +=
      "],\"nested_obj\":{\"str\":" + string() + ",\"num\":" + std::to_string(random() % 1000000) + "}";
  const unsigned group = random() % 100;
  for (unsigned i = 0; i < 10; i++) {
    const std::string number = std::to_string(1000 + group * 10 + i).substr(1);
    document += ",\"sparse_" + number + "\":" + string();
  }
  return document + ",\"thousandth\":" + std::to_string(random() % 1000) + "}";
}

struct Documents {
  std::vector<std::string> texts;
  size_t size_bytes = 0;
  std::shared_ptr<AttributeDictionary> dictionary = std::make_shared<AttributeDictionary>();
  std::vector<std::string> records;

  Documents() {
    std::minstd_rand random(1);
    DocumentParser parser(dictionary);
    JsonFault fault;
    for (size_t i = 0; i < kVectorSize; i++) {
      texts.push_back(MakeDocument(random));
      size_bytes += texts.back().size();
      parser.Parse(texts.back(), records.emplace_back(), fault);
    }
  }
  Vector RecordVector() const {
    Vector vector(TypeId::kBlob);
    vector.Reset();
    for (size_t row = 0; row < records.size(); row++)
      vector.MutableData<StringRef>()[row] = vector.AddString(records[row]);
    return vector;
  }
  PathId Path(std::string_view name) const { return dictionary->FindPath(name).value(); }
};

const Documents& TheDocuments() {
  static const Documents documents;
  return documents;
}

void ParseDocuments(benchmark::State& state) {
  const Documents& documents = TheDocuments();
  DocumentParser parser(documents.dictionary);
  JsonFault fault;
  std::string record;
  for (auto _ : state) {
    for (const std::string& text : documents.texts) {
      record.clear();
      benchmark::DoNotOptimize(parser.Parse(text, record, fault));
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * documents.size_bytes));
}

void DocumentsToText(benchmark::State& state) {
  const Documents& documents = TheDocuments();
  std::string text;
  for (auto _ : state) {
    for (const std::string& record : documents.records) {
      text.clear();
      AppendDocumentText(*documents.dictionary, record, text);
      benchmark::DoNotOptimize(text.data());
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * documents.size_bytes));
}

void ReadProjections(benchmark::State& state,
                     const std::vector<std::pair<const char*, LogicalType>>& columns) {
  const Documents& documents = TheDocuments();
  std::vector<DocumentProjection> projections;
  std::vector<Vector> vectors;
  std::vector<Vector*> outputs;
  for (const auto& [name, type] : columns) {
    projections.push_back({documents.Path(name), type});
    vectors.emplace_back(type);
  }
  for (Vector& vector : vectors) outputs.push_back(&vector);
  DocumentReader reader(documents.dictionary, projections);
  const Vector records = documents.RecordVector();
  for (auto _ : state) {
    for (Vector& vector : vectors) vector.Reset();
    reader.Read(records, kVectorSize, outputs);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kVectorSize * columns.size()));
}

void ChangeDocuments(benchmark::State& state) {
  const Documents& documents = TheDocuments();
  DocumentChange change(documents.dictionary, {documents.Path("num"), documents.Path("nested_obj.str")});
  const std::optional<std::string_view> values[] = {"5", "\"a new string\""};
  std::string changed;
  for (auto _ : state) {
    for (const std::string& record : documents.records) {
      changed.clear();
      change.Apply(record, values, changed);
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kVectorSize));
}

BENCHMARK(ParseDocuments);
BENCHMARK(DocumentsToText);
BENCHMARK(ChangeDocuments);
BENCHMARK_CAPTURE(ReadProjections, one_integer, {{"num", TypeId::kBigInt}});
BENCHMARK_CAPTURE(ReadProjections, one_sparse, {{"sparse_110", TypeId::kVarchar}});
BENCHMARK_CAPTURE(ReadProjections, mixed_types, {{"dyn1", TypeId::kDouble}});
BENCHMARK_CAPTURE(ReadProjections, an_array, {{"nested_arr", LogicalType::List(TypeId::kVarchar)}});
BENCHMARK_CAPTURE(ReadProjections, an_object, {{"nested_obj", TypeId::kJson}});
BENCHMARK_CAPTURE(ReadProjections, eight_columns,
                  {{"str1", TypeId::kVarchar},
                   {"str2", TypeId::kVarchar},
                   {"num", TypeId::kBigInt},
                   {"bool", TypeId::kBoolean},
                   {"nested_obj.str", TypeId::kVarchar},
                   {"nested_obj.num", TypeId::kBigInt},
                   {"thousandth", TypeId::kBigInt},
                   {"sparse_110", TypeId::kVarchar}});

}  // namespace
}  // namespace scaup
