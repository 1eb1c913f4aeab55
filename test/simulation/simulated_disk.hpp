// The bytes and names behind SimulatedFileSystem: what processes see, what is durable, and what a loss of
// power leaves.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace scaup::test {

using Random = std::mt19937_64;

/// A change of a file's bytes that no sync has made durable yet.
struct PendingChange {
  uint64_t sequence = 0;  ///< its place among all changes of the disk
  bool is_write = false;  ///< else a change of the length alone
  uint64_t offset = 0;    ///< of the write; or the new length
  std::string bytes;
};

/// A file or directory, whatever its names are. The disk and open files share it.
struct DiskNode {
  bool is_directory = false;
  std::string seen;                    ///< what processes read: the page cache
  std::string durable;                 ///< what is on disk for certain
  std::vector<PendingChange> pending;  ///< in the order they were made
};
using DiskNodePtr = std::shared_ptr<DiskNode>;

/// A disk with one page cache. One thread at a time. Paths are normal (NormalPath); the caller checks that
/// files and directories exist.
class SimulatedDisk {
 public:
  SimulatedDisk();

  /// Null where the path names nothing. "." and "/" are always there.
  DiskNodePtr Find(const std::string& path) const;
  bool HasParent(const std::string& path) const;
  DiskNodePtr Create(const std::string& path, bool is_directory);
  void Remove(const std::string& path);
  void Rename(const std::string& from, const std::string& to);
  /// A file without a name.
  DiskNodePtr CreateUnnamed();

  void Write(DiskNode& node, uint64_t offset, const char* bytes, size_t size_bytes);
  void Truncate(DiskNode& node, uint64_t size_bytes);
  /// Makes a file's pending changes durable; its names are apart.
  static void SyncBytes(DiskNode& node);
  /// Makes what was done to the names in a directory durable.
  void SyncNames(const std::string& directory);

  /// Power fails: what is durable stays, and of what was pending an arbitrary part.
  void LosePower(Random& random);
  /// What Linux may do when a write back fails: the pages count as clean, their new bytes are only in memory.
  static void DropPending(DiskNode& node, Random& random);
  /// Forgets clean pages of the cache: processes see what is on disk, with pending changes.
  void DropCache();
  /// Everything pending becomes durable.
  void SyncAll();

  /// Paths of files (not of directories), sorted.
  std::vector<std::string> Files() const;
  /// The names in a directory.
  std::vector<std::string> List(const std::string& directory) const;
  /// Bytes of all files, those included that only open files still know.
  uint64_t used_bytes() const;

 private:
  // A change of names: `removed` loses its name, `added` gets one; a rename does both at once.
  struct PendingName {
    uint64_t sequence = 0;
    std::string removed;
    std::string added;
    DiskNodePtr node;
  };
  using Names = std::map<std::string, DiskNodePtr>;

  DiskNodePtr NewNode(bool is_directory);
  void Change(PendingName change);
  static void Apply(const PendingName& change, Names& names);
  static void DropOrphans(Names& names);

  uint64_t sequence_ = 0;
  Names seen_names_;
  Names durable_names_;
  std::vector<PendingName> pending_names_;
  std::vector<std::weak_ptr<DiskNode>> nodes_;
};

/// Without "./" in front, doubled slashes and a slash at the end.
std::string NormalPath(const std::string& path);

}  // namespace scaup::test
