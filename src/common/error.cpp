// The members of scaup::Error.
#include "scaup/error.hpp"

#include <cstring>

namespace scaup {

Error::Error(ErrorKind kind, const char* sqlstate, const std::string& message, std::optional<size_t> position)
    : std::runtime_error(message), kind_(kind), sqlstate_{}, position_(position) {
  std::strncpy(sqlstate_, sqlstate, sizeof(sqlstate_) - 1);
}

const char* ErrorKindName(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::kSyntax: return "syntax";
    case ErrorKind::kBinder: return "binder";
    case ErrorKind::kCatalog: return "catalog";
    case ErrorKind::kConversion: return "conversion";
    case ErrorKind::kOutOfRange: return "out of range";
    case ErrorKind::kConstraint: return "constraint";
    case ErrorKind::kTransaction: return "transaction";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kOutOfMemory: return "out of memory";
    case ErrorKind::kInterrupted: return "interrupted";
    case ErrorKind::kUsage: return "usage";
    case ErrorKind::kNotSupported: return "not supported";
    case ErrorKind::kInternal: return "internal";
  }
  return "unknown";
}

}  // namespace scaup
