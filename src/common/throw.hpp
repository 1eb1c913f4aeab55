// Functions that throw common errors. Callers build the messages with fmt, in .cpp files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"

namespace scaup {

[[noreturn]] void ThrowError(ErrorKind kind, const char* sqlstate, const std::string& message,
                             std::optional<size_t> position = std::nullopt);
/// Reports that an internal check failed.
[[noreturn]] void ThrowInternal(const std::string& message);
[[noreturn]] void ThrowOutOfRange(const std::string& message);
[[noreturn]] void ThrowDivisionByZero();
[[noreturn]] void ThrowNotSupported(const std::string& message,
                                    std::optional<size_t> position = std::nullopt);

}  // namespace scaup

/// A check in every build, for states that would lose data or corrupt memory.
#define SCAUP_CHECK(condition) \
  ((condition) ? void(0) : ::scaup::ThrowInternal("check failed: " #condition ""))
#if defined(NDEBUG) && !defined(SCAUP_ASSERTIONS)
#define SCAUP_ASSERT(condition) ((void)0)
#else
/// A check of an invariant; compiled into debug, sanitizer and fuzz builds only.
#define SCAUP_ASSERT(condition) SCAUP_CHECK(condition)
#endif
