// Lists what the beginning of a CSV file tells; names of columns as in DuckDB.
#include "system/csv_listings.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/csv/read_csv.hpp"
#include "format/files/file_list.hpp"
#include "system/listing.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

struct BoundSniffCsv final : BoundListing {
  std::string path;
  CsvOptions options;
};

LogicalType ColumnType() {
  return LogicalType::Struct({{"name", TypeId::kVarchar}, {"type", TypeId::kVarchar}});
}

Value ColumnsOf(const CsvSniffed& sniffed) {
  std::vector<Value> columns;
  for (size_t i = 0; i < sniffed.names.size(); i++) {
    columns.push_back(Value::Struct(
        ColumnType(), {Value::Varchar(sniffed.names[i]), Value::Varchar(sniffed.types[i].ToString())}));
  }
  return Value::List(ColumnType(), columns);
}

/// A character as an option has it; empty for none.
std::string CharacterText(char character) {
  return character == '\0' ? "" : character == '\t' ? "\\t" : std::string(1, character);
}

std::string NewLineText(const CsvDialect& dialect) { return dialect.newline == '\r' ? "\\r" : "\\n"; }

const char* EncodingText(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kAuto:
    case TextEncoding::kUtf8: return "utf-8";
    case TextEncoding::kUtf16: return "utf-16";
    case TextEncoding::kUtf16Le: return "utf-16le";
    case TextEncoding::kUtf16Be: return "utf-16be";
    case TextEncoding::kLatin1: return "latin-1";
    case TextEncoding::kWindows1252: return "windows-1252";
  }
  return "utf-8";
}

/// The options that most files do not need.
std::string RareOptions(const CsvOptions& options, TextEncoding encoding) {
  std::string list;
  const auto add = [&](const char* name, const std::string& value) {
    list += fmt::format(", {} => {}", name, QuotedText(value));
  };
  if (options.decimal != '.') add("decimal_separator", std::string(1, options.decimal));
  if (options.thousands != '\0') add("thousands", std::string(1, options.thousands));
  if (options.comment) add("comment", std::string(1, *options.comment));
  if (options.date_format) add("date_format", *options.date_format);
  if (options.timestamp_format) add("timestamp_format", *options.timestamp_format);
  if (encoding != TextEncoding::kUtf8) add("encoding", EncodingText(encoding));
  return list;
}

/// The call of read_csv that has nothing left to find out.
std::string CallOf(const std::string& path, const CsvOptions& options, const SniffedCsv& file) {
  const CsvSniffed& sniffed = file.sniffed;
  std::string columns;
  for (size_t i = 0; i < sniffed.names.size(); i++) {
    columns += fmt::format("{}{}: {}", i == 0 ? "" : ", ", QuotedIdentifier(sniffed.names[i]),
                           QuotedText(sniffed.types[i].ToString()));
  }
  const CsvDialect& dialect = sniffed.dialect;
  return fmt::format(
      "FROM read_csv({}, delim => {}, quote => {}, escape => {}, skip => {}, header => {}{}, "
      "columns => {{{}}})",
      QuotedText(path), QuotedText(CharacterText(dialect.delimiter)),
      QuotedText(CharacterText(dialect.quote)), QuotedText(CharacterText(dialect.escape)), options.skip,
      sniffed.has_header, RareOptions(options, file.file.encoding), columns);
}

ListingRows MakeSniffedRow(const FunctionContext& context, const BoundListing& listing) {
  const auto& bound = static_cast<const BoundSniffCsv&>(listing);
  const SniffedCsv file = SniffCsvFile(context, bound.path, bound.options);
  const CsvSniffed& sniffed = file.sniffed;
  return {{Value::Varchar(CharacterText(sniffed.dialect.delimiter)),
           Value::Varchar(CharacterText(sniffed.dialect.quote)),
           Value::Varchar(CharacterText(sniffed.dialect.escape)),
           Value::Varchar(NewLineText(sniffed.dialect)), TextOrNull(CharacterText(sniffed.dialect.comment)),
           Value::BigInt(static_cast<int64_t>(bound.options.skip)), Value::Boolean(sniffed.has_header),
           ColumnsOf(sniffed), TextOrNull(bound.options.date_format),
           TextOrNull(bound.options.timestamp_format),
           Value::Varchar(CallOf(bound.path, bound.options, file))}};
}

std::unique_ptr<BoundTableFunction> BindSniffCsv(const FunctionContext& context,
                                                 const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundSniffCsv>();
  const std::vector<std::string> paths = FindFiles(context, "sniff_csv", arguments.positional.at(0));
  if (paths.size() != 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("sniff_csv looks at one file; the path names {}", paths.size()));
  }
  bound->path = paths[0];
  bound->options = ParseCsvOptions(
      std::vector<std::pair<std::string, Value>>(arguments.named.begin(), arguments.named.end()),
      CsvUse::kRead);
  bound->AddColumns(TypeId::kVarchar, {"delimiter", "quote", "escape", "newlinedelimiter", "comment"});
  bound->AddColumns(TypeId::kBigInt, {"skiprows"});
  bound->AddColumns(TypeId::kBoolean, {"hasheader"});
  bound->column_names.push_back("columns");
  bound->column_types.push_back(LogicalType::List(ColumnType()));
  bound->AddColumns(TypeId::kVarchar, {"dateformat", "timestampformat", "prompt"});
  bound->make_rows = MakeSniffedRow;
  bound->estimated_row_count = 1;
  return bound;
}

}  // namespace

TableFunction MakeSniffCsv() {
  TableFunction function = MakeListing(
      "sniff_csv", "How a CSV file is written and what columns it has, as read_csv finds it out.",
      "SELECT delimiter, hasheader, prompt FROM sniff_csv('data.csv')", {TypeId::kNull}, BindSniffCsv);
  for (const auto& [name, type] : CsvReadOptionTypes()) function.named_arguments.emplace(name, type);
  return function;
}

}  // namespace scaup
