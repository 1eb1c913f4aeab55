// Writes chunks to a file in Arrow's IPC format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/file/new_file.hpp"
#include "format/arrow/arrow_schema.hpp"
#include "format/arrow/file/arrow_write_options.hpp"
#include "format/arrow/file/batch_collector.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// Collects a batch for each thread, in memory that is accounted for, and encodes them in parallel tasks.
class ArrowFileWriter final : public CopyWriter {
 public:
  /// Creates the file under a temporary name. `context` is borrowed. Throws Error(kIo), and
  /// Error(kNotSupported) if there are no columns.
  ArrowFileWriter(const FunctionContext& context, NewFilePath path, const ArrowWriteOptions& options,
                  const std::vector<std::string>& names, const std::vector<LogicalType>& types);
  ~ArrowFileWriter() override;

  void Append(DataChunk& chunk) override;
  void Finish() override;
  size_t buffered_bytes() const override { return waiting_bytes_ + rows_.size_bytes(); }
  void Flush() override;
  uint64_t size_bytes() const override { return file_.size(); }

 private:
  /// Ends a batch, which waits until there is one for each thread.
  void TakeBatch();
  /// Encodes the batches that wait, at the same time, and writes them in order.
  void WriteBatches();
  void WriteFooter();
  /// Writes the messages in `buffer_`, and notes where they are.
  void WriteMessages();

  const FunctionContext& context_;
  const ArrowWriteOptions options_;
  const size_t threads_;
  const size_t most_bytes_;  // of a batch
  BatchCollector rows_;
  ArrowLayout layout_;
  ArrowSchema schema_ = {};
  std::optional<ArrowIpcWriter> writer_;
  NewFile file_;
  std::vector<BatchCollector::Batch> waiting_;
  size_t waiting_bytes_ = 0;
  std::string buffer_;
  std::vector<ipc::Block> dictionaries_, batches_;
};

}  // namespace scaup
