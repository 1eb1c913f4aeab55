// The write-ahead log: frames in a file beside the database, one for each commit since the last checkpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"

namespace scaup {

/// The database, and the state of it, that a log continues. A log with another identity is stale.
struct LogIdentity {
  uint64_t database_id = 0;        ///< random, from the database file's header
  uint64_t checkpoint_number = 0;  ///< number of the checkpoint that the log continues
  friend bool operator==(const LogIdentity&, const LogIdentity&) = default;
};

/// The writing end of the log. Each frame is one commit, which is in the log as a whole or not at all. Used
/// by one thread at a time.
///
/// Guarantees: after Append(..., true) or Sync() has returned, recovery restores every frame so far, in
/// order, whatever crashes; if the file is damaged, it reports an error. A frame appended without sync
/// survives a crash of the process. A power failure may lose it, and with it all frames after it, but none
/// before it.
/// When a sync fails, it is unknown which unsynced frames reached the disk. So every frame since the last
/// good sync is cut off, including those for which Append(..., false) had returned; size_bytes() is then
/// smaller than before. Later commits may depend on the lost frames, so every later call throws until a
/// checkpoint has made a new log.
class WriteAheadLog {
 public:
  /// Suffix of the name of a log that is being made.
  static constexpr const char* kUnfinishedEnding = ".new";
  /// Makes an empty log in place of an existing one; it is durable when this returns. The log is written as
  /// "<path>.new" and renamed, so a crash leaves either the old log or the new one. Throws Error(kIo).
  static std::unique_ptr<WriteAheadLog> Create(FileSystem& files, const std::string& path,
                                               const LogIdentity& identity);
  virtual ~WriteAheadLog() = default;

  /// Appends one frame per payload in one write, and makes them durable if `sync`. Payloads above 1 MiB get a
  /// write of their own, without being copied. If it throws, recovery will not find any of these frames. If
  /// the system refuses even to cut them off, every later call tries that again first, and throws Error(kIo)
  /// as long as it fails.
  virtual void Append(std::span<const std::span<const std::byte>> payloads, bool sync) = 0;
  /// Makes durable what earlier calls appended without `sync`.
  virtual void Sync() = 0;
  /// Returns the length of the log, header included.
  virtual uint64_t size_bytes() const = 0;
  virtual const LogIdentity& identity() const = 0;
};

/// Reads a log from its beginning, for recovery or beside a writer. Changes nothing before Continue(), so
/// another process may be writing the log meanwhile; the reader then ends after a whole frame. Used by one
/// thread at a time.
class LogReader {
 public:
  enum class Mode : uint8_t {
    kStrict = 1,   ///< damage is an error
    kSalvage = 2,  ///< the log ends before damage
    kFollow = 3,   ///< as kStrict, but only up to where Extend says
  };
  /// Opens the log at `path`; returns null if there is no file.
  /// No crash leaves a file of this name without a whole header, so a short, zero or otherwise wrong header
  /// is damage. In strict mode damage throws Error(kIo, XX001). In salvage mode it gives a reader without
  /// frames, whose was_damaged() is true at once and whose identity() is all zero; so check was_damaged()
  /// before comparing identities.
  /// Throws Error(kNotSupported) for a log of a newer version. `may_write` is false for a database opened
  /// read-only; the file is then opened for reading.
  static std::unique_ptr<LogReader> Open(FileSystem& files, const std::string& path, Mode mode,
                                         bool may_write);
  virtual ~LogReader() = default;

  virtual const LogIdentity& identity() const = 0;
  /// Reads the next frame's payload; returns false at the end. A torn tail, which a crash leaves of commits
  /// that were never acknowledged, counts as the end. Damage before it throws Error(kIo, XX001) with the
  /// file, the offset and a hint at salvage mode; the file is not changed.
  virtual bool Next(std::vector<std::byte>& payload) = 0;
  /// In kFollow: finds out how far the log goes now, so that Next reads on to there. That is all that counts
  /// as committed: if there is a writer in another process, the frames that it has synced, and those that
  /// need no sync; else all frames that recovery would find. Returns false if the log no longer continues
  /// what was read, as when a failed sync took unsynced frames with it; it is then to be read from the
  /// beginning. `has_writer` tells whether there is a writer now.
  virtual bool Extend(const std::function<bool()>& has_writer) = 0;
  /// Returns whether salvage mode stopped at damage.
  virtual bool was_damaged() const = 0;
  /// Returns a writer that continues after the last whole frame. It cuts off a torn tail and makes durable
  /// what was read. Call it once, after Next returned false; the reader cannot be used afterwards. Throws
  /// Error(kUsage) without `may_write`, before the end, and for a damaged log. A damaged log is to be
  /// renamed, and a new one made in its place.
  virtual std::unique_ptr<WriteAheadLog> Continue() = 0;
};

}  // namespace scaup
