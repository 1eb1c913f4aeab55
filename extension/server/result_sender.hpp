// Sends the rows of a result, and the tag that ends it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "channel.hpp"
#include "row_encoder.hpp"
#include "scaup/result.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Sends all rows of a stream as they are computed. Returns their number.
uint64_t SendRows(StreamingResult& stream, std::span<const Format> formats, Channel& channel);
/// Returns the tag of CommandComplete: "SELECT 3", "INSERT 0 1", "CREATE TABLE".
std::string CommandTag(const StatementInfo& info, bool has_rows, uint64_t rows_sent, uint64_t rows_changed);
void AppendCommandComplete(std::string_view tag, std::string& out);

}  // namespace scaup::server
