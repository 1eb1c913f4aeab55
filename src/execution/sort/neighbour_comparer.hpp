// Compares each row with the one before it, by the keys of a sort.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "execution/sort/sort_key.hpp"

namespace scaup {

/// How rows follow each other.
enum class NeighbourOrder {
  kUnique,     ///< each row belongs behind the one before it
  kInOrder,    ///< none belongs before the one that it follows
  kUnordered,  ///< one does
};

/// Goes through rows once, chunk by chunk, and keeps copies of the last row's keys. One thread at a time.
class NeighbourComparer {
 public:
  explicit NeighbourComparer(const std::vector<SortOrder>& orders);

  size_t key_count() const { return keys_.size(); }
  /// For the up to 1024 rows that come next: steps[i] is the first key in which row i differs from the row
  /// before it, key_count() where it differs in none. The very first row differs in key 0. Where rows are
  /// unordered, steps say nothing.
  NeighbourOrder Compare(std::span<Vector* const> keys, size_t count, uint16_t* steps);

 private:
  struct Key {
    SortOrder order;
    bool is_null = false;
    std::array<std::byte, 16> number{};  // What it is sorted by, unless it is a string.
    std::string text;
  };
  /// Whether all rows differ in the first key, which rises from each to the next. If not, nothing has
  /// changed.
  template <typename T>
  bool Rise(Vector& column, size_t count);
  /// Looks at those rows that equal the one before in all keys in front of this one. False where rows are
  /// unordered.
  template <typename T>
  bool CompareNumbers(size_t index, Vector& column, size_t count, uint16_t* steps);
  bool CompareTexts(size_t index, Vector& column, size_t count, uint16_t* steps);

  std::vector<Key> keys_;
  bool has_last_ = false;
};

}  // namespace scaup
