// Tables of a program that statements read as streams of Arrow arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/arrow/arrow_type.hpp"
#include "scaup/arrow_factory.hpp"
#include "type/scan_filter.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Owns a stream, or the only array of one, of which it takes what the given one has.
class OwnedArrowStream {
 public:
  OwnedArrowStream() = default;
  explicit OwnedArrowStream(ArrowArrayStream* taken);
  /// Throws what ReadArrowSchema throws; both are taken in any case.
  OwnedArrowStream(ArrowSchema* schema, ArrowArray* array);
  OwnedArrowStream(OwnedArrowStream&& other) noexcept;
  OwnedArrowStream& operator=(OwnedArrowStream&& other) noexcept;
  ~OwnedArrowStream();

  bool is_open() const { return stream_.release != nullptr || array_type_; }
  /// For a factory to fill in. REQUIRES: not open.
  ArrowArrayStream* slot() { return &stream_; }
  /// The stream's type. Throws Error(kIo, 58030) with what the stream says of its failure, and what
  /// ReadArrowSchema throws.
  ArrowType ReadType();
  /// The next array, null at the end; it releases itself. Throws Error(kIo, 58030).
  std::shared_ptr<const ArrowArray> Next();

 private:
  [[noreturn]] void ThrowFailure(int code);
  ArrowArrayStream stream_ = {};
  std::optional<ArrowType> array_type_;      // Of the only array; nullopt for a stream.
  std::shared_ptr<const ArrowArray> array_;  // Null once it was given.
};

/// A pass over a table. Any number of threads, each of which takes a turn after the other: rows that follow
/// one another, few at first, so that all threads soon have some, then more.
class ArrowScan {
 public:
  /// A piece of an array.
  struct Rows {
    std::shared_ptr<const ArrowArray> array;
    size_t begin = 0;
    size_t count = 0;
  };
  /// Arrays that one thread has taken and not read yet. They live as long as the turn.
  class Turn {
    friend class ArrowScan;
    std::vector<Rows> rows_;  // The next last.
    uint64_t number_ = 0;     // Of the next vector, among all.
  };

  /// `columns`: of the table, those that are read.
  ArrowScan(OwnedArrowStream stream, const ArrowType& table, std::span<const size_t> columns);
  /// Puts the next rows of the thread, and their place among all, into `output`, which is after Release(). No
  /// rows: the end.
  void Next(Turn& turn, DataChunk& output);

 private:
  void Take(Turn& turn);

  ArrowType type_;               // Of the stream.
  std::vector<size_t> sources_;  // Of each column that is read, among the stream's.
  std::mutex mutex_;             // Guards what follows.
  OwnedArrowStream stream_;
  std::shared_ptr<const ArrowArray> array_;
  size_t row_ = 0;
  size_t turn_rows_;
  uint64_t next_number_ = 0;
};

/// A table: a stream, which is read once, or what opens any number of them. Thread-safe.
class ArrowTable {
 public:
  /// Takes what `stream` has. Throws what OwnedArrowStream::ReadType throws.
  explicit ArrowTable(ArrowArrayStream* stream) : ArrowTable(OwnedArrowStream(stream)) {}
  explicit ArrowTable(OwnedArrowStream stream);
  explicit ArrowTable(ArrowFactory factory);

  const std::vector<std::string>& column_names() const { return names_; }
  const std::vector<LogicalType>& column_types() const { return types_; }
  /// Begins a pass, which may leave out rows for which a filter, of any of the columns, does not hold. Throws
  /// Error(kUsage, 55000) for a stream that was read before.
  std::unique_ptr<ArrowScan> Open(std::span<const size_t> columns, std::span<const ScanFilter> filters = {});

 private:
  void NoteColumns();

  ArrowType type_;
  std::vector<std::string> names_;
  std::vector<LogicalType> types_;
  std::mutex mutex_;         // Guards what follows.
  OwnedArrowStream stream_;  // The only one, or the first of a factory's, until it is read.
  ArrowFactory factory_;     // Null for a stream.
};

/// The columns of a stream's type: the fields of a struct, or the one that it is.
std::span<const ArrowType> ArrowColumns(const ArrowType& type);

}  // namespace scaup
