// COPY ... TO STDOUT.
#pragma once

#include <cstdint>

#include "client_state.hpp"
#include "copy_options.hpp"

namespace scaup::server {

/// Sends the rows of a table or query as CopyData messages. Returns their number.
uint64_t CopyOut(const CopyStream& copy, const CopyOptions& options, ClientState& client);

}  // namespace scaup::server
