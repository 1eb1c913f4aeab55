// Binds CSV files by examining the beginning of each.
#include "format/csv/read_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "format/csv/csv_scan.hpp"
#include "format/csv/csv_sniffer.hpp"

namespace scaup {
namespace {

constexpr size_t kFirstHeadBytes = 256 << 10;
constexpr size_t kLargestHeadBytes = 64 << 20;
constexpr double kUsualGzipRatio = 4;

/// The beginning of a file, long enough for the wanted number of rows.
struct Head {
  std::string text;
  bool is_whole = false;
};

Head ReadHead(const FunctionContext& context, const TextFile& file, const CsvOptions& options) {
  const bool all = options.sample_size < 0;
  const bool needs_types = !options.columns_are_exact && !options.all_varchar;
  const uint64_t lines =
      options.skip + 2 + (needs_types && !all ? static_cast<uint64_t>(options.sample_size) : 1000);
  MemoryReservation memory(context.memory);
  Head head;
  for (size_t wanted = kFirstHeadBytes;; wanted *= 2) {
    context.CheckInterrupt();
    memory.Resize(wanted);
    head.text = ReadTextHead(context.files, file.path, file.is_gzip, wanted);
    head.is_whole = head.text.size() < wanted;
    if (head.is_whole || (!(all && needs_types) && wanted >= kLargestHeadBytes)) return head;
    const auto line_ends =
        std::count_if(head.text.begin(), head.text.end(), [](char c) { return c == '\n' || c == '\r'; });
    if (!(all && needs_types) && static_cast<uint64_t>(line_ends) >= lines) return head;
  }
}

[[noreturn]] void ThrowDifferent(const std::string& path, const std::string& first_path,
                                 const std::string& what) {
  ThrowError(
      ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
      fmt::format("could not read \"{}\": it {} as \"{}\", which was read first", path, what, first_path));
}

/// Checks that a further file has the columns of the first, and finds where its rows begin.
void BindFurtherFile(const FunctionContext& context, const std::string& first_path, const CsvSniffed& sniffed,
                     const std::vector<std::string>& header, const CsvOptions& options, TextFile& file) {
  CsvOptions head_options = options;
  head_options.all_varchar = true;  // a few rows suffice
  const Head head = ReadHead(context, file, head_options);
  const size_t begin = CsvTextBegin(head.text, options.skip, sniffed.dialect.newline);
  file.data_begin = begin;
  CsvRowReader reader(sniffed.dialect, std::string_view(head.text).substr(begin), head.is_whole);
  std::vector<CsvField> row;
  do {
    if (!reader.Next(row)) return;
  } while (row.size() == 1 && row[0].text.empty());
  if (row.size() != sniffed.names.size())
    ThrowDifferent(file.path, first_path, "does not have the same number of columns");
  if (!sniffed.has_header) return;
  for (size_t i = 0; i < row.size(); i++) {
    if (row[i].text != header[i]) ThrowDifferent(file.path, first_path, "does not have the same header");
  }
  file.data_begin = begin + reader.position();
}

std::vector<std::string> HeaderOf(const Head& head, const CsvSniffed& sniffed, const CsvOptions& options) {
  const size_t begin = CsvTextBegin(head.text, options.skip, sniffed.dialect.newline);
  CsvRowReader reader(sniffed.dialect, std::string_view(head.text).substr(begin), head.is_whole);
  std::vector<std::string> names;
  std::vector<CsvField> row;
  while (reader.Next(row) && row.size() == 1 && row[0].text.empty()) {
  }
  for (const CsvField& field : row) names.push_back(field.text);
  names.resize(sniffed.names.size());
  return names;
}

void Estimate(const CsvSniffed& sniffed, BoundCsv& bound) {
  double rows = 0;
  for (const TextFile& file : bound.files) {
    if (sniffed.bytes_per_row > 0) {
      rows +=
          static_cast<double>(file.size_bytes) * (file.is_gzip ? kUsualGzipRatio : 1) / sniffed.bytes_per_row;
    }
  }
  bound.estimated_row_count = static_cast<uint64_t>(rows);
}

std::unique_ptr<BoundTableFunction> BindReadCsv(const FunctionContext& context,
                                                const TableFunctionArguments& arguments) {
  const std::vector<std::pair<std::string, Value>> named(arguments.named.begin(), arguments.named.end());
  const CsvOptions options = ParseCsvOptions(named, CsvUse::kRead);
  const Value& path = arguments.positional.at(0);
  if (path.is_null())
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue, "the path of read_csv must not be NULL");
  return BindCsv(context, path.GetString(), options);
}

}  // namespace

std::unique_ptr<BoundTableFunction> BindCsv(const FunctionContext& context, const std::string& path_or_glob,
                                            const CsvOptions& options) {
  const std::vector<std::string> paths = context.files.Glob(path_or_glob);
  if (paths.empty()) {
    ThrowError(ErrorKind::kIo, sqlstate::kUndefinedFile, fmt::format("no file matches \"{}\"", path_or_glob));
  }
  auto bound = std::make_unique<BoundCsv>();
  for (const std::string& path : paths)
    bound->files.push_back(LookAtTextFile(context.files, path, options.compression));
  // The first file that is not empty determines the dialect.
  const auto first = std::find_if(bound->files.begin(), bound->files.end(),
                                  [](const TextFile& file) { return file.size_bytes != 0; });
  TextFile& model = first == bound->files.end() ? bound->files.front() : *first;
  const Head head = ReadHead(context, model, options);
  const CsvSniffed sniffed = SniffCsv(head.text, head.is_whole, options);
  model.data_begin = sniffed.data_begin;
  const std::vector<std::string> header = HeaderOf(head, sniffed, options);
  for (TextFile& file : bound->files) {
    context.CheckInterrupt();
    if (&file != &model) BindFurtherFile(context, model.path, sniffed, header, options, file);
  }

  bound->column_names = sniffed.names;
  bound->column_types = sniffed.types;
  bound->conversion.dialect = sniffed.dialect;
  bound->conversion.null_strings = options.null_strings;
  if (options.date_format) bound->conversion.date_format.emplace(*options.date_format);
  if (options.timestamp_format) bound->conversion.timestamp_format.emplace(*options.timestamp_format);
  bound->conversion.time_zone = context.time_zone;
  bound->ignore_errors = options.ignore_errors;
  bound->chunk_bytes = options.chunk_bytes;
  Estimate(sniffed, *bound);
  return bound;
}

bool LooksLikeCsvPath(std::string_view path) {
  if (PathEndsWith(path, ".gz")) path.remove_suffix(3);
  return PathEndsWith(path, ".csv") || PathEndsWith(path, ".tsv") || PathEndsWith(path, ".tbl") ||
         PathEndsWith(path, ".txt");
}

TableFunction MakeReadCsv() {
  TableFunction function;
  function.name = "read_csv";
  function.argument_types = {TypeId::kVarchar};
  for (const auto& [name, type] : CsvReadOptionTypes()) function.named_arguments.emplace(name, type);
  function.description =
      "The rows of CSV files; delimiter, header and types are found out unless options give them.";
  function.example = "SELECT * FROM read_csv('data/*.csv', header => true)";
  function.bind = BindReadCsv;
  function.create_shared = CreateCsvShared;
  function.create_local = CreateCsvLocal;
  function.next = NextCsvChunk;
  return function;
}

}  // namespace scaup
