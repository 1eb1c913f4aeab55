// Parts of the wire that both directions of COPY have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "row_encoder.hpp"
#include "wire.hpp"

namespace scaup::server {

/// The signature of binary COPY, no flags, and no extension.
inline constexpr std::string_view kBinaryCopyHead("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
/// The number of columns that stands behind the last row.
inline constexpr int16_t kBinaryCopyEnd = -1;

/// Appends a CopyInResponse ('G') or CopyOutResponse ('H').
inline void AppendCopyResponse(char type, Format format, size_t column_count, std::string& out) {
  const MessageScope message(type, out);
  out.push_back(static_cast<char>(format));
  PutBig(static_cast<uint16_t>(column_count), out);
  for (size_t i = 0; i < column_count; i++) PutBig(static_cast<int16_t>(format), out);
}

}  // namespace scaup::server
