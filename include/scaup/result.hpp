// What a statement gives back: whole columns in contiguous memory, or a stream of parts of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/error.hpp"
#include "scaup/export.hpp"
#include "scaup/value.hpp"

struct ArrowArrayStream;

namespace scaup {

/// How results are given as Arrow arrays (scaup/arrow.h).
struct ArrowOptions {
  /// VARCHAR and BLOB as utf8_view and binary_view, which not all libraries know, but in lists and structs.
  bool string_views = false;
  /// Enums as dictionaries, else as strings.
  bool dictionaries = true;
  /// JSON as arrow.json, UUID as arrow.uuid; else as their storage alone.
  bool extensions = true;
  /// The most rows of one array. Fewer where strings are long.
  size_t batch_rows = 131072;
};

/// Name and type of a result column.
struct ResultColumn {
  std::string name;
  LogicalType type;
};

/// One column of a result as it lies in memory. `data` is an array of `row_count` values: uint8_t for
/// BOOLEAN, int8_t
/// .. int64_t, int128_t, float, double, int32_t for DATE, int64_t for TIME and TIMESTAMP, Interval; DECIMAL
/// as the integer of 16, 32, 64 or 128 bits that its width needs (at most 4, 9, 18, 38 digits). VARCHAR and
/// BLOB are read with QueryResult::GetString instead. `nulls[row]` is 1 where the value is NULL; a null
/// pointer where none is. NULL rows hold zero. All of it lives as long as `owner` does.
struct ColumnView {
  LogicalType type;
  size_t row_count = 0;
  size_t value_bytes = 0;
  const void* data = nullptr;
  const uint8_t* nulls = nullptr;
  std::shared_ptr<const void> owner;
};

/// A whole result in memory. A handle: copies share the columns. Const access from any thread. Once it was
/// moved from, every method throws Error(kUsage), until it is assigned to.
class SCAUP_API QueryResult {
 public:
  QueryResult();
  ~QueryResult();
  QueryResult(const QueryResult&);
  QueryResult& operator=(const QueryResult&);
  QueryResult(QueryResult&&) noexcept;
  QueryResult& operator=(QueryResult&&) noexcept;

  const std::vector<ResultColumn>& columns() const;
  size_t column_count() const { return columns().size(); }
  size_t row_count() const;
  /// True for statements that return rows (even none), false for CREATE, INSERT and the like.
  bool has_rows() const { return column_count() != 0; }
  /// Rows inserted (or copied) by the statement; 0 for others.
  uint64_t rows_changed() const;

  /// The column's own memory. No copy is made.
  ColumnView Column(size_t column) const;
  /// REQUIRES: in range. NULL is told apart by IsNull.
  bool IsNull(size_t column, size_t row) const;
  /// The bytes of a VARCHAR or BLOB that is not NULL; valid as long as any copy of this result.
  std::string_view GetString(size_t column, size_t row) const;
  /// Any value, boxed.
  Value GetValue(size_t column, size_t row) const;
  /// Appends any value's text, as SQL's cast to VARCHAR has it in the session that made the result: TIMESTAMP
  /// WITH TIME ZONE in its time zone. "NULL" for NULL.
  void AppendText(size_t column, size_t row, std::string& out) const;
  /// The name of that time zone: "UTC", "Europe/Berlin", "<+05:30>-05:30".
  const std::string& time_zone() const;
  /// Makes `out`, which is uninitialized or released, a stream of this result's rows. Numbers are shared, not
  /// copied, as long as anybody has one of the arrays. The stream may be read by any thread, one at a time,
  /// after the result and its database are gone. Names of columns that occur again get _1, _2, ... appended.
  /// An error while it is read ends the stream; get_last_error tells it. Throws Error(kUsage) for a statement
  /// without rows.
  void ExportArrow(ArrowArrayStream* out, const ArrowOptions& options = {}) const;
  /// Rows as text, columns separated by tabs, without names: for logs and tests.
  std::string ToString() const;

 private:
  friend class ResultAccess;
  const struct ResultData& data() const;
  std::shared_ptr<const struct ResultData> data_;
};

/// A result that is read part by part. Movable; one thread at a time. Once it was moved from, every method
/// throws Error(kUsage).
///
/// The rows of a statement that only reads are computed while they are fetched. That holds the connection's
/// query open: a further statement on the same connection ends it, and Fetch then throws Error(kUsage,
/// 24000).
///
/// A statement that changes something has done all of it when it returns the stream, as if it had been given
/// to Connection::Query: INSERT, UPDATE, DELETE and MERGE with and without RETURNING, also in WITH, in
/// EXPLAIN ANALYZE or by EXECUTE, COPY, CREATE TABLE AS, and whatever calls nextval() or setval(). Outside of
/// a transaction block it is committed. Its rows are kept until they are fetched, in temporary storage where
/// memory is short. Nothing but those rows is lost if the stream is dropped, and none of them if a further
/// statement comes or Fetch throws.
class SCAUP_API StreamingResult {
 public:
  ~StreamingResult();
  StreamingResult(StreamingResult&&) noexcept;
  StreamingResult& operator=(StreamingResult&&) noexcept;

  const std::vector<ResultColumn>& columns() const;
  /// Rows inserted, updated, deleted or copied by the statement, all of them from the beginning; 0 for
  /// others.
  uint64_t rows_changed() const;
  /// The next rows, some thousands at most, in `rows`. False at the end, however often it is called. Throws
  /// what the query throws.
  bool Fetch(QueryResult& rows);
  /// Fetches at most `most_rows` rows, and as many as that unless the end comes first. Throws
  /// Error(kUsage) if `most_rows` is 0.
  bool Fetch(QueryResult& rows, size_t most_rows);
  /// The name of the session's time zone when the statement began: see QueryResult::time_zone.
  const std::string& time_zone() const;
  /// Gives the rest of the stream away as Arrow arrays, which are computed as they are asked for. What ends a
  /// stream ends this one; releasing it ends the query. See QueryResult::ExportArrow.
  void ExportArrow(ArrowArrayStream* out, const ArrowOptions& options = {}) &&;

 private:
  friend class ResultAccess;
  struct State;
  explicit StreamingResult(std::unique_ptr<State> state);
  class StreamExecution& execution() const;
  std::unique_ptr<State> state_;
};

}  // namespace scaup
