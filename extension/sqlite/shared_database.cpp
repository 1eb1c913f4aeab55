// Opens databases once per process, and lets one connection at a time write.
#include "shared_database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "error.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {

/// The identity of a file, whatever its names, or the name of a database in memory.
struct FileKey {
  dev_t device = 0;
  ino_t inode = 0;
  std::string memory_name;
  friend auto operator<=>(const FileKey&, const FileKey&) = default;
};

/// The databases that are open. Lives as long as the process, as connections may be closed while it ends.
struct OpenDatabases {
  std::mutex mutex;
  std::map<FileKey, std::weak_ptr<SharedDatabase>> databases;  ///< guarded by mutex
};

OpenDatabases& Databases() {
  static OpenDatabases& databases = *new OpenDatabases;
  return databases;
}

std::optional<FileKey> KeyOf(const Location& location) {
  if (location.is_shared_memory) return FileKey{0, 0, location.path};
  struct stat status {};
  if (location.path.empty() || stat(location.path.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode)) throw SqliteError(SQLITE_CANTOPEN, "unable to open database file");
  return FileKey{status.st_dev, status.st_ino, {}};
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); i++) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 && HexDigit(text[i + 2]) >= 0;
    plain.push_back(is_escape ? static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]))
                              : text[i]);
    if (is_escape) i += 2;
  }
  return plain;
}

void ReadOption(const std::string& name, const std::string& value, Location& location) {
  if (name == "cache" && value == "shared" && location.path == ":memory:") location.is_shared_memory = true;
  if (name != "mode") return;
  if (value == "ro") {
    location.is_read_only = true;
    location.may_create = false;
  } else if (value == "rw") {
    location.may_create = false;
  } else if (value == "memory") {
    location.is_shared_memory = true;
  } else if (value != "rwc") {
    throw SqliteError(SQLITE_ERROR, "no such access mode: " + value);
  }
}

void ReadUri(std::string_view uri, Location& location) {
  uri.remove_prefix(5);  // file:
  uri = uri.substr(0, uri.find('#'));
  std::string_view options;
  if (const size_t question = uri.find('?'); question != std::string_view::npos) {
    options = uri.substr(question + 1);
    uri = uri.substr(0, question);
  }
  if (uri.substr(0, 2) == "//") {
    const size_t slash = uri.find('/', 2);
    const std::string_view host = uri.substr(2, slash == std::string_view::npos ? slash : slash - 2);
    if (!host.empty() && host != "localhost")
      throw SqliteError(SQLITE_ERROR, "invalid uri authority: " + std::string(host));
    uri = slash == std::string_view::npos ? std::string_view() : uri.substr(slash);
  }
  location.path = Unescape(uri);
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find('&'));
    options.remove_prefix(std::min(option.size() + 1, options.size()));
    const size_t equals = option.find('=');
    if (equals != std::string_view::npos)
      ReadOption(Unescape(option.substr(0, equals)), Unescape(option.substr(equals + 1)), location);
  }
}

}  // namespace

Location Location::Read(const char* name, int flags) {
  Location location;
  location.path = name == nullptr ? "" : name;
  location.is_read_only = (flags & SQLITE_OPEN_READWRITE) == 0;
  location.may_create = (flags & SQLITE_OPEN_CREATE) != 0;
  if ((flags & SQLITE_OPEN_URI) != 0 && location.path.rfind("file:", 0) == 0)
    ReadUri(std::string(location.path), location);
  if ((flags & SQLITE_OPEN_MEMORY) != 0 || (location.path == ":memory:" && !location.is_shared_memory))
    location.path.clear();
  return location;
}

std::shared_ptr<SharedDatabase> SharedDatabase::Open(const Location& location) {
  OpenDatabases& open = Databases();
  const std::lock_guard<std::mutex> lock(open.mutex);
  std::optional<FileKey> key = KeyOf(location);
  if (key) {
    if (std::shared_ptr<SharedDatabase> found = open.databases[*key].lock()) return found;
  } else if (!location.path.empty() && !location.may_create) {
    throw SqliteError(SQLITE_CANTOPEN, "unable to open database file");
  }
  Config config;
  if (location.is_read_only && !location.path.empty()) config["access_mode"] = "read_only";
  try {
    Database database(location.is_shared_memory ? "" : location.path, config);
    const std::shared_ptr<SharedDatabase> opened(new SharedDatabase(std::move(database)));
    if (!key) key = KeyOf(location);
    if (key) open.databases[*key] = opened;
    return opened;
  } catch (const Error& error) {
    throw TranslateOpenError(error);
  }
}

bool SharedDatabase::LockForWriting(const void* owner, const std::function<bool(int)>& keeps_waiting) {
  for (int times = 0;; times++) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (owner_ == nullptr || owner_ == owner) {
        owner_ = owner;
        return true;
      }
    }
    if (!keeps_waiting(times)) return false;
  }
}

void SharedDatabase::Unlock(const void* owner) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (owner_ == owner) owner_ = nullptr;
}

std::optional<int64_t> SharedDatabase::FindLastRowid(const std::string& table) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = last_rowids_.find(table);
  return found == last_rowids_.end() ? std::nullopt : std::optional<int64_t>(found->second);
}

void SharedDatabase::SetLastRowid(const std::string& table, int64_t rowid) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_rowids_[table] = rowid;
}

void SharedDatabase::ForgetLastRowid(const std::string& table) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_rowids_.erase(table);
}

void SharedDatabase::ForgetLastRowids() {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_rowids_.clear();
}

}  // namespace scaup::sqlite
