// Messages of the protocol: integers in network order, strings that end with a zero byte, and their bounds.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace scaup::server {

/// The client has broken the protocol. The connection ends with FATAL 08P01.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The connection is gone: nothing can be said to the client any more.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename T>
void StoreBig(T value, char* out) {
  for (size_t i = 0; i < sizeof(T); i++) {
    out[i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * (sizeof(T) - 1 - i)));
  }
}

/// Reads an integer of sizeof(T) bytes. REQUIRES: they are readable.
template <typename T>
T LoadBig(const char* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); i++) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return static_cast<T>(value);
}

template <typename T>
void PutBig(T value, std::string& out) {
  char bytes[sizeof(T)];
  StoreBig(value, bytes);
  out.append(bytes, sizeof(T));
}

inline void PutCString(std::string_view text, std::string& out) {
  out.append(text);
  out.push_back('\0');
}

/// Appends a message: its type, its length, and what is appended until its destruction.
class MessageScope {
 public:
  MessageScope(char type, std::string& out) : out_(out), begin_(out.size() + 1) {
    out.push_back(type);
    out.append(sizeof(uint32_t), '\0');
  }
  ~MessageScope() { StoreBig(static_cast<uint32_t>(out_.size() - begin_), out_.data() + begin_); }
  MessageScope(const MessageScope&) = delete;
  MessageScope& operator=(const MessageScope&) = delete;

 private:
  std::string& out_;
  const size_t begin_;
};

/// Reads the body of one message. Borrows the bytes. Throws ProtocolError if they end too early.
class MessageReader {
 public:
  explicit MessageReader(std::string_view body) : rest_(body) {}

  template <typename T>
  T Big() {
    return LoadBig<T>(Bytes(sizeof(T)).data());
  }
  char Byte() { return Bytes(1)[0]; }
  std::string_view Bytes(size_t size) {
    if (size > rest_.size()) throw ProtocolError("a message ends too early");
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string_view CString() {
    const size_t end = rest_.find('\0');
    if (end == std::string_view::npos) throw ProtocolError("a string in a message does not end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  /// Reads a length and as many bytes; nullopt for the length -1, which stands for NULL.
  std::optional<std::string_view> Field() {
    const auto size = Big<int32_t>();
    if (size == -1) return std::nullopt;
    if (size < 0) throw ProtocolError("a value in a message has a negative length");
    return Bytes(static_cast<size_t>(size));
  }
  std::string_view rest() const { return rest_; }
  void RequireEnd() const {
    if (!rest_.empty()) throw ProtocolError("a message is longer than what it says");
  }

 private:
  std::string_view rest_;
};

}  // namespace scaup::server
