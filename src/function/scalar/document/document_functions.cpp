// Makes, reads and changes records of documents, vector by vector.
#include "function/scalar/document/document_functions.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "common/memory/object_pool.hpp"
#include "common/throw.hpp"
#include "document/document_change.hpp"
#include "document/document_parser.hpp"

namespace scaup {

namespace {

/// Function data with a pool of objects. FunctionData is immutable except for the pool, which is thread-safe.
template <typename T>
class Pooled : public FunctionData {
 public:
  ObjectPool<T>& pool() const { return pool_; }

 private:
  mutable ObjectPool<T> pool_;
};

struct RecordData final : Pooled<DocumentParser> {
  std::shared_ptr<AttributeDictionary> dictionary;
};

void MakeRecords(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const RecordData&>(*call.data);
  std::unique_ptr<DocumentParser> parser =
      data.pool().Take([&] { return std::make_unique<DocumentParser>(data.dictionary); });
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  auto* records = result.MutableData<StringRef>();
  std::string record;
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    record.clear();
    AppendRecord(*parser, texts[row].view(), record);
    records[row] = result.AddString(record);
  }
  data.pool().GiveBack(std::move(parser));
}

/// A reader, and the number of attributes that it knows.
struct KnowingReader {
  KnowingReader(const DocumentExtraction& extraction, size_t known_in)
      : reader(extraction.dictionary, {extraction.projection}), known(known_in) {}
  DocumentReader reader;
  size_t known;
};

struct ExtractData final : DocumentExtraction {
  using DocumentExtraction::DocumentExtraction;
  mutable ObjectPool<KnowingReader> pool;
};

void Extract(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const ExtractData&>(*call.data);
  const size_t known = data.dictionary->attribute_count();
  const auto make = [&] { return std::make_unique<KnowingReader>(data, known); };
  std::unique_ptr<KnowingReader> reader = data.pool.Take(make);
  // The statement itself may add attributes between two calls.
  if (reader->known < known) reader = make();
  Vector* const outputs[] = {&result};
  reader->reader.Read(arguments.column(0), arguments.size(), outputs);
  data.pool.GiveBack(std::move(reader));
}

struct ChangeData final : Pooled<DocumentChange> {
  std::shared_ptr<AttributeDictionary> dictionary;
  std::vector<PathId> paths;
};

void Change(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const ChangeData&>(*call.data);
  std::unique_ptr<DocumentChange> change =
      data.pool().Take([&] { return std::make_unique<DocumentChange>(data.dictionary, data.paths); });
  const size_t count = arguments.size();
  const auto records = arguments.column(0).ViewAs<StringRef>(count);
  std::vector<TypedView<StringRef>> texts;
  for (size_t i = 1; i < arguments.column_count(); i++)
    texts.push_back(arguments.column(i).ViewAs<StringRef>(count));
  std::vector<std::optional<std::string_view>> values(texts.size());
  auto* changed = result.MutableData<StringRef>();
  std::string record;
  for (size_t row = 0; row < count; row++) {
    if (!records.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    for (size_t i = 0; i < texts.size(); i++) {
      values[i].reset();
      if (texts[i].IsValid(row)) values[i] = texts[i][row].view();
    }
    record.clear();
    change->Apply(records[row].view(), values, record);
    changed[row] = result.AddString(record);
  }
  data.pool().GiveBack(std::move(change));
}

ScalarFunction MakeFunction(std::string name, std::vector<LogicalType> arguments, LogicalType result,
                            ScalarKernel kernel) {
  ScalarFunction function;
  function.name = std::move(name);
  function.argument_types = std::move(arguments);
  function.return_type = std::move(result);
  function.kernel = kernel;
  return function;
}

}  // namespace

void AppendRecord(DocumentParser& parser, std::string_view text, std::string& record) {
  JsonFault fault;
  if (parser.Parse(text, record, fault)) return;
  // Valid JSON that is not a document, or contains what documents cannot hold, gets a specific message.
  if (!IsJsonText(text)) ThrowJsonError(text, false);
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             fmt::format("not a document: {} (byte {})", fault.reason, fault.offset + 1));
}

ResolvedScalar DocumentRecordFunction(std::shared_ptr<AttributeDictionary> dictionary) {
  ScalarFunction function = MakeFunction("document_record", {TypeId::kJson}, TypeId::kBlob, &MakeRecords);
  // It adds to the dictionary, so it must run at execution time and only for the statement's rows.
  function.volatility = Volatility::kVolatile;
  auto data = std::make_unique<RecordData>();
  data->dictionary = std::move(dictionary);
  return {std::move(function), std::move(data)};
}

ResolvedScalar DocumentExtractFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                       DocumentProjection projection) {
  ScalarFunction function =
      MakeFunction("document_extract", {TypeId::kBlob, TypeId::kVarchar}, projection.type, &Extract);
  auto data = std::make_unique<ExtractData>(std::move(dictionary), std::move(projection));
  return {std::move(function), std::move(data)};
}

ResolvedScalar DocumentChangeFunction(std::shared_ptr<AttributeDictionary> dictionary,
                                      std::vector<PathId> paths) {
  std::vector<LogicalType> arguments(1 + paths.size(), TypeId::kJson);
  arguments[0] = TypeId::kBlob;
  ScalarFunction function = MakeFunction("document_change", std::move(arguments), TypeId::kBlob, &Change);
  function.nulls = NullHandling::kSpecial;
  function.volatility = Volatility::kVolatile;
  auto data = std::make_unique<ChangeData>();
  data->dictionary = std::move(dictionary);
  data->paths = std::move(paths);
  return {std::move(function), std::move(data)};
}

}  // namespace scaup
