// Reads and writes of a client's socket.
#include "channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace scaup::server {

Channel::Channel(int descriptor) : descriptor_(descriptor) {}

Channel::~Channel() {
  tls_.reset();
  close(descriptor_);
}

void Channel::StartTls(const TlsContext& context) { tls_ = context.Accept(descriptor_); }

void Channel::Shutdown(bool only_reads) noexcept { shutdown(descriptor_, only_reads ? SHUT_RD : SHUT_RDWR); }

void Channel::WaitForInput() {
  for (;;) {
    int most_millis = -1;
    if (deadline_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          *deadline_ - std::chrono::steady_clock::now());
      if (left.count() <= 0) throw ConnectionLost("the client took too long");
      most_millis = static_cast<int>(left.count());
    }
    // A thread that waited within recv would be woken, for nothing, also when the client reads what it was
    // sent through a Unix socket.
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = poll(&wanted, 1, most_millis);
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

void Channel::Resize(size_t capacity) {
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  const size_t unread = end_ - begin_;
  if (unread != 0) std::memcpy(larger.get(), input_.get() + begin_, unread);
  input_ = std::move(larger);
  capacity_ = capacity;
  begin_ = 0;
  end_ = unread;
}

void Channel::Fill(size_t size) {
  if (end_ - begin_ >= size) return;
  if (begin_ == end_) begin_ = end_ = 0;
  while (end_ - begin_ < size) {
    // Doubled, so that a long message is not copied again and again, but only as its bytes arrive.
    if (end_ == capacity_) Resize(std::max(kReadStep, begin_ == 0 ? 2 * capacity_ : capacity_));
    end_ += Receive(input_.get() + end_, capacity_ - end_);
  }
}

std::string_view Channel::Read(size_t size) {
  Fill(size);
  const std::string_view bytes(input_.get() + begin_, size);
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
  // A buffer that one message has made large is not kept for ever.
  constexpr size_t kMostKept = 1024 * 1024;
  const size_t body = size - sizeof(uint32_t);
  if (capacity_ > kMostKept && end_ - begin_ <= kReadStep && body <= kReadStep) Resize(2 * kReadStep);
  message.body = Read(body);
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
