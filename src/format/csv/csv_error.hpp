// What is wrong in a CSV file and where; becomes a message only when it is thrown.
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
  uint64_t sequence = 0;  ///< of the chunk: orders errors
  size_t file_index = 0;
  uint64_t offset = 0;  ///< of the field or row in the inflated file
  size_t field = 0;
  std::string text;        ///< the value
  size_t field_count = 0;  ///< kFieldCount: how many there are
};

/// Finds the line number, for which the file is read up to the error, and throws.
[[noreturn]] void ThrowCsvError(const FunctionContext& context, const BoundCsv& bound, const CsvError& error);

}  // namespace scaup
