// COPY ... TO STDOUT (FORMAT arrow): rows in Arrow's streaming format.
#pragma once

#include <cstdint>

#include "client_state.hpp"
#include "copy_options.hpp"
#include "scaup/result.hpp"

namespace scaup::server {

/// Sends the rows of a query as columns, in chunks of about options.chunk_bytes, each in one CopyData
/// message; the schema comes in the first one. Returns the number of rows.
uint64_t SendArrow(StreamingResult stream, const CopyOptions& options, ClientState& client);

}  // namespace scaup::server
