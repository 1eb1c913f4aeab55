// Writes chunks to a CSV file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/csv_options.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"
#include "function/scalar/temporal/strftime_format.hpp"
#include "type/time/time_zone.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

class CsvWriter final : public TextCopyWriter {
 public:
  /// Creates the file under a temporary name and writes the header unless the options forbid it. The file is
  /// gzipped if `path` ends with .gz or the options say so. Throws Error(kIo), and Error(kBinder, 42703) for
  /// an unknown column in FORCE_QUOTE.
  CsvWriter(const FunctionContext& context, NewFilePath path, const CsvOptions& options,
            std::vector<std::string> names, std::vector<LogicalType> types);

  void Format(DataChunk& chunk, std::string& buffer) const override;
  void Write(std::string_view text) override { file_->Write(text); }
  void Finish() override { file_->Finish(); }
  uint64_t size_bytes() const override { return file_->size_bytes(); }

 private:
  struct Column {
    LogicalType type;
    bool always_quoted = false;
  };

  void SetOptions(std::string_view path, const CsvOptions& options, const std::vector<std::string>& names);
  void AppendText(std::string_view text, bool always_quoted, std::string& out) const;
  bool NeedsQuotes(std::string_view text) const;
  void AppendValue(const Column& column, const UnifiedView& view, size_t row, TimeZoneConverter& zone,
                   std::string& out) const;
  bool AppendByFormat(const Column& column, const UnifiedView& view, size_t row, TimeZoneConverter& zone,
                      std::string& out) const;

  const TimeZone* time_zone_;           // the session's
  std::optional<TextFileWriter> file_;  // opened once the options are validated

  std::vector<Column> columns_;
  char delimiter_ = ',';
  char quote_ = '"';
  char escape_ = '"';
  std::string newline_ = "\n";
  std::string null_text_;
  bool check_numbers_ = false;  ///< numbers and dates are checked, too: they might contain a delimiter or
                                ///< quote, or equal NULL's text
  bool is_special_[256] = {};   ///< bytes that make a field need quotes
  std::unique_ptr<StrftimeFormat> date_format_;
  std::unique_ptr<StrftimeFormat> timestamp_format_;
};

}  // namespace scaup
