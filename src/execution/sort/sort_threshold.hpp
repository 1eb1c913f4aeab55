// The last of the first rows: what comes behind it need not be kept.
#pragma once

#include <string>
#include <vector>

#include "execution/sort/sort_key.hpp"

namespace scaup {

/// The key of a row, by which others are told to come before it or not. One thread at a time.
class SortThreshold {
 public:
  /// Borrows the schema.
  explicit SortThreshold(const SortSchema& schema) : schema_(schema) {}

  bool is_set() const { return is_set_; }
  /// Takes the key of row `row`.
  void Set(DataChunk& rows, size_t row);
  /// The rows that come before the threshold, ascending; returns how many. REQUIRES: is_set().
  size_t SelectBefore(DataChunk& rows, sel_t* selected) const;

 private:
  struct Key {
    bool is_null = false;
    uint128_t number = 0;  // Of values that are no strings: SortableNumber.
    std::string text;
  };
  /// Notes the rows of `open`, whose keys before this one are equal, that come before the threshold, and
  /// retains those that are equal in this key, too; returns how many.
  template <typename T>
  size_t Narrow(const UnifiedView& view, size_t key, sel_t* open, size_t count, uint8_t* is_before) const;

  const SortSchema& schema_;
  bool is_set_ = false;
  std::vector<Key> keys_;
};

}  // namespace scaup
