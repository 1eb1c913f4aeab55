// Results of statements: whole columns in contiguous memory, or a stream of batches of rows.
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

/// Options for the export of results as Arrow arrays (scaup/arrow.h).
struct ArrowOptions {
  /// Exports VARCHAR and BLOB as utf8_view and binary_view, except within lists and structs. Not all
  /// libraries support these types.
  bool string_views = false;
  /// Exports enums as dictionaries rather than as strings.
  bool dictionaries = true;
  /// Exports JSON as arrow.json and UUID as arrow.uuid rather than as their storage types.
  bool extensions = true;
  /// The maximum number of rows in one array. Arrays with long strings have fewer.
  size_t batch_rows = 131072;
};

/// The name and type of a result column.
struct ResultColumn {
  std::string name;
  LogicalType type;
};

/// A column of a result in memory. `data` is an array of `row_count` values. Their C++ types are uint8_t for
/// BOOLEAN; int8_t, int16_t, int32_t, int64_t and int128_t for integers; float and double; int32_t for DATE;
/// int64_t for TIME and TIMESTAMP; Interval. A DECIMAL is its unscaled integer of 16, 32, 64 or 128 bits, for
/// at most 4, 9, 18 or 38 digits. VARCHAR and BLOB are read with QueryResult::GetString instead. NULL rows
/// have the value zero. All pointers are valid as long as a copy of `owner` exists.
struct ColumnView {
  LogicalType type;
  size_t row_count = 0;
  size_t value_bytes = 0;  ///< size of one value
  const void* data = nullptr;
  const uint8_t* nulls = nullptr;  ///< nulls[row] is 1 if the value is NULL; a null pointer if no value is
  std::shared_ptr<const void> owner;
};

/// A whole result in memory. Copies are handles that share the columns. Const access from any thread. After a
/// move, every method of the source throws Error(kUsage) until it is assigned to.
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
  /// Returns whether the statement returns rows, even if there are none, or have no columns. False for
  /// CREATE, INSERT and the like.
  bool has_rows() const;
  /// Returns the number of rows that the statement inserted, updated, deleted or copied; 0 for other
  /// statements.
  uint64_t rows_changed() const;

  // The next functions count columns and rows from 0, and throw Error(kUsage) if one is out of range.

  /// Returns the memory of a column without a copy.
  ColumnView Column(size_t column) const;
  bool IsNull(size_t column, size_t row) const;
  /// Returns the bytes of a VARCHAR or BLOB that is not NULL. They are valid as long as any copy of this
  /// result. Throws Error(kUsage) for columns of other types.
  std::string_view GetString(size_t column, size_t row) const;
  /// Returns a copy of any value.
  Value GetValue(size_t column, size_t row) const;
  /// Appends the text of any value to `out`, like a cast to VARCHAR in the session of the statement:
  /// TIMESTAMP WITH TIME ZONE is in the session's time zone. Appends "NULL" for NULL.
  void AppendText(size_t column, size_t row, std::string& out) const;
  /// Returns the name of the session's time zone, such as "UTC", "Europe/Berlin" or "<+05:30>-05:30".
  const std::string& time_zone() const;
  /// Initializes `out` as a stream of this result's rows, which the caller owns. REQUIRES: `out` is
  /// uninitialized or released. Arrays share the memory of numbers with the result rather than copy them. The
  /// stream may be read by any thread, one at a time, also after the result and its database are gone.
  /// Repeated column names get _1, _2, ... appended. An error during reading ends the stream; get_last_error
  /// returns its message. Throws Error(kUsage) for a statement without rows.
  void ExportArrow(ArrowArrayStream* out, const ArrowOptions& options = {}) const;
  /// Returns the rows as text, columns separated by tabs, without names, for logs and tests.
  std::string ToString() const;

 private:
  friend class ResultAccess;
  const struct ResultData& data() const;
  std::shared_ptr<const struct ResultData> data_;
};

/// A result that is fetched in batches. Movable; used by one thread at a time. After a move, every method of
/// the source throws Error(kUsage).
///
/// The rows of a statement that only reads are computed while they are fetched. The connection's query stays
/// open meanwhile. Another statement on the same connection ends it, and Fetch then throws Error(kUsage,
/// 24000).
///
/// A statement that changes something is complete when the stream is returned, as with Connection::Query, and
/// committed unless a transaction block is open. These are INSERT, UPDATE, DELETE and MERGE with and without
/// RETURNING, also in WITH, in EXPLAIN ANALYZE or by EXECUTE; COPY; CREATE TABLE AS; and all statements that
/// call nextval() or setval(). Their rows are materialized until they are fetched, and spill to temporary
/// storage if memory is short. Destroying the stream loses only these rows. They survive another statement
/// and an error of Fetch.
class SCAUP_API StreamingResult {
 public:
  ~StreamingResult();
  StreamingResult(StreamingResult&&) noexcept;
  StreamingResult& operator=(StreamingResult&&) noexcept;

  const std::vector<ResultColumn>& columns() const;
  /// See QueryResult::has_rows.
  bool has_rows() const;
  /// Returns the number of rows that the statement inserted, updated, deleted or copied; 0 for other
  /// statements. It is final as soon as the stream is returned.
  uint64_t rows_changed() const;
  /// Fetches the next rows, a few thousand at most. Returns false at the end, and on every later call. Throws
  /// the errors of the query.
  bool Fetch(QueryResult& rows);
  /// Fetches exactly `most_rows` rows, or fewer at the end. Throws Error(kUsage) if `most_rows` is 0.
  bool Fetch(QueryResult& rows, size_t most_rows);
  /// Returns the name of the session's time zone when the statement began; see QueryResult::time_zone.
  const std::string& time_zone() const;
  /// Exports the remaining rows as a stream of Arrow arrays, which are computed on request. The caller owns
  /// `out`. Whatever would end this stream ends the exported one, and releasing that ends the query. See
  /// QueryResult::ExportArrow.
  void ExportArrow(ArrowArrayStream* out, const ArrowOptions& options = {}) &&;

 private:
  friend class ResultAccess;
  struct State;
  explicit StreamingResult(std::unique_ptr<State> state);
  class StreamExecution& execution() const;
  std::unique_ptr<State> state_;
};

}  // namespace scaup
