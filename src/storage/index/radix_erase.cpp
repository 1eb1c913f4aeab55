// Erases entries of a radix tree, shrinks nodes, and frees subtrees.
#include <algorithm>

#include "storage/index/radix_tree.hpp"

namespace scaup {

using namespace radix;

void RadixTree::FreeNode(Slot slot) noexcept {
  if (slot != 0 && !IsValue(slot)) memory_.Free(NodeOf(slot), NodeSize(*NodeOf(slot)));
}

// Frees a subtree without recursion and without memory of its own. On the way down, the slot that was taken
// stores the way back, and `count` tells how many of the node's slots were visited.
void RadixTree::FreeSubtree(Slot slot) noexcept {
  Slot parent = 0;
  while (true) {
    if (IsTail(slot)) {
      FreeNode(slot);
    } else {
      NodeOf(slot)->count = 0;
      const Slot above = parent;
      parent = slot;
      Slot& first = ChildSlots(*NodeOf(slot))[0];
      slot = first;
      first = above;
      continue;
    }
    // Moves up to the next node with unvisited slots.
    while (true) {
      if (parent == 0) return;
      Node& node = *NodeOf(parent);
      const auto slots = ChildSlots(node);
      const Slot above = slots[node.count];
      node.count++;
      if (node.count < slots.size()) {
        slot = slots[node.count];
        slots[node.count] = above;
        break;
      }
      FreeNode(parent);
      parent = above;
    }
  }
}

// Removes a value from a list that has others.
void RadixTree::RemoveValue(Slot& slot, uint64_t value) noexcept {
  List& list = *static_cast<List*>(NodeOf(slot));
  uint64_t* begin = ValuesOf(list);
  uint64_t* end = begin + list.value_count;
  uint64_t* place = std::lower_bound(begin, end, value);
  // Moves the shorter side, so that erasing values in ascending order costs little.
  if (place - begin < end - place) {
    std::copy_backward(begin, place, place + 1);
    list.begin++;
  } else {
    std::copy(place + 1, end, place);
  }
  list.value_count--;
  if (list.value_count != 1 && list.value_count > list.capacity / 4) return;
  // The rest of a large list moves to a smaller one, and a single value to a leaf, if there is memory.
  Tail tail;
  ReadTail(slot, tail);
  const Slot old = slot;
  if (list.value_count == 1) {
    const size_t size_bytes = LeafSize(tail.suffix.size(), tail.values[0]);
    std::byte* memory = size_bytes == 0 ? nullptr : memory_.Allocate(size_bytes);
    if (size_bytes != 0 && memory == nullptr) return;
    slot = MakeLeaf(memory, tail.suffix, tail.values[0]);
  } else {
    const size_t capacity = 2 * static_cast<size_t>(list.value_count);
    std::byte* memory = memory_.Allocate(ListSize(tail.suffix.size(), capacity));
    if (memory == nullptr) return;
    slot = SlotOf(MakeList(memory, tail.suffix, tail.values, capacity));
  }
  FreeNode(old);
}

bool RadixTree::Erase(KeyBytes key, uint64_t value) noexcept {
  const WriterLock lock(mutex_);
  Slot* slot = &root_;
  // The last node on the way that has other children, and the prefix above it.
  Slot* fork = nullptr;
  Slot* fork_prefix = nullptr;
  uint8_t fork_byte = 0;
  Slot* prefix_slot = nullptr;
  while (!IsTail(*slot)) {
    Node& node = *NodeOf(*slot);
    if (KindOf(*slot) == NodeKind::kPrefix) {
      const KeyBytes prefix = PrefixBytesOf(&node);
      if (CommonBytes(prefix, key) < prefix.size()) return false;
      key = key.subspan(prefix.size());
      prefix_slot = slot;
      slot = &static_cast<Prefix&>(node).child;
      continue;
    }
    if (key.empty()) return false;
    Slot* child = FindChild(*slot, static_cast<uint8_t>(key[0]));
    if (child == nullptr) return false;
    // Nodes with a single child below the fork go together with the key.
    if (node.count > 1) {
      fork = slot;
      fork_prefix = prefix_slot;
      fork_byte = static_cast<uint8_t>(key[0]);
    }
    prefix_slot = nullptr;
    slot = child;
    key = key.subspan(1);
  }
  if (*slot == 0) return false;
  Tail tail;
  ReadTail(*slot, tail);
  if (!std::equal(tail.suffix.begin(), tail.suffix.end(), key.begin(), key.end())) return false;
  if (!std::binary_search(tail.values.begin(), tail.values.end(), value)) return false;
  NoteChange(-1);
  if (tail.values.size() > 1) {
    RemoveValue(*slot, value);
  } else if (fork == nullptr) {
    // The last key: the whole tree is freed at once.
    memory_.FreeAll();
    root_ = 0;
  } else {
    Node& node = *NodeOf(*fork);
    FreeSubtree(*FindChild(*fork, fork_byte));
    RemoveChild(node, fork_byte);
    Shrink(*fork, fork_prefix);
  }
  return true;
}

// Shrinks a node after a child has gone. Without memory the node stays as it is.
void RadixTree::Shrink(Slot& slot, Slot* prefix_slot) noexcept {
  Node& node = *NodeOf(slot);
  if (node.count == 1) {
    MergeOnlyChild(slot, prefix_slot);
    return;
  }
  const NodeKind kind = ShrunkKind(node);
  if (kind == node.kind) return;
  std::byte* memory = memory_.Allocate(InnerSize(kind));
  if (memory == nullptr) return;
  Node* smaller = MakeInner(memory, kind);
  CopyChildren(node, *smaller);
  FreeNode(slot);
  slot = SlotOf(smaller);
}

// Replaces a node by its only child. The node's byte, and the prefix above if there is one, become part of
// the child's own prefix or of its remaining key bytes.
void RadixTree::MergeOnlyChild(Slot& slot, Slot* prefix_slot) noexcept {
  Node& node = *NodeOf(slot);
  int byte = 0;
  const Slot child = *NextChild(node, byte, false);
  const KeyBytes above = prefix_slot == nullptr ? KeyBytes{} : PrefixBytesOf(NodeOf(*prefix_slot));
  KeyBytes below;
  Slot grandchild = 0;
  Tail tail;
  const bool is_tail = IsTail(child);
  if (is_tail) {
    ReadTail(child, tail);
    below = tail.suffix;
  } else if (KindOf(child) == NodeKind::kPrefix) {
    below = PrefixBytesOf(NodeOf(child));
    grandchild = static_cast<Prefix&>(*NodeOf(child)).child;
  } else {
    grandchild = child;
  }
  const size_t merged_bytes = above.size() + 1 + below.size();
  // Lengths have 32 bits.
  if (merged_bytes > UINT32_MAX) return;
  std::byte* memory =
      memory_.Allocate(is_tail ? MovedTailSize(child, merged_bytes) : PrefixSize(merged_bytes));
  if (memory == nullptr) return;
  // Allocated with the final length first; then the bytes are written.
  Slot merged = 0;
  std::byte* target = nullptr;
  if (!is_tail) {
    auto* prefix =
        new (memory) Prefix{{NodeKind::kPrefix, 0, 1}, static_cast<uint32_t>(merged_bytes), grandchild};
    merged = SlotOf(prefix);
    target = BytesOf(*prefix);
  } else if (tail.values.size() == 1) {
    auto* leaf =
        new (memory) Leaf{{NodeKind::kLeaf, 0, 0}, static_cast<uint32_t>(merged_bytes), tail.values[0]};
    merged = SlotOf(leaf);
    target = BytesOf(*leaf);
  } else {
    List* list = MakeList(memory, {}, tail.values, static_cast<List*>(NodeOf(child))->capacity);
    list->suffix_bytes = static_cast<uint32_t>(merged_bytes);
    merged = SlotOf(list);
    target = BytesOf(*list);
  }
  target = std::copy(above.begin(), above.end(), target);
  *target++ = static_cast<std::byte>(byte);
  std::copy(below.begin(), below.end(), target);
  // The child's node is replaced unless it is an inner node, which stays.
  const Slot old_child = is_tail || grandchild != child ? child : 0;
  FreeNode(old_child);
  FreeNode(slot);
  if (prefix_slot == nullptr) {
    slot = merged;
  } else {
    FreeNode(*prefix_slot);
    *prefix_slot = merged;
  }
}

}  // namespace scaup
