// CopyData: what a client sends during COPY FROM STDIN.
#pragma once

#include <optional>
#include <string_view>

#include "client_state.hpp"

namespace scaup::server {

/// Reads the CopyData messages of one COPY, by one thread at a time.
class CopyData {
 public:
  explicit CopyData(ClientState& client) : client_(client) {}

  /// Returns the next part of the data, valid until the next call; nullopt at the end, and on every later
  /// call. Throws Error(57014) if the client gives up, ProtocolError for other messages, and what Channel
  /// throws.
  std::optional<std::string_view> Next();
  /// Reads up to the end of the data.
  void Drain() {
    while (Next()) {
    }
  }
  bool is_done() const { return is_done_; }

 private:
  ClientState& client_;
  bool is_done_ = false;
};

}  // namespace scaup::server
