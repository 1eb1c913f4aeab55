// The beginning of a connection: encryption, the startup message, authentication, parameters.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "authentication.hpp"
#include "channel.hpp"
#include "client_registry.hpp"
#include "tls.hpp"

namespace scaup::server {

/// State that all clients of a server share. Immutable while it listens, but for the registry.
struct ServerContext {
  std::unique_ptr<const PasswordFile> passwords;  ///< null: none are asked for
  std::unique_ptr<const TlsContext> tls;          ///< null: no encryption
  ClientRegistry registry;
  size_t max_message_bytes = 0;
  std::atomic<bool> is_stopping{false};
};

/// An error that ends the connection, with its SQLSTATE.
class FatalError : public std::runtime_error {
 public:
  FatalError(const char* sqlstate, const std::string& message)
      : std::runtime_error(message), sqlstate_(sqlstate) {}
  const char* sqlstate() const { return sqlstate_; }

 private:
  const char* sqlstate_;
};

/// The way on which a client has come.
struct Admission {
  bool is_local = false;    ///< by a Unix socket
  bool is_refused = false;  ///< there are too many clients; only cancel requests are done
};

/// The parameters of a startup message.
using StartupParameters = std::map<std::string, std::string, std::less<>>;

/// Reads what comes before the session, and authenticates the user. Returns nothing if it was a cancel
/// request, which it has done. Throws FatalError.
std::optional<StartupParameters> ReadStartup(Channel& channel, ServerContext& context, Admission admission);

/// Applies the parameters to the session, and tells the client what drivers want to know of it.
void BeginSession(const StartupParameters& parameters, Connection& connection, Channel& channel);

/// Appends a ParameterStatus message.
void AppendParameterStatus(std::string_view name, std::string_view value, std::string& out);

}  // namespace scaup::server
