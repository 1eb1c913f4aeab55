// Random bytes from the system.
#include "random_bytes.hpp"

#include <unistd.h>

#include "scaup/error.hpp"

namespace scaup::server {

void FillRandom(void* bytes, size_t size) {
  if (getentropy(bytes, size) != 0) throw Error(ErrorKind::kIo, "58030", "the system has no random bytes");
}

}  // namespace scaup::server
