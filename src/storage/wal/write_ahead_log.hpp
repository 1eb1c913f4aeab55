// The write-ahead log: frames beside the database file that say what commits since the last checkpoint did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/file_system.hpp"

namespace scaup {

/// Which state of which database a log continues. A log that continues another one is stale.
struct LogIdentity {
  uint64_t database_id = 0;        ///< random, from the database file's header
  uint64_t checkpoint_number = 0;  ///< of the checkpoint that the log continues
  friend bool operator==(const LogIdentity&, const LogIdentity&) = default;
};

/// The end of the log, open for appending. Each frame is one commit: whole or not there. One thread at a
/// time.
class WriteAheadLog {
 public:
  /// Makes an empty log, replacing what is there; durable when this returns.
  static std::unique_ptr<WriteAheadLog> Create(FileSystem& files, const std::string& path,
                                               const LogIdentity& identity);
  virtual ~WriteAheadLog() = default;

  /// Appends one frame for each payload, in one write, and makes them durable if `sync`. When it throws
  /// Error(kIo), none of them is in the log, nor will recovery find any of them, unless the system refuses
  /// even to cut them off: then every later Append first tries that again, and throws while it fails.
  virtual void Append(std::span<const std::span<const std::byte>> payloads, bool sync) = 0;
  /// Makes durable what earlier calls appended without `sync`.
  virtual void Sync() = 0;
  /// Length of the file, header included.
  virtual uint64_t size_bytes() const = 0;
  virtual const LogIdentity& identity() const = 0;
};

/// Reads a log from its beginning, as recovery does. One thread at a time.
class LogReader {
 public:
  enum class Mode : uint8_t {
    kStrict = 1,   ///< damage is an error
    kSalvage = 2,  ///< the log ends before damage
  };
  /// Null if there is no file, or one that a crash left before its header was durable. Throws Error(kIo,
  /// XX001) for a header that is damaged, Error(kNotSupported) for a log of a newer version. `may_write` is
  /// false for a database opened read-only.
  static std::unique_ptr<LogReader> Open(FileSystem& files, const std::string& path, Mode mode,
                                         bool may_write);
  virtual ~LogReader() = default;

  virtual const LogIdentity& identity() const = 0;
  /// The next frame's payload; false at the end. A torn tail, which is what a crash leaves of commits that
  /// were never acknowledged, is the end. Damage before it throws Error(kIo, XX001) that names file, offset
  /// and the salvage mode; nothing is changed.
  virtual bool Next(std::vector<std::byte>& payload) = 0;
  /// Whether salvage stopped at damage.
  virtual bool was_damaged() const = 0;
  /// After Next returned false: goes on where the whole frames end, cutting off a torn tail.
  virtual std::unique_ptr<WriteAheadLog> Continue() = 0;
};

}  // namespace scaup
