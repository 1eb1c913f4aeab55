// VACUUM, ANALYZE, EXPORT DATABASE and IMPORT DATABASE.
#include <fmt/format.h>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"
#include "format/csv/csv_options.hpp"

namespace scaup {

namespace {

/// The options of EXPORT: those that keep every value. Formats of dates do not, nor do files without quotes.
constexpr const char* kExportOptions[] = {"format", "header", "delimiter", "delim",       "sep",     "quote",
                                          "escape", "null",   "nullstr",   "compression", "new_line"};

void CheckExportOption(const ast::CopyOption& option) {
  for (const char* name : kExportOptions) {
    if (option.name == name) return;
  }
  // One of COPY's own, or an error that names the nearest.
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

/// Every option by name, so that nothing has to be found out from the files.
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

/// The directory without slashes at its end.
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
    // Samples are of whole rows, so that the columns need only be there.
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
  std::vector<std::pair<std::string, Value>> given;
  auto bound = std::make_unique<BoundExportDatabase>();
  bound->directory = CheckDirectory(statement.directory, statement.position);
  try {
    for (const ast::CopyOption& option : statement.options) {
      CheckExportOption(option);
      given.emplace_back(option.name,
                         option.has_value ? Value::Varchar(option.value) : Value(TypeId::kVarchar));
    }
    const CsvOptions options = ParseCsvOptions(given, CsvUse::kCopyTo);
    if (options.quote == '\0') {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
                 "EXPORT DATABASE needs a quote character: without one not every text can be written");
    }
    bound->options = WrittenOut(options);
    bound->is_compressed = options.compression == TextCompression::kGzip;
    // Once more with what was not given, such as a delimiter that is the quote.
    std::vector<std::pair<std::string, Value>> all;
    for (const auto& [name, value] : bound->options) all.emplace_back(name, Value::Varchar(value));
    ParseCsvOptions(all, CsvUse::kCopyTo);
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
