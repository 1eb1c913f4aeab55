// Authentication: who is let in, and how clients prove who they are.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "channel.hpp"

namespace scaup::server {

/// The server's knowledge of a password (RFC 5803): enough to check it, not to use it.
struct ScramVerifier {
  uint32_t iterations = 0;
  std::string salt, stored_key, server_key;
};

/// The users of a file of passwords. Immutable; any thread.
class PasswordFile {
 public:
  /// Reads lines of user:password or user:SCRAM-SHA-256$iterations:salt$stored:server, PostgreSQL's form.
  /// Throws Error(kIo) if the file cannot be read, Error(kUsage) if others may read it, for malformed lines,
  /// and in a build without OpenSSL.
  explicit PasswordFile(const std::string& path);
  /// Returns null for an unknown user.
  const ScramVerifier* Find(std::string_view user) const;

 private:
  std::map<std::string, ScramVerifier, std::less<>> users_;
};

/// The user of the other side of a Unix socket is this process's.
bool IsSameUser(int descriptor);

/// Asks for a password by SCRAM-SHA-256. Returns whether it is the user's. Takes as long for unknown users.
bool ProvePassword(const PasswordFile& passwords, std::string_view user, Channel& channel);

}  // namespace scaup::server
