// Neighbour comparer: compares each row with the previous one by the keys of a sort.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "execution/sort/sort_key.hpp"

namespace scaup {

/// The order of consecutive rows.
enum class NeighbourOrder {
  kUnique,     ///< each row comes after the previous one
  kInOrder,    ///< no row comes before the previous one
  kUnordered,  ///< a row comes before the previous one
};

/// Examines rows once, chunk by chunk, and stores the keys of the last row. One thread at a time.
class NeighbourComparer {
 public:
  explicit NeighbourComparer(const std::vector<SortOrder>& orders);

  size_t key_count() const { return keys_.size(); }
  /// For the next rows, at most 1024: steps[i] becomes the first key in which row i differs from the previous
  /// row, or key_count() if it differs in none. The very first row differs in key 0. If rows are unordered,
  /// steps are meaningless.
  NeighbourOrder Compare(std::span<Vector* const> keys, size_t count, uint16_t* steps);

 private:
  /// The last row's value of one key.
  struct Key {
    SortOrder order;
    bool is_null = false;
    std::array<std::byte, 16> number{};  // SortableNumber, unless it is a string.
    std::string text;
  };
  /// Whether each row's first key is greater than the previous row's. If not, nothing is changed.
  template <typename T>
  bool Rise(Vector& column, size_t count);
  /// Compares the rows that equal the previous row in all earlier keys. Returns false if rows are unordered.
  template <typename T>
  bool CompareNumbers(size_t index, Vector& column, size_t count, uint16_t* steps);
  bool CompareTexts(size_t index, Vector& column, size_t count, uint16_t* steps);

  std::vector<Key> keys_;
  bool has_last_ = false;
};

}  // namespace scaup
