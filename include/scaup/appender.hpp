// Appender: the fast way to put rows into a table from C++.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scaup/connection.hpp"

struct ArrowArray;
struct ArrowSchema;

namespace scaup {

/// Collects rows in columns and inserts them in large pieces. One thread at a time.
/// Rows become visible when Flush or Close returns, all that came since the last Flush at once.
/// A row of a collection is one value, a document as JSON text. A row of a table has a value for each column
/// but those that make their own: GENERATED ALWAYS, as an expression or AS IDENTITY.
///
/// Rows go to the table as it is when they are flushed, as INSERT with the columns that it had when the
/// appender was made: it may have another name by then, and further columns, which get their defaults. CHECK
/// constraints and foreign keys are checked then. Tables that have these, generated or identity columns, or
/// that were altered since, take rows a little slower than others.
class SCAUP_API Appender {
 public:
  /// Throws Error(kCatalog) when there is no such table.
  Appender(Connection& connection, const std::string& table, const std::string& schema = "main");
  /// Drops rows that were not flushed; call Close to keep them.
  ~Appender();
  Appender(Appender&&) noexcept;

  /// Whether its rows are documents.
  bool takes_documents() const noexcept;

  /// Values of one row from left to right. Throws Error(kConversion or kOutOfRange) when a value does not fit
  /// its column; the row is then begun anew.
  Appender& Append(bool value);
  Appender& Append(int32_t value);
  Appender& Append(int64_t value);
  Appender& Append(double value);
  Appender& Append(std::string_view text);
  Appender& Append(const char* text) { return Append(std::string_view(text)); }
  Appender& Append(const Value& value);
  Appender& AppendNull();
  /// Ends the row. Throws Error(kUsage) when values are missing, and Error(kOutOfMemory), dropping the rows
  /// since the last Flush, when there is no room for them.
  void EndRow();

  /// append.AppendRow(1, "two", 3.0)
  template <typename... Values>
  void AppendRow(const Values&... values) {
    (Append(values), ...);
    EndRow();
  }

  /// Adds the rows of Arrow arrays (scaup/arrow.h) behind those so far, without a copy: the stream, or the
  /// array, is taken over, and is read by Flush, with all threads. It has the columns that a row has values
  /// for, in their order, of any types that convert to theirs. For a collection each row is a document: of
  /// one column of texts, the text; of any others, an object with a key for each column.
  /// Throws Error(kUsage) for another number of columns and while a row is begun but not ended,
  /// Error(kConversion) for types that do not convert, and Error(kOutOfMemory), dropping the rows since the
  /// last Flush, where these have no room; in any case what was given is released. Flush throws
  /// Error(kConversion or kOutOfRange) for a value that does not fit its column, Error(kIo) where the stream
  /// fails.
  void AppendArrow(ArrowArrayStream* stream);
  void AppendArrow(ArrowSchema* schema, ArrowArray* array);

  /// Makes the rows so far part of the table, or throws and drops them: Error(kConstraint) for rows that
  /// break its constraints, Error(kCatalog) where it was dropped, or one of the columns was dropped, renamed
  /// by a statement that made the rows anew, or given another type. Throws Error(kUsage) and drops nothing
  /// while a row is begun but not ended.
  void Flush();
  /// Flushes and ends; the appender cannot be used afterwards.
  void Close();

 private:
  struct State;
  State& state();
  std::unique_ptr<State> state_;
};

}  // namespace scaup
