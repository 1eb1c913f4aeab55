// The nodes of a radix tree (Leis, Kemper, Neumann, ICDE 2013): their layouts, and finding, adding and
// removing children. For RadixTree and what is built on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/index/index_key.hpp"

namespace scaup::radix {

/// Where a child hangs. 0: nothing; lowest bit set: the only value of a key that ends here, times 2 plus 1;
/// else the address of a node, a multiple of 16, and its kind, times 2: so that what is read first of a node
/// is what is wanted of it.
using Slot = uint64_t;

enum class NodeKind : uint8_t { kLeaf, kList, kPrefix, kNode4, kNode16, kNode48, kNode256 };

/// How every node begins.
struct Node {
  NodeKind kind;
  uint8_t unused;
  uint16_t count;  ///< children of an inner node
};

/// The rest of a key that shares no more with others, and its only value. The bytes follow.
struct Leaf : Node {
  uint32_t suffix_bytes;
  uint64_t value;
};

/// As Leaf, with values in ascending order. Room for `capacity` values and then the rest of the key follow.
/// The values begin at `begin`: so many were erased at the front, which then costs little.
struct List : Node {
  uint32_t suffix_bytes;
  uint32_t value_count;
  uint32_t capacity;
  uint64_t begin;
};

/// Bytes that all keys below have. They follow.
struct Prefix : Node {
  uint32_t size_bytes;
  Slot child;
};

/// Inner nodes: up to so many children, each with the byte that leads to it. Of the small ones the bytes are
/// in ascending order.
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
  uint8_t places[256];  ///< by byte: which child, or kNone
  Slot children[48];    ///< 0 where none is
};
struct Node256 : Node {
  uint32_t padding;
  Slot children[256];
};
static_assert(sizeof(Leaf) == 16 && sizeof(List) == 24 && sizeof(Prefix) == 16 && sizeof(Node4) == 40 &&
              sizeof(Node16) == 152 && sizeof(Node48) == 648 && sizeof(Node256) == 2056);

inline bool IsValue(Slot slot) { return (slot & 1) != 0; }
inline uint64_t ValueOf(Slot slot) { return slot >> 1; }
/// Whether a value can stand in a slot.
inline bool FitsSlot(uint64_t value) { return value >> 63 == 0; }
inline Slot SlotOfValue(uint64_t value) { return value << 1 | 1; }
inline NodeKind KindOf(Slot slot) { return static_cast<NodeKind>(slot >> 1 & 7); }
inline Node* NodeOf(Slot slot) { return reinterpret_cast<Node*>(static_cast<uintptr_t>(slot & ~Slot{15})); }
inline Slot SlotOf(const Node* node) {
  return static_cast<Slot>(reinterpret_cast<uintptr_t>(node)) | static_cast<Slot>(node->kind) << 1;
}
/// A value, a Leaf or a List, or nothing: no keys branch below.
inline bool IsTail(Slot slot) { return slot == 0 || IsValue(slot) || KindOf(slot) <= NodeKind::kList; }

inline std::byte* BytesOf(Leaf& leaf) { return reinterpret_cast<std::byte*>(&leaf + 1); }
inline std::byte* BytesOf(Prefix& prefix) { return reinterpret_cast<std::byte*>(&prefix + 1); }
inline uint64_t* RoomOf(List& list) { return reinterpret_cast<uint64_t*>(&list + 1); }
inline uint64_t* ValuesOf(List& list) { return RoomOf(list) + list.begin; }
inline std::byte* BytesOf(List& list) { return reinterpret_cast<std::byte*>(RoomOf(list) + list.capacity); }

/// A key that ends at a slot: the bytes that the slot has of it, and its values.
struct Tail {
  KeyBytes suffix;
  std::span<const uint64_t> values;
  uint64_t single;  ///< what `values` may refer to: do not copy a Tail
};
/// REQUIRES: IsTail(slot), slot != 0.
inline void ReadTail(Slot slot, Tail& tail) {
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

/// How many bytes the two have in common at their beginning.
size_t CommonBytes(KeyBytes a, KeyBytes b);

// --- Making nodes, in memory of the size that the first of each pair tells.
inline size_t LeafSize(size_t suffix_bytes, uint64_t value) {
  return suffix_bytes == 0 && FitsSlot(value) ? 0 : sizeof(Leaf) + suffix_bytes;
}
/// `memory` null where LeafSize is 0.
Slot MakeLeaf(std::byte* memory, KeyBytes suffix, uint64_t value);
inline size_t ListSize(size_t suffix_bytes, size_t capacity) {
  return sizeof(List) + capacity * sizeof(uint64_t) + suffix_bytes;
}
List* MakeList(std::byte* memory, KeyBytes suffix, std::span<const uint64_t> values, size_t capacity);
/// Moves a key end to another suffix; without a node if it has but one value that fits.
size_t MovedTailSize(Slot tail, size_t suffix_bytes);
Slot MoveTail(std::byte* memory, Slot tail, KeyBytes suffix);
/// 0 for no bytes: none is needed.
inline size_t PrefixSize(size_t size_bytes) { return size_bytes == 0 ? 0 : sizeof(Prefix) + size_bytes; }
/// `memory` null: gives the child itself.
Slot MakePrefix(std::byte* memory, KeyBytes bytes, Slot child);
Node* MakeInner(std::byte* memory, NodeKind kind);
size_t InnerSize(NodeKind kind);
/// The size of a node of any kind.
size_t NodeSize(Node& node);

// --- Inner nodes.
/// Null if there is none. The slot stays where it is until a child is added to the node or removed.
Slot* FindChild(Slot inner, uint8_t byte);
/// Fetches what FindChild, or ReadTail, will read first.
inline void Prefetch(Slot slot, uint8_t byte) {
  if (slot == 0 || IsValue(slot)) return;
  const void* wanted = NodeOf(slot);
  if (KindOf(slot) == NodeKind::kNode256) wanted = &static_cast<Node256*>(NodeOf(slot))->children[byte];
  if (KindOf(slot) == NodeKind::kNode48) wanted = &static_cast<Node48*>(NodeOf(slot))->places[byte];
  __builtin_prefetch(wanted);
}
/// REQUIRES: the node has room, and no such child.
void AddChild(Node& node, uint8_t byte, Slot child);
/// REQUIRES: there is such a child.
void RemoveChild(Node& node, uint8_t byte);
size_t InnerCapacity(NodeKind kind);
/// The next kind up; the next kind down if the node has few enough children for it to be worth it, else its
/// own.
NodeKind LargerKind(NodeKind kind);
NodeKind ShrunkKind(const Node& node);
/// The smallest kind for so many children.
NodeKind KindFor(size_t child_count);
/// `target` is an empty node that has room.
void CopyChildren(Node& source, Node& target);
/// The first child whose byte is at least `byte`, or at most with `descending`. `byte` becomes its byte. Null
/// if there is none. `byte` may be -1 or 256.
Slot* NextChild(Node& node, int& byte, bool descending);
/// Where children may be, including empty places, whatever the kind.
std::span<Slot> ChildSlots(Node& node);

}  // namespace scaup::radix
