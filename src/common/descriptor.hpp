// The one place where the library opens descriptors.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <atomic>
#include <utility>

#include "common/process_origin.hpp"

namespace scaup {

/// An open descriptor of a file or directory, closed with it. Never one of 0, 1 and 2: a host that has closed
/// these and prints would write into whatever has their numbers. Closed on exec, and in a child made by fork.
/// Movable; owned by one object, whose users may be many threads.
class Descriptor {
 public:
  Descriptor() noexcept = default;
  /// Opens a path as open(2) does. Tells by is_open whether it did; else errno says why not.
  static Descriptor Open(const char* path, int flags, mode_t mode = 0) noexcept;
  /// Makes a new file as mkstemp(3) does.
  static Descriptor OpenTemporary(char* pattern) noexcept;
  /// Opens a directory for readdir; null where it cannot be opened. Closed by closedir.
  static DIR* OpenDirectory(const char* path) noexcept;
  /// In a child made by fork, as its first act: closes all that its parent had open.
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
  std::atomic<int>* place_ = nullptr;  // In the list of all; null if there was no memory for it.
  ProcessOrigin origin_;
};

}  // namespace scaup
