// Ends statements that run too long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "scaup/connection.hpp"

namespace scaup::test {

/// Watches one worker's statements from a thread of its own. When a statement passes the limit, its
/// connection is interrupted; when it has not ended after the limit once more, the process ends, since
/// nothing else would end it.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds limit);
  ~Watchdog();

  /// A statement begins. `where` ("file:line") is printed if it cannot be stopped.
  void Begin(Connection& connection, const std::string& where);
  /// It ended; true if it was interrupted for its time.
  bool End();

 private:
  void Watch();

  const std::chrono::seconds limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Connection* connection_ = nullptr;
  std::string where_;
  std::chrono::steady_clock::time_point deadline_;
  bool interrupted_ = false;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace scaup::test
