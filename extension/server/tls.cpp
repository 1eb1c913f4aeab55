// TLS by OpenSSL.
#include "tls.hpp"

#include "scaup/error.hpp"
#include "wire.hpp"

#ifdef SCAUP_HAVE_OPENSSL
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <climits>
#endif

namespace scaup::server {

#ifdef SCAUP_HAVE_OPENSSL

namespace {

using SslContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using Ssl = std::unique_ptr<SSL, decltype(&SSL_free)>;

class OpenSslStream final : public TlsStream {
 public:
  explicit OpenSslStream(Ssl ssl) : ssl_(std::move(ssl)) {}
  // Says that the stream ends here, so that the client can tell it from one that was cut.
  ~OpenSslStream() override { SSL_shutdown(ssl_.get()); }
  size_t Read(char* bytes, size_t size) override {
    const int count = SSL_read(ssl_.get(), bytes, Clamp(size));
    if (count <= 0) Lose("the client has closed the connection");
    return static_cast<size_t>(count);
  }
  size_t Write(const char* bytes, size_t size) override {
    const int count = SSL_write(ssl_.get(), bytes, Clamp(size));
    if (count <= 0) Lose("the client takes no more");
    return static_cast<size_t>(count);
  }
  bool has_pending() const override { return SSL_has_pending(ssl_.get()) != 0; }

 private:
  static int Clamp(size_t size) { return static_cast<int>(std::min<size_t>(size, INT_MAX)); }
  [[noreturn]] static void Lose(const char* message) {
    ERR_clear_error();
    throw ConnectionLost(message);
  }
  Ssl ssl_;
};

class OpenSslContext final : public TlsContext {
 public:
  OpenSslContext(const std::string& certificate_path, const std::string& key_path)
      : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    if (context_ == nullptr) throw Error(ErrorKind::kOutOfMemory, "53200", "out of memory for TLS");
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION);
    // Sessions are not resumed: each connection proves itself.
    SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context_.get(), 0);
    const bool is_loaded =
        SSL_CTX_use_certificate_chain_file(context_.get(), certificate_path.c_str()) == 1 &&
        SSL_CTX_use_PrivateKey_file(context_.get(), key_path.c_str(), SSL_FILETYPE_PEM) == 1 &&
        SSL_CTX_check_private_key(context_.get()) == 1;
    if (is_loaded) return;
    char reason[256];
    ERR_error_string_n(ERR_get_error(), reason, sizeof(reason));
    ERR_clear_error();
    throw Error(ErrorKind::kIo, "F0000",
                "cannot use the certificate \"" + certificate_path + "\" with the key \"" + key_path +
                    "\": " + reason);
  }

  std::unique_ptr<TlsStream> Accept(int descriptor) const override {
    Ssl ssl(SSL_new(context_.get()), SSL_free);
    if (ssl == nullptr || SSL_set_fd(ssl.get(), descriptor) != 1) throw ConnectionLost("TLS failed");
    if (SSL_accept(ssl.get()) != 1) {
      ERR_clear_error();
      throw ConnectionLost("the TLS handshake failed");
    }
    return std::make_unique<OpenSslStream>(std::move(ssl));
  }

 private:
  SslContext context_;
};

}  // namespace

std::unique_ptr<TlsContext> LoadTls(const std::string& certificate_path, const std::string& key_path) {
  return std::make_unique<OpenSslContext>(certificate_path, key_path);
}

#else

std::unique_ptr<TlsContext> LoadTls(const std::string&, const std::string&) {
  throw Error(ErrorKind::kUsage, "0A000",
              "TLS needs OpenSSL, which this build lacks: install libssl-dev and build again");
}

#endif

}  // namespace scaup::server
