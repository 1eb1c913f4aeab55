// Column statistics: the HyperLogLog sketch, merging, and extrapolation from a sample.
#include "storage/filter/column_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace scaup {

namespace {

constexpr int kRegisterBits = 10;

/// The greatest value of a register, for a hash whose other bits are all 0.
constexpr uint8_t kMostRank = 64 - kRegisterBits + 1;
/// The most entries that are stored sparsely. That many take half the memory of all registers.
constexpr size_t kMostFew = 256;
/// Fewer hashes than this are added one by one, since AddAll copies and merges all registers.
constexpr size_t kFewHashes = 64;

constexpr int kValueBits = 6;
uint16_t EntryOf(size_t index, uint8_t value) { return static_cast<uint16_t>(index << kValueBits | value); }
size_t IndexOf(uint16_t entry) { return entry >> kValueBits; }
uint8_t ValueOf(uint16_t entry) { return entry & ((1U << kValueBits) - 1); }

size_t RegisterOf(uint64_t hash) { return hash >> (64 - kRegisterBits); }
uint8_t RankOf(uint64_t hash) {
  // The bit that is set below the hash's own bits bounds the rank by kMostRank.
  const uint64_t rest = hash << kRegisterBits | (uint64_t{1} << (kRegisterBits - 1));
  return static_cast<uint8_t>(std::countl_zero(rest) + 1);
}

/// Sixteen registers, the SIMD width that every x86-64 and ARM CPU has.
using RegisterVector __attribute__((vector_size(16))) = uint8_t;

/// Computes 2^-rank from the bits of the exponent. std::ldexp would be a call that takes ten times as long.
double InversePower(uint8_t rank) { return std::bit_cast<double>((uint64_t{1023} - rank) << 52); }

}  // namespace

DistinctSketch::DistinctSketch(const DistinctSketch& other)
    : few_(other.few_),
      shared_(other.own_ ? std::make_shared<const Registers>(*other.own_) : other.shared_) {}

DistinctSketch& DistinctSketch::operator=(const DistinctSketch& other) {
  if (this != &other) *this = DistinctSketch(other);
  return *this;
}

DistinctSketch::Registers DistinctSketch::Expand() const {
  if (registers() != nullptr) return *registers();
  Registers expanded{};
  for (const Entry entry : few_) expanded[IndexOf(entry)] = ValueOf(entry);
  return expanded;
}

void DistinctSketch::Assign(const Registers& registers) {
  shared_.reset();
  own_.reset();
  few_.clear();
  const auto used =
      registers.size() - static_cast<size_t>(std::count(registers.begin(), registers.end(), uint8_t{0}));
  if (used > kMostFew) {
    few_.shrink_to_fit();
    own_ = std::make_unique<Registers>(registers);
    return;
  }
  few_.reserve(used);
  for (size_t i = 0; i < registers.size(); i++) {
    if (registers[i] != 0) few_.push_back(EntryOf(i, registers[i]));
  }
}

void DistinctSketch::RaiseFew(Entry entry) {
  const auto place = std::lower_bound(few_.begin(), few_.end(), EntryOf(IndexOf(entry), 0));
  if (place != few_.end() && IndexOf(*place) == IndexOf(entry)) {
    if (*place < entry) *place = entry;
    return;
  }
  if (few_.size() < kMostFew) {
    few_.insert(place, entry);
    return;
  }
  // The sparse form is full, so the sketch changes to all registers. It never changes back by additions.
  own_ = std::make_unique<Registers>(Expand());
  (*own_)[IndexOf(entry)] = ValueOf(entry);
  few_ = std::vector<Entry>();
}

void DistinctSketch::Add(uint64_t hash) {
  const size_t index = RegisterOf(hash);
  const uint8_t rank = RankOf(hash);
  if (registers() == nullptr) {
    RaiseFew(EntryOf(index, rank));
    return;
  }
  if (!own_) {
    own_ = std::make_unique<Registers>(*shared_);
    shared_.reset();
  }
  if (rank > (*own_)[index]) (*own_)[index] = rank;
}

void DistinctSketch::AddAll(std::span<const uint64_t> hashes) {
  if (hashes.size() < kFewHashes) {
    for (const uint64_t hash : hashes) Add(hash);
    return;
  }
  Registers added = own_ ? *own_ : Registers{};
  for (const uint64_t hash : hashes) {
    uint8_t& value = added[RegisterOf(hash)];
    value = std::max(value, RankOf(hash));
  }
  if (own_) {
    *own_ = added;
  } else if (shared_) {
    MergeRegisters(added);
  } else {
    for (const Entry entry : few_) added[IndexOf(entry)] = std::max(added[IndexOf(entry)], ValueOf(entry));
    Assign(added);
  }
}

void DistinctSketch::Merge(const DistinctSketch& other) {
  if (this == &other || other.is_empty() || (other.shared_ && other.shared_ == shared_)) return;
  if (is_empty()) {
    *this = other;
  } else if (other.registers() == nullptr) {
    MergeFew(other.few_);
  } else if (registers() == nullptr) {
    // Taking the other's registers shares them, if these few entries do not raise any.
    const std::vector<Entry> mine = std::exchange(few_, {});
    *this = other;
    MergeFew(mine);
  } else {
    MergeRegisters(*other.registers());
  }
}

void DistinctSketch::MergeFew(const std::vector<Entry>& entries) {
  if (registers() == nullptr) {
    for (const Entry entry : entries) {
      if (registers() == nullptr) {
        RaiseFew(entry);
      } else {
        uint8_t& value = (*own_)[IndexOf(entry)];
        value = std::max(value, ValueOf(entry));
      }
    }
    return;
  }
  // Most merges raise no register. Then the shared registers stay shared.
  const auto raises = [&](Entry entry) { return ValueOf(entry) > (*registers())[IndexOf(entry)]; };
  if (std::none_of(entries.begin(), entries.end(), raises)) return;
  auto merged = std::make_shared<Registers>(*registers());
  for (const Entry entry : entries) {
    uint8_t& value = (*merged)[IndexOf(entry)];
    value = std::max(value, ValueOf(entry));
  }
  shared_ = std::move(merged);
  own_.reset();
}

void DistinctSketch::MergeRegisters(const Registers& theirs) {
  // Single-row statements merge sketches, too. A loop over bytes would cost more than their rows, hence SIMD.
  Registers merged;
  const Registers& mine = *registers();
  RegisterVector changed{};
  for (size_t i = 0; i < merged.size(); i += sizeof(RegisterVector)) {
    RegisterVector a, b;
    std::memcpy(&a, mine.data() + i, sizeof(a));
    std::memcpy(&b, theirs.data() + i, sizeof(b));
    const RegisterVector most = a > b ? a : b;
    changed |= most ^ a;
    std::memcpy(merged.data() + i, &most, sizeof(most));
  }
  uint64_t words[2];
  std::memcpy(words, &changed, sizeof(words));
  if ((words[0] | words[1]) == 0) return;
  shared_ = std::make_shared<const Registers>(merged);
  own_.reset();
}

double DistinctSketch::Estimate() const {
  const Registers registers = Expand();
  const double count = static_cast<double>(registers.size());
  // Four independent sums hide the latency of the additions.
  double sums[4] = {};
  for (size_t i = 0; i < registers.size(); i += 4) {
    sums[0] += InversePower(registers[i]);
    sums[1] += InversePower(registers[i + 1]);
    sums[2] += InversePower(registers[i + 2]);
    sums[3] += InversePower(registers[i + 3]);
  }
  const double sum = sums[0] + sums[1] + sums[2] + sums[3];
  const auto zeros = std::count(registers.begin(), registers.end(), uint8_t{0});
  const double raw = 0.7213 / (1 + 1.079 / count) * count * count / sum;
  // For few values the raw estimate is biased, so the empty registers are counted instead (linear counting).
  if (raw <= 2.5 * count && zeros != 0) return count * std::log(count / static_cast<double>(zeros));
  return raw;
}

size_t DistinctSketch::size_bytes() const {
  return few_.capacity() * sizeof(Entry) + (registers() == nullptr ? 0 : sizeof(Registers));
}

void DistinctSketch::Write(ByteWriter& writer) const {
  const Registers registers = Expand();
  // Runs of empty registers are written as their length: in small tables most registers are empty.
  size_t i = 0;
  while (i < registers.size()) {
    size_t end = i;
    while (end < registers.size() && registers[end] == 0) end++;
    writer.WriteVarint(end - i);
    if (end == registers.size()) return;
    i = end;
    while (end < registers.size() && registers[end] != 0) end++;
    writer.WriteSizedBytes(std::as_bytes(std::span(registers).subspan(i, end - i)));
    i = end;
  }
}

void DistinctSketch::Read(ByteReader& reader) {
  Registers registers{};
  size_t i = 0;
  while (i < registers.size()) {
    const uint64_t empty = reader.ReadVarint("distinct sketch");
    if (empty > registers.size() - i) reader.Fail("distinct sketch", "it has too many registers");
    i += empty;
    if (i == registers.size()) break;
    const auto used = reader.ReadSizedBytes("distinct sketch");
    if (used.empty() || used.size() > registers.size() - i)
      reader.Fail("distinct sketch", "it has too many registers");
    for (const std::byte value : used) {
      if (static_cast<uint8_t>(value) > kMostRank)
        reader.Fail("distinct sketch", "there is no such register");
      registers[i++] = static_cast<uint8_t>(value);
    }
  }
  Assign(registers);
  // Every table snapshot copies its statistics. Shared registers make these copies free.
  if (own_) shared_ = std::move(own_);
}

ColumnStatistics ColumnStatistics::Unknown() {
  ColumnStatistics statistics;
  statistics.null_count = 1;
  return statistics;
}

void ColumnStatistics::Write(PhysicalType type, ByteWriter& writer) const {
  WriteZoneMap(zone, type, writer);
  writer.WriteVarint(zone.row_count);
  writer.WriteVarint(row_count);
  writer.WriteVarint(null_count);
  writer.WriteVarint(sampled_rows);
  sketch.Write(writer);
}

ColumnStatistics ColumnStatistics::Read(PhysicalType type, ByteReader& reader) {
  ColumnStatistics statistics;
  statistics.zone = ReadZoneMap(type, UINT32_MAX, reader);
  statistics.zone.row_count = static_cast<uint32_t>(reader.ReadVarint("statistics"));
  statistics.row_count = reader.ReadVarint("statistics");
  statistics.null_count = reader.ReadVarint("statistics");
  statistics.sampled_rows = reader.ReadVarint("statistics");
  statistics.sketch.Read(reader);
  return statistics;
}

void ColumnStatistics::Merge(const ColumnStatistics& other, PhysicalType type) {
  zone.Merge(other.zone, type);
  row_count += other.row_count;
  null_count += other.null_count;
  sampled_rows += other.sampled_rows;
  sketch.Merge(other.sketch);
}

double ColumnStatistics::EstimateDistinct() const {
  const double rows = static_cast<double>(row_count - std::min(null_count, row_count));
  if (rows == 0 || sampled_rows == 0) return rows == 0 ? 0 : 1;
  const double sampled = static_cast<double>(sampled_rows);
  const double seen = std::min(sketch.Estimate(), sampled);
  if (sampled >= rows) return std::max(1.0, std::min(seen, rows));
  // A sample with many repetitions has likely seen most values; without repetitions, the rest of the column
  // likely has new values, too. Squaring the share of new values weakens the extrapolation in between.
  const double novelty = seen / sampled;
  const double unseen_rows = rows - sampled;
  const double scaled = seen + unseen_rows * novelty * novelty;
  return std::max(1.0, std::min(scaled, rows));
}

}  // namespace scaup
