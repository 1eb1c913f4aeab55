// The write-ahead log: frames beside the database file that say what commits since the last checkpoint did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"

namespace scaup {

/// Which state of which database a log continues. A log that continues another one is stale.
struct LogIdentity {
  uint64_t database_id = 0;        ///< random, from the database file's header
  uint64_t checkpoint_number = 0;  ///< of the checkpoint that the log continues
  friend bool operator==(const LogIdentity&, const LogIdentity&) = default;
};

/// The end of the log, open for appending. Each frame is one commit: whole or not there. One thread at a
/// time.
///
/// What is promised. When Append(..., true) or Sync() has returned, recovery gives back every frame so far,
/// in order, whatever crashes, or an error if the file is damaged. A frame appended without sync survives a
/// crash of the process; a power failure may take it, and then all frames after it, never one before it.
/// When a sync fails, nobody knows what of the unsynced reached the disk, so every frame since the last good
/// sync is cut off, those included of which Append(..., false) had returned: size_bytes() is then smaller
/// than before the call. Later commits may build on such lost ones, so every later call throws; a new log,
/// after a checkpoint, is the way on.
class WriteAheadLog {
 public:
  /// The end of the name of a log that is being made.
  static constexpr const char* kUnfinishedEnding = ".new";
  /// Makes an empty log, replacing what is there; durable when this returns. It is made as "<path>.new" and
  /// renamed, so a crash leaves either the old log or the new one. Throws Error(kIo).
  static std::unique_ptr<WriteAheadLog> Create(FileSystem& files, const std::string& path,
                                               const LogIdentity& identity);
  virtual ~WriteAheadLog() = default;

  /// Appends one frame for each payload, in one write (payloads above 1 MiB in one of their own, uncopied),
  /// and makes them durable if `sync`. When it throws, none of them is in the log, nor will recovery find any
  /// of them, unless the system refuses even to cut them off: then every later call first tries that again,
  /// and throws Error(kIo) while it fails.
  virtual void Append(std::span<const std::span<const std::byte>> payloads, bool sync) = 0;
  /// Makes durable what earlier calls appended without `sync`.
  virtual void Sync() = 0;
  /// Length of the log, header included.
  virtual uint64_t size_bytes() const = 0;
  virtual const LogIdentity& identity() const = 0;
};

/// Reads a log from its beginning, as recovery does. Changes nothing before Continue(), so another process
/// may be writing the log meanwhile: what is read ends with a whole frame. One thread at a time.
class LogReader {
 public:
  enum class Mode : uint8_t {
    kStrict = 1,   ///< damage is an error
    kSalvage = 2,  ///< the log ends before damage
  };
  /// Null if there is no file. No crash leaves a file under this name without its whole header, so a header
  /// that is cut short, zero or otherwise wrong is damage: Error(kIo, XX001), or in salvage mode a reader
  /// without frames whose was_damaged() is true at once and whose identity() is all zero: ask for the former
  /// before calling the log stale by the latter. Throws Error(kNotSupported) for a log of a newer version.
  /// `may_write` is false for a database opened read-only; the file is then opened for reading.
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
  /// After Next returned false: goes on where the whole frames end, cutting off a torn tail, and makes
  /// durable what was read. Call it once; the reader is of no use then. Throws Error(kUsage) without
  /// `may_write`, before the end, and for a damaged log, which is to be kept under another name, a new one
  /// made in its place.
  virtual std::unique_ptr<WriteAheadLog> Continue() = 0;
};

}  // namespace scaup
