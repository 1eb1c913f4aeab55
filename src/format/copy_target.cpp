// Chooses the writer of COPY TO.
#include "format/copy_target.hpp"

#include "format/arrow/file/arrow_file_writer.hpp"
#include "format/csv/csv_writer.hpp"
#include "format/json/json_writer.hpp"
#include "format/parquet/write/parquet_writer.hpp"

namespace scaup {

std::unique_ptr<CopyWriter> MakeCopyWriter(const FunctionContext& context, const CopyTarget& target,
                                           const NewFilePath& path, const std::vector<std::string>& names,
                                           const std::vector<LogicalType>& types) {
  std::vector<std::pair<std::string, Value>> options;
  for (const auto& [name, value] : target.options) options.emplace_back(name, Value::Varchar(value));
  if (target.format == CopyFormat::kJson) {
    return std::make_unique<JsonWriter>(context, path, ParseJsonOptions(options, JsonUse::kCopyTo), names,
                                        target.is_documents);
  }
  if (target.format == CopyFormat::kParquet) {
    return std::make_unique<ParquetWriter>(context, path, ParseParquetWriteOptions(options), names, types);
  }
  if (target.format == CopyFormat::kArrow) {
    return std::make_unique<ArrowFileWriter>(context, path, ParseArrowWriteOptions(options), names, types);
  }
  return std::make_unique<CsvWriter>(context, path, ParseCsvOptions(options, CsvUse::kCopyTo), names, types);
}

}  // namespace scaup
