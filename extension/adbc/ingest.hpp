// Ingest: makes and fills tables from Arrow streams.
#pragma once

#include <cstdint>
#include <string>

#include "connection.hpp"
#include "owned.hpp"

namespace scaup::adbc {

/// The table into which an ingest inserts its rows.
struct IngestTarget {
  enum class Mode : uint8_t { kCreate, kAppend, kReplace, kCreateAppend };
  std::string table;
  std::string schema;   ///< empty for that in which SQL looks up names
  std::string catalog;  ///< empty for the database's own
  Mode mode = Mode::kCreate;
  bool is_temporary = false;
};

/// Returns the mode that an option names. Throws StatusError(INVALID_ARGUMENT) if it is none.
IngestTarget::Mode ParseIngestMode(const std::string& value);
const char* IngestModeText(IngestTarget::Mode mode);

/// Reads a stream into a table, all rows or none, and returns their number. Columns go to the columns of the
/// same name. In a collection each row becomes a document with the names as keys. Throws StatusError with
/// NOT_FOUND if a table to append to is missing, and with ALREADY_EXISTS if one to create is there or its
/// columns are not those of the stream.
int64_t Ingest(Operation& operation, const IngestTarget& target, OwnedStream stream);

}  // namespace scaup::adbc
