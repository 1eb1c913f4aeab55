// Key ranges: what a built join knows of its keys, told to the scans of the other side before they begin.
#pragma once

#include "type/physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The least and the greatest value of one join key on the built side. Rows of the other side whose key is
/// NULL or outside find no partner. A value; one thread at a time.
class JoinKeyRange {
 public:
  explicit JoinKeyRange(const LogicalType& type) : type_(PhysicalTypeOf(type)) {}

  /// Takes in `count` keys of the type; NULLs do not count.
  void Add(const UnifiedView& keys, size_t count);
  void Merge(const JoinKeyRange& other);

  /// False while no key was taken in; always where keys are not stored as integers of 16, 32 or 64 bits.
  bool has_keys() const { return least_ <= greatest_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

 private:
  PhysicalType type_;
  int64_t least_ = INT64_MAX;
  int64_t greatest_ = INT64_MIN;
};

}  // namespace scaup
