// Writes chunks as JSON into a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/json/json_options.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// A line for each row: an object of its columns, or the one column as it is.
class JsonWriter final : public CopyWriter {
 public:
  /// Creates or empties the file. `is_documents`: the one column is JSON, and is written as it is. Throws
  /// Error(kIo).
  JsonWriter(const FunctionContext& context, std::string path, const JsonOptions& options,
             const std::vector<std::string>& names, bool is_documents);

  void Format(DataChunk& chunk, std::string& buffer) const override;
  void Write(std::string_view text) override;
  void Finish() override;

 private:
  const FunctionContext& context_;
  TextFileWriter file_;
  std::vector<std::string> keys_;  // With quotes and colon.
  bool is_documents_;
  bool is_array_;
  bool is_empty_ = true;
};

}  // namespace scaup
