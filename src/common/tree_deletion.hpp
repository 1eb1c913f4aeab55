// Deletion of trees that may be deep: it takes no more of the stack than some levels need.
#pragma once

#include <new>

namespace scaup {

/// Calls destroy(node), at once or, where this thread is deleting nodes within each other too deeply, from
/// the outermost of these calls, before that returns.
void DeleteTreeNode(void* node, void (*destroy)(void*)) noexcept;

/// A base of the class of a tree's nodes, which own each other by std::unique_ptr: deleting one deletes what
/// is below it by a loop. `Node` has a virtual destructor, or no classes derived from it.
template <typename Node>
class TreeDeletion {
 public:
  static void operator delete(TreeDeletion* node, std::destroying_delete_t) noexcept {
    DeleteTreeNode(static_cast<Node*>(node), [](void* deleted) {
      static_cast<Node*>(deleted)->~Node();
      ::operator delete(deleted);
    });
  }
  // Where a constructor throws.
  static void operator delete(void* memory) noexcept { ::operator delete(memory); }
};

}  // namespace scaup
