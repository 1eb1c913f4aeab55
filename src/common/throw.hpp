// Functions that throw common errors. Callers build the messages with fmt, in .cpp files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/check.hpp"
#include "common/sqlstate.hpp"
#include "scaup/error.hpp"

namespace scaup {

[[noreturn]] void ThrowError(ErrorKind kind, const char* sqlstate, const std::string& message,
                             std::optional<size_t> position = std::nullopt);
[[noreturn]] void ThrowOutOfRange(const std::string& message);
[[noreturn]] void ThrowDivisionByZero();
[[noreturn]] void ThrowNotSupported(const std::string& message,
                                    std::optional<size_t> position = std::nullopt);

}  // namespace scaup
