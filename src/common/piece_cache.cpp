// Free lists of small pieces, one per size and thread.
#include "common/piece_cache.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace scaup {

namespace {

constexpr size_t kStepBytes = 32;
// A statement that reads wide rows has several pieces per column.
#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kMostKept = 0;
#else
constexpr uint32_t kMostKept = 64;
#endif

/// The first bytes of a piece that is kept point to the next such.
struct KeptPiece {
  KeptPiece* next;
};

struct KeptPieces {
  KeptPiece* first = nullptr;
  uint32_t count = 0;
};

class ThreadPieces {
 public:
  ThreadPieces() = default;
  ~ThreadPieces() {
    for (KeptPieces& kept : kept_) {
      while (kept.first != nullptr) ::operator delete(std::exchange(kept.first, kept.first->next));
    }
    is_over_ = true;
  }
  ThreadPieces(const ThreadPieces&) = delete;
  ThreadPieces& operator=(const ThreadPieces&) = delete;

  void* Take(size_t size_class) {
    KeptPieces& kept = kept_[size_class];
    if (kept.first == nullptr) return nullptr;
    kept.count--;
    return std::exchange(kept.first, kept.first->next);
  }
  bool Keep(void* piece, size_t size_class) noexcept {
    KeptPieces& kept = kept_[size_class];
    // Other thread-local objects may let go of pieces after this one has ended.
    if (is_over_ || kept.count >= kMostKept) return false;
    kept.first = new (piece) KeptPiece{kept.first};
    kept.count++;
    return true;
  }

 private:
  std::array<KeptPieces, kMostPieceBytes / kStepBytes + 1> kept_{};
  bool is_over_ = false;
};

thread_local ThreadPieces thread_pieces;

size_t ClassOf(size_t size_bytes) { return (size_bytes + kStepBytes - 1) / kStepBytes; }

}  // namespace

void* TakePiece(size_t size_bytes) {
  if (size_bytes > kMostPieceBytes) return ::operator new(size_bytes);
  const size_t size_class = ClassOf(size_bytes);
  if (void* kept = thread_pieces.Take(size_class)) return kept;
  return ::operator new(size_class* kStepBytes);
}

void GiveBackPiece(void* piece, size_t size_bytes) noexcept {
  if (size_bytes <= kMostPieceBytes && thread_pieces.Keep(piece, ClassOf(size_bytes))) return;
  ::operator delete(piece);
}

}  // namespace scaup
