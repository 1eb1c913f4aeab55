// Progress bar: shows the progress of a long query on standard error.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "scaup/connection.hpp"

namespace scaup::shell {

/// A progress bar, which its own thread draws ten times a second, beginning after two seconds. Stop or the
/// destructor erases it. Borrows the connection, of which it only calls Progress.
class ProgressBar {
 public:
  /// Starts the thread, if `enabled` and standard error is a terminal.
  ProgressBar(const Connection& connection, bool enabled);
  ~ProgressBar() { Stop(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Erases the bar and ends the thread. Call it before anything is printed.
  void Stop();

 private:
  void Run();

  const Connection& connection_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace scaup::shell
