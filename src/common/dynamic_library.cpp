// Loads libraries with dlopen.
#include "common/dynamic_library.hpp"

#include <dlfcn.h>

#include "common/throw.hpp"

namespace scaup {

DynamicLibrary::DynamicLibrary(std::initializer_list<const char*> names) {
  int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
#if !defined(__SANITIZE_ADDRESS__)  // It refuses the flag.
  flags |= RTLD_DEEPBIND;
#endif
#endif
  for (const char* name : names) {
    if (handle_ == nullptr) handle_ = dlopen(name, flags);
  }
}

void* DynamicLibrary::Symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

void ThrowNoLibrary(const char* missing) { ThrowNotSupported(missing); }

}  // namespace scaup
