// Deletion of deep trees with bounded stack use.
#include "common/tree_deletion.hpp"

#include <cstddef>
#include <vector>

namespace scaup {

namespace {

/// The nesting depth up to which nodes are deleted directly; nearly all trees need no list.
constexpr size_t kMostWithin = 24;

struct Waiting {
  void* node;
  void (*destroy)(void*);
};

/// The outermost deletion of a thread. Nodes wait in the order in which recursion would have deleted them.
struct Deletion {
  size_t depth = 0;
  std::vector<Waiting> waiting = {};
};

constinit thread_local Deletion* current = nullptr;

}  // namespace

void DeleteTreeNode(void* node, void (*destroy)(void*)) noexcept {
  // Read once: in a shared library each access to a variable of a thread is a call.
  Deletion* const outermost = current;
  if (outermost == nullptr) {
    Deletion deletion;
    current = &deletion;
    destroy(node);
    for (size_t i = 0; i < deletion.waiting.size(); i++) {
      const Waiting next = deletion.waiting[i];
      next.destroy(next.node);
    }
    current = nullptr;
    return;
  }
  if (outermost->depth >= kMostWithin) {
    try {
      outermost->waiting.push_back({node, destroy});
      return;
    } catch (...) {  // Without memory for the list, this node is deleted by recursion after all.
    }
  }
  outermost->depth++;
  destroy(node);
  outermost->depth--;
}

}  // namespace scaup
