// Unpacks the elements of many lists into vectors.
#pragma once

#include <string_view>
#include <vector>

#include "common/check.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

/// Reads the elements of the lists of a vector in their order, up to kVectorSize at a time, whatever the
/// sizes of the lists. One thread at a time.
class ListElements {
 public:
  explicit ListElements(const LogicalType& element);

  /// Begins with the first of `count` lists, whose NULLs have no elements. The lists are borrowed until the
  /// next Begin().
  void Begin(TypedView<StringRef> lists, size_t count);

  /// Stores the next elements in `target`, and in rows[i] the list that element i is from. Returns their
  /// number, 0 at the end. REQUIRES: `target` is flat and after Reset(), `rows` has kVectorSize places.
  /// Throws Error(XX001) if a list is damaged.
  size_t Next(Vector& target, sel_t* rows);

  /// The slots of the elements that Next() stored, in the lists. REQUIRES: has_fixed_slots() is false.
  const std::vector<std::string_view>& slots() const {
    SCAUP_ASSERT(!has_fixed_slots());
    return slots_;
  }
  /// Returns whether all slots have one size, so that Next() did not note them.
  bool has_fixed_slots() const { return load_lists_ != nullptr; }

 private:
  size_t NextOfVaryingSize(Vector& target, sel_t* rows);

  LogicalType element_;
  SlotLoader load_;
  SlotListLoader load_lists_;  ///< null if the size of slots varies
  TypedView<StringRef> lists_ = {};
  size_t count_ = 0;
  SlotPosition next_;
  std::vector<std::string_view> slots_;
};

}  // namespace scaup
