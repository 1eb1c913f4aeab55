// Random bytes that nobody can guess.
#pragma once

#include <cstddef>

namespace scaup::server {

/// Fills the bytes from the system's generator. Throws Error(kIo) if it fails.
void FillRandom(void* bytes, size_t size);

}  // namespace scaup::server
