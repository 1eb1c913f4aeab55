// The name of the schema of temporary relations, which the parser and the system's relations know as well.
#pragma once

#include <string_view>

namespace scaup {

/// The schema of temporary relations, which is another one for every session.
inline constexpr const char* kTemporarySchema = "pg_temp";
inline bool IsTemporarySchema(std::string_view schema) { return schema == kTemporarySchema; }

}  // namespace scaup
