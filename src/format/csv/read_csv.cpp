// Binds CSV files by examining the beginning of each.
#include "format/csv/read_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/check.hpp"
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

/// Options for a further file: the dialect is that of the first one, and so is whether there is a header.
CsvOptions FurtherOptions(const CsvOptions& options, const CsvSniffed& first, bool needs_types) {
  CsvOptions further = options;
  further.delimiter = first.dialect.delimiter;
  further.quote = first.dialect.quote;
  further.escape = first.dialect.escape;
  further.header = first.has_header;
  // Without types, a few rows suffice.
  if (!needs_types) further.all_varchar = true;
  return further;
}

/// The columns of a further file, and where its rows begin. One without rows has those of the first.
StoredFile BindFurtherFile(const FunctionContext& context, const StoredFile& first, const CsvSniffed& sniffed,
                           const CsvOptions& options, TextFile& file) {
  const Head head = ReadHead(context, file, options);
  const CsvSniffed further = SniffCsv(head.text, head.is_whole, options);
  file.data_begin = further.data_begin;
  if (head.text.find_first_not_of("\r\n") == std::string::npos) return {file.path, first.names, first.types};
  if (!sniffed.has_header && further.names.size() != first.names.size()) {
    ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
               fmt::format("could not read \"{}\": it does not have the same number of columns as \"{}\", "
                           "which was read first",
                           file.path, first.path));
  }
  return {file.path, further.names, further.types};
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
  FileRelationOptions relation;
  const CsvOptions options = ParseCsvOptions(TakeRelationOptions(arguments, relation), CsvUse::kRead);
  return BindCsv(context, FindFiles(context, "read_csv", arguments.positional.at(0)), options, relation);
}

/// The first file that is not empty, which determines the dialect.
size_t FindModel(const std::vector<TextFile>& files) {
  const auto found = std::ranges::find_if(files, [](const TextFile& file) { return file.size_bytes != 0; });
  return found == files.end() ? 0 : static_cast<size_t>(found - files.begin());
}

void SetConversion(const FunctionContext& context, const CsvOptions& options, const CsvDialect& dialect,
                   BoundCsv& bound) {
  bound.conversion.dialect = dialect;
  bound.conversion.null_strings = options.null_strings;
  if (options.date_format) bound.conversion.date_format.emplace(*options.date_format);
  if (options.timestamp_format) bound.conversion.timestamp_format.emplace(*options.timestamp_format);
  bound.conversion.time_zone = context.time_zone;
  bound.ignore_errors = options.ignore_errors;
  bound.chunk_bytes = options.chunk_bytes;
}

}  // namespace

std::unique_ptr<BoundTableFunction> BindCsv(const FunctionContext& context,
                                            const std::vector<std::string>& paths, const CsvOptions& options,
                                            FileRelationOptions relation) {
  SCAUP_CHECK(!paths.empty());
  auto bound = std::make_unique<BoundCsv>();
  for (const std::string& path : paths)
    bound->files.push_back(LookAtTextFile(context.files, path, options.compression));
  const size_t model = FindModel(bound->files);
  const Head head = ReadHead(context, bound->files[model], options);
  const CsvSniffed sniffed = SniffCsv(head.text, head.is_whole, options);
  bound->files[model].data_begin = sniffed.data_begin;
  const StoredFile first = {bound->files[model].path, sniffed.names, sniffed.types};
  const CsvOptions further = FurtherOptions(options, sniffed, relation.union_by_name);
  std::vector<StoredFile> stored;
  for (size_t i = 0; i < paths.size(); i++) {
    context.CheckInterrupt();
    stored.push_back(i == model ? first : BindFurtherFile(context, first, sniffed, further, bound->files[i]));
    bound->field_counts.push_back(stored.back().names.size());
  }
  relation.are_texts = true;
  UniteFiles(stored, relation, *bound);
  SetConversion(context, options, sniffed.dialect, *bound);
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
  function.argument_types = {TypeId::kNull};
  function.named_arguments = TextRelationArguments();
  for (const auto& [name, type] : CsvReadOptionTypes()) function.named_arguments.emplace(name, type);
  function.description =
      "The rows of CSV files, a path, a pattern, or a list of them; delimiter, header and types are found "
      "out unless options give them.";
  function.example = "SELECT * FROM read_csv('data/*.csv', header => true)";
  function.bind = BindReadCsv;
  function.create_shared = CreateCsvShared;
  function.create_local = CreateCsvLocal;
  function.next = NextCsvChunk;
  return function;
}

}  // namespace scaup
