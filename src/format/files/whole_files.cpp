// Reads whole files, a row each.
#include "format/files/whole_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "common/file/file_system.hpp"
#include "common/file/pipe_file.hpp"
#include "common/throw.hpp"
#include "format/files/file_list.hpp"
#include "function/shared_table_function.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

enum Column : size_t { kName, kContent, kSize, kLastModified };

struct BoundWholeFiles final : BoundTableFunction {
  std::string function;
  std::vector<std::string> paths;
};

/// The next file that no thread has taken.
class WholeFilesScan final : public TableFunctionShared {
 public:
  explicit WholeFilesScan(size_t file_count) : file_count_(file_count) {}
  double Progress() const override {
    if (file_count_ == 0) return 1;
    return std::min(1.0, static_cast<double>(next.load()) / static_cast<double>(file_count_));
  }
  std::atomic<size_t> next{0};

 private:
  const size_t file_count_;
};

std::unique_ptr<TableFunctionShared> MakeShared(const TableFunctionCall& call) {
  return std::make_unique<WholeFilesScan>(static_cast<const BoundWholeFiles&>(call.bound).paths.size());
}

[[noreturn]] void ThrowBadContent(const BoundWholeFiles& bound, const std::string& path, const char* what) {
  ThrowError(ErrorKind::kIo, sqlstate::kProgramLimitExceeded,
             fmt::format("{} could not read \"{}\": it {}", bound.function, path, what));
}

/// Opens a file that knows its size.
std::unique_ptr<File> OpenWhole(const TableFunctionCall& call, const std::string& path) {
  auto file = call.context.files.Open(path, OpenMode::kRead);
  if (dynamic_cast<PipeFile*>(file.get()) != nullptr) {
    ThrowNotSupported(fmt::format(
        "\"{}\" is a pipe, and no file that is read as a whole; read_csv and read_json read pipes", path));
  }
  return file;
}

/// Reads as many bytes as the file says that it has.
void ReadContent(const BoundWholeFiles& bound, const std::string& path, File& file, Vector& output) {
  const uint64_t size = file.Size();
  if (size > UINT32_MAX) ThrowBadContent(bound, path, "is longer than 4 GiB");
  char* const bytes = output.AllocateString(static_cast<size_t>(size));
  const size_t read = file.Read(0, bytes, static_cast<size_t>(size));
  if (output.type().id() == TypeId::kVarchar && !IsText({bytes, read})) {
    ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire,
               fmt::format("{} could not read \"{}\": it is not text in UTF-8; read_blob reads any bytes",
                           bound.function, path));
  }
  output.MutableData<StringRef>()[0] = StringRef(bytes, static_cast<uint32_t>(read));
}

void ReadColumn(const TableFunctionCall& call, const std::string& path, Column column, Vector& output) {
  const auto& bound = static_cast<const BoundWholeFiles&>(call.bound);
  FileSystem& files = call.context.files;
  output.Reset();
  output.AccountStrings(&call.context.memory);
  switch (column) {
    case kName: output.MutableData<StringRef>()[0] = output.AddString(path); break;
    case kContent: ReadContent(bound, path, *OpenWhole(call, path), output); break;
    case kSize: output.MutableData<int64_t>()[0] = static_cast<int64_t>(OpenWhole(call, path)->Size()); break;
    case kLastModified:
      if (const auto micros = files.ModifiedMicros(path)) {
        output.MutableData<int64_t>()[0] = *micros;
      } else {
        output.SetNull(0);
      }
      break;
  }
}

void NextFile(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal&,
              DataChunk& output) {
  const auto& bound = static_cast<const BoundWholeFiles&>(call.bound);
  const size_t index = static_cast<WholeFilesScan&>(shared).next.fetch_add(1);
  if (index >= bound.paths.size()) return;
  call.context.CheckInterrupt();
  for (size_t i = 0; i < call.columns.size(); i++)
    ReadColumn(call, bound.paths[index], static_cast<Column>(call.columns[i]), output.column(i));
  output.SetSize(1);
  output.batch_index = index;
}

std::unique_ptr<BoundTableFunction> Bind(const FunctionContext& context, const std::string& function,
                                         LogicalType content, const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundWholeFiles>();
  bound->function = function;
  bound->paths = FindFiles(context, function, arguments.positional.at(0));
  bound->column_names = {"filename", "content", "size", "last_modified"};
  bound->column_types = {TypeId::kVarchar, std::move(content), TypeId::kBigInt, TypeId::kTimestampTz};
  bound->estimated_row_count = bound->paths.size();
  return bound;
}

std::unique_ptr<BoundTableFunction> BindText(const FunctionContext& context,
                                             const TableFunctionArguments& arguments) {
  return Bind(context, "read_text", TypeId::kVarchar, arguments);
}

std::unique_ptr<BoundTableFunction> BindBlob(const FunctionContext& context,
                                             const TableFunctionArguments& arguments) {
  return Bind(context, "read_blob", TypeId::kBlob, arguments);
}

std::unique_ptr<BoundTableFunction> BindGlob(const FunctionContext& context,
                                             const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundWholeFiles>();
  bound->function = "glob";
  bound->paths = FindFiles(context, "glob", arguments.positional.at(0), MissingFiles::kIgnore);
  bound->column_names = {"file"};
  bound->column_types = {TypeId::kVarchar};
  bound->estimated_row_count = bound->paths.size();
  return bound;
}

TableFunction MakeFunction(const TableFunctionWords& words, BindTableFunction bind) {
  return MakeSharedTableFunction(words, {TypeId::kNull}, bind, MakeShared, NextFile);
}

}  // namespace

TableFunction MakeReadText() {
  return MakeFunction(
      {"read_text", "Files as texts: name, content, size and time of the last change of each.",
       "SELECT filename, content FROM read_text('notes/*.md')"},
      BindText);
}

TableFunction MakeReadBlob() {
  return MakeFunction(
      {"read_blob", "Files as bytes: name, content, size and time of the last change of each.",
       "SELECT filename, size FROM read_blob(['a.png', 'b.png'])"},
      BindBlob);
}

TableFunction MakeGlob() {
  return MakeFunction({"glob", "The paths of files that match a pattern of *, ** and ?, sorted.",
                       "SELECT file FROM glob('data/**/*.parquet')"},
                      BindGlob);
}

}  // namespace scaup
