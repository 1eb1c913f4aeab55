// What kind of error something ends with.
#pragma once

#include "scaup/error.hpp"

namespace scaup::test {

/// kInternal where it ends without one: no test expects that.
template <typename F>
ErrorKind KindOf(F&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kInternal;
}

}  // namespace scaup::test
