// Allocates radix tree nodes: chunks, free lists, and large nodes.
#include "storage/index/node_memory.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/memory/arena.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// A chunk has an eighth of the tree's memory, within these bounds.
constexpr size_t kLeastChunkBytes = 1024;
constexpr size_t kMostChunkBytes = 64 * 1024;
// The overhead of malloc.
constexpr size_t kMallocBytes = 16;

}  // namespace

NodeMemory::~NodeMemory() {
  FreeAll();
  tracker_.Release(unused_bytes_.load());
}

void NodeMemory::Reserve(size_t size_bytes) {
  // Throws before anything is changed.
  tracker_.Reserve(size_bytes);
  unused_bytes_.fetch_add(size_bytes);
}

// The result is enough for any small node.
size_t NodeMemory::NextChunkBytes() const {
  const size_t wanted = std::clamp(used_bytes() / 8, kLeastChunkBytes, kMostChunkBytes);
  return std::max(wanted / kAlignment * kAlignment, kMostSmallBytes + sizeof(Chunk));
}

size_t NodeMemory::MissingBytes(size_t size_bytes) const {
  return IsLarge(size_bytes) ? LargeBytes(size_bytes) : NextChunkBytes() + kMallocBytes;
}

// Allocates from the system if enough is reserved.
void* NodeMemory::TakeReserved(size_t size_bytes, size_t accounted_bytes) noexcept {
  // Other threads only add to the reservation, so the test stays true.
  if (!HasReserved(accounted_bytes)) return nullptr;
  void* memory = std::malloc(size_bytes);
  if (memory == nullptr) return nullptr;
  unused_bytes_.fetch_sub(accounted_bytes);
  used_bytes_.store(used_bytes() + accounted_bytes, std::memory_order_relaxed);
  return memory;
}

void NodeMemory::Account(size_t freed_bytes) noexcept {
  used_bytes_.store(used_bytes() - freed_bytes, std::memory_order_relaxed);
  tracker_.Release(freed_bytes);
}

std::byte* NodeMemory::Allocate(size_t size_bytes) noexcept {
  if (IsLarge(size_bytes)) return AllocateLarge(size_bytes);
  const size_t size_class = ClassOf(size_bytes);
  std::byte* piece = nullptr;
  if (FreePiece* free = free_[size_class]; free != nullptr) {
    free_[size_class] = free->next;
    piece = reinterpret_cast<std::byte*>(free);
  } else {
    // Small nodes come from the newest chunk only.
    if (static_cast<size_t>(end_ - cursor_) < size_class * kAlignment && !AddChunk()) return nullptr;
    piece = cursor_;
    cursor_ += size_class * kAlignment;
  }
  SCAUP_ARENA_UNPOISON(piece, size_class * kAlignment);
  piece_count_++;
  return piece;
}

bool NodeMemory::AddChunk() noexcept {
  const size_t size_bytes = NextChunkBytes();
  void* memory = TakeReserved(size_bytes, size_bytes + kMallocBytes);
  if (memory == nullptr) return false;
  // The rest of the chunk before is too small for this node, but usable for others.
  if (const size_t rest = static_cast<size_t>(end_ - cursor_); rest != 0) AddFree(cursor_, rest / kAlignment);
  chunks_ = new (memory) Chunk{chunks_, size_bytes};
  cursor_ = static_cast<std::byte*>(memory) + sizeof(Chunk);
  end_ = static_cast<std::byte*>(memory) + size_bytes;
  SCAUP_ARENA_POISON(cursor_, size_bytes - sizeof(Chunk));
  return true;
}

void NodeMemory::AddFree(std::byte* piece, size_t size_class) noexcept {
  SCAUP_ARENA_UNPOISON(piece, sizeof(FreePiece));
  free_[size_class] = new (piece) FreePiece{free_[size_class]};
  SCAUP_ARENA_POISON(piece + sizeof(FreePiece), size_class * kAlignment - sizeof(FreePiece));
}

std::byte* NodeMemory::AllocateLarge(size_t size_bytes) noexcept {
  void* memory = TakeReserved(size_bytes + sizeof(LargePiece), LargeBytes(size_bytes));
  if (memory == nullptr) return nullptr;
  auto* piece = new (memory) LargePiece{large_, nullptr};
  if (large_ != nullptr) large_->previous = piece;
  large_ = piece;
  piece_count_++;
  return reinterpret_cast<std::byte*>(piece + 1);
}

void NodeMemory::Free(void* memory, size_t size_bytes) noexcept {
  if (memory == nullptr) return;
  if (IsLarge(size_bytes)) {
    LargePiece* piece = static_cast<LargePiece*>(memory) - 1;
    (piece->previous == nullptr ? large_ : piece->previous->next) = piece->next;
    if (piece->next != nullptr) piece->next->previous = piece->previous;
    std::free(piece);
    Account(LargeBytes(size_bytes));
  } else {
    AddFree(static_cast<std::byte*>(memory), ClassOf(size_bytes));
  }
  piece_count_--;
  // An empty tree gives its chunks back; before that, free nodes are scattered over them.
  if (piece_count_ == 0) FreeAll();
}

void NodeMemory::FreeAll() noexcept {
  while (chunks_ != nullptr) {
    Chunk* chunk = chunks_;
    chunks_ = chunk->next;
    SCAUP_ARENA_UNPOISON(chunk, chunk->size_bytes);
    std::free(chunk);
  }
  while (large_ != nullptr) {
    LargePiece* piece = large_;
    large_ = piece->next;
    std::free(piece);
  }
  free_.fill(nullptr);
  cursor_ = end_ = nullptr;
  piece_count_ = 0;
  // Reserved bytes that were never used stay reserved for later nodes.
  Account(used_bytes());
}

NewNodes::NewNodes(NodeMemory& memory, const std::array<size_t, kMostNodes>& sizes)
    : memory_(memory), sizes_(sizes) {
  for (size_t i = 0; i < kMostNodes; i++) {
    if (sizes_[i] == 0) continue;
    // Tested first, since other threads may reserve more meanwhile.
    const bool is_reserved = memory_.HasReserved(memory_.MissingBytes(sizes_[i]));
    nodes_[i] = memory_.Allocate(sizes_[i]);
    if (nodes_[i] != nullptr) continue;
    if (!is_reserved) {
      // Nodes that were allocated are freed. Small nodes will come from the free list then; large ones must
      // be reserved again.
      for (const size_t size_bytes : sizes_)
        missing_bytes_ += NodeMemory::IsLarge(size_bytes) ? memory_.MissingBytes(size_bytes) : 0;
      if (!NodeMemory::IsLarge(sizes_[i])) missing_bytes_ += memory_.MissingBytes(sizes_[i]);
      return;
    }
    // Reserved but refused by the system: waiting for a reservation would not help.
    while (i-- > 0) memory_.Free(nodes_[i], sizes_[i]);
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
               "out of memory: the operating system has none for an index");
  }
}

NewNodes::~NewNodes() {
  for (size_t i = 0; i < kMostNodes; i++) memory_.Free(nodes_[i], sizes_[i]);
}

}  // namespace scaup
