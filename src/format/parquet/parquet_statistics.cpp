// Compares filters with statistics, page indexes and Bloom filters.
#include "format/parquet/parquet_statistics.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "format/parquet/bloom_filter_blocks.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/value_converter.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

namespace {

/// Whether the order of a type's bounds is that of SQL.
bool HasBounds(const ParquetLeaf& leaf) {
  return leaf.physical != ParquetType::kInt96 && leaf.type.id() != TypeId::kInterval &&
         leaf.type.id() != TypeId::kJson &&
         !(leaf.type.id() == TypeId::kDouble && leaf.annotation.meaning == ParquetMeaning::kDecimal);
}

/// Whether the deprecated bounds, which compare as signed numbers, are right.
bool HasOldBounds(const ParquetLeaf& leaf) {
  if (leaf.physical == ParquetType::kByteArray || leaf.physical == ParquetType::kFixedBytes) return false;
  return leaf.annotation.meaning != ParquetMeaning::kInteger || leaf.annotation.is_signed;
}

std::optional<Value> ReadBound(const ParquetLeaf& leaf, const std::string& bytes) {
  Vector value(leaf.type);
  value.Reset();
  if (!ReadParquetValue(leaf, bytes, value)) return std::nullopt;
  return value.GetValue(0);
}

uint32_t UpToMost(int64_t count) {
  return static_cast<uint32_t>(std::clamp<int64_t>(count, 0, std::numeric_limits<uint32_t>::max()));
}

/// Makes a zone map of bounds as bytes.
ZoneMap MakeZone(const ParquetLeaf& leaf, const std::string& minimum, const std::string& maximum,
                 std::optional<int64_t> null_count, int64_t row_count) {
  ZoneMap zone;
  zone.row_count = UpToMost(row_count);
  // NULLs that were not counted may be there, and so may other values.
  zone.null_count = null_count ? std::min(UpToMost(*null_count), zone.row_count) : 0;
  const auto low = ReadBound(leaf, minimum), high = ReadBound(leaf, maximum);
  if (!low || !high || leaf.type.IsNested()) return zone;
  const PhysicalType type = PhysicalTypeOf(leaf.type);
  zone.minimum = BoundOf(*low, type);
  zone.maximum = BoundOf(*high, type);
  zone.has_bounds = true;
  if (leaf.type.IsFloating()) {
    // NaN, which SQL has above all numbers, is not counted in bounds.
    zone.has_bounds = zone.minimum.real == zone.minimum.real;
    zone.maximum.real = std::numeric_limits<double>::infinity();
  }
  return zone;
}

bool MatchesSome(const ZoneMap& zone, bool are_nulls_counted, const ScanFilter& filter,
                 const LogicalType& type) {
  if ((filter.is_null_test() || filter.or_null) && !are_nulls_counted) return true;
  if (PhysicalTypeOf(type) == PhysicalType::kInterval && !filter.is_null_test()) return true;
  return MatchZone(zone, filter, PhysicalTypeOf(type)) != ZoneMatch::kNone;
}

}  // namespace

std::optional<std::pair<Value, Value>> ParquetBounds(const ParquetLeaf& leaf,
                                                     const ParquetColumnChunk& chunk) {
  if (!chunk.statistics || !HasBounds(leaf)) return std::nullopt;
  const ParquetStatistics& statistics = *chunk.statistics;
  const bool is_old = !statistics.minimum || !statistics.maximum;
  if (is_old && (!HasOldBounds(leaf) || !statistics.old_minimum || !statistics.old_maximum))
    return std::nullopt;
  auto low = ReadBound(leaf, is_old ? *statistics.old_minimum : *statistics.minimum);
  auto high = ReadBound(leaf, is_old ? *statistics.old_maximum : *statistics.maximum);
  if (!low || !high) return std::nullopt;
  return std::pair(std::move(*low), std::move(*high));
}

std::optional<ZoneMap> ParquetZone(const ParquetLeaf& leaf, const ParquetColumnChunk& chunk,
                                   int64_t row_count) {
  if (!chunk.statistics) return std::nullopt;
  const ParquetStatistics& statistics = *chunk.statistics;
  const bool is_old = !statistics.minimum || !statistics.maximum;
  const bool has_bounds =
      HasBounds(leaf) &&
      (is_old ? HasOldBounds(leaf) && statistics.old_minimum && statistics.old_maximum : true);
  ZoneMap zone;
  if (has_bounds) {
    zone = MakeZone(leaf, is_old ? *statistics.old_minimum : *statistics.minimum,
                    is_old ? *statistics.old_maximum : *statistics.maximum, statistics.null_count, row_count);
  } else {
    zone.row_count = UpToMost(row_count);
    zone.null_count = statistics.null_count ? std::min(UpToMost(*statistics.null_count), zone.row_count) : 0;
  }
  return zone;
}

bool MayPass(const ParquetLeaf& leaf, const ParquetColumnChunk& chunk, int64_t row_count,
             const ScanFilter& filter) {
  const auto zone = ParquetZone(leaf, chunk, row_count);
  return !zone || MatchesSome(*zone, chunk.statistics->null_count.has_value(), filter, leaf.type);
}

std::vector<bool> PagesThatMayPass(const ParquetLeaf& leaf, const ParquetColumnIndex& index,
                                   const ScanFilter& filter) {
  const size_t count = index.is_null_page.size();
  std::vector<bool> may_pass(count, true);
  if (!HasBounds(leaf)) return may_pass;
  constexpr int64_t kSomeRows = std::numeric_limits<uint32_t>::max();
  for (size_t i = 0; i < count; i++) {
    if (index.is_null_page[i]) {
      may_pass[i] = filter.op == ScanFilter::Op::kIsNull || filter.or_null;
      continue;
    }
    std::optional<int64_t> null_count;
    if (!index.null_counts.empty()) null_count = index.null_counts[i];
    ZoneMap zone = MakeZone(leaf, index.minima[i], index.maxima[i], null_count, kSomeRows);
    zone.null_count = std::min(zone.null_count, zone.row_count - 1);
    may_pass[i] = MatchesSome(zone, null_count.has_value(), filter, leaf.type);
  }
  return may_pass;
}

std::unique_ptr<ParquetBloomFilter> ParquetBloomFilter::Read(File& file, const ParquetColumnChunk& chunk,
                                                             MemoryTracker& memory) {
  constexpr size_t kHeaderBytes = 64, kMostBytes = 128 << 20;
  const uint64_t size = file.Size();
  if (chunk.bloom_offset <= 0 || static_cast<uint64_t>(chunk.bloom_offset) >= size) return nullptr;
  const auto offset = static_cast<uint64_t>(chunk.bloom_offset);
  const auto header = ReadParquetBytes(file, offset, std::min<uint64_t>(kHeaderBytes, size - offset));
  size_t header_bytes = 0;
  const std::optional<size_t> bytes = ReadParquetBloomHeader(header, header_bytes);
  if (!bytes || *bytes > kMostBytes || *bytes > size - offset - header_bytes) return nullptr;
  std::unique_ptr<ParquetBloomFilter> filter(new ParquetBloomFilter(memory));
  filter->memory_.Resize(*bytes);
  filter->bits_ = ReadParquetBytes(file, offset + header_bytes, *bytes);
  return filter;
}

bool ParquetBloomFilter::MayHaveHash(uint64_t hash) const {
  const BloomBlock block(hash, bits_.size());
  for (size_t i = 0; i < BloomBlock::kWords; i++) {
    uint32_t word;
    std::memcpy(&word, bits_.data() + block.WordOffset(i), sizeof(word));
    if ((word & block.WordBit(i)) == 0) return false;
  }
  return true;
}

bool ParquetBloomFilter::MayHave(const ParquetLeaf& leaf, const Value& value) const {
  // Only for values whose bytes in the file follow from the value alone.
  const auto hash = [](const auto& number) { return XXH64(&number, sizeof(number), 0); };
  switch (leaf.physical) {
    case ParquetType::kInt32:
      if (PhysicalTypeOf(leaf.type) == PhysicalType::kInterval ||
          leaf.annotation.meaning == ParquetMeaning::kTime)
        return true;
      return MayHaveHash(hash(static_cast<int32_t>(value.GetInteger())));
    case ParquetType::kInt64:
      if (leaf.annotation.meaning == ParquetMeaning::kTime ||
          leaf.annotation.meaning == ParquetMeaning::kTimestamp)
        return true;
      return MayHaveHash(hash(static_cast<int64_t>(value.GetInteger())));
    case ParquetType::kByteArray:
      if (leaf.type.id() != TypeId::kVarchar && leaf.type.id() != TypeId::kBlob) return true;
      return MayHaveHash(XXH64(value.GetString().data(), value.GetString().size(), 0));
    // Numbers with fractions have several bytes for one value: zeros, and NaNs.
    case ParquetType::kFloat:
    case ParquetType::kDouble:
    case ParquetType::kBoolean:
    case ParquetType::kInt96:
    case ParquetType::kFixedBytes: break;
  }
  return true;
}

}  // namespace scaup
