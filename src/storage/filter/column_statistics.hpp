// Statistics of a table's column for the optimizer: bounds, NULLs, number of distinct values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "storage/filter/zone_map.hpp"

namespace scaup {

/// HyperLogLog (Flajolet et al. 2007) with 1024 registers: distinct values within about 3%. While few
/// registers are in use these alone are kept, two bytes each, so that one of a few values takes a few bytes.
/// A value; copies of what Merge made share their registers, so that a commit that adds no new ones costs no
/// memory.
class DistinctSketch {
 public:
  DistinctSketch() = default;
  DistinctSketch(DistinctSketch&&) noexcept = default;
  DistinctSketch& operator=(DistinctSketch&&) noexcept = default;
  DistinctSketch(const DistinctSketch& other);
  DistinctSketch& operator=(const DistinctSketch& other);

  void Add(uint64_t hash);
  /// For many it is quicker than one by one.
  void AddAll(std::span<const uint64_t> hashes);
  void Merge(const DistinctSketch& other);
  double Estimate() const;
  /// Bytes in memory besides its own.
  size_t size_bytes() const;
  void Write(ByteWriter& writer) const;
  void Read(ByteReader& reader);

 private:
  using Registers = std::array<uint8_t, 1024>;
  /// A register that is not 0: its index, then its value in the lowest six bits.
  using Entry = uint16_t;

  bool is_empty() const { return few_.empty() && registers() == nullptr; }
  const Registers* registers() const { return own_ ? own_.get() : shared_.get(); }
  Registers Expand() const;
  /// Makes it these registers.
  void Assign(const Registers& registers);
  void RaiseFew(Entry entry);
  void MergeFew(const std::vector<Entry>& entries);
  void MergeRegisters(const Registers& theirs);

  // One of them, or none: all registers are 0.
  std::vector<Entry> few_;  // Ascending; at most kMostFew.
  std::unique_ptr<Registers> own_;
  std::shared_ptr<const Registers> shared_;
};

/// One in so many blocks of 1024 rows that are inserted goes into sketches, beginning with the first.
inline constexpr size_t kSketchEvery = 8;

/// The optimizer's knowledge of a column. A value; merged from the row groups' when they are appended.
struct ColumnStatistics {
  ZoneMap zone;  ///< row_count and null_count of the zone are not used; see the next two
  uint64_t row_count = 0;
  uint64_t null_count = 0;
  uint64_t sampled_rows = 0;  ///< rows whose values, not NULL, went into the sketch
  DistinctSketch sketch;

  /// Nothing is known, not even that there are no NULLs.
  static ColumnStatistics Unknown();
  void Merge(const ColumnStatistics& other, PhysicalType type);
  /// To bytes and back. Reading throws Error(kIo, XX001).
  void Write(PhysicalType type, ByteWriter& writer) const;
  static ColumnStatistics Read(PhysicalType type, ByteReader& reader);
  /// How many distinct values the whole column has, scaled up from the sample.
  double EstimateDistinct() const;
};

}  // namespace scaup
