// Ownership of Arrow structures that a program hands over.
#pragma once

#include "edge.hpp"
#include "scaup/arrow.h"

namespace scaup::c {

/// Releases an Arrow structure unless it was released, or moved away, before. Lives on the stack of a
/// function that takes ownership even if it fails.
template <typename Structure>
class ArrowGuard {
 public:
  explicit ArrowGuard(Structure* structure) : structure_(structure) {}
  ~ArrowGuard() {
    if (structure_ != nullptr && structure_->release != nullptr) structure_->release(structure_);
  }
  ArrowGuard(const ArrowGuard&) = delete;
  ArrowGuard& operator=(const ArrowGuard&) = delete;

 private:
  Structure* structure_;
};

/// Throws Error(kUsage) if a structure, which the message calls `name`, is null or released.
template <typename Structure>
void RequireUnreleased(const Structure* structure, const char* name) {
  if (structure == nullptr || structure->release == nullptr)
    ThrowUsage("22023", std::string("the Arrow ") + name + " is NULL, or was released");
}

}  // namespace scaup::c
