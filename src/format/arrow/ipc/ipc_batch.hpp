// Batches of Arrow's IPC format as arrays of the C data interface.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/arrow/ipc/flat_table.hpp"
#include "format/arrow/ipc/ipc_field.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/arrow/ipc/ipc_schema.hpp"

namespace scaup {

/// An array with the arrays within it and what keeps their memory. Immutable once it is read, and shared by
/// those that export it.
struct IpcArray {
  std::shared_ptr<const void> memory;
  int64_t length = 0;
  int64_t null_count = 0;
  std::vector<const void*> buffers;
  std::vector<int64_t> view_sizes;  ///< of the buffers of views; the last of `buffers` points here
  std::vector<std::shared_ptr<const IpcArray>> children;
  std::shared_ptr<const IpcArray> dictionary;
};

/// The dictionaries that have come, by the numbers of their columns.
using IpcDictionaries = std::map<int64_t, std::shared_ptr<const IpcArray>>;

/// The place of the buffers of a message: memory, or a part of a file, of which only what is needed is read.
struct IpcBodySource {
  std::span<const std::byte> bytes = {};    ///< in memory
  std::shared_ptr<const void> memory = {};  ///< which keeps it alive
  File* file = nullptr;                     ///< borrowed; null for memory
  uint64_t offset = 0, size_bytes = 0;      ///< in the file
  MemoryTracker* tracker = nullptr;         ///< for what is read from the file; borrowed
};

/// Reads arrays out of one message. Borrows everything for its lifetime.
class IpcBatchReader {
 public:
  /// Throws Error(22P04), and 0A000 for a compression that is not known.
  IpcBatchReader(const FlatTable& batch, IpcBodySource body, const IpcDictionaries& dictionaries);

  /// Reads a column of the batch after the last one. `field` and `column` are its type.
  std::shared_ptr<const IpcArray> Read(const IpcField& field, const IpcColumn& column);
  /// Passes over such a column.
  void Skip(const IpcColumn& column);
  int64_t length() const { return length_; }

 private:
  struct Bytes {
    const std::byte* data = nullptr;
    int64_t size_bytes = 0;
  };
  Bytes NextBuffer(IpcArray& array);
  Bytes ReadFromFile(const ipc::Buffer& place, IpcArray& array) const;
  Bytes Decompress(Bytes compressed, IpcArray& array) const;
  /// Memory that lives as long as the array.
  std::byte* Allocate(int64_t size_bytes, IpcArray& array) const;
  int64_t NextViewBuffers();
  const void* NextBufferOf(IpcArray& array, int64_t least_bytes);
  template <typename Offset>
  int64_t ReadOffsets(IpcArray& array);
  void ReadViews(IpcArray& array);
  void ReadUnion(const IpcField& field, const IpcColumn& column, IpcArray& array);

  const FlatTable& batch_;
  const IpcBodySource body_;
  const IpcDictionaries& dictionaries_;
  const FlatTable::Vector nodes_, buffers_, variadic_counts_;
  const int64_t length_;
  int compression_ = -1;  // -1: none
  size_t next_node_ = 0, next_buffer_ = 0, next_variadic_ = 0;
};

/// Exports an array, which keeps itself alive.
void ExportIpcArray(std::shared_ptr<const IpcArray> array, ArrowArray* out);

}  // namespace scaup
