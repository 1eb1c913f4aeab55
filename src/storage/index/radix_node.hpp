// Radix tree nodes (Leis, Kemper, Neumann, ICDE 2013): layouts, and finding, adding and removing children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/check.hpp"
#include "storage/index/index_key.hpp"

namespace scaup::radix {

/// The reference to a child. 0 means none. If the lowest bit is set, it is the only value of a key that ends
/// here, times 2 plus 1. Otherwise it is the address of a node, a multiple of 16, plus the node's kind times
/// 2. The kind is in the slot so that the first access to a node can go to the wanted place in it.
using Slot = uint64_t;

enum class NodeKind : uint8_t { kLeaf, kList, kPrefix, kNode4, kNode16, kNode48, kNode256 };

/// The header of every node.
struct Node {
  NodeKind kind;
  uint8_t unused;
  uint16_t count;  ///< children of an inner node
};

/// The remaining bytes of a key that are not shared with other keys, and the key's only value. The bytes
/// follow.
struct Leaf : Node {
  uint32_t suffix_bytes;
  uint64_t value;
};

/// Like Leaf, with values in ascending order. Space for `capacity` values follows, then the remaining key
/// bytes. The values begin at index `begin`, since that many were erased at the front, which makes such
/// erasures cheap.
struct List : Node {
  uint32_t suffix_bytes;
  uint32_t value_count;
  uint32_t capacity;
  uint64_t begin;
};

/// Bytes that all keys below share. They follow the struct.
struct Prefix : Node {
  uint32_t size_bytes;
  Slot child;
};

/// Inner nodes have up to 4, 16, 48 or 256 children, each with the byte that leads to it. The bytes of the
/// small kinds are in ascending order.
struct Node4 : Node {
  uint8_t bytes[4];
  Slot children[4];
};
struct Node16 : Node {
  uint32_t padding;
  uint8_t bytes[16];
  Slot children[16];
};
struct Node48 : Node {
  static constexpr uint8_t kNone = 48;
  uint32_t padding;
  uint8_t places[256];  ///< by byte: index of the child, or kNone
  Slot children[48];    ///< 0 if unused
};
struct Node256 : Node {
  uint32_t padding;
  Slot children[256];
};
static_assert(sizeof(Leaf) == 16 && sizeof(List) == 24 && sizeof(Prefix) == 16 && sizeof(Node4) == 40 &&
              sizeof(Node16) == 152 && sizeof(Node48) == 648 && sizeof(Node256) == 2056);

inline bool IsValue(Slot slot) { return (slot & 1) != 0; }
inline uint64_t ValueOf(Slot slot) { return slot >> 1; }
/// Returns whether a value fits a slot.
inline bool FitsSlot(uint64_t value) { return value >> 63 == 0; }
inline Slot SlotOfValue(uint64_t value) { return value << 1 | 1; }
inline NodeKind KindOf(Slot slot) { return static_cast<NodeKind>(slot >> 1 & 7); }
inline Node* NodeOf(Slot slot) { return reinterpret_cast<Node*>(static_cast<uintptr_t>(slot & ~Slot{15})); }
inline Slot SlotOf(const Node* node) {
  return static_cast<Slot>(reinterpret_cast<uintptr_t>(node)) | static_cast<Slot>(node->kind) << 1;
}
/// Returns whether no keys branch below: the slot is empty, a value, a Leaf or a List.
inline bool IsTail(Slot slot) { return slot == 0 || IsValue(slot) || KindOf(slot) <= NodeKind::kList; }

inline std::byte* BytesOf(Leaf& leaf) { return reinterpret_cast<std::byte*>(&leaf + 1); }
inline std::byte* BytesOf(Prefix& prefix) { return reinterpret_cast<std::byte*>(&prefix + 1); }
inline uint64_t* RoomOf(List& list) { return reinterpret_cast<uint64_t*>(&list + 1); }
inline uint64_t* ValuesOf(List& list) { return RoomOf(list) + list.begin; }
inline std::byte* BytesOf(List& list) { return reinterpret_cast<std::byte*>(RoomOf(list) + list.capacity); }

/// A key that ends at a slot: the bytes that the slot stores of it, and its values.
struct Tail {
  KeyBytes suffix;
  std::span<const uint64_t> values;
  uint64_t single;  ///< `values` may refer to it, so a Tail must not be copied
};
/// REQUIRES: IsTail(slot), slot != 0.
inline void ReadTail(Slot slot, Tail& tail) {
  SCAUP_ASSERT(slot != 0 && IsTail(slot));
  if (IsValue(slot)) {
    tail.single = ValueOf(slot);
    tail.values = {&tail.single, 1};
    tail.suffix = {};
  } else if (KindOf(slot) == NodeKind::kLeaf) {
    auto& leaf = *static_cast<Leaf*>(NodeOf(slot));
    tail.values = {&leaf.value, 1};
    tail.suffix = {BytesOf(leaf), leaf.suffix_bytes};
  } else {
    auto& list = *static_cast<List*>(NodeOf(slot));
    tail.values = {ValuesOf(list), list.value_count};
    tail.suffix = {BytesOf(list), list.suffix_bytes};
  }
}

inline KeyBytes PrefixBytesOf(Node* node) {
  auto& prefix = *static_cast<Prefix*>(node);
  return {BytesOf(prefix), prefix.size_bytes};
}

/// Returns how many bytes the two have in common at their beginning.
size_t CommonBytes(KeyBytes a, KeyBytes b);
/// Returns whether `a` stands before `b` in the order of bytes.
bool IsLess(KeyBytes a, KeyBytes b);

// --- Making nodes. The first function of each pair returns the size of the memory to pass to the second.
inline size_t LeafSize(size_t suffix_bytes, uint64_t value) {
  return suffix_bytes == 0 && FitsSlot(value) ? 0 : sizeof(Leaf) + suffix_bytes;
}
/// `memory` is null if LeafSize is 0.
Slot MakeLeaf(std::byte* memory, KeyBytes suffix, uint64_t value);
inline size_t ListSize(size_t suffix_bytes, size_t capacity) {
  return sizeof(List) + capacity * sizeof(uint64_t) + suffix_bytes;
}
List* MakeList(std::byte* memory, KeyBytes suffix, std::span<const uint64_t> values, size_t capacity);
/// Gives a tail another suffix; needs no node if it has a single value that fits a slot.
size_t MovedTailSize(Slot tail, size_t suffix_bytes);
Slot MoveTail(std::byte* memory, Slot tail, KeyBytes suffix);
/// Returns 0 for no bytes, as no node is needed.
inline size_t PrefixSize(size_t size_bytes) { return size_bytes == 0 ? 0 : sizeof(Prefix) + size_bytes; }
/// Returns the child itself if `memory` is null.
Slot MakePrefix(std::byte* memory, KeyBytes bytes, Slot child);
Node* MakeInner(std::byte* memory, NodeKind kind);
size_t InnerSize(NodeKind kind);
/// Returns the size of a node of any kind.
size_t NodeSize(Node& node);

// --- Inner nodes.
/// Returns null if there is none. The slot does not move until a child is added or removed.
Slot* FindChild(Slot inner, uint8_t byte);
/// Prefetches what FindChild or ReadTail will read first.
inline void Prefetch(Slot slot, uint8_t byte) {
  if (slot == 0 || IsValue(slot)) return;
  const void* wanted = NodeOf(slot);
  if (KindOf(slot) == NodeKind::kNode256) wanted = &static_cast<Node256*>(NodeOf(slot))->children[byte];
  if (KindOf(slot) == NodeKind::kNode48) wanted = &static_cast<Node48*>(NodeOf(slot))->places[byte];
  __builtin_prefetch(wanted);
}
/// REQUIRES: the node has space and no such child.
void AddChild(Node& node, uint8_t byte, Slot child);
/// REQUIRES: there is such a child.
void RemoveChild(Node& node, uint8_t byte);
size_t InnerCapacity(NodeKind kind);
/// LargerKind returns the next larger kind. ShrunkKind returns the next smaller kind if the node has few
/// enough children for that to pay, else its own.
NodeKind LargerKind(NodeKind kind);
NodeKind ShrunkKind(const Node& node);
/// Returns the smallest kind for this many children.
NodeKind KindFor(size_t child_count);
/// Copies all children. `target` must be empty and have space for them.
void CopyChildren(Node& source, Node& target);
/// Returns the first child whose byte is at least `byte`, or at most `byte` if `descending`, and sets `byte`
/// to its byte. Returns null if there is none. `byte` may be -1 or 256.
Slot* NextChild(Node& node, int& byte, bool descending);
/// Returns all places for children, including unused ones.
std::span<Slot> ChildSlots(Node& node);

}  // namespace scaup::radix
