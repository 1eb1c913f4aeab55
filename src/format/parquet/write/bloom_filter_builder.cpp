// Makes the split-block Bloom filter of a column chunk: what ParquetBloomFilter reads.
#include "format/parquet/write/bloom_filter_builder.hpp"

#include <algorithm>
#include <bit>

#include "format/parquet/bloom_filter_blocks.hpp"
#include "format/parquet/write/metadata_writer.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

namespace {

/// The bounds alone tell most of what so few values are.
constexpr size_t kFewestEntries = 8;
/// One lookup in a hundred is answered in vain.
constexpr size_t kBitsPerEntry = 10;

template <typename T>
uint64_t BloomHash(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return XXH64(value.data(), value.size(), 0);
  } else {
    return XXH64(&value, sizeof(value), 0);
  }
}

}  // namespace

std::string MakeBloomFilter(const ParquetLeaf& leaf, const ByteBuffer& entries, size_t entry_count) {
  const bool has_one_form =
      leaf.physical == ParquetType::kInt32 || leaf.physical == ParquetType::kInt64 ||
      (leaf.physical == ParquetType::kByteArray && leaf.annotation.meaning != ParquetMeaning::kJson);
  if (!has_one_form || entry_count < kFewestEntries) return "";
  // Some readers know only powers of two.
  const size_t size = std::max(BloomBlock::kBytes, std::bit_ceil(entry_count * kBitsPerEntry / 8));
  std::string bits(size, '\0');
  VisitRawType(leaf, [&]<typename T>() {
    ValueCursor<T> cursor(entries.data());
    for (size_t i = 0; i < entry_count; i++) {
      const uint64_t hash = BloomHash(cursor.Next());
      const BloomBlock block(hash, size);
      for (size_t word = 0; word < BloomBlock::kWords; word++) {
        char* const at = bits.data() + block.WordOffset(word);
        uint32_t value;
        std::memcpy(&value, at, sizeof(value));
        value |= block.WordBit(word);
        std::memcpy(at, &value, sizeof(value));
      }
    }
  });
  std::string filter;
  AppendParquetBloomHeader(size, filter);
  return filter + bits;
}

}  // namespace scaup
