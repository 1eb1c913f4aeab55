// The per-thread free lists of small allocations, one per size class.
#include "common/memory/piece_cache.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace scaup {

namespace {

constexpr size_t kStepBytes = 32;
// Statements that read wide rows have several pieces per column. Address sanitizer builds cache none, so that
// uses after free are found.
#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kMostKept = 0;
#else
constexpr uint32_t kMostKept = 64;
#endif

/// A cached piece; its first bytes point to the next one in the list.
struct KeptPiece {
  KeptPiece* next;
};

struct KeptPieces {
  KeptPiece* first = nullptr;
  uint32_t count = 0;
};

/// The pieces that a thread caches. This memory stays readable until the thread is gone, so that other
/// thread-local objects may free pieces after EndOfThread ran.
struct ThreadPieces {
  std::array<KeptPieces, kMostPieceBytes / kStepBytes + 1> kept{};
  bool is_watched = false;  // an EndOfThread exists
  bool is_over = false;

  void* Take(size_t size_class) {
    KeptPieces& pieces = kept[size_class];
    if (pieces.first == nullptr) return nullptr;
    pieces.count--;
    return std::exchange(pieces.first, pieces.first->next);
  }
  bool Keep(void* piece, size_t size_class) noexcept {
    KeptPieces& pieces = kept[size_class];
    if (is_over || pieces.count >= kMostKept) return false;
    pieces.first = new (piece) KeptPiece{pieces.first};
    pieces.count++;
    return true;
  }
  void End() noexcept {
    is_over = true;
    for (KeptPieces& pieces : kept) {
      while (pieces.first != nullptr) ::operator delete(std::exchange(pieces.first, pieces.first->next));
    }
  }
};

constinit thread_local ThreadPieces thread_pieces;

struct EndOfThread {
  ~EndOfThread() { thread_pieces.End(); }
};

void WatchEndOfThread() {
  static thread_local EndOfThread end;
  // Reaching this line constructs `end`, whose destructor runs when the thread ends.
  (void)end;
  thread_pieces.is_watched = true;
}

size_t ClassOf(size_t size_bytes) { return (size_bytes + kStepBytes - 1) / kStepBytes; }

}  // namespace

void* TakePiece(size_t size_bytes) {
  if (size_bytes > kMostPieceBytes) return ::operator new(size_bytes);
  const size_t size_class = ClassOf(size_bytes);
  if (void* kept = thread_pieces.Take(size_class)) return kept;
  return ::operator new(size_class* kStepBytes);
}

void GiveBackPiece(void* piece, size_t size_bytes) noexcept {
  if (size_bytes <= kMostPieceBytes) {
    if (!thread_pieces.is_watched) WatchEndOfThread();
    if (thread_pieces.Keep(piece, ClassOf(size_bytes))) return;
  }
  ::operator delete(piece);
}

}  // namespace scaup
