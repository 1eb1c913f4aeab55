// Writes chunks as CSV into a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/file_system.hpp"
#include "function/function_context.hpp"
#include "function/table/csv/csv_options.hpp"
#include "function/table/csv/datetime_format.hpp"
#include "function/table/csv/gzip_stream.hpp"
#include "type/time_zone.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// One file being written. Format may be called by several threads at once; Write and Finish by one at a
/// time. Destroyed before Finish, it removes the file, as what is in it is only a part.
class CsvWriter {
 public:
  /// Creates or empties the file, gzipped if `path` ends with .gz or the options say so, and writes the
  /// header (unless the options forbid it). Throws Error(kIo); Error(kBinder, 42703) for an unknown column in
  /// FORCE_QUOTE.
  CsvWriter(const FunctionContext& context, std::string path, const CsvOptions& options,
            std::vector<std::string> names, std::vector<LogicalType> types);
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Appends the rows as text. The chunk's vectors may be of any kind (sequences are made flat).
  void Format(DataChunk& chunk, std::string& buffer) const;
  /// Appends formatted rows to the file.
  void Write(std::string_view text);
  /// Writes what is still held; the file is complete then.
  void Finish();

 private:
  struct Column {
    LogicalType type;
    bool always_quoted = false;
  };

  void SetOptions(const CsvOptions& options, const std::vector<std::string>& names);
  void AppendText(std::string_view text, bool always_quoted, std::string& out) const;
  bool NeedsQuotes(std::string_view text) const;
  void AppendValue(const Column& column, const UnifiedView& view, size_t row, TimeZoneConverter& zone,
                   std::string& out) const;
  bool AppendByFormat(const Column& column, const UnifiedView& view, size_t row, TimeZoneConverter& zone,
                      std::string& out) const;

  FileSystem& files_;
  const TimeZone* time_zone_;  // The session's.
  std::string path_;
  std::unique_ptr<File> file_;
  std::unique_ptr<GzipWriter> gzip_;
  uint64_t file_offset_ = 0;
  bool is_finished_ = false;

  std::vector<Column> columns_;
  char delimiter_ = ',';
  char quote_ = '"';
  char escape_ = '"';
  std::string newline_ = "\n";
  std::string null_text_;
  bool check_numbers_ = false;  ///< the text of a number or date might look like a delimiter, a quote or NULL
  bool is_special_[256] = {};   ///< bytes that make a field need quotes
  std::unique_ptr<DateTimeFormat> date_format_;
  std::unique_ptr<DateTimeFormat> timestamp_format_;
};

}  // namespace scaup
