// Column statistics for the optimizer: bounds, NULLs, number of distinct values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vector/filter/zone_map.hpp"

namespace scaup {

/// A HyperLogLog sketch (Flajolet et al. 2007) with 1024 registers: estimates the number of distinct values
/// within about 3 %. While few registers are in use, only these are stored, in two bytes each, so that the
/// sketch of a few values takes a few bytes. A value type. Merge makes registers immutable, and copies share
/// them, so that a commit without new values costs no memory.
class DistinctSketch {
 public:
  DistinctSketch() = default;
  DistinctSketch(DistinctSketch&&) noexcept = default;
  DistinctSketch& operator=(DistinctSketch&&) noexcept = default;
  DistinctSketch(const DistinctSketch& other);
  DistinctSketch& operator=(const DistinctSketch& other);

  void Add(uint64_t hash);
  /// Adds all hashes. For many, this is faster than to add them one by one.
  void AddAll(std::span<const uint64_t> hashes);
  void Merge(const DistinctSketch& other);
  /// Returns the estimated number of distinct hashes.
  double Estimate() const;
  /// Returns the bytes in memory besides the object itself. Shared registers are counted in each copy.
  size_t size_bytes() const;
  void Write(ByteWriter& writer) const;
  /// Throws Error(kIo, XX001) for bytes that Write has not written.
  void Read(ByteReader& reader);

 private:
  using Registers = std::array<uint8_t, 1024>;
  /// A register that is not 0: its index in the upper bits, its value in the lowest six.
  using Entry = uint16_t;

  bool is_empty() const { return few_.empty() && registers() == nullptr; }
  const Registers* registers() const { return own_ ? own_.get() : shared_.get(); }
  Registers Expand() const;
  /// Replaces the content by `registers`, in the smaller of the two forms.
  void Assign(const Registers& registers);
  void RaiseFew(Entry entry);
  void MergeFew(const std::vector<Entry>& entries);
  void MergeRegisters(const Registers& theirs);

  // At most one of the three is in use. If none is, all registers are 0.
  std::vector<Entry> few_;  // ascending; at most kMostFew
  std::unique_ptr<Registers> own_;
  std::shared_ptr<const Registers> shared_;
};

/// Every eighth inserted block of kVectorSize rows goes into sketches, beginning with the first.
inline constexpr size_t kSketchEvery = 8;

/// The optimizer's statistics of a column. A value type; merged from those of row groups when these are
/// appended.
struct ColumnStatistics {
  ZoneMap zone;  ///< for its bounds; rows and NULLs are counted by the next two members
  uint64_t row_count = 0;
  uint64_t null_count = 0;
  uint64_t sampled_rows = 0;  ///< number of non-NULL values that went into the sketch
  DistinctSketch sketch;

  /// Returns statistics that promise nothing, not even that there are no NULLs.
  static ColumnStatistics Unknown();
  void Merge(const ColumnStatistics& other, PhysicalType type);
  /// Converts to bytes and back. Read throws Error(kIo, XX001) for damaged bytes.
  void Write(PhysicalType type, ByteWriter& writer) const;
  static ColumnStatistics Read(PhysicalType type, ByteReader& reader);
  /// Returns the estimated number of distinct values in the whole column, scaled up from the sample.
  double EstimateDistinct() const;
};

}  // namespace scaup
