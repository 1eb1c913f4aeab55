// COPY ... TO STDOUT and COPY ... FROM STDIN.
#pragma once

#include <string>

#include "client_state.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Executes a COPY whose stream is the client's. Returns its tag, "COPY 3".
std::string RunCopy(const CopyStream& copy, ClientState& client);

}  // namespace scaup::server
