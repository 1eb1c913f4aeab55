// Binds CSV files by examining the beginning of each.
#include "format/csv/read_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "format/csv/csv_scan.hpp"
#include "format/csv/csv_sniffer.hpp"
#include "format/text/option_values.hpp"

namespace scaup {
namespace {

constexpr size_t kFirstHeadBytes = 256 << 10;
constexpr size_t kLargestHeadBytes = 64 << 20;

/// The beginning of a file, long enough for the wanted number of rows.
struct Head {
  std::string text;
  bool is_whole = false;
};

Head ReadHead(const FunctionContext& context, const TextFile& file, const CsvOptions& options) {
  const bool all = options.sample_size < 0;
  const bool needs_types = !options.columns_are_exact && !options.all_varchar;
  const uint64_t lines = options.skip + options.header_rows + 1 +
                         (needs_types && !all ? static_cast<uint64_t>(options.sample_size) : 1000);
  MemoryReservation memory(context.memory);
  Head head;
  for (size_t wanted = kFirstHeadBytes;; wanted *= 2) {
    context.CheckInterrupt();
    memory.Resize(wanted);
    head.text = ReadTextHead(context, file, wanted);
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
  if (!needs_types) further.named_types.clear();
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
      rows += static_cast<double>(file.size_bytes) * file.TextShare() / sniffed.bytes_per_row;
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
  const auto found = std::ranges::find_if(
      files, [](const TextFile& file) { return file.size_bytes != 0 || file.pipe != nullptr; });
  return found == files.end() ? 0 : static_cast<size_t>(found - files.begin());
}

void SetConversion(const FunctionContext& context, const CsvOptions& options, const CsvDialect& dialect,
                   BoundCsv& bound) {
  bound.conversion.dialect = dialect;
  bound.conversion.null_strings = options.null_strings;
  if (options.date_format) bound.conversion.date_format.emplace(*options.date_format);
  if (options.timestamp_format) bound.conversion.timestamp_format.emplace(*options.timestamp_format);
  bound.conversion.time_zone = context.time_zone;
  bound.conversion.decimal = options.decimal;
  bound.conversion.thousands = options.thousands;
  bound.ignore_errors = options.ignore_errors;
  bound.null_padding = options.null_padding;
  bound.chunk_bytes = options.chunk_bytes;
}

void SetNulls(const std::vector<std::string>& columns, const char* option, CsvNulls nulls, BoundCsv& bound) {
  for (const std::string& column : columns) {
    const auto found = std::ranges::find(bound.column_names, LowerCase(column), LowerCase);
    if (found == bound.column_names.end()) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kUndefinedColumn,
          fmt::format("option {} names the column \"{}\", which the CSV file does not have", option, column));
    }
    bound.conversion.nulls[static_cast<size_t>(found - bound.column_names.begin())] = nulls;
  }
}

/// Sets which texts of each column are NULL, where that is not the usual.
void SetNulls(const CsvOptions& options, BoundCsv& bound) {
  if (!options.quoted_nulls && options.force_null.empty() && options.force_not_null.empty()) return;
  bound.conversion.nulls.assign(bound.column_names.size(),
                                options.quoted_nulls ? CsvNulls::kAll : CsvNulls::kUnquoted);
  SetNulls(options.force_null, "force_null", CsvNulls::kAll, bound);
  SetNulls(options.force_not_null, "force_not_null", CsvNulls::kNone, bound);
}

}  // namespace

std::unique_ptr<BoundTableFunction> BindCsv(const FunctionContext& context,
                                            const std::vector<std::string>& paths, const CsvOptions& options,
                                            FileRelationOptions relation) {
  SCAUP_CHECK(!paths.empty());
  auto bound = std::make_unique<BoundCsv>();
  for (const std::string& path : paths)
    bound->files.push_back(LookAtTextFile(context, path, options.compression, options.encoding));
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
  SetNulls(options, *bound);
  Estimate(sniffed, *bound);
  return bound;
}

SniffedCsv SniffCsvFile(const FunctionContext& context, const std::string& path, const CsvOptions& options) {
  SniffedCsv result;
  result.file = LookAtTextFile(context, path, options.compression, options.encoding);
  const Head head = ReadHead(context, result.file, options);
  result.sniffed = SniffCsv(head.text, head.is_whole, options);
  return result;
}

bool LooksLikeCsvPath(std::string_view path) {
  if (path == "-" || path == "/dev/stdin" || path.starts_with("/dev/fd/")) return true;
  path = WithoutCompressionEnding(path);
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
