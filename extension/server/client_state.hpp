// ClientState: what all that serves one client works with.
#pragma once

#include <cstddef>
#include <string>

#include "channel.hpp"
#include "known_texts.hpp"
#include "reported_settings.hpp"
#include "scaup/connection.hpp"
#include "transaction_scope.hpp"

namespace scaup::server {

/// Borrowed parts of one client's session. Used by its thread.
struct ClientState {
  Channel& channel;
  Connection& connection;
  TransactionScope& scope;
  size_t max_message_bytes;
  ReportedSettings settings;
  KnownTexts texts = {};
};

}  // namespace scaup::server
