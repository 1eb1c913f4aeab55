// Open databases: a registry of the open files and their settings.
#include "open_databases.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "fork_count.hpp"

namespace scaup::registry {

namespace {

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> FileIdOf(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

std::string CanonicalPath(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  if (failure) return path;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, failure);
  return failure ? absolute.string() : canonical.string();
}

struct Entry {
  std::string path;  // canonical
  Config settings;
  std::optional<FileId> file;  // nullopt while it is being opened
  /// Null while the database is being opened, expired while it is being closed.
  std::weak_ptr<OpenDatabase> database;
};

struct Registry {
  const uint32_t fork_count = ForkCount();
  std::mutex mutex;
  std::condition_variable changed;
  // The members below are guarded by mutex.
  std::list<Entry> entries;
  std::map<std::string, std::weak_ptr<OpenDatabase>> by_handle;
  uint64_t handle_count = 0;
};

// Returns the registry, which is never freed, as databases may be closed after static objects are destroyed.
// A child made by fork gets a new one, since the mutex of the parent's may be locked by a thread that the
// child lacks.
Registry& RegistryOfProcess() {
  static std::atomic<Registry*> current{nullptr};
  Registry* registry = current.load();
  if (registry != nullptr && registry->fork_count == ForkCount()) return *registry;
  auto* fresh = new Registry();
  if (current.compare_exchange_strong(registry, fresh)) return *fresh;
  delete fresh;
  return *registry;
}

std::string ValueOf(const Config& settings, const std::string& name) {
  const auto found = settings.find(name);
  std::string value = found == settings.end() ? std::string() : found->second;
  std::transform(value.begin(), value.end(), value.begin(), [](char c) { return std::tolower(c); });
  return value;
}

// Returns the access mode. Without the setting, the file is opened for writing.
std::string AccessOf(const Config& settings) {
  return ValueOf(settings, "access_mode") == "read_only" ? "read_only" : "read_write";
}

[[noreturn]] void ThrowDiffers(const std::string& path, const std::string& name, const std::string& is,
                               const std::string& wanted) {
  throw Error(ErrorKind::kIo, "55006",
              "\"" + path + "\" is open in this process with another configuration: " + name + " is " + is +
                  ", not " + wanted);
}

void CheckSettings(const std::string& path, const Config& open, const Config& wanted) {
  if (AccessOf(open) != AccessOf(wanted)) ThrowDiffers(path, "access_mode", AccessOf(open), AccessOf(wanted));
  for (const auto& [name, value] : wanted) {
    if (name == "access_mode" || ValueOf(open, name) == ValueOf(wanted, name)) continue;
    ThrowDiffers(path, name, open.contains(name) ? open.at(name) : "the default", value);
  }
}

using EntryPointer = std::list<Entry>::iterator;

void Remove(Registry& registry, EntryPointer entry) {
  {
    const std::lock_guard lock(registry.mutex);
    registry.entries.erase(entry);
  }
  registry.changed.notify_all();
}

// Closes a database, and wakes threads that wait to open it again.
struct Closer {
  Registry* registry;
  EntryPointer entry;

  void operator()(OpenDatabase* database) const {
    delete database;
    // A child made by fork does not touch the parent's registry, whose mutex may be locked forever.
    if (registry->fork_count == ForkCount()) Remove(*registry, entry);
  }
};

EntryPointer Find(Registry& registry, const std::string& path, const std::optional<FileId>& file) {
  return std::find_if(registry.entries.begin(), registry.entries.end(), [&](const Entry& entry) {
    // The identity of a file is known only after it is opened, since opening may create it.
    return entry.file ? entry.file == file : entry.path == path;
  });
}

}  // namespace

std::shared_ptr<OpenDatabase> OpenShared(const std::string& path, const Config& settings) {
  if (path.empty() || path == ":memory:")
    return std::make_shared<OpenDatabase>(OpenDatabase{Database(path, settings)});
  Registry& registry = RegistryOfProcess();
  const std::string canonical = CanonicalPath(path);
  EntryPointer entry;
  {
    std::unique_lock lock(registry.mutex);
    while (true) {
      const EntryPointer found = Find(registry, canonical, FileIdOf(path));
      if (found == registry.entries.end()) break;
      if (std::shared_ptr<OpenDatabase> open = found->database.lock()) {
        const Config present = found->settings;
        lock.unlock();  // `open` may be the last handle by now, and its Closer locks the mutex.
        CheckSettings(path, present, settings);
        return open;
      }
      registry.changed.wait(lock);  // until another thread has opened or closed the database
    }
    // The entry makes other threads wait, while this one opens the file without the mutex.
    entry = registry.entries.insert(registry.entries.end(), Entry{canonical, settings, {}, {}});
  }
  std::unique_ptr<OpenDatabase> opened;
  try {
    opened = std::make_unique<OpenDatabase>(OpenDatabase{Database(path, settings)});
  } catch (...) {
    Remove(registry, entry);
    throw;
  }
  std::shared_ptr<OpenDatabase> shared(opened.release(), Closer{&registry, entry});
  {
    const std::lock_guard lock(registry.mutex);
    entry->file = FileIdOf(path);
    entry->database = shared;
  }
  registry.changed.notify_all();
  return shared;
}

std::string HandleOf(const std::shared_ptr<OpenDatabase>& database) {
  Registry& registry = RegistryOfProcess();
  const std::lock_guard lock(registry.mutex);
  // Handles of closed databases are dropped here, as nothing else needs them.
  for (auto entry = registry.by_handle.begin(); entry != registry.by_handle.end();) {
    if (!entry->second.owner_before(database) && !database.owner_before(entry->second)) return entry->first;
    entry = entry->second.expired() ? registry.by_handle.erase(entry) : std::next(entry);
  }
  std::string handle = std::to_string(++registry.handle_count);
  registry.by_handle.emplace(handle, database);
  return handle;
}

std::shared_ptr<OpenDatabase> FindOpen(const std::string& handle) {
  Registry& registry = RegistryOfProcess();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.by_handle.find(handle);
  std::shared_ptr<OpenDatabase> open = found == registry.by_handle.end() ? nullptr : found->second.lock();
  if (open == nullptr)
    throw Error(ErrorKind::kUsage, "08003", "no database with the handle \"" + handle + "\" is open");
  return open;
}

}  // namespace scaup::registry
