// Database: one open database, shared by its connections.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scaup/error.hpp"
#include "scaup/export.hpp"
#include "scaup/file_host.hpp"
#include "scaup/function_host.hpp"

namespace scaup {

/// Settings by name, such as {"threads", "4"} or {"memory_limit", "2GB"}. `SHOW ALL` lists them.
using Config = std::map<std::string, std::string>;

/// A handle to an open database. Copies refer to the same database, which is closed when the last handle,
/// connection and stream are destroyed. Results outlive it. Thread-safe. Several databases may be open in one
/// process; none of them changes process state. A handle that was moved from refers to no database, and a
/// Connection to it throws Error(kUsage). In a child process made by fork, every use of the parent's
/// databases throws Error(kUsage, 55000). docs/embedding.md says more about fork, threads, descriptors and
/// exit.
class SCAUP_API Database {
 public:
  /// Opens the database file at `path`, which is created if it is missing. With ":memory:" or "", opens a new
  /// database that is lost when it is closed. The write-ahead log is a file beside it, "<path>.wal". Opening
  /// first replays the log; a clean close leaves only the database file. A file can be open in one Database
  /// object at a time, of this or another process, or in any number of objects with {"access_mode",
  /// "read_only"}, which never create or change a file.
  ///
  /// Throws Error(kUsage) for an unknown setting or an invalid value, and Error(kNotSupported) for a file of
  /// a newer version. Throws Error(kIo) with SQLSTATE 55006 if the file is open elsewhere; 58P01 if it is
  /// missing and cannot be created, or is to be opened read-only; XX001 if it is no database, is truncated,
  /// or its log is damaged (see setting "recovery_mode"); 53100 if the disk is full; 58030 otherwise. Damage
  /// within tables is reported by the statements that read them.
  explicit Database(const std::string& path = ":memory:", const Config& config = {});

  /// Lets connections call the functions of the database that are written in this language, if the setting
  /// "stored_functions" is "on". Replaces the language's host for statements that are prepared later; null
  /// removes it. The case of ASCII letters in the name does not count. Throws Error(kUsage) for "" and "sql".
  void RegisterLanguage(std::string_view name, std::shared_ptr<FunctionHost> host);

  /// Lets statements read and write the files of a file system by paths "<scheme>://...", such as "s3". All
  /// that reads or writes files in SQL goes by it, but the database's own files. Replaces the scheme's host
  /// for statements that begin later; null removes it. "http" and "https" are built in, for statements that
  /// may use them (setting "http_files"), until a host takes their place. The case of ASCII letters in the
  /// scheme does not count. Throws Error(kUsage, 22023) for a text that is no scheme.
  void RegisterFileSystem(std::string_view scheme, std::shared_ptr<FileHost> host);

  /// Returns the library's version, such as "0.1.0". The string is static.
  static const char* Version() noexcept;

 private:
  friend class Connection;
  std::shared_ptr<class DatabaseInstance> instance_;
};

}  // namespace scaup
