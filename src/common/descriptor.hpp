// The only place where the library opens file descriptors.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <atomic>
#include <utility>

#include "common/process_origin.hpp"

namespace scaup {

/// An open file or directory descriptor; the destructor closes it. The descriptor is never 0, 1 or 2: a host
/// that has closed these and prints would otherwise write into our file. It is closed on exec, and in
/// children made by fork. Movable; one owner, but many threads may use it.
class Descriptor {
 public:
  Descriptor() noexcept = default;
  /// Opens a path as open(2) does. On failure is_open() is false, and errno tells why.
  static Descriptor Open(const char* path, int flags, mode_t mode = 0) noexcept;
  /// Creates a new file as mkstemp(3) does.
  static Descriptor OpenTemporary(char* pattern) noexcept;
  /// Opens a directory for readdir; null if it cannot be opened. The caller closes it with closedir.
  static DIR* OpenDirectory(const char* path) noexcept;
  /// Closes all descriptors that the parent had open. Called first of all in a child made by fork.
  static void CloseInherited() noexcept;

  Descriptor(Descriptor&& other) noexcept { *this = std::move(other); }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(place_, other.place_);
    std::swap(origin_, other.origin_);
    return *this;
  }
  ~Descriptor();

  bool is_open() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }
  const ProcessOrigin& origin() const noexcept { return origin_; }

 private:
  int number_ = -1;
  std::atomic<int>* place_ = nullptr;  // Entry in the list of open descriptors; null if memory ran out.
  ProcessOrigin origin_;
};

}  // namespace scaup
