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
/// and result are gone. Thread-safe. Many databases may be open in one process; none of them touches process
/// state.
class SCAUP_API Database {
 public:
  /// Opens a database. ":memory:" (or "") keeps all data in memory, and is what this version can open;
  /// any other path throws Error(kNotSupported). Throws Error(kUsage) for an unknown setting or a bad value.
  explicit Database(const std::string& path = ":memory:", const Config& config = {});

  /// The library's version, "0.1.0".
  static const char* Version() noexcept;

 private:
  friend class Connection;
  std::shared_ptr<class DatabaseInstance> instance_;
};

}  // namespace scaup
