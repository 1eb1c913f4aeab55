// The thread that looks at the clock.
#include "watchdog.hpp"

#include <cstdio>
#include <cstdlib>

namespace scaup::test {

Watchdog::Watchdog(std::chrono::seconds limit) : limit_(limit), thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::Begin(Connection& connection, const std::string& where) {
  {
    std::lock_guard lock(mutex_);
    connection_ = &connection;
    where_ = where;
    interrupted_ = false;
    deadline_ = std::chrono::steady_clock::now() + limit_;
  }
  changed_.notify_all();
}

bool Watchdog::End() {
  std::lock_guard lock(mutex_);
  connection_ = nullptr;
  return interrupted_;
}

void Watchdog::Watch() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (connection_ == nullptr) {
      changed_.wait(lock);
      continue;
    }
    if (std::chrono::steady_clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
      continue;
    }
    if (interrupted_) {
      std::fprintf(stderr, "%s: the statement does not react to Interrupt; giving up\n", where_.c_str());
      std::fflush(nullptr);
      std::_Exit(3);
    }
    connection_->Interrupt();
    interrupted_ = true;
    deadline_ = std::chrono::steady_clock::now() + limit_;
  }
}

}  // namespace scaup::test
