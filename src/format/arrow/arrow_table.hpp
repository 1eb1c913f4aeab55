// Tables of the host program that statements read as streams of Arrow arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "format/arrow/arrow_type.hpp"
#include "scaup/arrow_factory.hpp"
#include "type/scan_filter.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Owns a stream, or a single array that is read like one. Construction moves the contents of the argument.
class OwnedArrowStream {
 public:
  OwnedArrowStream() = default;
  explicit OwnedArrowStream(ArrowArrayStream* taken);
  /// Throws the errors of ReadArrowSchema; schema and array are taken in any case.
  OwnedArrowStream(ArrowSchema* schema, ArrowArray* array);
  OwnedArrowStream(OwnedArrowStream&& other) noexcept;
  OwnedArrowStream& operator=(OwnedArrowStream&& other) noexcept;
  ~OwnedArrowStream();

  bool is_open() const { return stream_.release != nullptr || array_type_; }
  /// The stream, for a factory to fill. REQUIRES: not open.
  ArrowArrayStream* slot() {
    SCAUP_ASSERT(!is_open());
    return &stream_;
  }
  /// Reads the stream's type. Throws Error(kIo, 58030) with the stream's own message, and the errors of
  /// ReadArrowSchema.
  ArrowType ReadType();
  /// The next array, which releases itself; null at the end. Throws Error(kIo, 58030).
  std::shared_ptr<const ArrowArray> Next();

 private:
  [[noreturn]] void ThrowFailure(int code);
  ArrowArrayStream stream_ = {};
  std::optional<ArrowType> array_type_;      // for a single array; nullopt for a stream
  std::shared_ptr<const ArrowArray> array_;  // the single array; null once it was returned
};

/// One pass over a table by any number of threads. Each thread takes turns of consecutive rows: small ones at
/// first, so that all threads soon have work, then larger ones.
class ArrowScan {
 public:
  /// Consecutive rows of an array.
  struct Rows {
    std::shared_ptr<const ArrowArray> array;
    size_t begin = 0;
    size_t count = 0;
  };
  /// The rows that one thread has taken but not read yet. Their arrays live as long as the turn.
  class Turn {
    friend class ArrowScan;
    std::vector<Rows> rows_;  // the next one is last
    uint64_t number_ = 0;     // position of the next vector in the whole stream
  };

  /// `columns` are the columns of the table to read.
  ArrowScan(OwnedArrowStream stream, const ArrowType& table, std::span<const size_t> columns);
  /// Reads the thread's next rows and their position in the stream into `output`. No rows means the end.
  /// REQUIRES: `output` is after Release().
  void Next(Turn& turn, DataChunk& output);

 private:
  void Take(Turn& turn);

  ArrowType type_;               // type of the stream
  std::vector<size_t> sources_;  // for each column to read, its index in the stream
  Mutex mutex_;
  OwnedArrowStream stream_ SCAUP_GUARDED_BY(mutex_);
  std::shared_ptr<const ArrowArray> array_ SCAUP_GUARDED_BY(mutex_);
  size_t row_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t turn_rows_ SCAUP_GUARDED_BY(mutex_);
  uint64_t next_number_ SCAUP_GUARDED_BY(mutex_) = 0;
};

/// A table: either a stream, which can be read once, or a factory that opens any number of them. Thread-safe.
class ArrowTable {
 public:
  /// Takes the contents of `stream`. Throws the errors of OwnedArrowStream::ReadType.
  explicit ArrowTable(ArrowArrayStream* stream) : ArrowTable(OwnedArrowStream(stream)) {}
  explicit ArrowTable(OwnedArrowStream stream);
  explicit ArrowTable(ArrowFactory factory);

  const std::vector<std::string>& column_names() const { return names_; }
  const std::vector<LogicalType>& column_types() const { return types_; }
  /// Begins a pass. It may skip rows that fail a filter; filters may be on any column. Throws Error(kUsage,
  /// 55000) for a stream that was read before.
  std::unique_ptr<ArrowScan> Open(std::span<const size_t> columns, std::span<const ScanFilter> filters = {});

 private:
  void NoteColumns();

  ArrowType type_;
  std::vector<std::string> names_;
  std::vector<LogicalType> types_;
  Mutex mutex_;
  // The only stream, or a factory's first one, until it is read.
  OwnedArrowStream stream_ SCAUP_GUARDED_BY(mutex_);
  ArrowFactory factory_ SCAUP_GUARDED_BY(mutex_);  // null for a stream
};

/// The columns of a stream: the fields of a struct type, or the type itself.
std::span<const ArrowType> ArrowColumns(const ArrowType& type);

}  // namespace scaup
