// Binds JSON files by examining the beginning of each.
#include "format/json/read_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "format/json/json_scan.hpp"

namespace scaup {

namespace {

constexpr size_t kHeadBytes = 64 << 10;
constexpr uint64_t kUsualDocumentBytes = 300;

JsonFile LookAt(const FunctionContext& context, const std::string& path, const JsonOptions& options) {
  JsonFile file;
  file.text = LookAtTextFile(context.files, path, options.compression);
  std::string head = ReadTextHead(context.files, path, file.text.is_gzip, kHeadBytes);
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

std::unique_ptr<BoundTableFunction> BindReadJsonDocuments(const FunctionContext& context,
                                                          const TableFunctionArguments& arguments) {
  const std::vector<std::pair<std::string, Value>> named(arguments.named.begin(), arguments.named.end());
  const JsonOptions options = ParseJsonOptions(named, JsonUse::kRead);
  const Value& path = arguments.positional.at(0);
  if (path.is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the path of read_json_documents must not be NULL");
  }
  return BindJson(context, path.GetString(), options);
}

}  // namespace

std::unique_ptr<BoundJson> BindJson(const FunctionContext& context, const std::string& path_or_glob,
                                    const JsonOptions& options) {
  const std::vector<std::string> paths = context.files.Glob(path_or_glob);
  if (paths.empty()) {
    ThrowError(ErrorKind::kIo, sqlstate::kUndefinedFile, fmt::format("no file matches \"{}\"", path_or_glob));
  }
  auto bound = std::make_unique<BoundJson>();
  uint64_t bytes = 0;
  for (const std::string& path : paths) {
    context.CheckInterrupt();
    bound->files.push_back(LookAt(context, path, options));
    bytes += bound->files.back().text.size_bytes;
  }
  bound->column_names = {"document"};
  bound->column_types = {TypeId::kJson};
  bound->estimated_row_count = bytes / kUsualDocumentBytes + 1;
  bound->ignore_errors = options.ignore_errors;
  bound->ignore_unknown_keys = options.ignore_unknown_keys;
  bound->chunk_bytes = options.chunk_bytes;
  return bound;
}

TableFunction MakeReadJsonDocuments() {
  TableFunction function;
  function.name = "read_json_documents";
  function.argument_types = {TypeId::kVarchar};
  function.named_arguments = JsonReadOptionTypes();
  function.description =
      "The text of each value in JSON files: lines of JSON, values one behind the other, or one array.";
  function.example = "SELECT document ->> 'name' FROM read_json_documents('data/*.jsonl')";
  function.bind = BindReadJsonDocuments;
  function.create_shared = CreateJsonShared;
  function.create_local = CreateJsonLocal;
  function.next = NextJsonChunk;
  return function;
}

}  // namespace scaup
