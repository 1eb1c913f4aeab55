// Writing, continuing and ending the log of commits.
#include "main/database/database_log.hpp"

#include <exception>
#include <utility>

namespace scaup {

void DatabaseLog::Append(std::span<const std::span<const std::byte>> payloads) {
  file_.RequireWritable();
  // After a failed switch the file may have either header. The log must continue the checkpoint that recovery
  // will find, so the header is settled first.
  file_.EnsureHeader();
  MutexLock lock(mutex_);
  // The log is made by the first commit, so that a database that is only read leaves no second file.
  if (!log_) {
    log_ =
        WriteAheadLog::Create(files_, path(), {file_.header().database_id, file_.header().checkpoint_number});
  }
  const auto note_size = [&]() SCAUP_REQUIRES_LOCK(mutex_) { size_bytes_.store(log_->size_bytes()); };
  try {
    log_->Append(payloads, synchronous_.load() == SynchronousMode::kFull);
  } catch (...) {
    // A failed sync cuts off frames, so the log may be shorter than before.
    note_size();
    throw;
  }
  note_size();
}

bool DatabaseLog::HasCommits() const {
  MutexLock lock(mutex_);
  return log_ != nullptr;
}

void DatabaseLog::Continue(std::unique_ptr<WriteAheadLog> log) {
  MutexLock lock(mutex_);
  log_ = std::move(log);
  size_bytes_.store(log_->size_bytes());
}

bool DatabaseLog::End(const std::string& keep_as) {
  MutexLock lock(mutex_);
  log_.reset();
  size_bytes_.store(0);
  if (!keep_as.empty()) files_.Rename(path(), keep_as);
  try {
    if (files_.Exists(path())) files_.Remove(path());
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void DatabaseLog::RemoveLeftover(const std::string& path) {
  if (file_.read_only()) return;
  try {
    if (files_.Exists(path)) files_.Remove(path);
  } catch (const std::exception&) {
    // A file that stays does no harm: the next log replaces it.
  }
}

}  // namespace scaup
