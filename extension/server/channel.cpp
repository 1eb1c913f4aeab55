// Reads and writes of a client's socket.
#include "channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace scaup::server {

Channel::Channel(int descriptor) : descriptor_(descriptor) {}

Channel::~Channel() {
  tls_.reset();
  close(descriptor_);
}

void Channel::StartTls(const TlsContext& context) { tls_ = context.Accept(descriptor_); }

void Channel::Shutdown(bool only_reads) noexcept { shutdown(descriptor_, only_reads ? SHUT_RD : SHUT_RDWR); }

void Channel::WaitForInput() {
  if (!deadline_) return;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) throw ConnectionLost("the client took too long");
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw ConnectionLost("poll failed");
  }
}

size_t Channel::Receive(char* bytes, size_t size) {
  if (tls_ != nullptr) {
    if (!tls_->has_pending()) WaitForInput();
    return tls_->Read(bytes, size);
  }
  WaitForInput();
  for (;;) {
    const ssize_t received = recv(descriptor_, bytes, size, 0);
    if (received > 0) return static_cast<size_t>(received);
    if (received < 0 && errno == EINTR) continue;
    throw ConnectionLost("the client has closed the connection");
  }
}

void Channel::Fill(size_t size) {
  if (input_.size() - begin_ >= size) return;
  input_.erase(0, begin_);
  begin_ = 0;
  while (input_.size() < size) {
    const size_t before = input_.size();
    // Doubled, so that a long message is not copied again and again.
    input_.resize(before + std::max(kReadStep, before));
    size_t received = 0;
    try {
      received = Receive(input_.data() + before, input_.size() - before);
    } catch (...) {
      input_.resize(before);
      throw;
    }
    input_.resize(before + received);
  }
}

std::string_view Channel::Read(size_t size) {
  Fill(size);
  const std::string_view bytes = std::string_view(input_).substr(begin_, size);
  begin_ += size;
  return bytes;
}

Message Channel::ReadMessage(size_t most_bytes) {
  const std::string_view head = Read(1 + sizeof(uint32_t));
  Message message;
  message.type = head[0];
  const auto size = LoadBig<uint32_t>(head.data() + 1);
  if (size < sizeof(uint32_t) || size > most_bytes) {
    throw ProtocolError("a message of " + std::to_string(size) + " bytes came; from 4 to " +
                        std::to_string(most_bytes) + " are possible");
  }
  message.body = Read(size - sizeof(uint32_t));
  // A buffer that one message has made large is not kept for ever.
  constexpr size_t kMostKept = 1024 * 1024;
  if (begin_ == input_.size() && input_.capacity() > kMostKept && message.body.size() < kReadStep) {
    std::string small(input_, begin_ - message.body.size());
    input_.swap(small);
    input_.shrink_to_fit();
    begin_ = input_.size();
    message.body = input_;
  }
  return message;
}

std::optional<char> Channel::NextType() const {
  if (!has_input()) return std::nullopt;
  return input_[begin_];
}

void Channel::Flush() {
  size_t sent = 0;
  while (sent < out_.size()) {
    if (tls_ != nullptr) {
      sent += tls_->Write(out_.data() + sent, out_.size() - sent);
      continue;
    }
    const ssize_t count = send(descriptor_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      out_.clear();
      throw ConnectionLost("the client takes no more");
    }
  }
  out_.clear();
}

}  // namespace scaup::server
