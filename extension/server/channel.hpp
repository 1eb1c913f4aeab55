// Channel: the bytes of one client's connection, buffered in both directions.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tls.hpp"
#include "wire.hpp"

namespace scaup::server {

/// One message as it came. The body is valid until the next call of the channel.
struct Message {
  char type = 0;
  std::string_view body;
};

/// Owns a connected socket. Used by one thread; Shutdown may be called by any. Functions that read or write
/// throw ConnectionLost when the other side is gone, and ProtocolError for messages that are too long.
class Channel {
 public:
  explicit Channel(int descriptor);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Reads `size` bytes, which are valid until the next read.
  std::string_view Read(size_t size);
  /// Reads a message of at most `most_bytes`. Space is taken as the bytes arrive, so that a length costs
  /// nothing by itself.
  Message ReadMessage(size_t most_bytes);
  /// Returns the type of the next message if it is here already.
  std::optional<char> NextType() const;
  bool has_input() const { return begin_ != end_; }

  /// Returns what will be sent; callers append to it.
  std::string& out() { return out_; }
  void Flush();
  /// Sends if much has gathered.
  void FlushIfLarge() {
    if (out_.size() >= kLargeWrite) Flush();
  }

  /// Reads fail after this moment; nullopt lets them wait for ever.
  void SetDeadline(std::optional<std::chrono::steady_clock::time_point> deadline) { deadline_ = deadline; }
  /// Answers a TLS handshake. From here on everything is encrypted.
  void StartTls(const TlsContext& context);
  bool is_encrypted() const { return tls_ != nullptr; }
  int descriptor() const { return descriptor_; }
  /// Ends reads that wait, and all later ones; writes, too, unless `only_reads`. Thread-safe.
  void Shutdown(bool only_reads) noexcept;

 private:
  static constexpr size_t kLargeWrite = 256 * 1024;
  static constexpr size_t kReadStep = 32 * 1024;
  /// Receives until `size` bytes are unread.
  void Fill(size_t size);
  /// Makes the buffer one of this many bytes, with what is unread at its beginning.
  void Resize(size_t capacity);
  size_t Receive(char* bytes, size_t size);
  void WaitForInput();

  const int descriptor_;
  std::unique_ptr<TlsStream> tls_;
  // The buffer is no string, as that would set what it has room for to zero before each read.
  std::unique_ptr<char[]> input_;
  size_t capacity_ = 0;
  size_t begin_ = 0;  // of what is unread
  size_t end_ = 0;
  std::string out_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace scaup::server
