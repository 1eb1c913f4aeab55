// Averages of the time of a write and of the time until commits come again.
#include "transaction/commit_pace.hpp"

namespace scaup {

namespace {

/// How much the newest of several times counts.
constexpr int64_t kNewestShare = 4;

int64_t Averaged(int64_t average, int64_t time) {
  return average == 0 ? time : average + (time - average) / kNewestShare;
}

}  // namespace

void CommitPace::Wrote(size_t commit_count, int64_t write_time, int64_t now) {
  // Who is still away has taken longer than this, or has nothing more to commit.
  if (away_count_ != 0) NoteReturn(now - last_write_);
  write_time_ = Averaged(write_time_, write_time);
  last_write_ = now;
  away_count_ = commit_count;
}

bool CommitPace::Arrived(int64_t now) {
  if (away_count_ == 0 || --away_count_ != 0) return away_count_ == 0;
  NoteReturn(now - last_write_);
  return true;
}

int64_t CommitPace::WaitsUntil() const {
  // They may take somewhat longer than the average; and if one does not come at all, no more is lost.
  const int64_t patience = return_time_ + return_time_ / 2;
  return away_count_ != 0 && patience < write_time_ ? last_write_ + patience : last_write_;
}

void CommitPace::NoteReturn(int64_t time) { return_time_ = Averaged(return_time_, time); }

}  // namespace scaup
