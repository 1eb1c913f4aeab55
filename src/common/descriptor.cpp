// Opens descriptors above standard input, output and error, and lists them for children made by fork.
#include "common/descriptor.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>

namespace scaup {

namespace {

constexpr int kFirstOwn = 3;

// The list of all open descriptors. A child made by fork reads it in whatever state other threads of the
// parent left it; therefore it has no lock, and its blocks are never freed. Free entries hold 0.
constexpr int kFree = 0;
struct Places {
  std::array<std::atomic<int>, 64> numbers{};
  std::atomic<Places*> next{nullptr};
};
constinit Places first_places;

std::atomic<int>* Note(int number) noexcept {
  for (Places* places = &first_places;;) {
    for (std::atomic<int>& place : places->numbers) {
      int expected = kFree;
      if (place.compare_exchange_strong(expected, number)) return &place;
    }
    Places* next = places->next.load();
    if (next == nullptr) {
      Places* const more = new (std::nothrow) Places;
      if (more == nullptr) return nullptr;
      if (places->next.compare_exchange_strong(next, more)) {
        next = more;
      } else {
        delete more;  // Another thread has appended a block first.
      }
    }
    places = next;
  }
}

// Occupies those of 0, 1 and 2 that are closed while another descriptor is opened. Otherwise the new
// descriptor would have such a number until it is moved, and the host may write to it just then. The
// placeholder refuses reads and writes, as a closed descriptor does.
class StandardDescriptors {
 public:
  StandardDescriptors() noexcept {
    for (int number = 0; number < kFirstOwn; number++) {
      if (fcntl(number, F_GETFD) != -1) continue;
#if defined(O_PATH)
      const int held = open("/", O_PATH | O_CLOEXEC);
#else
      const int held = open("/dev/null", O_RDONLY | O_CLOEXEC);
#endif
      if (held >= kFirstOwn) close(held);  // Another thread has opened it meanwhile.
      if (held < 0 || held >= kFirstOwn) continue;
      held_[held] = true;
    }
  }
  ~StandardDescriptors() {
    const int error = errno;
    for (int number = 0; number < kFirstOwn; number++) {
      if (held_[number]) close(number);
    }
    errno = error;
  }
  StandardDescriptors(const StandardDescriptors&) = delete;
  StandardDescriptors& operator=(const StandardDescriptors&) = delete;

 private:
  bool held_[kFirstOwn] = {};
};

// Moves a descriptor above 2, for the case that the host closed one of the three just now.
int MoveUp(int number) noexcept {
  if (number < 0 || number >= kFirstOwn) return number;
  const int moved = fcntl(number, F_DUPFD_CLOEXEC, kFirstOwn);
  const int error = errno;
  close(number);
  errno = error;
  return moved;
}

template <typename Call>
int OpenAbove(Call call) noexcept {
  const StandardDescriptors held;
  return MoveUp(call());
}

int OpenOnce(const char* path, int flags, mode_t mode) noexcept {
  int number = open(path, flags | O_CLOEXEC, mode);
  while (number == -1 && errno == EINTR) number = open(path, flags | O_CLOEXEC, mode);
  return number;
}

}  // namespace

Descriptor Descriptor::Open(const char* path, int flags, mode_t mode) noexcept {
  Descriptor opened;
  opened.number_ = OpenAbove([&] { return OpenOnce(path, flags, mode); });
  if (opened.is_open()) opened.place_ = Note(opened.number_);
  return opened;
}

Descriptor Descriptor::OpenTemporary(char* pattern) noexcept {
  Descriptor opened;
  opened.number_ = OpenAbove([&] { return mkostemp(pattern, O_CLOEXEC); });
  if (opened.is_open()) opened.place_ = Note(opened.number_);
  return opened;
}

DIR* Descriptor::OpenDirectory(const char* path) noexcept {
  const int number = OpenAbove([&] { return OpenOnce(path, O_RDONLY | O_DIRECTORY, 0); });
  if (number < 0) return nullptr;
  DIR* const stream = fdopendir(number);
  if (stream == nullptr) close(number);
  return stream;
}

Descriptor::~Descriptor() {
  if (!is_open() || origin_.IsInherited()) return;  // CloseInherited has closed it.
  // Removed from the list first: once it is closed, its number may be reused, and a child would close the new
  // one.
  if (place_ != nullptr) place_->store(kFree);
  close(number_);
}

void Descriptor::CloseInherited() noexcept {
  for (Places* places = &first_places; places != nullptr; places = places->next.load()) {
    for (std::atomic<int>& place : places->numbers) {
      const int number = place.exchange(kFree);
      if (number != kFree) close(number);
    }
  }
}

}  // namespace scaup
