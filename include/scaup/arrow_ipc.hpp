// Arrow IPC: writes Arrow arrays (scaup/arrow.h) as bytes for other processes, files and networks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "scaup/export.hpp"

struct ArrowSchema;
struct ArrowArray;

namespace scaup {

/// Writes Arrow's streaming format (arrow.apache.org, "Serialization and Interprocess Communication"): a
/// schema, then dictionaries and record batches. Every library for Arrow reads it. Used by one thread at a
/// time.
class SCAUP_API ArrowIpcWriter {
 public:
  enum class Compression : uint8_t { kNone, kLz4, kZstd };

  /// Writes batches of this type, a struct of the columns, of which nothing is kept but what is needed.
  /// Throws Error(kNotSupported, 0A000) for layouts that results are not exported in: unions, run-end encoded
  /// values and list views.
  explicit ArrowIpcWriter(const ArrowSchema& schema, Compression compression = Compression::kNone);
  ~ArrowIpcWriter();
  ArrowIpcWriter(const ArrowIpcWriter&) = delete;
  ArrowIpcWriter& operator=(const ArrowIpcWriter&) = delete;

  /// Appends the schema, with which a stream begins.
  void AppendSchema(std::string& out);
  /// Appends a batch, and before it each dictionary that is not the same as in the batch before. The batch
  /// has the schema's type.
  void AppendBatch(const ArrowArray& batch, std::string& out);
  // The two halves of AppendBatch, for those who encode several batches at the same time.

  /// Appends the dictionaries alone.
  void AppendDictionaries(const ArrowArray& batch, std::string& out);
  /// Appends the batch alone. Any number of threads may do so at the same time.
  void AppendRecordBatch(const ArrowArray& batch, std::string& out) const;
  /// Appends the mark of the stream's end.
  void AppendEnd(std::string& out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads Arrow's streaming format, and its file format from the beginning on, out of bytes that come in any
/// portions. The bytes may be damaged: that is an Error(kConversion, 22P04), and never more. Used by one
/// thread at a time.
class SCAUP_API ArrowIpcReader {
 public:
  ArrowIpcReader();
  ~ArrowIpcReader();
  ArrowIpcReader(const ArrowIpcReader&) = delete;
  ArrowIpcReader& operator=(const ArrowIpcReader&) = delete;

  /// Adds bytes, which are copied.
  void Append(std::string_view bytes);
  /// Exports the schema, a struct of the columns. The caller owns `out`. Returns false if more bytes are
  /// needed. Throws Error(kNotSupported, 0A000) for types without an export, as ArrowIpcWriter does.
  bool ReadSchema(ArrowSchema* out);
  /// Exports the next batch. The caller owns `out`, which may outlive the reader. Returns false if more bytes
  /// are needed, or at the end.
  bool ReadBatch(ArrowArray* out);
  /// Returns whether the mark of the stream's end has come. Streams may also end without it, between
  /// messages.
  bool is_at_end() const;
  /// Throws Error(22P04) if the bytes end within a message, or before a schema.
  void RequireEnd() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scaup
