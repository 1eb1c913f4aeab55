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

const char* CsvErrorState(const BoundCsv& bound, const CsvError& error) {
  if (error.kind == CsvErrorKind::kBadValue) return BadValueState(bound.column_types[error.column]);
  return error.kind == CsvErrorKind::kBadUtf8 ? sqlstate::kCharacterNotInRepertoire
                                              : sqlstate::kBadCopyFileFormat;
}

}  // namespace

std::string DescribeCsvError(const BoundCsv& bound, const CsvError& error) {
  switch (error.kind) {
    case CsvErrorKind::kBadValue:
      return fmt::format("\"{}\" is not a {}", Shown(error), bound.column_types[error.column].ToString());
    case CsvErrorKind::kBadUtf8:
      return fmt::format(
          "\"{}\" is not valid UTF-8; if the file is in another encoding, name it: encoding => "
          "'latin-1' or 'windows-1252'",
          Shown(error));
    case CsvErrorKind::kTextAfterQuote:
      return fmt::format("{} has text after its closing quote, or a quote inside that is not doubled",
                         Shown(error));
    case CsvErrorKind::kFieldCount:
      return fmt::format("the row has {} field{} instead of {}", error.field_count,
                         error.field_count == 1 ? "" : "s", bound.field_counts[error.file_index]);
    case CsvErrorKind::kUnterminatedQuote: return "a quote in the row that begins here is never closed";
  }
  ThrowInternal("unknown kind of CSV error");
}

void ThrowCsvError(const FunctionContext& context, const BoundCsv& bound, const CsvError& error) {
  const TextFile& file = bound.files[error.file_index];
  const uint64_t line = error.line != 0
                            ? error.line
                            : LineNumberAt(context, file, error.offset, bound.conversion.dialect.newline);
  std::string message = fmt::format("could not read \"{}\", line {}", file.path, line);
  const bool is_field_error =
      error.kind != CsvErrorKind::kFieldCount && error.kind != CsvErrorKind::kUnterminatedQuote;
  if (is_field_error)
    message += fmt::format(", column {} (\"{}\")", error.field + 1, bound.column_names[error.column]);
  message += ": " + DescribeCsvError(bound, error);
  const bool is_value = error.kind == CsvErrorKind::kBadValue || error.kind == CsvErrorKind::kBadUtf8;
  ThrowError(is_value ? ErrorKind::kConversion : ErrorKind::kIo, CsvErrorState(bound, error), message);
}

}  // namespace scaup
