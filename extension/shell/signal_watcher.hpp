// Signal watcher: turns Ctrl-C into an interrupt of the running query, or into an event for the line reader.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "scaup/connection.hpp"

namespace scaup::shell {

/// Owns a thread that waits for SIGINT, SIGCONT and SIGWINCH. They are blocked in all other threads, so that
/// no code runs inside a signal handler. REQUIRES: it is the only one in the process, and is made before any
/// other thread. All methods are for the shell's thread.
class SignalWatcher {
 public:
  SignalWatcher();
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

  /// Between these two calls, Ctrl-C interrupts the connection. Borrows it.
  void BeginQuery(Connection& connection);
  void EndQuery();
  /// Returns whether Ctrl-C has interrupted a query since BeginQuery or ForgetInterrupt.
  bool interrupted() const { return interrupted_.load(); }
  void ForgetInterrupt() { interrupted_ = false; }

  /// While a prompt waits, signals arrive as bytes in event_descriptor(): 'i' for an interrupt, 'c' for
  /// continued, 'w' for a new window size. Without prompt and query, Ctrl-C ends the process, as in other
  /// programs.
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

/// Calls BeginQuery, and EndQuery in its destructor.
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
