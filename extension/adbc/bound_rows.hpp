// Bound rows: the parameters of a statement, read row by row from an Arrow stream.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "open_databases.hpp"
#include "owned.hpp"
#include "scaup/connection.hpp"

namespace scaup::adbc {

/// Rows of parameters. A session of their own reads them, so that any type that SQL can read from Arrow can
/// be bound. Owned by the execution of a statement; used by one thread.
class BoundRows {
 public:
  /// Throws Error(kNotSupported, 0A000) for columns without a SQL type, and StatusError(INVALID_ARGUMENT) for
  /// none.
  BoundRows(const registry::OpenDatabase& database, OwnedStream stream);

  const std::vector<std::string>& names() const { return names_; }
  /// Returns the types to declare: a text is treated like a quoted literal, which takes the type that its
  /// context needs, and so has kNull.
  const std::vector<LogicalType>& types() const { return types_; }
  /// Reads the next row into `values`. Returns false at the end. Throws Error(kIo) if the stream fails.
  bool Next(std::vector<Value>& values);

 private:
  std::vector<std::string> names_;
  std::vector<LogicalType> types_;
  Connection session_;
  std::optional<StreamingResult> query_;
  QueryResult rows_;
  size_t row_ = 0;
  size_t row_count_ = 0;
};

}  // namespace scaup::adbc
