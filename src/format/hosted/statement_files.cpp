// Finds file systems by schemes of paths.
#include "format/hosted/statement_files.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "common/file/path_pattern.hpp"
#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "format/hosted/hosted_files.hpp"

namespace scaup {

namespace {

/// Files that stay open although nobody reads them: a statement looks at a file before it reads it.
constexpr size_t kMostRecent = 32;
constexpr std::string_view kLocalScheme = "file";

/// The folder before the first wildcard of a pattern, without the slash at its end, and what follows.
std::pair<std::string, std::string> SplitPattern(const std::string& pattern) {
  const size_t wildcard = pattern.find_first_of("*?");
  const size_t slash = pattern.rfind('/', wildcard);
  return {pattern.substr(0, slash), pattern.substr(slash + 1)};
}

std::vector<std::string> ExpandHosted(FileHost& host, const FileUse& use, const std::string& pattern) {
  const auto [base, rest] = SplitPattern(pattern);
  std::set<std::string> folders;
  const auto list = [&, &base = base](const std::string& folder) {
    use.CheckInterrupt();
    const std::string within = folder == "." ? "" : folder + "/";
    std::vector<DirectoryEntry> entries;
    // The root of a scheme is "memory://", whose last slash the split has taken.
    const std::string root = base.ends_with(":/") ? base + "/" : base;
    const std::string path = within.empty() ? root : base + "/" + folder;
    for (FileHost::Entry& entry : CallHost(path, [&] { return host.List(path, use); })) {
      if (entry.is_folder) folders.insert(within + entry.name);
      entries.push_back({std::move(entry.name), entry.is_folder});
    }
    return entries;
  };
  std::vector<std::string> paths;
  for (const std::string& found : ExpandPathPattern(rest, list)) {
    if (!folders.contains(found)) paths.push_back(base + "/" + found);
  }
  return paths;
}

}  // namespace

std::string StatementFiles::Setting(const std::string& name) const {
  const SettingDefinition* const setting = FindSetting(name);
  if (setting == nullptr)
    ThrowError(ErrorKind::kUsage, sqlstate::kUndefinedObject,
               fmt::format("there is no setting \"{}\"", name));
  return setting->get(context_.settings);
}

std::shared_ptr<FileHost> StatementFiles::HostOf(const std::string& path) const {
  const std::string scheme = SchemeOf(path);
  if (scheme.empty()) return nullptr;
  if (auto host = hosts_.Find(scheme)) return host;
  if (scheme == kLocalScheme || local_.Exists(path)) return nullptr;
  ThrowError(ErrorKind::kIo, sqlstate::kUndefinedFile,
             fmt::format("no file system is registered for \"{}://\", so there is no file \"{}\": "
                         "Database::RegisterFileSystem registers one, in Python register_filesystem",
                         scheme, path));
}

std::string StatementFiles::LocalPath(const std::string& path, const char* what) const {
  if (HostOf(path) != nullptr) {
    ThrowNotSupported(
        fmt::format("\"{}\" is a path of a registered file system, where {} is not possible", path, what));
  }
  constexpr std::string_view kPrefix = "file://";
  return SchemeOf(path) == kLocalScheme ? path.substr(kPrefix.size()) : path;
}

std::unique_ptr<File> StatementFiles::Open(const std::string& path, OpenMode mode) {
  const auto host = HostOf(path);
  if (host == nullptr) return local_.Open(LocalPath(path, ""), mode);
  if (mode == OpenMode::kRead) return std::make_unique<HostFileReader>(BlocksOf(host, path));
  if (mode == OpenMode::kReadWrite) LocalPath(path, "changing a file");
  auto writer = CallHost(path, [&] { return host->Create(path, *this); });
  return std::make_unique<HostFileWriter>(host, std::move(writer), path);
}

std::shared_ptr<FileBlocks> StatementFiles::BlocksOf(const std::shared_ptr<FileHost>& host,
                                                     const std::string& path) {
  if (auto known = FindBlocks(path)) return known;
  context_.CheckInterrupt();
  // Without the lock: it takes long, and other files can be opened meanwhile.
  auto file = CallHost(path, [&] { return host->Open(path, *this); });
  const FileUse& use = *this;
  return Remember(std::make_shared<FileBlocks>(host, std::move(file), path, use, context_.memory));
}

std::shared_ptr<FileBlocks> StatementFiles::FindBlocks(const std::string& path) {
  const MutexLock lock(mutex_);
  const auto found = known_.find(path);
  return found == known_.end() ? nullptr : found->second.blocks.lock();
}

std::shared_ptr<FileBlocks> StatementFiles::Remember(std::shared_ptr<FileBlocks> blocks) {
  const std::string version = CallHost(blocks->path(), [&] { return blocks->file().Version(); });
  std::shared_ptr<FileBlocks> dropped;  // closed after the lock was released
  const MutexLock lock(mutex_);
  const auto [place, is_new] = known_.try_emplace(blocks->path());
  Known& known = place->second;
  if (!is_new) {
    if (auto other = known.blocks.lock()) return other;
    if (known.version != version || known.size_bytes != blocks->size_bytes()) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kIoError,
          fmt::format("\"{}\" has changed while the statement was reading it: run it again", blocks->path()));
    }
  }
  known = {blocks, version, blocks->size_bytes()};
  recent_.push_back(blocks);
  if (recent_.size() > kMostRecent) {
    dropped = std::move(recent_.front());
    recent_.pop_front();
  }
  return blocks;
}

bool StatementFiles::Exists(const std::string& path) {
  const auto host = HostOf(path);
  if (host == nullptr) return local_.Exists(LocalPath(path, ""));
  // That path tells folders from files, and lists have no folders.
  if (path.ends_with("/.")) return false;
  return FindBlocks(path) != nullptr || CallHost(path, [&] { return host->Exists(path, *this); });
}

std::optional<int64_t> StatementFiles::ModifiedMicros(const std::string& path) {
  const auto host = HostOf(path);
  if (host == nullptr) return local_.ModifiedMicros(LocalPath(path, ""));
  const auto blocks = BlocksOf(host, path);
  return CallHost(path, [&] { return blocks->file().ModifiedMicros(); });
}

NewFileWay StatementFiles::WayOf(const std::string& path) {
  return HostOf(path) != nullptr ? NewFileWay::kBySync : local_.WayOf(LocalPath(path, ""));
}

std::string StatementFiles::ResolvePath(const std::string& path) {
  return HostOf(path) != nullptr ? path : local_.ResolvePath(LocalPath(path, ""));
}

void StatementFiles::Remove(const std::string& path) { local_.Remove(LocalPath(path, "removing files")); }

void StatementFiles::Rename(const std::string& from, const std::string& to) {
  local_.Rename(LocalPath(from, "renaming files"), LocalPath(to, "renaming files"));
}

void StatementFiles::SyncDirectory(const std::string& directory) {
  local_.SyncDirectory(LocalPath(directory, "writing a directory"));
}

void StatementFiles::SyncFiles(const std::string& directory, const std::vector<std::string>& paths) {
  local_.SyncFiles(LocalPath(directory, "writing a directory"), paths);
}

void StatementFiles::CreateDirectory(const std::string& path) {
  local_.CreateDirectory(LocalPath(path, "writing a directory"));
}

std::unique_ptr<File> StatementFiles::OpenTemporary(const std::string& directory) {
  return local_.OpenTemporary(LocalPath(directory, "a temporary file"));
}

std::unique_ptr<FileMapping> StatementFiles::MapTemporary(const std::string& directory, size_t size_bytes) {
  return local_.MapTemporary(LocalPath(directory, "a temporary file"), size_bytes);
}

std::vector<std::string> StatementFiles::Glob(const std::string& pattern) {
  const auto host = HostOf(pattern);
  if (host == nullptr) {
    const std::string local = LocalPath(pattern, "");
    return local == pattern || IsPathPattern(local) ? local_.Glob(local) : std::vector{pattern};
  }
  if (host->CanList())
    return IsPathPattern(pattern) ? ExpandHosted(*host, *this, pattern) : std::vector{pattern};
  if (pattern.find('*') == std::string::npos) return {pattern};
  ThrowNotSupported(
      fmt::format("\"{}\" is a pattern, but folders of {}:// cannot be listed: give a list of paths", pattern,
                  SchemeOf(pattern)));
}

}  // namespace scaup
