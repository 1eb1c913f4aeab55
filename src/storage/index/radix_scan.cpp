// Scans of a radix tree: a walk from key to key that resumes after the last key of a batch.
#include "storage/index/radix_scan.hpp"

#include <algorithm>

namespace scaup {

using namespace radix;

namespace {

// Larger nodes have more children than prefetches can be in progress.
constexpr size_t kMostFetchedChildren = 48;
constexpr size_t kMostBatchKeyBytes = size_t{1} << 20;

}  // namespace

/// The path from the root to the current key. Valid only under the tree's lock.
struct RadixScan::Walk {
  struct Step {
    Node* node;        // an inner node
    int byte;          // the child that was taken
    size_t key_bytes;  // length of the key above it
  };
  explicit Walk(bool goes_down) : descending(goes_down) {}

  // Moves to the first key below `slot`, or to the last if descending. `slot` is not empty.
  void TakeEnd(Slot slot) {
    while (!IsTail(slot)) {
      Node& node = *NodeOf(slot);
      if (KindOf(slot) == NodeKind::kPrefix) {
        const KeyBytes prefix = PrefixBytesOf(&node);
        key.insert(key.end(), prefix.begin(), prefix.end());
        slot = static_cast<Prefix&>(node).child;
        continue;
      }
      int byte = descending ? 255 : 0;
      const Slot* child = NextChild(node, byte, descending);
      steps.push_back({&node, byte, key.size()});
      key.push_back(static_cast<std::byte>(byte));
      slot = *child;
      // Prefetches the siblings, which come next.
      if (node.count <= kMostFetchedChildren) {
        for (const Slot other : ChildSlots(node)) Prefetch(other, 0);
      }
    }
    ReadTail(slot, tail);
    key.insert(key.end(), tail.suffix.begin(), tail.suffix.end());
    is_at_key = true;
  }

  // Moves to the next key, if there is one.
  void Advance() {
    is_at_key = false;
    while (!steps.empty()) {
      Step& step = steps.back();
      int byte = step.byte + (descending ? -1 : 1);
      const Slot* child = NextChild(*step.node, byte, descending);
      if (child == nullptr) {
        steps.pop_back();
        continue;
      }
      step.byte = byte;
      key.resize(step.key_bytes);
      key.push_back(static_cast<std::byte>(byte));
      TakeEnd(*child);
      return;
    }
  }

  // Moves to the first key that is not below `bound`; if descending, to the last that is not above it.
  void Seek(Slot slot, KeyBytes bound) {
    // If the whole subtree lies on one side of the bound, it is taken or skipped as a whole.
    const auto take_or_pass = [&](bool is_below) {
      if (is_below == descending) {
        TakeEnd(slot);
      } else {
        Advance();
      }
    };
    while (!IsTail(slot)) {
      Node& node = *NodeOf(slot);
      const KeyBytes rest = bound.subspan(key.size());
      if (KindOf(slot) == NodeKind::kPrefix) {
        const KeyBytes prefix = PrefixBytesOf(&node);
        const size_t common = CommonBytes(prefix, rest);
        if (common < prefix.size())
          return take_or_pass(common < rest.size() && prefix[common] < rest[common]);
        key.insert(key.end(), prefix.begin(), prefix.end());
        slot = static_cast<Prefix&>(node).child;
        continue;
      }
      if (rest.empty()) return take_or_pass(false);
      const int wanted = static_cast<uint8_t>(rest[0]);
      int byte = wanted;
      const Slot* child = NextChild(node, byte, descending);
      if (child == nullptr) return Advance();
      steps.push_back({&node, byte, key.size()});
      key.push_back(static_cast<std::byte>(byte));
      slot = *child;
      if (byte != wanted) return TakeEnd(slot);
    }
    if (slot == 0) return;
    const KeyBytes rest = bound.subspan(key.size());
    TakeEnd(slot);
    if (descending ? IsLess(rest, tail.suffix) : IsLess(tail.suffix, rest)) Advance();
  }

  bool descending;
  bool is_at_key = false;
  IndexKey key;
  Tail tail;
  std::vector<Step> steps;
};

bool RadixScan::IsInRange(KeyBytes key) const {
  return descending_ ? !IsLess(key, range_.lower) : !range_.upper || IsLess(key, *range_.upper);
}

bool RadixScan::Gather(Walk& walk, size_t most, bool with_keys, IndexBatch& batch) {
  // A batch may have ended in the middle of a key's values.
  const bool continues =
      has_last_ && std::equal(walk.key.begin(), walk.key.end(), last_key_.begin(), last_key_.end());
  const auto& values = walk.tail.values;
  for (size_t i = 0; i < values.size(); i++) {
    const uint64_t value = values[descending_ ? values.size() - 1 - i : i];
    if (continues && (descending_ ? value >= last_value_ : value <= last_value_)) continue;
    if (batch.values.size() == most) return false;
    batch.values.push_back(value);
    if (!with_keys) continue;
    batch.keys.insert(batch.keys.end(), walk.key.begin(), walk.key.end());
    batch.key_ends.push_back(batch.keys.size());
  }
  return true;
}

bool RadixScan::Next(const RadixTree& tree, size_t most, bool with_keys, IndexBatch& batch) {
  batch.values.clear();
  batch.keys.clear();
  batch.key_ends.clear();
  if (is_at_end_) return false;
  Walk walk(descending_);
  const ReaderLock lock(tree.mutex_);
  // The tree may have changed since the last batch, so the path is found anew.
  if (has_last_) {
    walk.Seek(tree.root_, last_key_);
  } else if (!descending_) {
    walk.Seek(tree.root_, range_.lower);
  } else if (range_.upper) {
    walk.Seek(tree.root_, *range_.upper);
    // The upper end is exclusive.
    if (walk.is_at_key && !IsLess(walk.key, *range_.upper)) walk.Advance();
  } else if (tree.root_ != 0) {
    walk.TakeEnd(tree.root_);
  }
  bool is_full = false;
  while (walk.is_at_key && IsInRange(walk.key)) {
    // Long keys end a batch early, to bound its memory.
    is_full = !Gather(walk, most, with_keys, batch) || batch.values.size() == most ||
              batch.keys.size() >= kMostBatchKeyBytes;
    has_last_ = true;
    last_key_.assign(walk.key.begin(), walk.key.end());
    if (is_full) break;
    walk.Advance();
  }
  is_at_end_ = !is_full;
  if (!batch.values.empty()) last_value_ = batch.values.back();
  return !batch.values.empty();
}

uint64_t CountEntries(const RadixTree& tree, const KeyRange& range, uint64_t most) {
  RadixScan scan(range, false);
  IndexBatch batch;
  uint64_t count = 0;
  while (count < most && scan.Next(tree, std::min<uint64_t>(most - count, 1024), false, batch))
    count += batch.values.size();
  return count;
}

}  // namespace scaup
