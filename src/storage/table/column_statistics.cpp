// Statistics of columns: the HyperLogLog sketch, merging, scaling up from a sample.
#include "storage/table/column_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scaup {

namespace {
constexpr int kRegisterBits = 10;
}  // namespace

void DistinctSketch::Add(uint64_t hash) {
  const size_t index = hash >> (64 - kRegisterBits);
  const uint64_t rest = hash << kRegisterBits | (uint64_t{1} << (kRegisterBits - 1));
  const auto rank = static_cast<uint8_t>(std::countl_zero(rest) + 1);
  if (rank > registers_[index]) registers_[index] = rank;
}

void DistinctSketch::Merge(const DistinctSketch& other) {
  for (size_t i = 0; i < registers_.size(); i++) registers_[i] = std::max(registers_[i], other.registers_[i]);
}

double DistinctSketch::Estimate() const {
  const double count = static_cast<double>(registers_.size());
  double sum = 0;
  size_t zeros = 0;
  for (const uint8_t rank : registers_) {
    sum += std::ldexp(1.0, -rank);
    zeros += rank == 0;
  }
  const double raw = 0.7213 / (1 + 1.079 / count) * count * count / sum;
  // Few values: count the empty registers instead (linear counting).
  if (raw <= 2.5 * count && zeros != 0) return count * std::log(count / static_cast<double>(zeros));
  return raw;
}

void ColumnStatistics::Merge(const ColumnStatistics& other, PhysicalType type) {
  zone.Merge(other.zone, type);
  row_count += other.row_count;
  null_count += other.null_count;
  sampled_rows += other.sampled_rows;
  sketch.Merge(other.sketch);
}

double ColumnStatistics::EstimateDistinct() const {
  const double rows = static_cast<double>(row_count - null_count);
  if (rows == 0 || sampled_rows == 0) return rows == 0 ? 0 : 1;
  const double sampled = static_cast<double>(sampled_rows);
  const double seen = std::min(sketch.Estimate(), sampled);
  if (sampled >= rows) return std::max(1.0, std::min(seen, rows));
  // A sample that repeats its values has likely seen most of them; one that does not goes on as it began.
  const double novelty = seen / sampled;
  const double unseen_rows = rows - sampled;
  const double scaled = seen + unseen_rows * novelty * novelty;
  return std::max(1.0, std::min(scaled, rows));
}

}  // namespace scaup
