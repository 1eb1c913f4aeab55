// Loads the newest checkpoint when there is another one, and repeats the log as it grows.
#include "main/database/database_follower.hpp"

#include <fmt/format.h>

#include <cstring>

#include "common/memory/memory_advance.hpp"
#include "common/throw.hpp"

namespace scaup {

void DatabaseFollower::Follow() {
  // A file that is read while it is written may look damaged: a log whose end was just cut off, a log that
  // was replaced. Real damage is still there when everything is read anew.
  constexpr int kMostFailures = 3;
  const MutexLock lock(mutex_);
  // As in recovery: a commit that fitted the memory of its process must not fail in this one.
  const MemoryAdvance advance(place_.store.memory(), SIZE_MAX / 2);
  for (int failures = 0;;) {
    try {
      if (TryFollow()) break;
    } catch (const Error& error) {
      is_loaded_ = false;
      const bool may_be_passing = std::strcmp(error.sqlstate(), sqlstate::kDataCorrupted) == 0;
      if (!may_be_passing || ++failures == kMostFailures) throw;
    } catch (...) {
      is_loaded_ = false;
      throw;
    }
  }
  place_.store.file().reader()->EndReadingOlder();
}

bool DatabaseFollower::TryFollow() {
  CheckpointReader& reader = *place_.store.file().reader();
  if (!is_loaded_) {
    log_.reset();
    replay_.reset();
    reader.ReadNewest();
    load_checkpoint_();
    replay_ = std::make_unique<LogReplay>(place_.catalog, place_.transactions, place_.store.memory(),
                                          place_.log_path);
    is_loaded_ = true;
  }
  // The log comes before the header. If the writer has removed the log meanwhile, or began another one, the
  // header shows why.
  if (log_ == nullptr) OpenLog();
  if (log_ != nullptr && !log_->Extend([this] { return HasWriter(); })) {
    is_loaded_ = false;
    return false;
  }
  if (!reader.ReadsNewest() && reader.ReadNewest()) {
    is_loaded_ = false;
    return false;
  }
  std::vector<std::byte> payload;
  while (log_ != nullptr && log_->Next(payload)) replay_->Apply(payload);
  return true;
}

void DatabaseFollower::OpenLog() {
  // Asked first, as most often there is none, and an exception would cost more than the rest of Follow.
  if (!place_.files.Exists(place_.log_path)) return;
  auto log = LogReader::Open(place_.files, place_.log_path, LogReader::Mode::kFollow, false);
  if (log == nullptr) return;
  DatabaseFile& file = place_.store.file();
  // A log of a newer checkpoint is no fault if the header names that by now.
  if (log->identity().checkpoint_number > file.header().checkpoint_number && !file.reader()->ReadsNewest())
    return;
  if (ContinuesCheckpoint(log->identity(), place_.log_path, file)) {
    log_ = std::move(log);
    return;
  }
  // The checkpoint has all that is in a stale log. If the first frame does not fit the log's header, the
  // header is an old one, and the frames may be newer: then this throws.
  std::vector<std::byte> payload;
  log->Extend([this] { return HasWriter(); });
  log->Next(payload);
}

bool ContinuesCheckpoint(const LogIdentity& identity, const std::string& log_path, const DatabaseFile& file) {
  const FileHeader& header = file.header();
  // Neither file is changed: the log may have the only copy of another database's commits.
  if (identity.database_id != header.database_id) {
    ThrowError(
        ErrorKind::kIo, sqlstate::kDataCorrupted,
        fmt::format(
            "\"{}\" is the log of another database than \"{}\": move it away, or put it beside the file "
            "that it belongs to",
            log_path, file.path()));
  }
  // The log builds on a checkpoint that this file does not have, as after an old copy of the file was
  // restored. Ignoring the log would silently lose commits.
  if (identity.checkpoint_number > header.checkpoint_number) {
    ThrowError(
        ErrorKind::kIo, sqlstate::kDataCorrupted,
        fmt::format("database file \"{}\" is older than its log: its header is of checkpoint {}, the log "
                    "continues checkpoint {}",
                    file.path(), header.checkpoint_number, identity.checkpoint_number));
  }
  return identity.checkpoint_number == header.checkpoint_number;
}

}  // namespace scaup
