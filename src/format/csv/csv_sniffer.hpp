// Detects the dialect, the names and the types of a CSV file from its beginning.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/csv_dialect.hpp"
#include "format/csv/csv_options.hpp"

namespace scaup {

struct CsvField {
  std::string text;  ///< unquoted
  bool is_quoted = false;
};

/// Splits text into rows, one by one; simple, for samples. Follows the rules of the tokenizer.
class CsvRowReader {
 public:
  /// `is_whole`: the text ends where the file ends, so its last line may lack a line break.
  CsvRowReader(const CsvDialect& dialect, std::string_view text, bool is_whole)
      : dialect_(dialect), text_(text), is_whole_(is_whole) {}

  /// Reads the next row. Returns false at the end and for a row that is cut off. An empty line is a row with
  /// one empty field.
  bool Next(std::vector<CsvField>& fields);
  size_t position() const { return position_; }
  /// Whether any field so far had text after its closing quote, or was never closed.
  bool has_bad_quotes() const { return has_bad_quotes_; }
  size_t quoted_fields() const { return quoted_fields_; }

 private:
  void AddField(std::string_view raw, std::vector<CsvField>& fields);

  CsvDialect dialect_;
  std::string_view text_;
  bool is_whole_;
  size_t position_ = 0;
  bool has_bad_quotes_ = false;
  size_t quoted_fields_ = 0;
};

struct CsvSniffed {
  CsvDialect dialect;
  bool has_header = false;
  size_t data_begin = 0;  ///< offset of the first data row in the text
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  double bytes_per_row = 0;  ///< 0 if there are no rows
};

/// Detects what the options leave open: line break, delimiter and so on. `text` begins after the byte order
/// mark and skipped lines.
CsvDialect SniffCsvDialect(std::string_view text, bool is_whole, const CsvOptions& options);
/// Detects dialect, header, names and types. `text` is the beginning of the file.
CsvSniffed SniffCsv(std::string_view text, bool is_whole, const CsvOptions& options);
/// The offset of the header or the first row: after a byte order mark and `skip` lines.
size_t CsvTextBegin(std::string_view text, uint64_t skip, char newline);

}  // namespace scaup
