// One client, from its first byte to its last.
#pragma once

#include "channel.hpp"
#include "scaup/database.hpp"
#include "startup.hpp"

namespace scaup::server {

/// Serves a client until it leaves. Never throws.
void ServeClient(Channel& channel, const Database& database, ServerContext& context,
                 Admission admission) noexcept;

}  // namespace scaup::server
