// The error for bytes that no encoder has made.
#include "storage/compression/encoded_bytes.hpp"

#include <string>

#include "common/throw.hpp"

namespace scaup {

void ThrowCorruptEncoding(const char* what) {
  ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted, std::string("corrupt data: ") + what);
}

}  // namespace scaup
