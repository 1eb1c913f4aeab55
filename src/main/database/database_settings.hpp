// The settings of an open database, and what follows when one is changed.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "scaup/database.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "type/time/time_zone_library.hpp"

namespace scaup {

class DatabaseStorage;

/// Returns the defaults with the settings of `config` in their place. Throws Error(kUsage) for bad settings,
/// and if the machine lacks the kernel level.
Settings SettingsFrom(const Config& config);

/// The settings that all sessions of a database share. Owned by the DatabaseInstance. Thread-safe.
class DatabaseSettings {
 public:
  /// The parts of the database that follow its settings. They must outlive it.
  struct Followers {
    MemoryTracker& memory;
    FileSystem& files;
    TaskScheduler& scheduler;
    DatabaseStorage* storage;  ///< null for a database in memory
  };
  /// `path` is that of the file; "" for a database in memory.
  DatabaseSettings(const Settings& settings, std::string path, const Followers& followers);

  /// Returns a copy of the settings.
  Settings Current() const { return *Shared(); }
  /// Returns the settings as they are now. They do not change: after a change there are others.
  std::shared_ptr<const Settings> Shared() const;
  /// Returns a number that is another one after each change. Cheaper than to ask for the settings.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  /// Returns the settings when no thread can change them any more. For closing, which may lack the memory for
  /// a copy.
  const Settings& AtClose() const SCAUP_NO_THREAD_SAFETY_ANALYSIS { return *settings_; }
  /// Changes a setting. Throws Error(kUsage) for an unknown name (42704), a bad value (22023), and a setting
  /// that counts only when a database is opened (55P02).
  void Set(const std::string& name, const std::string& value);
  /// Returns a setting to its default. Throws as Set does.
  void Reset(const std::string& name);
  /// Takes the settings of the database to which this one is attached, but for those with which it was
  /// opened.
  void Follow(const Settings& host);
  /// Returns the storage to which a statement that begins now spills. Its file is created by the first write.
  /// After SET temp_directory, later statements get another storage.
  std::shared_ptr<TemporaryStorage> temporary_storage();
  /// Returns a time zone by its name. Throws Error(kUsage, 22023) if there is none of that name.
  std::shared_ptr<const TimeZone> RequireTimeZone(const std::string& name) const;

 private:
  void Apply(const Settings& settings);
  std::shared_ptr<TemporaryStorage> MakeTemporaryStorage(const Settings& settings) const;

  const std::string path_;
  const Followers followers_;
  TimeZoneLibrary time_zones_;
  Mutex change_mutex_;  // Held by Set and Reset, so that no change is lost.
  mutable Mutex mutex_;
  std::shared_ptr<const Settings> settings_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<uint64_t> version_{0};
  std::shared_ptr<TemporaryStorage> temporary_storage_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
