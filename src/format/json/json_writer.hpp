// Writes chunks to a JSON file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/json/json_options.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Writes one line per row: an object of its columns, or the single column unchanged.
class JsonWriter final : public TextCopyWriter {
 public:
  /// Creates the file under a temporary name. `is_documents`: the single column is JSON and is written
  /// unchanged. Throws Error(kIo).
  JsonWriter(const FunctionContext& context, NewFilePath path, const JsonOptions& options,
             const std::vector<std::string>& names, bool is_documents);

  void Format(DataChunk& chunk, std::string& buffer) const override;
  void Write(std::string_view text) override;
  void Finish() override;
  uint64_t size_bytes() const override { return file_.size_bytes(); }

 private:
  const FunctionContext& context_;
  TextFileWriter file_;
  std::vector<std::string> keys_;  // with quotes and colon
  bool is_documents_;
  bool is_array_;
  bool is_empty_ = true;
};

}  // namespace scaup
