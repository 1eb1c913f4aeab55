// Signal watcher: the thread that waits for signals.
#include "signal_watcher.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>

namespace scaup::shell {

namespace {

sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGCONT);
  sigaddset(&signals, SIGWINCH);
  return signals;
}

void IgnoreSignal(int) {}

}  // namespace

SignalWatcher::SignalWatcher() {
  const sigset_t signals = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // The kernel discards signals whose default action is to ignore them, even if they are blocked. So these
  // two get a handler, which never runs.
  struct sigaction action = {};
  action.sa_handler = IgnoreSignal;
  sigaction(SIGCONT, &action, nullptr);
  sigaction(SIGWINCH, &action, nullptr);
  if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) pipe_[0] = pipe_[1] = -1;
  thread_ = std::thread([this] { Watch(); });
}

SignalWatcher::~SignalWatcher() {
  stop_ = true;
  // Any watched signal wakes the thread.
  pthread_kill(thread_.native_handle(), SIGWINCH);
  thread_.join();
  close(pipe_[0]);
  close(pipe_[1]);
}

void SignalWatcher::BeginQuery(Connection& connection) {
  std::lock_guard lock(mutex_);
  interrupted_ = false;
  running_ = &connection;
}

void SignalWatcher::EndQuery() {
  std::lock_guard lock(mutex_);
  running_ = nullptr;
}

void SignalWatcher::SetPromptWaiting(bool waiting) {
  std::lock_guard lock(mutex_);
  prompt_waiting_ = waiting;
}

void SignalWatcher::Watch() {
  const sigset_t signals = WatchedSignals();
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (stop_) return;
    OnSignal(signal);
  }
}

void SignalWatcher::OnSignal(int signal) {
  std::lock_guard lock(mutex_);
  // The mutex is locked, so the connection cannot be destroyed before EndQuery has returned.
  if (signal == SIGINT && running_ != nullptr) {
    interrupted_ = true;
    running_->Interrupt();
  } else if (prompt_waiting_) {
    const char event = signal == SIGINT ? 'i' : signal == SIGCONT ? 'c' : 'w';
    // The pipe does not block: if it is full, the prompt has enough events to wake up.
    [[maybe_unused]] const ssize_t written = write(pipe_[1], &event, 1);
  } else if (signal == SIGINT) {
    _exit(130);
  }
}

}  // namespace scaup::shell
