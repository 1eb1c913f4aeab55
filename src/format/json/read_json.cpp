// Binds JSON files by examining the beginning of each.
#include "format/json/read_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "format/files/file_list.hpp"
#include "format/json/json_scan.hpp"
#include "format/json/json_type_guess.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

constexpr size_t kHeadBytes = 64 << 10;
constexpr uint64_t kUsualDocumentBytes = 300;

JsonFile LookAt(const FunctionContext& context, const std::string& path, const JsonOptions& options) {
  JsonFile file;
  file.text = LookAtTextFile(context, path, options.compression, options.encoding);
  std::string head = ReadTextHead(context, file.text, kHeadBytes);
  const size_t size = head.size();
  head.resize(size + kTextPadding);
  size_t begin = 0;
  file.layout = DetectJsonLayout(std::string_view(head).substr(0, size), size < kHeadBytes, begin);
  if (options.newline_delimited == true && file.layout == JsonLayout::kArray) begin--;
  if (options.newline_delimited == true) file.layout = JsonLayout::kLines;
  if (options.newline_delimited == false && file.layout == JsonLayout::kLines)
    file.layout = JsonLayout::kValues;
  file.text.data_begin = begin;
  return file;
}

/// Makes the relation: the same columns of documents in each file, and those of the files' names.
void Unite(const std::vector<std::string>& paths, const FileRelationOptions& relation,
           const std::vector<std::string>& names, const std::vector<LogicalType>& types, BoundJson& bound) {
  bound.column_names.clear();
  bound.column_types.clear();
  std::vector<StoredFile> stored;
  for (const std::string& path : paths) stored.push_back({path, names, types});
  UniteFiles(stored, relation, bound);
}

std::unique_ptr<BoundTableFunction> BindTexts(const FunctionContext& context, const char* function,
                                              const char* column, const TableFunctionArguments& arguments) {
  FileRelationOptions relation;
  const JsonOptions options = ParseJsonOptions(TakeRelationOptions(arguments, relation), JsonUse::kRead);
  const std::vector<std::string> paths = FindFiles(context, function, arguments.positional.at(0));
  auto bound = BindJson(context, paths, options);
  Unite(paths, relation, {column}, {TypeId::kJson}, *bound);
  return bound;
}

std::unique_ptr<BoundTableFunction> BindReadJsonDocuments(const FunctionContext& context,
                                                          const TableFunctionArguments& arguments) {
  return BindTexts(context, "read_json_documents", "document", arguments);
}

std::unique_ptr<BoundTableFunction> BindReadJsonObjects(const FunctionContext& context,
                                                        const TableFunctionArguments& arguments) {
  return BindTexts(context, "read_json_objects", "json", arguments);
}

/// Adds a document, unless a name in it is one that no SQL text can hold.
void AddDocument(const JsonTokens& document, JsonTypeGuess& guess) {
  try {
    guess.Add(document, JsonTokens::kRoot);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kConversion) throw;
  }
}

/// Adds documents of the files until there are as many as wanted. Those that are not JSON are reported when
/// all are read.
void AddSample(const FunctionContext& context, std::span<const JsonFile> files, const JsonOptions& options,
               JsonTypeGuess& guess) {
  constexpr size_t kSampleChunk = size_t{1} << 20;
  const auto most = options.sample_size < 0 ? UINT64_MAX : static_cast<uint64_t>(options.sample_size);
  JsonSource source(context, files, kSampleChunk, true);
  JsonChunk chunk;
  JsonSpan span;
  JsonTokens tokens;
  uint64_t count = 0;
  while (count < most && source.Next(chunk)) {
    context.CheckInterrupt();
    while (count < most && chunk.Next(span)) {
      const std::string_view document(chunk.buffer->data() + span.begin, span.end - span.begin);
      count++;
      if (tokens.Parse(document)) AddDocument(tokens, guess);
    }
    chunk = JsonChunk();
  }
}

/// Finds out the columns of read_json: those of the first documents, or with union_by_name of the first ones
/// of each file.
void FindColumns(const FunctionContext& context, const JsonOptions& options, bool from_each_file,
                 BoundJson& bound, std::vector<LogicalType>& types) {
  JsonTypeGuess guess;
  if (from_each_file) {
    for (const JsonFile& file : bound.files) AddSample(context, std::span(&file, 1), options, guess);
  } else {
    AddSample(context, bound.files, options, guess);
  }
  if (options.most_depth != 0 && options.records.value_or(guess.are_objects())) {
    for (const auto& [key, member] : guess.members()) {
      if (key.empty()) continue;  // is no name in SQL
      bound.keys.push_back(key);
      types.push_back(member->Type(options.most_depth - 1));
    }
  }
  if (!bound.keys.empty()) return;
  bound.output = JsonOutput::kValues;
  bound.keys = {"json"};
  types = {guess.Type(options.most_depth)};
}

std::unique_ptr<BoundTableFunction> BindReadJson(const FunctionContext& context,
                                                 const TableFunctionArguments& arguments) {
  FileRelationOptions relation;
  const JsonOptions options =
      ParseJsonOptions(TakeRelationOptions(arguments, relation), JsonUse::kReadColumns);
  const std::vector<std::string> paths = FindFiles(context, "read_json", arguments.positional.at(0));
  auto bound = BindJson(context, paths, options);
  bound->output = JsonOutput::kColumns;
  bound->ignore_unknown_keys = true;
  std::vector<LogicalType> types;
  if (options.columns.empty()) {
    FindColumns(context, options, relation.union_by_name, *bound, types);
  } else if (options.records == false) {
    bound->output = JsonOutput::kValues;
  }
  for (const auto& [name, type] : options.columns) {
    bound->keys.push_back(name);
    types.push_back(type);
  }
  if (bound->output == JsonOutput::kValues && types.size() != 1)
    ThrowBadOption("columns", "a single column, as records => false makes one of each value",
                   fmt::format("{} columns", types.size()));
  Unite(paths, relation, bound->keys, types, *bound);
  return bound;
}

}  // namespace

std::unique_ptr<BoundJson> BindJson(const FunctionContext& context, const std::vector<std::string>& paths,
                                    const JsonOptions& options) {
  auto bound = std::make_unique<BoundJson>();
  uint64_t bytes = 0;
  for (const std::string& path : paths) {
    context.CheckInterrupt();
    bound->files.push_back(LookAt(context, path, options));
    const TextFile& text = bound->files.back().text;
    bytes += static_cast<uint64_t>(static_cast<double>(text.size_bytes) * text.TextShare());
  }
  bound->column_names = {"document"};
  bound->column_types = {TypeId::kJson};
  bound->estimated_row_count = bytes / kUsualDocumentBytes + 1;
  bound->ignore_errors = options.ignore_errors;
  bound->ignore_unknown_keys = options.ignore_unknown_keys;
  bound->chunk_bytes = options.chunk_bytes;
  return bound;
}

namespace {

TableFunction MakeFunction(const char* name, JsonUse use) {
  TableFunction function;
  function.name = name;
  function.argument_types = {TypeId::kNull};
  function.named_arguments = JsonReadOptionTypes(use);
  for (const auto& [argument, type] : TextRelationArguments())
    function.named_arguments.emplace(argument, type);
  function.create_shared = CreateJsonShared;
  function.create_local = CreateJsonLocal;
  function.next = NextJsonChunk;
  return function;
}

}  // namespace

TableFunction MakeReadJsonDocuments() {
  TableFunction function = MakeFunction("read_json_documents", JsonUse::kRead);
  function.description =
      "The text of each value in JSON files: lines of JSON, values one behind the other, or one array.";
  function.example = "SELECT document ->> 'name' FROM read_json_documents('data/*.jsonl')";
  function.bind = BindReadJsonDocuments;
  return function;
}

TableFunction MakeReadJsonObjects() {
  TableFunction function = MakeReadJsonDocuments();
  function.name = "read_json_objects";
  function.description = "The same as read_json_documents with a column named json, as in DuckDB.";
  function.example = "SELECT json ->> 'name' FROM read_json_objects('data/*.jsonl')";
  function.bind = BindReadJsonObjects;
  return function;
}

TableFunction MakeReadJson() {
  TableFunction function = MakeFunction("read_json", JsonUse::kReadColumns);
  function.description =
      "The members of the objects in JSON files as columns, with types, lists and structs that are found "
      "out.";
  function.example = "SELECT * FROM read_json('data/*.jsonl', filename => true)";
  function.bind = BindReadJson;
  return function;
}

}  // namespace scaup
