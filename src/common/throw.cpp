// Throws common errors out of line, so that callers stay small.
#include "common/throw.hpp"

namespace scaup {

void ThrowError(ErrorKind kind, const char* sqlstate, const std::string& message,
                std::optional<size_t> position) {
  throw Error(kind, sqlstate, message, position);
}

void ThrowInternal(const std::string& message) {
  throw Error(ErrorKind::kInternal, sqlstate::kInternalError,
              "internal error, please report it with the statement that caused it: " + message);
}

void ThrowOutOfRange(const std::string& message) {
  throw Error(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange, message);
}

void ThrowDivisionByZero() {
  throw Error(ErrorKind::kOutOfRange, sqlstate::kDivisionByZero, "division by zero");
}

void ThrowNotSupported(const std::string& message, std::optional<size_t> position) {
  throw Error(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported, message, position);
}

}  // namespace scaup
