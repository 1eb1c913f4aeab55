// Radix tree: lookups, inserts and replacements.
#include "storage/index/radix_tree.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

using namespace radix;

/// An entry to insert, and the result.
struct RadixTree::Insertion {
  KeyBytes key;
  uint64_t value;
  // Receives the key's earlier values; may be null.
  std::vector<uint64_t>* present;
  bool is_new = true;
  size_t missing_bytes = 0;  ///< to be reserved before the next attempt
};

void RadixTree::Clear() noexcept {
  const WriterLock lock(mutex_);
  // All nodes go at once, without visiting them.
  memory_.FreeAll();
  root_ = 0;
  NoteChange(-static_cast<int64_t>(size()));
}

// --- Finding

namespace {

// Takes one step from an inner slot towards a key with `rest` left. Returns null if the key does not exist.
const Slot* StepDown(Slot slot, KeyBytes& rest) {
  if (KindOf(slot) == NodeKind::kPrefix) {
    auto& prefix = *static_cast<Prefix*>(NodeOf(slot));
    const KeyBytes bytes = PrefixBytesOf(&prefix);
    if (rest.size() < bytes.size() || !std::equal(bytes.begin(), bytes.end(), rest.begin())) return nullptr;
    rest = rest.subspan(bytes.size());
    return &prefix.child;
  }
  if (rest.empty()) return nullptr;
  const Slot* child = FindChild(slot, static_cast<uint8_t>(rest[0]));
  rest = rest.subspan(1);
  return child;
}

bool IsTailOf(Slot slot, KeyBytes rest) {
  if (slot == 0) return false;
  Tail tail;
  ReadTail(slot, tail);
  return std::equal(tail.suffix.begin(), tail.suffix.end(), rest.begin(), rest.end());
}

}  // namespace

const Slot* RadixTree::FindTail(KeyBytes key) const {
  const Slot* slot = &root_;
  while (!IsTail(*slot)) {
    slot = StepDown(*slot, key);
    if (slot == nullptr) return nullptr;
  }
  return IsTailOf(*slot, key) ? slot : nullptr;
}

bool RadixTree::Contains(KeyBytes key) const {
  const ReaderLock lock(mutex_);
  return FindTail(key) != nullptr;
}

void RadixTree::Lookup(KeyBytes key, std::vector<uint64_t>& values) const {
  const ReaderLock lock(mutex_);
  const Slot* slot = FindTail(key);
  if (slot == nullptr) return;
  Tail tail;
  ReadTail(*slot, tail);
  values.insert(values.end(), tail.values.begin(), tail.values.end());
}

void RadixTree::LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values,
                           std::vector<size_t>& ends, size_t most_values) const {
  // Several keys descend in turns, so that each finds its next node prefetched.
  constexpr size_t kGroup = 16;
  const ReaderLock lock(mutex_);
  for (size_t begin = 0; begin < keys.size(); begin += kGroup) {
    const size_t count = std::min(kGroup, keys.size() - begin);
    KeyBytes rest[kGroup];
    Slot slots[kGroup];
    for (size_t i = 0; i < count; i++) {
      rest[i] = keys[begin + i];
      slots[i] = root_;
    }
    for (bool is_moving = true; is_moving;) {
      is_moving = false;
      for (size_t i = 0; i < count; i++) {
        if (IsTail(slots[i])) continue;
        const Slot* next = StepDown(slots[i], rest[i]);
        slots[i] = next == nullptr ? 0 : *next;
        Prefetch(slots[i], rest[i].empty() ? 0 : static_cast<uint8_t>(rest[i][0]));
        is_moving = true;
      }
    }
    // Values are appended in key order, whatever order the descents ended in.
    for (size_t i = 0; i < count; i++) {
      if (values.size() >= most_values) return;
      if (IsTailOf(slots[i], rest[i])) {
        Tail tail;
        ReadTail(slots[i], tail);
        values.insert(values.end(), tail.values.begin(), tail.values.end());
      }
      ends.push_back(values.size());
    }
  }
}

// --- Inserting

bool RadixTree::Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present) {
  SCAUP_CHECK(!key.empty() && key.size() <= UINT32_MAX);
  Insertion insertion{key, value, present};
  while (true) {
    {
      const WriterLock lock(mutex_);
      if (TryInsert(insertion)) {
        if (insertion.is_new) NoteChange(1);
        return insertion.is_new;
      }
    }
    // Outside the lock, since a reclaimer may need it. The tree may change meanwhile, so the insert starts
    // over.
    memory_.Reserve(insertion.missing_bytes);
  }
}

// Returns false if memory must be reserved first, like all functions that it calls.
bool RadixTree::TryInsert(Insertion& insertion) {
  Slot* slot = &root_;
  KeyBytes rest = insertion.key;
  if (insertion.present != nullptr) insertion.present->clear();
  while (*slot != 0 && !IsTail(*slot)) {
    Node& node = *NodeOf(*slot);
    if (KindOf(*slot) == NodeKind::kPrefix) {
      const KeyBytes prefix = PrefixBytesOf(&node);
      const size_t common = CommonBytes(prefix, rest);
      if (common < prefix.size()) return SplitPrefix(*slot, rest, common, insertion);
      rest = rest.subspan(common);
      slot = &static_cast<Prefix&>(node).child;
      continue;
    }
    SCAUP_CHECK(!rest.empty());  // otherwise the key is a prefix of another one
    Slot* child = FindChild(*slot, static_cast<uint8_t>(rest[0]));
    if (child == nullptr) return AddBranch(*slot, rest, insertion);
    slot = child;
    rest = rest.subspan(1);
  }
  if (*slot != 0) return AddToTail(*slot, rest, insertion);
  NewNodes nodes(memory_, {LeafSize(rest.size(), insertion.value)});
  // All nodes are allocated before the tree is changed.
  insertion.missing_bytes = nodes.missing_bytes();
  if (insertion.missing_bytes != 0) return false;
  *slot = MakeLeaf(nodes.Take(0), rest, insertion.value);
  return true;
}

bool RadixTree::AddToTail(Slot& slot, KeyBytes rest, Insertion& insertion) {
  Tail tail;
  ReadTail(slot, tail);
  const size_t common = CommonBytes(tail.suffix, rest);
  if (common != rest.size() || common != tail.suffix.size()) return SplitTail(slot, rest, common, insertion);
  if (insertion.present != nullptr) insertion.present->assign(tail.values.begin(), tail.values.end());
  const auto place = std::lower_bound(tail.values.begin(), tail.values.end(), insertion.value);
  if (place != tail.values.end() && *place == insertion.value) {
    insertion.is_new = false;
    return true;
  }
  const auto index = place - tail.values.begin();
  if (!MakeRoom(slot, rest, insertion)) return false;
  List& list = *static_cast<List*>(NodeOf(slot));
  uint64_t* values = ValuesOf(list);
  std::copy_backward(values + index, values + list.value_count, values + list.value_count + 1);
  values[index] = insertion.value;
  list.value_count++;
  return true;
}

// Turns a tail into a list with space behind its last value.
bool RadixTree::MakeRoom(Slot& slot, KeyBytes rest, Insertion& insertion) {
  if (!IsValue(slot) && KindOf(slot) == NodeKind::kList) {
    List& list = *static_cast<List*>(NodeOf(slot));
    if (list.begin + list.value_count < list.capacity) return true;
    // Half of the space is at the front, left by erased values: moving the values is cheaper than a new list.
    if (list.begin >= list.capacity / 2) {
      std::copy_n(ValuesOf(list), list.value_count, RoomOf(list));
      list.begin = 0;
      return true;
    }
  }
  Tail tail;
  ReadTail(slot, tail);
  // Doubling makes appending constant time on average.
  const size_t capacity = 2 * tail.values.size();
  SCAUP_CHECK(capacity <= UINT32_MAX);
  NewNodes nodes(memory_, {ListSize(rest.size(), capacity)});
  insertion.missing_bytes = nodes.missing_bytes();
  if (insertion.missing_bytes != 0) return false;
  const Slot old = slot;
  slot = SlotOf(MakeList(nodes.Take(0), rest, tail.values, capacity));
  FreeNode(old);
  return true;
}

bool RadixTree::SplitTail(Slot& slot, KeyBytes rest, size_t common, Insertion& insertion) {
  Tail tail;
  ReadTail(slot, tail);
  SCAUP_CHECK(common < rest.size() &&
              common < tail.suffix.size());  // otherwise one key is a prefix of the other
  const KeyBytes old_suffix = tail.suffix.subspan(common + 1), new_suffix = rest.subspan(common + 1);
  NewNodes nodes(memory_, {PrefixSize(common), sizeof(Node4), MovedTailSize(slot, old_suffix.size()),
                           LeafSize(new_suffix.size(), insertion.value)});
  insertion.missing_bytes = nodes.missing_bytes();
  if (insertion.missing_bytes != 0) return false;
  const Slot old = slot;
  // A fork takes the place of the tail; a prefix above it has the bytes that both keys share.
  Node* fork = MakeInner(nodes.Take(1), NodeKind::kNode4);
  AddChild(*fork, static_cast<uint8_t>(tail.suffix[common]), MoveTail(nodes.Take(2), old, old_suffix));
  AddChild(*fork, static_cast<uint8_t>(rest[common]), MakeLeaf(nodes.Take(3), new_suffix, insertion.value));
  slot = MakePrefix(nodes.Take(0), rest.first(common), SlotOf(fork));
  FreeNode(old);
  return true;
}

bool RadixTree::SplitPrefix(Slot& slot, KeyBytes rest, size_t common, Insertion& insertion) {
  SCAUP_CHECK(common < rest.size());  // otherwise the key is a prefix of another one
  const Slot old = slot;
  const auto& prefix = static_cast<Prefix&>(*NodeOf(old));
  const KeyBytes bytes = PrefixBytesOf(NodeOf(old));
  const KeyBytes below = bytes.subspan(common + 1), new_suffix = rest.subspan(common + 1);
  NewNodes nodes(memory_, {PrefixSize(common), sizeof(Node4), PrefixSize(below.size()),
                           LeafSize(new_suffix.size(), insertion.value)});
  insertion.missing_bytes = nodes.missing_bytes();
  if (insertion.missing_bytes != 0) return false;
  // The prefix is cut in two, with a fork between the parts.
  Node* fork = MakeInner(nodes.Take(1), NodeKind::kNode4);
  AddChild(*fork, static_cast<uint8_t>(bytes[common]), MakePrefix(nodes.Take(2), below, prefix.child));
  AddChild(*fork, static_cast<uint8_t>(rest[common]), MakeLeaf(nodes.Take(3), new_suffix, insertion.value));
  slot = MakePrefix(nodes.Take(0), bytes.first(common), SlotOf(fork));
  FreeNode(old);
  return true;
}

// Adds a child to an inner node, which grows if it is full.
bool RadixTree::AddBranch(Slot& slot, KeyBytes rest, Insertion& insertion) {
  Node* node = NodeOf(slot);
  // A full node is copied to the next larger kind together with the insert.
  const bool is_full = node->count == InnerCapacity(node->kind);
  const NodeKind kind = is_full ? LargerKind(node->kind) : node->kind;
  const KeyBytes suffix = rest.subspan(1);
  NewNodes nodes(memory_, {is_full ? InnerSize(kind) : 0, LeafSize(suffix.size(), insertion.value)});
  insertion.missing_bytes = nodes.missing_bytes();
  if (insertion.missing_bytes != 0) return false;
  if (is_full) {
    Node* larger = MakeInner(nodes.Take(0), kind);
    CopyChildren(*node, *larger);
    FreeNode(slot);
    slot = SlotOf(larger);
    node = larger;
  }
  AddChild(*node, static_cast<uint8_t>(rest[0]), MakeLeaf(nodes.Take(1), suffix, insertion.value));
  return true;
}

// --- Replacing

bool RadixTree::Replace(KeyBytes key, uint64_t old_value, uint64_t new_value, bool* is_merged) noexcept {
  SCAUP_ASSERT(new_value >> 63 == 0 || old_value >> 63 != 0);
  if (is_merged != nullptr) *is_merged = false;
  const WriterLock lock(mutex_);
  auto* slot = const_cast<Slot*>(FindTail(key));
  if (slot == nullptr) return false;
  Tail tail;
  ReadTail(*slot, tail);
  auto* begin = const_cast<uint64_t*>(tail.values.data());
  uint64_t* end = begin + tail.values.size();
  uint64_t* old_place = std::lower_bound(begin, end, old_value);
  if (old_place == end || *old_place != old_value) return false;
  if (IsValue(*slot)) {
    // The REQUIRES in the header rules this out.
    if (!FitsSlot(new_value)) return false;
    *slot = SlotOfValue(new_value);
    NoteChange(0);
    return true;
  }
  uint64_t* new_place = std::lower_bound(begin, end, new_value);
  if (new_place != end && *new_place == new_value) {
    // The old value disappears into the existing entry.
    if (new_value == old_value) return true;
    RemoveValue(*slot, old_value);
    if (is_merged != nullptr) *is_merged = true;
    NoteChange(-1);
    return true;
  }
  NoteChange(0);
  // The values between the two positions move by one.
  if (new_place <= old_place) {
    std::copy_backward(new_place, old_place, old_place + 1);
    *new_place = new_value;
  } else {
    std::copy(old_place + 1, new_place, old_place);
    *(new_place - 1) = new_value;
  }
  // A leaf may have been needed only because the old value did not fit a slot.
  if (KindOf(*slot) == NodeKind::kLeaf && LeafSize(tail.suffix.size(), new_value) == 0) {
    FreeNode(*slot);
    *slot = SlotOfValue(new_value);
  }
  return true;
}

}  // namespace scaup
