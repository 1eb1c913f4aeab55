// The options of reading and writing CSV: read_csv's named arguments and COPY's list share one parser.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/text/text_file.hpp"
#include "scaup/type.hpp"
#include "scaup/value.hpp"

namespace scaup {

enum class CsvNewLine : uint8_t { kAuto = 0, kLineFeed = 1, kCarriageReturn = 2, kBoth = 3 };

/// The options of a CSV file. When reading, those that are nullopt or empty are detected from the file; when
/// writing, they take CSV's usual values.
struct CsvOptions {
  std::optional<char> delimiter;
  std::optional<char> quote;   ///< '\0': no quoting
  std::optional<char> escape;  ///< '\0': the same as the quote
  std::optional<bool> header;
  /// Unquoted fields with one of these texts are NULL; the first is written for NULL.
  std::vector<std::string> null_strings{""};
  uint64_t skip = 0;            ///< lines before the header or the first row
  uint64_t header_rows = 1;     ///< rows of a header, whose texts become one name
  std::optional<char> comment;  ///< begins lines that are no rows
  bool auto_detect = true;      ///< false: what no option gives is as in RFC 4180, and all are texts
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  std::vector<std::pair<std::string, LogicalType>> named_types;  ///< of columns with these names
  bool normalize_names = false;  ///< names become words that need no quotes in SQL
  bool null_padding = false;     ///< rows may lack fields at their end, which are NULL
  bool quoted_nulls = false;     ///< quoted texts that equal a text for NULL are NULL, too
  std::vector<std::string> force_null, force_not_null;  ///< columns for which this is so, or nothing is NULL
  char decimal = '.';
  char thousands = '\0';  ///< between groups of three digits; '\0': none
  /// Whether the file has exactly the columns in `names` and `types` (COPY FROM, columns => ...).
  bool columns_are_exact = false;
  bool all_varchar = false;
  int64_t sample_size = 20480;  ///< rows examined to detect types; negative: all
  std::optional<std::string> date_format;
  std::optional<std::string> timestamp_format;
  TextCompression compression = TextCompression::kAuto;
  TextEncoding encoding = TextEncoding::kAuto;
  CsvNewLine new_line = CsvNewLine::kAuto;
  bool ignore_errors = false;
  bool force_quote_all = false;
  std::vector<std::string> force_quote;  ///< columns that are always quoted when written
  /// The bytes that a thread reads and parses at a time; 0 lets the reader choose.
  uint64_t chunk_bytes = 0;
};

enum class CsvUse : uint8_t { kRead, kCopyFrom, kCopyTo };

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder): 42601 for an unknown or repeated option, 22023 for an invalid value.
CsvOptions ParseCsvOptions(std::span<const std::pair<std::string, Value>> options, CsvUse use);
/// The named arguments of read_csv, and the types to which they are cast.
std::span<const std::pair<const char*, TypeId>> CsvReadOptionTypes();

}  // namespace scaup
