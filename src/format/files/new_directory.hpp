// A directory of files that appears whole or not at all, as far as a file system can do that.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

/// The fate of what is in the directory already.
enum class ExistingFiles : uint8_t {
  kRefuse,     ///< the directory must be new or empty
  kReplace,    ///< everything in it is removed
  kOverwrite,  ///< files of the same name are replaced, the others stay
  kKeep        ///< all stay: new files get names that are free
};

/// Files are written into a directory beside the target, `<path>.tmp-<uuid>`. Commit gives a new directory,
/// and one that replaces another, its name in one step; into one whose files stay it moves file after file.
/// If destroyed before Commit, it removes what was written. Any number of threads may add files.
class NewDirectory {
 public:
  /// Borrows `files`. Throws Error(kIo): 58P02 for a file of that name, or for a directory that is not empty
  /// where `existing` is kRefuse.
  NewDirectory(FileSystem& files, const std::string& path, ExistingFiles existing);
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  /// Makes the folders `folder`, "a=1/b=2" or "", where they are missing, and returns where the file
  /// `pattern` of that folder is to be written: {i} becomes `number`, or the next one whose name is free, and
  /// {uuid}, {uuidv4} and {uuidv7} an identifier. `number` becomes that of the next file.
  std::string AddFile(const std::string& folder, const std::string& pattern, uint64_t& number);
  /// Makes the directory what was written. All files must be complete.
  void Commit();

 private:
  bool IsTaken(const std::string& file) const;
  void AddFolder(const std::string& folder) SCAUP_REQUIRES_LOCK(mutex_);
  void SyncAll();
  void ReplaceTarget();
  void MoveFiles();
  void RemoveTree(const std::string& path);
  bool IsEmpty(const std::string& path) const;

  FileSystem& files_;
  const ExistingFiles existing_;
  std::string target_;   // with symbolic links resolved
  std::string staging_;  // beside it
  bool is_committed_ = false;
  Mutex mutex_;
  std::set<std::string> folders_ SCAUP_GUARDED_BY(mutex_);   // relative, without the root
  std::vector<std::string> added_ SCAUP_GUARDED_BY(mutex_);  // relative paths, in order
  std::set<std::string> names_ SCAUP_GUARDED_BY(mutex_);     // the same
};

/// Whether every file of a pattern gets a name of its own.
bool NamesEachFile(const std::string& pattern);

}  // namespace scaup
