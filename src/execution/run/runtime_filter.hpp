// Runtime filters: what a join has learnt of the keys of its build side, given to the scans of the probe side
// before they begin.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "type/physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A filter of one join key for rows of the probe side: the least and the greatest key of the build side, and
/// where the keys are few for that range a bitmap of them; for strings a bitmap of hashes. A row of the probe
/// side whose key is NULL or does not pass finds no partner. A value; one thread at a time, but any number of
/// threads may ask a complete one.
class RuntimeFilter {
 public:
  explicit RuntimeFilter(const LogicalType& type)
      : type_(PhysicalTypeOf(type)), is_text_(type.id() == TypeId::kVarchar) {}

  /// A filter that passes what lies between two bounds; INT64_MIN and INT64_MAX are none.
  RuntimeFilter(const LogicalType& type, int64_t least, int64_t greatest) : RuntimeFilter(type) {
    least_ = least;
    greatest_ = greatest;
  }

  /// Takes in `count` keys of the type; NULLs do not count.
  void Add(const UnifiedView& keys, size_t count);
  void Merge(const RuntimeFilter& other);

  /// False while no key was taken in; always where keys are not stored as integers of 16, 32 or 64 bits.
  bool has_keys() const { return least_ <= greatest_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

  /// Whether keys are VARCHAR, whose hashes are in the bitmap: some strings pass that are no keys.
  bool is_text() const { return is_text_; }
  /// Makes an empty bitmap with one bit for each value of the range. False where the range is too wide, or
  /// `row_count` keys are so many that the bitmap would reject few rows. REQUIRES: has_keys() or is_text();
  /// the range is complete.
  bool BeginBitmap(size_t row_count);
  /// Adds keys to the bitmap. It must be given all that were taken in by Add, once more.
  void AddToBitmap(const UnifiedView& keys, size_t count);
  bool has_bitmap() const { return bitmap_ != nullptr; }
  /// Writes the rows whose keys are in the bitmap; returns how many. REQUIRES: has_bitmap(); keys of the
  /// type.
  size_t SelectByBitmap(const UnifiedView& keys, size_t count, sel_t* selected) const;

 private:
  template <typename T>
  void AddToBitmapOf(const UnifiedView& keys, size_t count);
  template <typename T>
  size_t SelectByBitmapOf(const UnifiedView& keys, size_t count, sel_t* selected) const;

  void AddHashes(const UnifiedView& keys, size_t count);
  size_t SelectHashes(const UnifiedView& keys, size_t count, sel_t* selected) const;

  PhysicalType type_;
  bool is_text_;
  int64_t least_ = INT64_MAX;
  int64_t greatest_ = INT64_MIN;
  // A bit for each key - least_, or for each hash; not written once a copy is asked.
  std::shared_ptr<std::vector<uint64_t>> bitmap_;
};

}  // namespace scaup
