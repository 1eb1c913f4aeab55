// Radix tree nodes: making them, and managing their children.
#include "storage/index/radix_node.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"

namespace scaup::radix {

namespace {

template <typename T>
T& As(Node& node) {
  return static_cast<T&>(node);
}

// Compares eight bytes at once. Sets the highest bit of bytes that equal `byte`; exact up to the lowest
// match.
uint64_t MatchBytes(uint64_t word, uint8_t byte) {
  constexpr uint64_t kOnes = 0x0101010101010101u;
  const uint64_t difference = word ^ (kOnes * byte);
  return (difference - kOnes) & ~difference & (kOnes << 7);
}

// Returns the first position of `byte`, or one beyond the array.
size_t FindByte(const uint8_t (&bytes)[4], uint8_t byte) {
  uint32_t word;
  std::memcpy(&word, bytes, 4);
  const uint64_t match = MatchBytes(word, byte) & 0xffffffffu;
  return match == 0 ? 4 : static_cast<size_t>(__builtin_ctzll(match)) / 8;
}

size_t FindByte(const uint8_t (&bytes)[16], uint8_t byte) {
  uint64_t words[2];
  std::memcpy(words, bytes, 16);
  for (size_t i = 0; i < 2; i++) {
    if (const uint64_t match = MatchBytes(words[i], byte); match != 0)
      return 8 * i + static_cast<size_t>(__builtin_ctzll(match)) / 8;
  }
  return 16;
}

template <typename Small>
// A word-wise search needs no branch per byte and no vector instructions.
Slot* FindInSmall(Small& node, uint8_t byte) {
  // Bytes behind the last child are leftovers of removed children; valid ones come before them.
  const size_t place = FindByte(node.bytes, byte);
  return place < node.count ? &node.children[place] : nullptr;
}

template <typename Small>
void AddToSmall(Small& node, uint8_t byte, Slot child) {
  size_t place = node.count;
  for (; place > 0 && node.bytes[place - 1] > byte; place--) {
    node.bytes[place] = node.bytes[place - 1];
    node.children[place] = node.children[place - 1];
  }
  node.bytes[place] = byte;
  node.children[place] = child;
}

template <typename Small>
void RemoveFromSmall(Small& node, uint8_t byte) {
  for (size_t place = FindByte(node.bytes, byte); place + 1 < node.count; place++) {
    node.bytes[place] = node.bytes[place + 1];
    node.children[place] = node.children[place + 1];
  }
  // Cleared, as FreeSubtree visits all slots.
  node.children[node.count - 1] = 0;
}

template <typename Small>
Slot* NextInSmall(Small& node, int& byte, bool descending) {
  for (size_t i = 0; i < node.count; i++) {
    const size_t place = descending ? node.count - 1 - i : i;
    if (descending ? node.bytes[place] > byte : node.bytes[place] < byte) continue;
    byte = node.bytes[place];
    return &node.children[place];
  }
  return nullptr;
}

}  // namespace

size_t CommonBytes(KeyBytes a, KeyBytes b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t common = 0;
  // Eight bytes at a time, as prefixes are often long.
  for (; common + 8 <= shorter; common += 8) {
    uint64_t x, y;
    std::memcpy(&x, a.data() + common, 8);
    std::memcpy(&y, b.data() + common, 8);
    if (x != y) return common + static_cast<size_t>(__builtin_ctzll(x ^ y)) / 8;
  }
  while (common < shorter && a[common] == b[common]) common++;
  return common;
}

bool IsLess(KeyBytes a, KeyBytes b) {
  const size_t common = CommonBytes(a, b);
  return common < b.size() && (common == a.size() || a[common] < b[common]);
}

Slot MakeLeaf(std::byte* memory, KeyBytes suffix, uint64_t value) {
  if (memory == nullptr) return SlotOfValue(value);
  auto* leaf = new (memory) Leaf{{NodeKind::kLeaf, 0, 0}, static_cast<uint32_t>(suffix.size()), value};
  std::copy(suffix.begin(), suffix.end(), BytesOf(*leaf));
  return SlotOf(leaf);
}

List* MakeList(std::byte* memory, KeyBytes suffix, std::span<const uint64_t> values, size_t capacity) {
  auto* list = new (memory) List{{NodeKind::kList, 0, 0},
                                 static_cast<uint32_t>(suffix.size()),
                                 static_cast<uint32_t>(values.size()),
                                 static_cast<uint32_t>(capacity),
                                 0};
  std::copy(values.begin(), values.end(), ValuesOf(*list));
  std::copy(suffix.begin(), suffix.end(), BytesOf(*list));
  return list;
}

size_t MovedTailSize(Slot slot, size_t suffix_bytes) {
  Tail tail;
  ReadTail(slot, tail);
  if (tail.values.size() == 1) return LeafSize(suffix_bytes, tail.values[0]);
  // A list keeps its capacity, as it is likely to grow further.
  return ListSize(suffix_bytes, static_cast<List*>(NodeOf(slot))->capacity);
}

Slot MoveTail(std::byte* memory, Slot slot, KeyBytes suffix) {
  Tail tail;
  ReadTail(slot, tail);
  if (tail.values.size() == 1) return MakeLeaf(memory, suffix, tail.values[0]);
  return SlotOf(MakeList(memory, suffix, tail.values, static_cast<List*>(NodeOf(slot))->capacity));
}

Slot MakePrefix(std::byte* memory, KeyBytes bytes, Slot child) {
  if (memory == nullptr) return child;
  auto* prefix = new (memory) Prefix{{NodeKind::kPrefix, 0, 1}, static_cast<uint32_t>(bytes.size()), child};
  std::copy(bytes.begin(), bytes.end(), BytesOf(*prefix));
  return SlotOf(prefix);
}

Node* MakeInner(std::byte* memory, NodeKind kind) {
  // Zero means that a slot is empty.
  std::memset(memory, 0, InnerSize(kind));
  auto* node = new (memory) Node{kind, 0, 0};
  if (kind == NodeKind::kNode48) std::memset(As<Node48>(*node).places, Node48::kNone, 256);
  return node;
}

size_t InnerSize(NodeKind kind) {
  switch (kind) {
    case NodeKind::kNode4: return sizeof(Node4);
    case NodeKind::kNode16: return sizeof(Node16);
    case NodeKind::kNode48: return sizeof(Node48);
    case NodeKind::kNode256: return sizeof(Node256);
    case NodeKind::kLeaf:
    case NodeKind::kList:
    case NodeKind::kPrefix: break;
  }
  ThrowInternal("not an inner node");
}

size_t NodeSize(Node& node) {
  switch (node.kind) {
    case NodeKind::kLeaf: return sizeof(Leaf) + As<Leaf>(node).suffix_bytes;
    case NodeKind::kList: return ListSize(As<List>(node).suffix_bytes, As<List>(node).capacity);
    case NodeKind::kPrefix: return PrefixSize(As<Prefix>(node).size_bytes);
    case NodeKind::kNode4:
    case NodeKind::kNode16:
    case NodeKind::kNode48:
    case NodeKind::kNode256: break;
  }
  return InnerSize(node.kind);
}

Slot* FindChild(Slot slot, uint8_t byte) {
  Node& node = *NodeOf(slot);
  switch (KindOf(slot)) {
    case NodeKind::kNode4: return FindInSmall(As<Node4>(node), byte);
    case NodeKind::kNode16: return FindInSmall(As<Node16>(node), byte);
    case NodeKind::kNode48: {
      auto& inner = As<Node48>(node);
      return inner.places[byte] == Node48::kNone ? nullptr : &inner.children[inner.places[byte]];
    }
    case NodeKind::kNode256: {
      Slot& child = As<Node256>(node).children[byte];
      return child == 0 ? nullptr : &child;
    }
    case NodeKind::kLeaf:
    case NodeKind::kList:
    case NodeKind::kPrefix: break;
  }
  ThrowInternal("not an inner node");
}

void AddChild(Node& node, uint8_t byte, Slot child) {
  SCAUP_ASSERT(node.count < InnerCapacity(node.kind));
  if (node.kind == NodeKind::kNode4) {
    AddToSmall(As<Node4>(node), byte, child);
  } else if (node.kind == NodeKind::kNode16) {
    AddToSmall(As<Node16>(node), byte, child);
  } else if (node.kind == NodeKind::kNode48) {
    auto& inner = As<Node48>(node);
    size_t place = node.count;
    if (inner.children[place] != 0) {  // children before it were removed
      for (place = 0; inner.children[place] != 0;) place++;
    }
    inner.places[byte] = static_cast<uint8_t>(place);
    inner.children[place] = child;
  } else {
    As<Node256>(node).children[byte] = child;
  }
  node.count++;
}

void RemoveChild(Node& node, uint8_t byte) {
  SCAUP_ASSERT(FindChild(SlotOf(&node), byte) != nullptr);
  if (node.kind == NodeKind::kNode4) {
    RemoveFromSmall(As<Node4>(node), byte);
  } else if (node.kind == NodeKind::kNode16) {
    RemoveFromSmall(As<Node16>(node), byte);
  } else if (node.kind == NodeKind::kNode48) {
    auto& inner = As<Node48>(node);
    inner.children[inner.places[byte]] = 0;
    inner.places[byte] = Node48::kNone;
  } else {
    As<Node256>(node).children[byte] = 0;
  }
  node.count--;
}

size_t InnerCapacity(NodeKind kind) {
  switch (kind) {
    case NodeKind::kNode4: return 4;
    case NodeKind::kNode16: return 16;
    case NodeKind::kNode48: return 48;
    case NodeKind::kNode256: return 256;
    case NodeKind::kLeaf:
    case NodeKind::kList:
    case NodeKind::kPrefix: break;
  }
  ThrowInternal("not an inner node");
}

NodeKind LargerKind(NodeKind kind) { return static_cast<NodeKind>(static_cast<uint8_t>(kind) + 1); }

NodeKind ShrunkKind(const Node& node) {
  // The thresholds are below the smaller kind's capacity, so that alternating inserts and erasures do not
  // copy each time.
  if (node.kind == NodeKind::kNode256 && node.count <= 36) return NodeKind::kNode48;
  if (node.kind == NodeKind::kNode48 && node.count <= 12) return NodeKind::kNode16;
  if (node.kind == NodeKind::kNode16 && node.count <= 3) return NodeKind::kNode4;
  return node.kind;
}

NodeKind KindFor(size_t child_count) {
  if (child_count <= 4) return NodeKind::kNode4;
  if (child_count <= 16) return NodeKind::kNode16;
  return child_count <= 48 ? NodeKind::kNode48 : NodeKind::kNode256;
}

void CopyChildren(Node& source, Node& target) {
  int byte = 0;
  while (const Slot* child = NextChild(source, byte, false)) {
    AddChild(target, static_cast<uint8_t>(byte), *child);
    byte++;
  }
}

Slot* NextChild(Node& node, int& byte, bool descending) {
  if (node.kind == NodeKind::kNode4) return NextInSmall(As<Node4>(node), byte, descending);
  if (node.kind == NodeKind::kNode16) return NextInSmall(As<Node16>(node), byte, descending);
  // The large kinds are scanned by byte, as their children are not sorted by place.
  const Slot slot = SlotOf(&node);
  for (const int step = descending ? -1 : 1; byte >= 0 && byte < 256; byte += step) {
    if (Slot* child = FindChild(slot, static_cast<uint8_t>(byte)); child != nullptr) return child;
  }
  return nullptr;
}

std::span<Slot> ChildSlots(Node& node) {
  switch (node.kind) {
    case NodeKind::kLeaf:
    case NodeKind::kList: return {};
    case NodeKind::kPrefix: return {&As<Prefix>(node).child, 1};
    case NodeKind::kNode4: return As<Node4>(node).children;
    case NodeKind::kNode16: return As<Node16>(node).children;
    case NodeKind::kNode48: return As<Node48>(node).children;
    case NodeKind::kNode256: return As<Node256>(node).children;
  }
  return {};
}

}  // namespace scaup::radix
