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

}  // namespace scaup
