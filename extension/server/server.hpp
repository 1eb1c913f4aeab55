// Server: lets clients of PostgreSQL's protocol use a database of this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scaup/database.hpp"

namespace scaup::server {

/// The addresses at which a server listens, and the clients that it lets in.
struct ServerOptions {
  /// Addresses as host:port, such as "127.0.0.1:5432" or "[::1]:0"; port 0 takes a free one. Any other than a
  /// loopback address needs a file of passwords.
  std::vector<std::string> listen;
  /// The folder of a Unix socket with PostgreSQL's name, .s.PGSQL.<port>; "" for none.
  std::string socket_directory;
  uint16_t socket_port = 5432;
  /// Lines of user:password or user:verifier; "" for none. Then the system's user of this process is let in
  /// by the Unix socket, and everybody by loopback addresses.
  std::string password_file;
  /// PEM files for TLS; both or neither.
  std::string tls_certificate, tls_key;
  size_t max_connections = 1000;
  size_t max_message_bytes = size_t{1} << 30;
};

/// Listens from its construction until Stop, with a thread of its own and one for each client, all of which
/// block all signals. Shares ownership of the database. Thread-safe.
class Server {
 public:
  /// Throws Error(kUsage) for options that do not fit, Error(kIo) if an address cannot be listened at.
  Server(Database database, const ServerOptions& options);
  /// Stops.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Returns where it listens: addresses with their ports, and the path of the socket.
  const std::vector<std::string>& addresses() const;
  /// Returns the number of clients.
  size_t client_count() const;
  /// Takes no more clients, interrupts their statements, rolls back their transactions, and waits for their
  /// threads. Does nothing if it has stopped already.
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scaup::server
