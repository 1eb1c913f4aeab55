// Listener: a socket at which clients arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scaup::server {

/// Owns a listening socket, and the file of a Unix socket. Movable; any thread.
class Listener {
 public:
  Listener(int descriptor, std::string address, std::string socket_path);
  ~Listener();
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;

  int descriptor() const { return descriptor_; }
  /// Returns host:port, or the path of the socket.
  const std::string& address() const { return address_; }
  bool is_local() const { return !socket_path_.empty(); }

 private:
  int descriptor_;
  std::string address_;
  std::string socket_path_;
};

/// Listens at all addresses of host:port. Throws Error(kUsage) for a malformed text, and for addresses that
/// other machines reach unless `with_passwords`; Error(kIo) if the system refuses.
std::vector<Listener> ListenAtAddress(const std::string& address, bool with_passwords);
/// Listens at a Unix socket that only this user can reach. Makes the folder if it is missing.
Listener ListenAtSocket(const std::string& directory, uint16_t port);

}  // namespace scaup::server
