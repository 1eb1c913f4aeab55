// Appender: the fast way to insert rows into a table from C++.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scaup/connection.hpp"

struct ArrowArray;
struct ArrowSchema;

namespace scaup {

/// Collects rows in columns and inserts them in large batches. Used by one thread at a time. Shares the
/// session of its connection. Rows become visible when Flush or Close returns, all those since the last Flush
/// at once. A row of a collection is one value: a document as JSON text. A row of a table has a value for
/// each column except those that compute their own, with GENERATED ALWAYS as an expression or AS IDENTITY.
///
/// Flush inserts rows like an INSERT that names the columns which the table had when the appender was made.
/// By then, the table may have another name, and further columns, which get their defaults. CHECK constraints
/// and foreign keys are checked then. Rows are inserted a little slower if the table has constraints of these
/// kinds, generated or identity columns, or if it was altered since.
class SCAUP_API Appender {
 public:
  /// Opens an appender for a table or collection. Throws Error(kCatalog) if it does not exist.
  Appender(Connection& connection, const std::string& table, const std::string& schema = "main");
  /// Drops rows that were not flushed. Call Close to insert them.
  ~Appender();
  Appender(Appender&&) noexcept;

  /// Returns whether rows are documents, that is, whether the appender was opened for a collection.
  bool takes_documents() const noexcept;

  /// Appends the next value of the row, from left to right. Text is copied. Throws Error(kConversion or
  /// kOutOfRange) if a value does not fit its column; the row then has to be appended from its first value.
  Appender& Append(bool value);
  Appender& Append(int32_t value);
  Appender& Append(int64_t value);
  Appender& Append(double value);
  Appender& Append(std::string_view text);
  Appender& Append(const char* text) { return Append(std::string_view(text)); }
  Appender& Append(const Value& value);
  Appender& AppendNull();
  /// Ends the row. Throws Error(kUsage) if values are missing. Throws Error(kOutOfMemory) if memory does not
  /// suffice for the rows since the last Flush, which are then dropped.
  void EndRow();

  /// Appends a whole row, as in appender.AppendRow(1, "two", 3.0). Throws like Append and EndRow.
  template <typename... Values>
  void AppendRow(const Values&... values) {
    (Append(values), ...);
    EndRow();
  }

  /// Appends the rows of Arrow arrays (scaup/arrow.h) behind those so far, without a copy. Takes ownership of
  /// the stream, or of the schema and array, also if it throws. Flush reads them, with all threads. The
  /// columns must be those that a row has values for, in this order, of types that convert to the table's.
  /// For a collection each row is a document: a single column of texts has the documents themselves, any
  /// other columns become an object with a key for each column. Throws Error(kUsage) for another number of
  /// columns, or while a row is begun but not ended. Throws Error(kConversion) for types that do not convert.
  /// Throws Error(kOutOfMemory) if memory does not suffice for the rows since the last Flush, which are then
  /// dropped. Flush throws Error(kConversion or kOutOfRange) for a value that does not fit its column, and
  /// Error(kIo) if the stream fails.
  void AppendArrow(ArrowArrayStream* stream);
  void AppendArrow(ArrowSchema* schema, ArrowArray* array);

  /// Inserts the rows since the last Flush: all of them or, if it throws, none, and they are dropped. Throws
  /// Error(kConstraint) for rows that break the table's constraints. Throws Error(kCatalog) if the table was
  /// dropped, or if one of the columns was dropped, got another type, or was renamed by a statement that
  /// rewrote the rows. Throws Error(kUsage), and drops nothing, while a row is begun but not ended.
  void Flush();
  /// Flushes and ends the appender, which cannot be used afterwards. Throws like Flush.
  void Close();

 private:
  struct State;
  State& state();
  std::unique_ptr<State> state_;
};

}  // namespace scaup
