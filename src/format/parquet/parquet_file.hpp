// A Parquet file: its footer, checked against its size, and reads of its bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/parquet_metadata.hpp"
#include "format/parquet/parquet_types.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// A file as its footer describes it. Immutable once made; shared by plans and scans. It holds no descriptor.
class ParquetFile {
 public:
  /// Reads and checks the footer. Throws Error(kIo) for a file that cannot be read or is damaged, and
  /// Error(kNotSupported) for what this reader does not know.
  ParquetFile(const FunctionContext& context, const std::string& path, const ParquetOptions& options);

  const std::string& path() const { return path_; }
  uint64_t size_bytes() const { return size_bytes_; }
  size_t footer_bytes() const { return footer_bytes_; }
  const ParquetMetadata& metadata() const { return metadata_; }
  const ParquetTree& tree() const { return tree_; }
  std::unique_ptr<File> Open(const FunctionContext& context) const;

  /// Calls `read`, and turns ParquetDamage into an Error that names the file.
  template <typename Read>
  auto Guard(Read&& read) const {
    try {
      return read();
    } catch (const ParquetDamage& damage) {
      ThrowParquetError(path_, damage);
    }
  }

 private:
  void ReadFooter(const FunctionContext& context, const ParquetOptions& options);
  void CheckRowGroups() const;
  void CheckChunk(const ParquetColumnChunk& chunk, const ParquetLeaf& leaf, int64_t row_count) const;

  std::string path_;
  uint64_t size_bytes_ = 0;
  size_t footer_bytes_ = 0;
  MemoryReservation memory_;
  ParquetMetadata metadata_;
  ParquetTree tree_;
};

/// Bytes of a part of a file. Throws ParquetDamage if the file does not have them.
std::vector<std::byte> ReadParquetBytes(File& file, uint64_t offset, size_t size_bytes);

}  // namespace scaup
