// Converts the fields of one column from the file's text to typed vectors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/csv_dialect.hpp"
#include "format/csv/csv_tokenizer.hpp"
#include "function/scalar/temporal/strftime_format.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Which texts of a column are NULL.
enum class CsvNulls : uint8_t {
  kUnquoted,  ///< the texts for NULL, unless they are quoted
  kAll,       ///< the same, quoted or not
  kNone
};

/// The settings that all columns of a scan share. Immutable, thread-safe.
struct CsvConversion {
  CsvDialect dialect;
  std::vector<std::string> null_strings{""};
  std::vector<CsvNulls> nulls;  ///< by column of the relation; empty: kUnquoted for all
  char decimal = '.';
  char thousands = '\0';
  std::optional<StrftimeFormat> date_format;
  std::optional<StrftimeFormat> timestamp_format;
  /// The zone of timestamps whose text names none; null means UTC.
  std::shared_ptr<const TimeZone> time_zone;
};

/// The reason why a field is not a valid value.
enum class CsvFieldFault : uint8_t { kNone = 0, kBadValue, kBadUtf8, kTextAfterQuote };

struct CsvFault {
  CsvFieldFault kind = CsvFieldFault::kNone;
  size_t row = 0;
};

/// Marks the rows with faults when errors are ignored.
using CsvBadRows = std::vector<bool>;

/// Whether numbers are written otherwise than in SQL.
inline bool HasOtherNumbers(const CsvConversion& conversion) {
  return conversion.decimal != '.' || conversion.thousands != '\0';
}
/// Writes a number as SQL does: without separators of thousands, with a decimal point. Returns false for what
/// is no number of that form, such as one with groups that have not three digits.
bool NormalizeCsvNumber(char decimal, char thousands, std::string_view text, std::string& number);

/// Converts field `field` of every row into `result`. Long strings refer to the batch's text, which
/// `text_owner` keeps alive. Without `bad_rows`, stops at the first fault and returns it; with it, marks the
/// rows of all faults. REQUIRES: `result` is after Reset().
CsvFault ConvertCsvColumn(const CsvConversion& conversion, const CsvBatch& batch, size_t field,
                          bool is_last_field, CsvNulls nulls, const std::shared_ptr<const void>& text_owner,
                          CsvBadRows* bad_rows, Vector& result);

/// The text of one field without quotes, for error messages.
std::string CsvFieldText(const CsvConversion& conversion, const CsvBatch& batch, size_t row, size_t field,
                         bool is_last_field);

}  // namespace scaup
