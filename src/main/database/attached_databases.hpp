// The databases that are attached to an open one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"

namespace scaup {

class DatabaseInstance;

/// A database that is attached under a name.
struct AttachedDatabase {
  std::string name;
  std::shared_ptr<DatabaseInstance> instance;
};
using AttachedList = std::vector<AttachedDatabase>;

/// The databases that are attached to an open one, which owns this; all its sessions see them. Thread-safe.
///
/// A transaction takes the list as it is and holds it to its end, so that a database is open as
/// long as any transaction may use it. The list never changes; ATTACH and DETACH put another in its place.
class AttachedDatabases {
 public:
  /// Returns the databases that are attached; null if there are none.
  std::shared_ptr<const AttachedList> list() const;
  /// Returns how often the list has changed.
  uint64_t changes() const { return changes_.load(); }
  /// Attaches a database. Throws Error(kCatalog, 42P04) if the name is taken, and Error(kUsage, 55006) if the
  /// file is attached already.
  void Attach(const std::string& name, std::shared_ptr<DatabaseInstance> instance);
  /// Takes a database out of the list and closes it. Throws Error(kUsage, 55006) if transactions hold it, and
  /// Error(kCatalog, 3D000) if there is none of that name.
  void Detach(const std::string& name);

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const AttachedList> list_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<bool> has_any_{false};
  std::atomic<uint64_t> changes_{0};
};

}  // namespace scaup
