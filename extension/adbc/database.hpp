// Database: what is behind an AdbcDatabase.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "open_databases.hpp"
#include "scaup/result.hpp"

namespace scaup::adbc {

/// Options at first, an open database after Init. Owned by its AdbcDatabase; connections share ownership of
/// the open database. Options can be read by any thread.
class DatabaseState {
 public:
  /// Throws StatusError for an option that cannot be, and for any but those of arrays after Init.
  void SetOption(const std::string& key, const std::string& value);
  /// Throws StatusError(NOT_FOUND) for an option that was not set.
  std::string GetOption(const std::string& key) const;
  /// Opens the database. Throws the errors of scaup::Database.
  void Init();

  /// Returns the open database. Throws StatusError(INVALID_STATE) before Init.
  std::shared_ptr<registry::OpenDatabase> open() const;
  ArrowOptions arrow() const;

 private:
  mutable std::mutex mutex_;
  // The members below are guarded by mutex_.
  std::map<std::string, std::string> options_;
  ArrowOptions arrow_;
  std::shared_ptr<registry::OpenDatabase> open_;
};

}  // namespace scaup::adbc
