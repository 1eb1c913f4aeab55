// Chooses a free name beside the target, and renames at the end.
#include "common/file/new_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// So many statements may write files of the same name at once, or have been killed while they did.
constexpr int kMostAttempts = 100;

}  // namespace

NewFile::NewFile(FileSystem& files, NewFilePath path)
    : files_(files), path_(std::move(path.path)), target_(files.ResolvePath(path_)) {
  if (path.is_staged) {
    name_ = target_;
    file_ = files_.Open(name_, OpenMode::kCreateNew);
    return;
  }
  way_ = files_.WayOf(target_);
  if (way_ != NewFileWay::kRename) {
    name_ = target_;
    file_ = files_.Open(name_, way_ == NewFileWay::kInPlace ? OpenMode::kReadWrite : OpenMode::kTruncate);
    return;
  }
  for (int attempt = 0;; attempt++) {
    name_ = attempt == 0 ? target_ + ".tmp" : fmt::format("{}.tmp{}", target_, attempt);
    try {
      file_ = files_.Open(name_, OpenMode::kCreateNew);
      return;
    } catch (const Error&) {
      // The name is taken, or nothing can be made there at all.
      if (attempt == kMostAttempts || !files_.Exists(name_)) throw;
    }
  }
}

NewFile::~NewFile() {
  if (file_ == nullptr) return;
  file_.reset();
  if (way_ != NewFileWay::kRename) return;
  try {
    files_.Remove(name_);
  } catch (const Error&) {
    // The error that interrupted the writing is the one to report.
  }
}

void NewFile::Append(const void* bytes, size_t size_bytes) {
  file_->Write(size_, bytes, size_bytes);
  size_ += size_bytes;
}

void NewFile::Finish() {
  if (way_ != NewFileWay::kInPlace) file_->Sync();
  if (way_ == NewFileWay::kRename) files_.Rename(name_, target_);
  file_.reset();
}

}  // namespace scaup
