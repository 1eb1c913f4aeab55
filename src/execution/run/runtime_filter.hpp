// Runtime filters: what a running operator knows of the rows that it needs, applied by the scans below it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "type/physical_type.hpp"
#include "type/scan_filter.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A filter on one column of an operator's input: rows that do not pass need not be emitted.
///
/// The filter of a join is about one key of the probe side. It holds the least and the greatest key of the
/// build side and, where the keys are dense or few enough, a bitmap of them; for strings, a bitmap of hashes.
/// A probe row whose key is NULL or does not pass has no join partner. The filter of a TopN holds a test that
/// gets stricter while rows arrive.
///
/// A value. One thread at a time may build it; any number of threads may read a complete one.
class RuntimeFilter {
 public:
  explicit RuntimeFilter(const LogicalType& type)
      : type_(PhysicalTypeOf(type)), is_text_(type.id() == TypeId::kVarchar) {}

  /// Makes a filter that passes the values between two bounds; INT64_MIN and INT64_MAX mean no bound.
  RuntimeFilter(const LogicalType& type, int64_t least, int64_t greatest) : RuntimeFilter(type) {
    least_ = least;
    greatest_ = greatest;
  }

  /// Makes a filter that passes the values that `test` passes, and NULLs if `or_null`. The test may get
  /// stricter at any time.
  RuntimeFilter(const LogicalType& type, std::shared_ptr<const ScanTest> test, bool or_null)
      : RuntimeFilter(type) {
    test_ = std::move(test);
    or_null_ = or_null;
  }

  /// Whether the filter gets stricter while the scan runs. It is of no use to an operator that reads all its
  /// input before it emits a row: it then comes too late.
  bool is_moving() const { return test_ != nullptr; }
  /// The filter of a moving one for a scan's column.
  ScanFilter MovingFilter(size_t column) const {
    return {column, ScanFilter::Op::kTest, {}, test_, or_null_};
  }

  /// Adds `count` keys of the filter's type to the range; NULLs are ignored.
  void Add(const UnifiedView& keys, size_t count);
  void Merge(const RuntimeFilter& other);

  /// False until a key has been added, and always for keys that are not stored as integers of 16, 32 or 64
  /// bits, and for UBIGINT, whose values int64 does not hold.
  bool has_keys() const { return least_ <= greatest_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

  /// Whether keys are VARCHAR. The bitmap then holds hashes, so some strings pass that are not keys.
  bool is_text() const { return is_text_; }
  /// Makes an empty bitmap with one bit for each value of the range. Returns false if the range is too wide,
  /// or if `row_count` keys are so many that the bitmap would reject few rows. REQUIRES: has_keys() or
  /// is_text(); all keys have been added.
  bool BeginBitmap(size_t row_count);
  /// Adds keys to the bitmap. Every key that was given to Add must be given to it as well.
  void AddToBitmap(const UnifiedView& keys, size_t count);
  bool has_bitmap() const { return bitmap_ != nullptr; }
  /// Writes the indexes of the rows whose keys are in the bitmap, and returns their number. REQUIRES:
  /// has_bitmap(); keys of the filter's type.
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
  // One bit for each key - least_, or for each hash. Copies share it, so it is not written once a copy is in
  // use.
  std::shared_ptr<std::vector<uint64_t>> bitmap_;
  std::shared_ptr<const ScanTest> test_;
  bool or_null_ = false;
};

}  // namespace scaup
