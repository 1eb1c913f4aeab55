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
/// none of them touches process state.
class SCAUP_API Database {
 public:
  /// Opens a database. ":memory:" (or "") keeps all data in memory. Any other path is a file, made if there
  /// is none; {"access_mode", "read_only"} only reads it. One Database at a time may write a file, or many
  /// read it, counted over all processes and this one: connections that are to share a file are made from
  /// copies of one Database. Throws Error(kUsage) for an unknown setting or a bad value, Error(kNotSupported)
  /// for a file of a newer version, Error(kIo) otherwise: 55006 if others have the file, XX001 if it is none
  /// of ours, damaged, or has a log that is; 58P01, 58030 for what the system says. No such error changes a
  /// byte of any file.
  explicit Database(const std::string& path = ":memory:", const Config& config = {});

  /// The library's version, "0.1.0".
  static const char* Version() noexcept;

 private:
  friend class Connection;
  std::shared_ptr<class DatabaseInstance> instance_;
};

}  // namespace scaup
