// The message and SQLSTATE of a system error number.
#include "common/file/io_error.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

// strerror_r exists in two forms. Overload resolution handles whichever the C library has.
[[maybe_unused]] const char* ErrorText(int result, const char* buffer) {
  return result == 0 ? buffer : "unknown error";
}
[[maybe_unused]] const char* ErrorText(const char* result, const char*) { return result; }

const char* SqlstateOf(int error_number) {
  switch (error_number) {
    case ENOENT: return sqlstate::kUndefinedFile;
    case ENOSPC:
    case EDQUOT: return sqlstate::kDiskFull;
    default: return sqlstate::kIoError;
  }
}

}  // namespace

void ThrowIoError(const char* action, const std::string& path, int error_number) {
  char buffer[256] = {};
  const char* text = ErrorText(strerror_r(error_number, buffer, sizeof(buffer)), buffer);
  throw Error(ErrorKind::kIo, SqlstateOf(error_number),
              fmt::format("could not {} file \"{}\": {}", action, path, text));
}

std::string ParentDirectory(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace scaup
