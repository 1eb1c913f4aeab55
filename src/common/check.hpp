// Checks of the engine's own invariants.
#pragma once

#include <string>

namespace scaup {

/// Reports that an internal check failed: throws Error(kInternal, XX000).
[[noreturn]] void ThrowInternal(const std::string& message);

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
