// Database: one open database, shared by its connections.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scaup/error.hpp"
#include "scaup/export.hpp"

namespace scaup {

/// Settings by name, such as {"threads", "4"} or {"memory_limit", "2GB"}. `SHOW ALL` lists them.
using Config = std::map<std::string, std::string>;

/// A handle to an open database; copies refer to the same one, which closes when the last handle, connection
/// and stream are gone; results live on without it. Thread-safe. Many databases may be open in one process;
/// none of them touches process state. A handle that was moved from refers to none: a Connection to it throws
/// Error(kUsage). In a child made by fork, whatever its parent opened throws Error(kUsage, 55000).
/// docs/embedding.md says more of fork, threads, descriptors and exit.
class SCAUP_API Database {
 public:
  /// Opens a database: the file at `path`, made if it is missing; or with ":memory:" (or "") a new one that
  /// is gone when it closes. Beside a file lies its log, "<path>.wal"; what it says is done again first, and
  /// a close leaves the file alone. A file is open in one Database object at a time, of this process or
  /// another, or in any number that all say {"access_mode", "read_only"}, which never makes or changes a
  /// file.
  ///
  /// Throws Error(kUsage) for an unknown setting or a bad value; Error(kNotSupported) for a file that a newer
  /// version made; Error(kIo): 55006 where it is open elsewhere, 58P01 where it is missing and cannot be
  /// made, or is to be read only, XX001 where it is no database, is cut off, or its log is damaged (setting
  /// "recovery_mode"), 53100 where the disk is full, 58030 for the rest. Damage to the tables themselves is
  /// found by the statements that read it.
  explicit Database(const std::string& path = ":memory:", const Config& config = {});

  /// The library's version, "0.1.0".
  static const char* Version() noexcept;

 private:
  friend class Connection;
  std::shared_ptr<class DatabaseInstance> instance_;
};

}  // namespace scaup
