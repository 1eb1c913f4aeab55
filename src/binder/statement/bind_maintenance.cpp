// Binds VACUUM, ANALYZE, EXPORT DATABASE and IMPORT DATABASE.
#include <fmt/format.h>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"
#include "format/arrow/file/arrow_write_options.hpp"
#include "format/csv/csv_options.hpp"
#include "format/parquet/write/parquet_write_options.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

/// Options of EXPORT DATABASE: those that preserve all values. Date formats and files without quotes may not.
constexpr const char* kExportOptions[] = {"format", "header", "delimiter", "delim",       "sep",     "quote",
                                          "escape", "null",   "nullstr",   "compression", "new_line"};

void CheckExportOption(const ast::CopyOption& option) {
  for (const char* name : kExportOptions) {
    if (option.name == name) return;
  }
  // Either an option of COPY, which is refused below, or an error that suggests the most similar one.
  ParseCsvOptions(std::vector<std::pair<std::string, Value>>{{option.name, Value::Varchar(option.value)}},
                  CsvUse::kCopyTo);
  ThrowNotSupported(fmt::format("EXPORT DATABASE does not take the option {}: it might not keep all values; "
                                "it takes format, header, delimiter, quote, escape, null, compression and "
                                "new_line",
                                option.name),
                    option.position);
}

const char* NewLineText(CsvNewLine new_line) {
  switch (new_line) {
    case CsvNewLine::kAuto:
    case CsvNewLine::kLineFeed: return "\\n";
    case CsvNewLine::kCarriageReturn: return "\\r";
    case CsvNewLine::kBoth: return "\\r\\n";
  }
  return "\\n";
}

/// Returns every option with its value, so that IMPORT does not have to detect any in the files.
std::vector<std::pair<std::string, std::string>> WrittenOut(const CsvOptions& options) {
  const char quote = options.quote.value_or('"');
  const char escape = options.escape.value_or('\0');
  return {{"format", "csv"},
          {"header", options.header.value_or(true) ? "true" : "false"},
          {"delimiter", std::string(1, options.delimiter.value_or(','))},
          {"quote", std::string(1, quote)},
          {"escape", std::string(1, escape == '\0' ? quote : escape)},
          {"null", options.null_strings.front()},
          {"new_line", NewLineText(options.new_line)},
          {"compression", options.compression == TextCompression::kGzip ? "gzip" : "none"}};
}

using GivenOptions = std::vector<std::pair<std::string, Value>>;

GivenOptions OptionsOf(const ast::ExportDatabaseStatement& statement) {
  GivenOptions given;
  for (const ast::CopyOption& option : statement.options) {
    given.emplace_back(option.name,
                       option.has_value ? Value::Varchar(option.value) : Value(TypeId::kVarchar));
  }
  return given;
}

CopyFormat ExportFormat(const ast::ExportDatabaseStatement& statement) {
  for (const ast::CopyOption& option : statement.options) {
    if (option.name != "format") continue;
    const std::string format = LowerCase(option.value);
    if (format == "csv") return CopyFormat::kCsv;
    if (format == "parquet") return CopyFormat::kParquet;
    if (format == "arrow") return CopyFormat::kArrow;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("option format of EXPORT DATABASE must be csv, parquet or arrow, not \"{}\"",
                           option.value),
               option.position);
  }
  return CopyFormat::kCsv;
}

void BindTextExport(const ast::ExportDatabaseStatement& statement, BoundExportDatabase& bound) {
  for (const ast::CopyOption& option : statement.options) CheckExportOption(option);
  const CsvOptions options = ParseCsvOptions(OptionsOf(statement), CsvUse::kCopyTo);
  if (options.quote == '\0') {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "EXPORT DATABASE needs a quote character: without one not every text can be written");
  }
  const bool is_plain =
      options.compression == TextCompression::kAuto || options.compression == TextCompression::kNone;
  bound.is_compressed = options.compression == TextCompression::kGzip;
  if (!is_plain && !bound.is_compressed)
    ThrowBadOption("compression", "none or gzip in EXPORT DATABASE", "another one");
  bound.extension = bound.is_compressed ? "csv.gz" : "csv";
  bound.options = bound.load_options = WrittenOut(options);
  // Parse again with all defaults filled in, to find conflicts such as a delimiter that is also the quote.
  GivenOptions all;
  for (const auto& [name, value] : bound.options) all.emplace_back(name, Value::Varchar(value));
  ParseCsvOptions(all, CsvUse::kCopyTo);
}

/// Options of files that have typed columns: all of COPY TO, as none changes values.
void BindTypedExport(const ast::ExportDatabaseStatement& statement, BoundExportDatabase& bound) {
  const bool is_parquet = bound.format == CopyFormat::kParquet;
  const GivenOptions given = OptionsOf(statement);
  if (is_parquet) {
    ParseParquetWriteOptions(given);
  } else {
    ParseArrowWriteOptions(given);
  }
  bound.extension = is_parquet ? "parquet" : "arrow";
  bound.load_options = {{"format", bound.extension}};
  for (const auto& [name, value] : given)
    bound.options.emplace_back(name, value.is_null() ? "true" : value.GetString());
}

/// Returns the directory without trailing slashes. Throws 22023 for an unusable name.
std::string CheckDirectory(std::string directory, size_t position) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  if (directory.empty() || directory.find_first_of("*?") != std::string::npos) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
        fmt::format("\"{}\" cannot be the directory of an export: give a name without * and ?", directory),
        position);
  }
  return directory;
}

}  // namespace

BoundStatementPtr BindVacuum(BindSession& session, const ast::VacuumStatement& statement) {
  auto vacuum = std::make_unique<BoundVacuum>();
  vacuum->vacuum = statement.vacuum;
  vacuum->analyze = statement.analyze;
  vacuum->materialize = statement.materialize;
  for (const ast::VacuumTarget& target : statement.targets) {
    const TableEntryRef table = FindTableOrThrow(session, target.table);
    // ANALYZE samples whole rows, so the columns are only checked for existence.
    ResolveTableColumns(*table, target.columns, {}, target.table.position);
    if (statement.materialize && !table->is_collection()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
                 fmt::format("\"{}\" is not a collection: there is nothing to materialize", table->name),
                 target.table.position);
    }
    vacuum->tables.push_back(table);
  }
  return vacuum;
}

BoundStatementPtr BindExportDatabase(const ast::ExportDatabaseStatement& statement) {
  auto bound = std::make_unique<BoundExportDatabase>();
  bound->directory = CheckDirectory(statement.directory, statement.position);
  try {
    bound->format = ExportFormat(statement);
    if (bound->format == CopyFormat::kCsv) {
      BindTextExport(statement, *bound);
    } else {
      BindTypedExport(statement, *bound);
    }
  } catch (Error& error) {
    error.SetPositionIfUnknown(statement.options.size() == 1 ? statement.options[0].position
                                                             : statement.position);
    throw;
  }
  return bound;
}

BoundStatementPtr BindImportDatabase(const ast::ImportDatabaseStatement& statement) {
  auto bound = std::make_unique<BoundImportDatabase>();
  bound->directory = CheckDirectory(statement.directory, statement.position);
  return bound;
}

}  // namespace scaup
