// Writes chunks to a Parquet file.
#pragma once

#include <string>
#include <vector>

#include "common/file/new_file.hpp"
#include "format/parquet/parquet_types.hpp"
#include "format/parquet/write/column_chunk_encoder.hpp"
#include "format/parquet/write/column_shredder.hpp"
#include "format/parquet/write/parquet_write_options.hpp"
#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Collects a row group at a time, in memory that is accounted for, and encodes its columns in parallel
/// tasks.
class ParquetWriter final : public CopyWriter {
 public:
  /// Creates the file under a temporary name. `context` is borrowed. Throws Error(kIo), and
  /// Error(kNotSupported) if there are no columns.
  ParquetWriter(const FunctionContext& context, NewFilePath path, const ParquetWriteOptions& options,
                const std::vector<std::string>& names, const std::vector<LogicalType>& types);

  void Append(DataChunk& chunk) override;
  void Finish() override;
  size_t buffered_bytes() const override;
  void Flush() override;
  uint64_t size_bytes() const override { return file_.size(); }

 private:
  bool IsRowGroupFull() const;
  void WriteRowGroup();
  void WriteChunk(EncodedChunk& chunk, size_t leaf, ParquetRowGroup& group);
  void WriteFooter();
  /// Appends to the file, and returns where.
  int64_t Write(const void* bytes, size_t size_bytes);

  const FunctionContext& context_;
  const ParquetWriteOptions options_;
  const size_t most_bytes_;  // of the values of a row group
  ParquetMetadata metadata_;
  ParquetTree tree_;
  std::vector<std::vector<std::string>> paths_;  // of the leaves
  std::vector<LeafValues> leaves_;
  std::vector<ColumnShredder> shredders_;
  MemoryReservation metadata_memory_;
  NewFile file_;
  size_t row_count_ = 0;  // of the row group
};

}  // namespace scaup
