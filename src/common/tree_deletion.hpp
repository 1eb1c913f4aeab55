// Deletion of deep trees with bounded stack use.
#pragma once

#include <new>

namespace scaup {

/// Calls destroy(node) at once; or, if this thread's deletions are nested too deeply, later from the
/// outermost call before that returns.
void DeleteTreeNode(void* node, void (*destroy)(void*)) noexcept;

/// A base class for tree nodes that own each other by std::unique_ptr. Deleting a node deletes its subtree by
/// a loop instead of recursion. `Node` has a virtual destructor or no derived classes.
template <typename Node>
class TreeDeletion {
 public:
  static void operator delete(TreeDeletion* node, std::destroying_delete_t) noexcept {
    DeleteTreeNode(static_cast<Node*>(node), [](void* deleted) {
      static_cast<Node*>(deleted)->~Node();
      ::operator delete(deleted);
    });
  }
  // Used when a constructor throws.
  static void operator delete(void* memory) noexcept { ::operator delete(memory); }
};

}  // namespace scaup
