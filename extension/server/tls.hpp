// TLS of a connection, by OpenSSL where the build has found it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace scaup::server {

/// One encrypted connection. Used by one thread. Throws ConnectionLost when it ends.
class TlsStream {
 public:
  virtual ~TlsStream() = default;
  virtual size_t Read(char* bytes, size_t size) = 0;
  virtual size_t Write(const char* bytes, size_t size) = 0;
  /// Returns whether bytes are decrypted already, so that a read need not wait for the socket.
  virtual bool has_pending() const = 0;
};

/// The server's certificate and key. Const access from any thread.
class TlsContext {
 public:
  virtual ~TlsContext() = default;
  /// Answers the handshake on a connected socket, which the caller keeps open.
  virtual std::unique_ptr<TlsStream> Accept(int descriptor) const = 0;
};

/// Loads a certificate chain and its key from PEM files. Throws Error(kUsage, 0A000) in a build without
/// OpenSSL, and Error(kIo) if the files cannot be used.
std::unique_ptr<TlsContext> LoadTls(const std::string& certificate_path, const std::string& key_path);

}  // namespace scaup::server
