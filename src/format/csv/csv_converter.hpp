// Turns the fields of one column into a vector: straight from the text of the file into typed values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/csv_dialect.hpp"
#include "format/csv/csv_tokenizer.hpp"
#include "format/csv/datetime_format.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The settings that all columns of a scan share. Immutable, thread-safe.
struct CsvConversion {
  CsvDialect dialect;
  std::vector<std::string> null_strings{""};
  std::optional<DateTimeFormat> date_format;
  std::optional<DateTimeFormat> timestamp_format;
  /// The zone of timestamps that name none; null: UTC.
  std::shared_ptr<const TimeZone> time_zone;
};

/// Why a field is no value.
enum class CsvFieldFault : uint8_t { kNone = 0, kBadValue, kBadUtf8, kTextAfterQuote };

struct CsvFault {
  CsvFieldFault kind = CsvFieldFault::kNone;
  size_t row = 0;
};

/// Rows that have a fault somewhere, when errors are to be skipped.
using CsvBadRows = std::vector<bool>;

/// Converts field `field` of every row into `result` (after Reset()). Long strings refer to the batch's text,
/// which `text_owner` keeps alive. Without `bad_rows` it stops at the first fault and returns it; with them
/// it marks each.
CsvFault ConvertCsvColumn(const CsvConversion& conversion, const CsvBatch& batch, size_t field,
                          bool is_last_field, const std::shared_ptr<const void>& text_owner,
                          CsvBadRows* bad_rows, Vector& result);

/// The text of one field without quotes, as an error shows it.
std::string CsvFieldText(const CsvConversion& conversion, const CsvBatch& batch, size_t row, size_t field,
                         bool is_last_field);

}  // namespace scaup
