// Statistics of a table's column for the optimizer: bounds, NULLs, number of distinct values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "storage/table/zone_map.hpp"

namespace scaup {

/// HyperLogLog (Flajolet et al. 2007) with 1024 registers: distinct values within about 3%. A value; copies
/// of what Merge made share their registers, so that a commit that adds no new ones costs no memory.
class DistinctSketch {
 public:
  DistinctSketch() = default;
  DistinctSketch(DistinctSketch&&) noexcept = default;
  DistinctSketch& operator=(DistinctSketch&&) noexcept = default;
  DistinctSketch(const DistinctSketch& other);
  DistinctSketch& operator=(const DistinctSketch& other);

  void Add(uint64_t hash);
  void Merge(const DistinctSketch& other);
  double Estimate() const;
  void Write(ByteWriter& writer) const;
  void Read(ByteReader& reader);

 private:
  using Registers = std::array<uint8_t, 1024>;
  bool is_empty() const { return !own_ && !shared_; }
  const Registers& registers() const;

  // One of them, or neither: all registers are 0.
  std::unique_ptr<Registers> own_;
  std::shared_ptr<const Registers> shared_;
};

/// What the optimizer knows of a column. A value; merged from the row groups' when they are appended.
struct ColumnStatistics {
  ZoneMap zone;  ///< row_count and null_count of the zone are not used; see the next two
  uint64_t row_count = 0;
  uint64_t null_count = 0;
  uint64_t sampled_rows = 0;  ///< rows whose values, not NULL, went into the sketch
  DistinctSketch sketch;

  void Merge(const ColumnStatistics& other, PhysicalType type);
  /// To bytes and back. Reading throws Error(kIo, XX001).
  void Write(PhysicalType type, ByteWriter& writer) const;
  static ColumnStatistics Read(PhysicalType type, ByteReader& reader);
  /// How many distinct values the whole column has, scaled up from the sample.
  double EstimateDistinct() const;
};

}  // namespace scaup
