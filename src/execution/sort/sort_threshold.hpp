// Sort threshold: the key of the last row that a TopN needs; rows after it are dropped.
#pragma once

#include <string>
#include <vector>

#include "common/throw.hpp"
#include "execution/sort/sort_key.hpp"

namespace scaup {

/// The key of a row, to select the rows that come before it. One thread at a time.
class SortThreshold {
 public:
  /// The value of one of its columns.
  struct Key {
    bool is_null = false;
    uint128_t number = 0;  ///< SortableNumber of values that are not strings
    std::string text;
  };
  /// Borrows the schema.
  explicit SortThreshold(const SortSchema& schema) : schema_(schema) {}

  bool is_set() const { return is_set_; }
  /// REQUIRES: is_set().
  const Key& first_key() const {
    SCAUP_ASSERT(is_set());
    return keys_.front();
  }
  /// Sets the threshold to the key of row `row`.
  void Set(DataChunk& rows, size_t row);
  /// Selects the rows that come before the threshold, in ascending order, and returns their number. REQUIRES:
  /// is_set().
  size_t SelectBefore(DataChunk& rows, sel_t* selected) const;

 private:
  /// Marks the rows of `open` that come before the threshold by this key; their earlier keys are equal to it.
  /// Leaves in `open` the rows that are equal in this key, too, and returns their number.
  template <typename T>
  size_t Narrow(const UnifiedView& view, size_t key, sel_t* open, size_t count, uint8_t* is_before) const;

  const SortSchema& schema_;
  bool is_set_ = false;
  std::vector<Key> keys_;
};

}  // namespace scaup
