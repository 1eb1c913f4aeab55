// The library's version.
#pragma once

namespace scaup {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace scaup
