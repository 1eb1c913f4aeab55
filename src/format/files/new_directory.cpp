// Writes beside the target, and renames at the end.
#include "format/files/new_directory.hpp"

#include <fmt/format.h>

#include <chrono>
#include <random>

#include "common/throw.hpp"
#include "type/uuid.hpp"

namespace scaup {

namespace {

constexpr std::string_view kNumber = "{i}";

uint64_t RandomWord() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

std::string UuidText(int128_t uuid) {
  char text[36];
  return std::string(text, FormatUuid(uuid, text));
}

std::string RandomText() { return UuidText(RandomUuid(RandomWord(), RandomWord())); }

std::string TimedText() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  return UuidText(TimedUuid(micros / 1000 << 12 | micros % 1000 * 4096 / 1000, RandomWord()));
}

void Replace(std::string& text, std::string_view placeholder, const std::string& value) {
  for (size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size()))
    text.replace(at, placeholder.size(), value);
}

std::string FileName(const std::string& pattern, uint64_t number) {
  std::string name = pattern;
  Replace(name, kNumber, std::to_string(number));
  if (name.find("{uuid") == std::string::npos) return name;
  Replace(name, "{uuidv7}", TimedText());
  Replace(name, "{uuidv4}", RandomText());
  Replace(name, "{uuid}", RandomText());
  return name;
}

std::string Joined(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

}  // namespace

bool NamesEachFile(const std::string& pattern) {
  return pattern.find(kNumber) != std::string::npos || pattern.find("{uuid") != std::string::npos;
}

NewDirectory::NewDirectory(FileSystem& files, const std::string& path, ExistingFiles existing)
    : files_(files), existing_(existing), target_(files.ResolvePath(path)) {
  while (target_.size() > 1 && target_.ends_with('/')) target_.pop_back();
  // Patterns find the files in it.
  if (target_.empty() || target_.find_first_of("*?") != std::string::npos) {
    ThrowError(ErrorKind::kIo, sqlstate::kInvalidParameterValue,
               fmt::format("\"{}\" cannot be the directory of COPY: give a name without * and ?", path));
  }
  if (files_.WayOf(target_) == NewFileWay::kBySync) {
    ThrowNotSupported(
        fmt::format("\"{}\" is a path of a registered file system, where COPY writes no "
                    "directories: write one file, or to disk",
                    path));
  }
  if (files_.Exists(target_)) {
    // The path "file/." does not exist, which tells files from directories.
    if (!files_.Exists(target_ + "/.")) {
      ThrowError(ErrorKind::kIo, sqlstate::kDuplicateFile,
                 fmt::format("could not write to \"{}\": it is a file, and a directory is needed", path));
    }
    if (existing_ == ExistingFiles::kRefuse && !IsEmpty(target_)) {
      ThrowError(ErrorKind::kIo, sqlstate::kDuplicateFile,
                 fmt::format("directory \"{}\" is not empty: choose APPEND to add files, OVERWRITE to remove "
                             "those that are there, or OVERWRITE_OR_IGNORE to replace those of the same name",
                             path));
    }
  }
  staging_ = target_ + ".tmp-" + RandomText();
  files_.CreateDirectory(staging_);
}

NewDirectory::~NewDirectory() {
  if (is_committed_) return;
  try {
    RemoveTree(staging_);
  } catch (const Error&) {
    // The error that interrupted the writing is the one to report.
  }
}

bool NewDirectory::IsEmpty(const std::string& path) const {
  return files_.Glob(path + "/*").empty() && files_.Glob(path + "/.*").empty();
}

bool NewDirectory::IsTaken(const std::string& file) const {
  return existing_ == ExistingFiles::kKeep && files_.Exists(target_ + "/" + file);
}

void NewDirectory::AddFolder(const std::string& folder) {
  if (folder.empty() || !folders_.insert(folder).second) return;
  const size_t slash = folder.rfind('/');
  if (slash != std::string::npos) AddFolder(folder.substr(0, slash));
  files_.CreateDirectory(staging_ + "/" + folder);
}

std::string NewDirectory::AddFile(const std::string& folder, const std::string& pattern, uint64_t& number) {
  const MutexLock lock(mutex_);
  AddFolder(folder);
  while (true) {
    std::string file = Joined(folder, FileName(pattern, number++));
    if (names_.contains(file) || IsTaken(file)) {
      if (NamesEachFile(pattern)) continue;
      ThrowError(ErrorKind::kIo, sqlstate::kDuplicateFile,
                 fmt::format("file \"{}/{}\" is there already: give FILENAME_PATTERN a {{i}} or a {{uuid}}",
                             target_, file));
    }
    names_.insert(file);
    return staging_ + "/" + added_.emplace_back(std::move(file));
  }
}

void NewDirectory::Commit() {
  SyncAll();
  const bool is_there = files_.Exists(target_);
  if (!is_there) {
    files_.Rename(staging_, target_);
  } else if (existing_ == ExistingFiles::kReplace || IsEmpty(target_)) {
    ReplaceTarget();
  } else {
    MoveFiles();
  }
  is_committed_ = true;
}

void NewDirectory::SyncAll() {
  const MutexLock lock(mutex_);
  std::vector<std::string> paths;
  for (const std::string& file : added_) paths.push_back(staging_ + "/" + file);
  files_.SyncFiles(staging_, paths);
}

void NewDirectory::ReplaceTarget() {
  const std::string old = target_ + ".old-" + RandomText();
  files_.Rename(target_, old);
  try {
    files_.Rename(staging_, target_);
  } catch (const Error&) {
    files_.Rename(old, target_);
    throw;
  }
  is_committed_ = true;
  RemoveTree(old);
}

void NewDirectory::MoveFiles() {
  const MutexLock lock(mutex_);
  // A folder comes before those in it, as its path is the beginning of theirs.
  for (const std::string& folder : folders_) files_.CreateDirectory(target_ + "/" + folder);
  for (const std::string& file : added_) files_.Rename(staging_ + "/" + file, target_ + "/" + file);
  RemoveTree(staging_);
}

void NewDirectory::RemoveTree(const std::string& path) {
  try {
    files_.Remove(path);  // a file, a symbolic link, an empty directory
    return;
  } catch (const Error&) {
    if (!files_.Exists(path + "/.")) throw;
  }
  std::vector<std::string> inner = files_.Glob(path + "/*");
  const std::vector<std::string> hidden = files_.Glob(path + "/.*");
  inner.insert(inner.end(), hidden.begin(), hidden.end());
  for (const std::string& name : inner) RemoveTree(name);
  files_.Remove(path);
}

}  // namespace scaup
