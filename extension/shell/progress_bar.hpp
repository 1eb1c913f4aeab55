// Shows on standard error how far a long query is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "scaup/connection.hpp"

namespace scaup::shell {

/// Draws while it lives, from two seconds on, ten times a second, on a thread of its own; Stop or the
/// destructor erases what was drawn. Borrows the connection, and asks nothing of it but Progress.
class ProgressBar {
 public:
  /// Does nothing at all when not enabled or when standard error is no terminal.
  ProgressBar(const Connection& connection, bool enabled);
  ~ProgressBar() { Stop(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Ends the drawing: call it before anything is printed.
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
