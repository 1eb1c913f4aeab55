// ClientRegistry: the clients of a server, for cancel requests and for the end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "scaup/connection.hpp"

namespace scaup::server {

/// The key by which a client can cancel its statements.
struct CancelKey {
  uint32_t process = 0;
  uint32_t secret = 0;
};

/// Knows the sessions that may be cancelled. Thread-safe.
class ClientRegistry {
 public:
  /// Borrows the connection until Remove. The key has the number that pg_backend_pid() gives in it.
  CancelKey Add(Connection& connection);
  void Remove(const CancelKey& key) noexcept;
  /// Interrupts the session's statement if the key is right.
  void Cancel(const CancelKey& key) noexcept;
  void InterruptAll() noexcept;

 private:
  struct Client {
    uint32_t secret;
    Connection* connection;
  };
  std::mutex mutex_;
  std::map<uint32_t, Client> clients_;  // guarded by mutex_
};

}  // namespace scaup::server
