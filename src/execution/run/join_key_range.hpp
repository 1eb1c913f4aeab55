// Key ranges: what a built join knows of its keys, told to the scans of the other side before they begin.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "type/physical_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The least and the greatest value of one join key on the built side, and where these are few for the range,
/// which ones there are; of strings which hashes there are. Rows of the other side whose key is NULL or not
/// among them find no partner. A value; one thread at a time, but any number may ask a complete one.
class JoinKeyRange {
 public:
  explicit JoinKeyRange(const LogicalType& type)
      : type_(PhysicalTypeOf(type)), is_text_(type.id() == TypeId::kVarchar) {}

  /// The range of what lies between two bounds; INT64_MIN and INT64_MAX are none.
  JoinKeyRange(const LogicalType& type, int64_t least, int64_t greatest) : JoinKeyRange(type) {
    least_ = least;
    greatest_ = greatest;
  }

  /// Takes in `count` keys of the type; NULLs do not count.
  void Add(const UnifiedView& keys, size_t count);
  void Merge(const JoinKeyRange& other);

  /// False while no key was taken in; always where keys are not stored as integers of 16, 32 or 64 bits.
  bool has_keys() const { return least_ <= greatest_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

  /// Whether keys are VARCHAR, of which hashes are noted: some that are not there seem to be.
  bool is_text() const { return is_text_; }
  /// Makes room for members, one bit for each value of the range. False where the range is too wide, or
  /// `row_count` keys are so many that telling them apart from the others would leave out few rows.
  /// REQUIRES: has_keys() or is_text(); the range is complete.
  bool BeginMembers(size_t row_count);
  /// Notes which keys there are: all that were taken in, once more.
  void AddMembers(const UnifiedView& keys, size_t count);
  bool has_members() const { return members_ != nullptr; }
  /// The rows of keys that are members; returns how many. REQUIRES: has_members(); keys of the type.
  size_t SelectMembers(const UnifiedView& keys, size_t count, sel_t* selected) const;

 private:
  template <typename T>
  void AddMembersOf(const UnifiedView& keys, size_t count);
  template <typename T>
  size_t SelectMembersOf(const UnifiedView& keys, size_t count, sel_t* selected) const;

  void AddHashes(const UnifiedView& keys, size_t count);
  size_t SelectHashes(const UnifiedView& keys, size_t count, sel_t* selected) const;

  PhysicalType type_;
  bool is_text_;
  int64_t least_ = INT64_MAX;
  int64_t greatest_ = INT64_MIN;
  // Bit key - least_, or of a hash; not written once it is asked.
  std::shared_ptr<std::vector<uint64_t>> members_;
};

}  // namespace scaup
