// File hosts: file systems of the program, by whose files statements read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/export.hpp"

namespace scaup {

/// The statement that uses files of a host. Lives longer than the files that are opened for it. Thread-safe.
class SCAUP_API FileUse {
 public:
  FileUse() = default;
  FileUse(const FileUse&) = delete;
  FileUse& operator=(const FileUse&) = delete;
  virtual ~FileUse();

  /// Throws Error(kInterrupted) if the user has interrupted the statement, or its time is over. What waits
  /// calls it some ten times a second.
  virtual void CheckInterrupt() const = 0;
  /// Returns the value of a setting as SHOW gives it. Throws Error(kUsage) if there is none of that name.
  virtual std::string Setting(const std::string& name) const = 0;
};

/// A file of a host that is read. Several threads read at the same time.
class SCAUP_API HostedFile {
 public:
  HostedFile() = default;
  HostedFile(const HostedFile&) = delete;
  HostedFile& operator=(const HostedFile&) = delete;
  virtual ~HostedFile();

  virtual uint64_t Size() = 0;
  /// Reads bytes and returns how many; fewer than wanted only at the end of the file. Reads are large: of
  /// 1 MiB and more where the file has so much.
  virtual size_t Read(uint64_t offset, void* buffer, size_t size_bytes) = 0;
  /// Returns what changes with the contents, such as an ETag or the time of the last change. A file that is
  /// opened again by a statement must have the same; "" if nothing is known.
  virtual std::string Version();
  /// Returns when the file was changed, in microseconds since 1970; nullopt if that is not known.
  virtual std::optional<int64_t> ModifiedMicros();
};

/// A file of a host that is written, in order. It appears when it is finished, in place of one that was
/// there; if it is destroyed before, nothing changes. Used by one thread at a time.
class SCAUP_API HostedFileWriter {
 public:
  HostedFileWriter() = default;
  HostedFileWriter(const HostedFileWriter&) = delete;
  HostedFileWriter& operator=(const HostedFileWriter&) = delete;
  virtual ~HostedFileWriter();

  virtual void Write(const void* bytes, size_t size_bytes) = 0;
  virtual void Finish() = 0;
};

/// A file system that the program offers to statements under schemes of paths, such as "s3" of
/// "s3://bucket/file.parquet". Everything that reads or writes files in SQL goes by it. Paths come whole, as
/// they are in SQL. Called by any thread that runs statements, also at the same time; it must not use the
/// connection that runs the statement. An Error that it throws ends the statement as it is; a file that is
/// missing is Error(kIo, 58P01). Any other exception ends it with Error(kIo, 38000).
class SCAUP_API FileHost {
 public:
  FileHost() = default;
  FileHost(const FileHost&) = delete;
  FileHost& operator=(const FileHost&) = delete;
  virtual ~FileHost();

  /// Opens a file to read it.
  virtual std::unique_ptr<HostedFile> Open(const std::string& path, const FileUse& use) = 0;
  /// Returns whether a file exists. Without an override it is opened to see.
  virtual bool Exists(const std::string& path, const FileUse& use);

  /// A file or folder in a folder.
  struct Entry {
    std::string name;  ///< within the folder
    bool is_folder = false;
  };
  /// Returns whether folders can be listed, for patterns of *, ** and ?. Without an override they cannot;
  /// paths then have no patterns, and a ? is a character like others.
  virtual bool CanList() const;
  /// Returns what is in a folder, whose path has no slash at its end; nothing if there is no such folder.
  virtual std::vector<Entry> List(const std::string& folder, const FileUse& use);

  /// Begins to write a file. Without an override it throws Error(kNotSupported, 0A000).
  virtual std::unique_ptr<HostedFileWriter> Create(const std::string& path, const FileUse& use);
};

}  // namespace scaup
