// Builds a radix tree from sorted entries.
#include <algorithm>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "storage/index/radix_tree.hpp"

namespace scaup {

using namespace radix;

/// Entries whose keys agree up to `depth`, and the slot for their subtree.
struct RadixTree::BuildTask {
  std::span<const RadixEntry> entries;
  size_t depth;
  Slot* slot;
};

std::byte* RadixTree::AllocateForBuild(size_t size_bytes) {
  if (size_bytes == 0) return nullptr;
  while (true) {
    if (std::byte* memory = memory_.Allocate(size_bytes); memory != nullptr) return memory;
    const size_t missing_bytes = memory_.MissingBytes(size_bytes);
    // Enough is reserved, so the system refused.
    if (memory_.HasReserved(missing_bytes)) {
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
                 "out of memory: the operating system refused " + std::to_string(missing_bytes) + " bytes");
    }
    memory_.Reserve(missing_bytes);
  }
}

// Not analysed: no other thread uses the tree yet, so it takes no lock.
void RadixTree::Build(std::span<const RadixEntry> entries) SCAUP_NO_THREAD_SAFETY_ANALYSIS {
  SCAUP_CHECK(root_ == 0);
  if (entries.empty()) return;
  try {
    // Depth first, so that subtrees lie together in memory.
    std::vector<BuildTask> tasks{{entries, 0, &root_}};
    while (!tasks.empty()) {
      RunningCall::CheckInterrupt();
      const BuildTask task = tasks.back();
      tasks.pop_back();
      BuildNode(task, tasks);
    }
  } catch (...) {
    memory_.FreeAll();
    root_ = 0;
    throw;
  }
  NoteChange(static_cast<int64_t>(entries.size()));
}

void RadixTree::BuildNode(const BuildTask& task, std::vector<BuildTask>& tasks) {
  const KeyBytes first = task.entries.front().key.subspan(task.depth);
  const KeyBytes last = task.entries.back().key.subspan(task.depth);
  // Keys are sorted, so the first and the last share what all share.
  const size_t common = CommonBytes(first, last);
  if (common == first.size() && common == last.size()) {
    const size_t count = task.entries.size();
    SCAUP_CHECK(count <= UINT32_MAX && first.size() <= UINT32_MAX);
    if (count == 1) {
      const uint64_t value = task.entries[0].value;
      *task.slot = MakeLeaf(AllocateForBuild(LeafSize(first.size(), value)), first, value);
      return;
    }
    List* list = MakeList(AllocateForBuild(ListSize(first.size(), count)), {}, {}, count);
    list->suffix_bytes = static_cast<uint32_t>(first.size());
    std::copy(first.begin(), first.end(), BytesOf(*list));
    for (size_t i = 0; i < count; i++) ValuesOf(*list)[i] = task.entries[i].value;
    list->value_count = static_cast<uint32_t>(count);
    *task.slot = SlotOf(list);
    return;
  }
  SCAUP_CHECK(common < first.size() && common < last.size());  // Else one key begins another.
  Slot* slot = task.slot;
  if (common != 0) {
    *slot = MakePrefix(AllocateForBuild(PrefixSize(common)), first.first(common), 0);
    slot = &static_cast<Prefix*>(NodeOf(*slot))->child;
  }
  const size_t depth = task.depth + common;
  const auto byte_of = [&](const RadixEntry& entry) { return static_cast<uint8_t>(entry.key[depth]); };
  // Counted first, so that the node gets its final kind at once.
  size_t child_count = 1;
  for (size_t i = 1; i < task.entries.size(); i++)
    child_count += byte_of(task.entries[i]) != byte_of(task.entries[i - 1]) ? 1 : 0;
  const NodeKind kind = KindFor(child_count);
  Node* node = MakeInner(AllocateForBuild(InnerSize(kind)), kind);
  *slot = SlotOf(node);
  for (size_t begin = 0, end = 0; begin < task.entries.size(); begin = end) {
    const uint8_t byte = byte_of(task.entries[begin]);
    while (end < task.entries.size() && byte_of(task.entries[end]) == byte) end++;
    // An empty slot for now, so that the tree can be freed at any time.
    Slot& child = ChildSlots(*node)[kind == NodeKind::kNode256 ? byte : node->count];
    AddChild(*node, byte, 0);
    tasks.push_back({task.entries.subspan(begin, end - begin), depth + 1, &child});
  }
}

}  // namespace scaup
