// Writes chunks to a file in Arrow's IPC format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/arrow/arrow_schema.hpp"
#include "format/arrow/file/arrow_write_options.hpp"
#include "format/arrow/file/batch_collector.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/files/new_file.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// Collects a batch at a time, in memory that is accounted for.
class ArrowFileWriter final : public CopyWriter {
 public:
  /// Creates the file under a temporary name. `context` is borrowed. Throws Error(kIo), and
  /// Error(kNotSupported) if there are no columns.
  ArrowFileWriter(const FunctionContext& context, std::string path, const ArrowWriteOptions& options,
                  const std::vector<std::string>& names, const std::vector<LogicalType>& types);
  ~ArrowFileWriter() override;

  void Append(DataChunk& chunk) override;
  void Finish() override;

 private:
  void WriteBatch();
  void WriteFooter();
  /// Writes the messages in `buffer_`, and notes where they are.
  void WriteMessages();

  const FunctionContext& context_;
  const ArrowWriteOptions options_;
  const size_t most_bytes_;  // of a batch
  BatchCollector rows_;
  ArrowLayout layout_;
  ArrowSchema schema_ = {};
  std::optional<ArrowIpcWriter> writer_;
  NewFile file_;
  std::string buffer_;
  std::vector<ipc::Block> dictionaries_, batches_;
};

}  // namespace scaup
