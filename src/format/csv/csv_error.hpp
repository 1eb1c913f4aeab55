// Errors in CSV files; the message is built only when the error is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "format/csv/csv_scan.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class CsvErrorKind : uint8_t { kBadValue, kBadUtf8, kTextAfterQuote, kFieldCount, kUnterminatedQuote };

struct CsvError {
  CsvErrorKind kind;
  uint64_t sequence = 0;  ///< of the chunk; orders errors
  size_t file_index = 0;
  uint64_t offset = 0;     ///< of the field or row, in the text
  uint64_t line = 0;       ///< its number, if it is known; otherwise 0
  size_t column = 0;       ///< of the relation
  size_t field = 0;        ///< in the file
  std::string text;        ///< the value
  size_t field_count = 0;  ///< kFieldCount: the number of fields found
};

/// Describes the fault without its place: "\"x\" is not a DATE".
std::string DescribeCsvError(const BoundCsv& bound, const CsvError& error);
/// Determines the line number, by reading the file up to the error, and throws.
[[noreturn]] void ThrowCsvError(const FunctionContext& context, const BoundCsv& bound, const CsvError& error);

}  // namespace scaup
