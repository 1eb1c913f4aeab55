// COPY ... FROM STDIN.
#pragma once

#include <cstdint>

#include "client_state.hpp"
#include "copy_options.hpp"

namespace scaup::server {

/// Inserts the rows that the client sends as CopyData messages: all or none. Returns their number.
uint64_t CopyIn(const CopyStream& copy, const CopyOptions& options, ClientState& client);

}  // namespace scaup::server
