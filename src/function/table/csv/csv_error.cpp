// Words for errors in CSV files.
#include "function/table/csv/csv_error.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {
namespace {

/// Long values are cut, bytes that are no UTF-8 are shown in hex.
std::string Shown(const CsvError& error) {
  constexpr size_t kMostBytes = 80;
  std::string shown;
  for (const char c : error.text.substr(0, kMostBytes)) {
    const bool as_hex = error.kind == CsvErrorKind::kBadUtf8 && (c & 0x80) != 0;
    shown += as_hex ? fmt::format("\\x{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  // Do not end within a character.
  if (error.text.size() > kMostBytes) {
    while (!shown.empty() && (shown.back() & 0xC0) == 0x80) shown.pop_back();
    if (!shown.empty() && (shown.back() & 0x80) != 0) shown.pop_back();
    shown += "...";
  }
  return shown;
}

const char* ValueState(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kInterval: return sqlstate::kInvalidDatetimeFormat;
    default: return sqlstate::kInvalidTextRepresentation;
  }
}

}  // namespace

void ThrowCsvError(const FunctionContext& context, const BoundCsv& bound, const CsvError& error) {
  const CsvFile& file = bound.files[error.file_index];
  const uint64_t line = CsvLineNumber(context.files, file, error.offset, bound.conversion.dialect.newline);
  std::string message = fmt::format("could not read \"{}\", line {}", file.path, line);
  const bool is_field_error =
      error.kind != CsvErrorKind::kFieldCount && error.kind != CsvErrorKind::kUnterminatedQuote;
  if (is_field_error)
    message += fmt::format(", column {} (\"{}\")", error.field + 1, bound.column_names[error.field]);
  message += ": ";
  switch (error.kind) {
    case CsvErrorKind::kBadValue: {
      const LogicalType& type = bound.column_types[error.field];
      message += fmt::format("\"{}\" is not a {}", Shown(error), type.ToString());
      ThrowError(ErrorKind::kConversion, ValueState(type), message);
    }
    case CsvErrorKind::kBadUtf8:
      message += fmt::format("\"{}\" is not valid UTF-8", Shown(error));
      ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire, message);
    case CsvErrorKind::kTextAfterQuote:
      message += fmt::format("{} has text after its closing quote, or a quote inside that is not doubled",
                             Shown(error));
      break;
    case CsvErrorKind::kFieldCount:
      message += fmt::format("the row has {} field{} instead of {}", error.field_count,
                             error.field_count == 1 ? "" : "s", bound.column_names.size());
      break;
    case CsvErrorKind::kUnterminatedQuote:
      message += "a quote in the row that begins here is never closed";
      break;
  }
  ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat, message);
}

}  // namespace scaup
