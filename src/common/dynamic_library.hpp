// Shared libraries that are looked for when they are needed, so that nothing depends on them.
#pragma once

#include <initializer_list>
#include <string>

namespace scaup {

/// A library of the system. It stays loaded for the rest of the process, as libraries may not survive being
/// unloaded. Immutable; thread-safe.
class DynamicLibrary {
 public:
  /// Loads the first of the libraries that is there. The host's symbols, which may have the same names, do
  /// not replace those of the library.
  explicit DynamicLibrary(std::initializer_list<const char*> names);

  bool is_loaded() const { return handle_ != nullptr; }
  /// Sets `function` to that of the library; null if there is none. Returns whether there is one.
  template <typename Function>
  bool Find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(Symbol(name));
    return function != nullptr;
  }

 private:
  void* Symbol(const char* name) const;

  void* handle_ = nullptr;
};

/// Throws Error(kNotSupported, 0A000) for a library that the system does not have, or not whole. `missing`
/// says which, what for, and what to install.
[[noreturn]] void ThrowNoLibrary(const char* missing);

/// Returns the functions of a library, of which the process has one table: that of the first call. `find`
/// fills it, and returns whether all were there. Throws as ThrowNoLibrary does.
template <typename Functions>
const Functions& FunctionsOf(std::initializer_list<const char*> names,
                             bool (*find)(const DynamicLibrary& from, Functions& to), const char* missing) {
  struct Loaded {
    Loaded(std::initializer_list<const char*> from, bool (*find_all)(const DynamicLibrary&, Functions&))
        : is_complete(find_all(DynamicLibrary(from), functions)) {}
    Functions functions = {};
    bool is_complete;
  };
  static const Loaded& loaded = *new Loaded(names, find);  // never destroyed
  if (!loaded.is_complete) ThrowNoLibrary(missing);
  return loaded.functions;
}

}  // namespace scaup
