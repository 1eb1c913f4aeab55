// Words the errors in CSV files.
#include "format/csv/csv_error.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/text/bad_value.hpp"

namespace scaup {
namespace {

/// The value for a message; bytes that are not UTF-8 are shown in hex.
std::string Shown(const CsvError& error) {
  if (error.kind != CsvErrorKind::kBadUtf8) return ShortenedText(error.text);
  std::string shown;
  for (const char c : error.text.substr(0, 81)) {
    shown += (c & 0x80) != 0 ? fmt::format("\\x{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return ShortenedText(shown);
}

}  // namespace

void ThrowCsvError(const FunctionContext& context, const BoundCsv& bound, const CsvError& error) {
  const TextFile& file = bound.files[error.file_index];
  const uint64_t line = LineNumberAt(context.files, file, error.offset, bound.conversion.dialect.newline);
  std::string message = fmt::format("could not read \"{}\", line {}", file.path, line);
  const bool is_field_error =
      error.kind != CsvErrorKind::kFieldCount && error.kind != CsvErrorKind::kUnterminatedQuote;
  if (is_field_error)
    message += fmt::format(", column {} (\"{}\")", error.field + 1, bound.column_names[error.column]);
  message += ": ";
  switch (error.kind) {
    case CsvErrorKind::kBadValue: {
      const LogicalType& type = bound.column_types[error.column];
      message += fmt::format("\"{}\" is not a {}", Shown(error), type.ToString());
      ThrowError(ErrorKind::kConversion, BadValueState(type), message);
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
                             error.field_count == 1 ? "" : "s", bound.field_counts[error.file_index]);
      break;
    case CsvErrorKind::kUnterminatedQuote:
      message += "a quote in the row that begins here is never closed";
      break;
  }
  ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat, message);
}

}  // namespace scaup
