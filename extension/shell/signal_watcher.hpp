// Turns Ctrl-C into an interrupt of the running query, or into an event for the line reader.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "scaup/connection.hpp"

namespace scaup::shell {

/// Owns a thread that takes SIGINT, SIGCONT and SIGWINCH, which are blocked everywhere else: so no code runs
/// inside a signal handler. Make it before any other thread, one in a process. All methods are for the
/// shell's thread.
class SignalWatcher {
 public:
  SignalWatcher();
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

  /// Between these two calls Ctrl-C interrupts the connection.
  void BeginQuery(Connection& connection);
  void EndQuery();
  /// Ctrl-C was pressed since BeginQuery or ForgetInterrupt.
  bool interrupted() const { return interrupted_.load(); }
  void ForgetInterrupt() { interrupted_ = false; }

  /// While a prompt waits, signals arrive as bytes in event_descriptor(): 'i' interrupt, 'c' continued, 'w'
  /// new window size. Without prompt and query, Ctrl-C ends the process as it does with other programs.
  void SetPromptWaiting(bool waiting);
  int event_descriptor() const { return pipe_[0]; }

 private:
  void Watch();
  void OnSignal(int signal);

  std::mutex mutex_;
  Connection* running_ = nullptr;  // guarded by mutex_
  bool prompt_waiting_ = false;    // guarded by mutex_
  std::atomic<bool> interrupted_{false};
  std::atomic<bool> stop_{false};
  int pipe_[2] = {-1, -1};
  std::thread thread_;
};

/// Calls BeginQuery and EndQuery.
class QueryScope {
 public:
  QueryScope(SignalWatcher& watcher, Connection& connection) : watcher_(watcher) {
    watcher_.BeginQuery(connection);
  }
  ~QueryScope() { watcher_.EndQuery(); }
  QueryScope(const QueryScope&) = delete;
  QueryScope& operator=(const QueryScope&) = delete;

 private:
  SignalWatcher& watcher_;
};

}  // namespace scaup::shell
