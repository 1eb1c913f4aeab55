// Running averages of log write times and of the time until threads commit again.
#include "transaction/commit_pace.hpp"

namespace scaup {

namespace {

/// The newest time counts for one part in this many.
constexpr int64_t kNewestShare = 4;

int64_t Averaged(int64_t average, int64_t time) {
  return average == 0 ? time : average + (time - average) / kNewestShare;
}

}  // namespace

void CommitPace::Wrote(size_t commit_count, int64_t write_time, int64_t now) {
  // Threads that are still away have taken longer than this, or have nothing more to commit. Counting the
  // time so far lets the average grow in both cases.
  if (away_count_ != 0) NoteReturn(now - last_write_);
  write_time_ = Averaged(write_time_, write_time);
  last_write_ = now;
  away_count_ = commit_count;
}

bool CommitPace::Arrived(int64_t now) {
  // If all threads of the last group are back already, there is nothing to wait for.
  if (away_count_ == 0 || --away_count_ != 0) return away_count_ == 0;
  NoteReturn(now - last_write_);
  return true;
}

int64_t CommitPace::WaitsUntil() const {
  // Half again as much as the average allows for threads that are slower than usual. If one does not come at
  // all, the group loses no more than this time.
  const int64_t patience = return_time_ + return_time_ / 2;
  return away_count_ != 0 && patience < write_time_ ? last_write_ + patience : last_write_;
}

void CommitPace::NoteReturn(int64_t time) { return_time_ = Averaged(return_time_, time); }

}  // namespace scaup
