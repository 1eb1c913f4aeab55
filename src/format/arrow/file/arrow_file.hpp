// ArrowFile: a file in Arrow's IPC format, in its file or in its streaming form.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/arrow/arrow_type.hpp"
#include "format/arrow/ipc/ipc_decoder.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// The schema, the dictionaries and the places of the batches of a file. Immutable; shared by threads.
class ArrowFile {
 public:
  /// Reads them. Throws Error(kIo, 22P04) for a file that is damaged or in another format, 0A000 for types
  /// and layouts that are not supported, and the errors of reading; all of them name the path.
  ArrowFile(const FunctionContext& context, std::string path);

  const std::string& path() const { return path_; }
  uint64_t size_bytes() const { return size_bytes_; }
  /// Returns the type of the rows, a struct of the columns.
  const ArrowType& type() const { return type_; }
  size_t batch_count() const { return batches_.size(); }
  uint64_t row_count() const { return row_count_; }
  /// Returns the row of the file with which a batch begins.
  uint64_t first_row(size_t batch) const { return batches_[batch].first_row; }

  std::unique_ptr<File> Open(const FunctionContext& context) const;
  /// Reads columns of a batch as a struct of them, in their order, which keeps itself alive. `file` is from
  /// Open. Throws the errors of the constructor, without the path.
  std::shared_ptr<const ArrowArray> ReadBatch(File& file, size_t batch, std::span<const size_t> columns,
                                              MemoryTracker& memory) const;

 private:
  /// A message in the file.
  struct Place {
    uint64_t offset = 0;  ///< of its FlatBuffer
    size_t metadata_bytes = 0;
    uint64_t body_offset = 0, body_bytes = 0;
    uint64_t first_row = 0;
  };

  void ReadAll(const FunctionContext& context);
  /// Finds the messages by the list at the end of the file.
  void ReadFooter(File& file, const FunctionContext& context);
  /// Finds the messages by going from one to the next.
  void Walk(File& file, uint64_t offset, const FunctionContext& context);
  /// Reads what stands at a place; false at the mark of the stream's end.
  bool ReadMetadata(File& file, uint64_t offset, Place& place, std::vector<std::byte>& metadata) const;
  void Take(File& file, const Place& place, std::span<const std::byte> metadata, MemoryTracker& memory);

  const std::string path_;
  uint64_t size_bytes_ = 0;
  IpcDecoder decoder_;
  ArrowType type_;
  std::vector<Place> batches_;
  uint64_t row_count_ = 0;
  MemoryReservation memory_;
};

}  // namespace scaup
