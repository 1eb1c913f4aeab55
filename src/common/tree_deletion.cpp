// Deletion of trees that may be deep: it takes no more of the stack than some levels need.
#include "common/tree_deletion.hpp"

#include <cstddef>
#include <vector>

namespace scaup {

namespace {

/// How many nodes are deleted within each other: enough that nearly all trees need no list.
constexpr size_t kMostWithin = 24;

struct Waiting {
  void* node;
  void (*destroy)(void*);
};

/// The outermost deletion of a thread. Nodes wait in the order in which their turn would have come.
struct Deletion {
  size_t depth = 0;
  std::vector<Waiting> waiting = {};
};

constinit thread_local Deletion* current = nullptr;

}  // namespace

void DeleteTreeNode(void* node, void (*destroy)(void*)) noexcept {
  if (current == nullptr) {
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
  if (current->depth >= kMostWithin) {
    try {
      current->waiting.push_back({node, destroy});
      return;
    } catch (...) {  // No memory: then deeper down.
    }
  }
  current->depth++;
  destroy(node);
  current->depth--;
}

}  // namespace scaup
