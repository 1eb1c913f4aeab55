// Hash partitions: every row comes back once, in its part, in order, from memory and from temporary storage.
#include "execution/partition/hash_partitions.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "../vector/random_values.hpp"
#include "common/file_system.hpp"

namespace scaup {

using namespace test;

namespace {

/// Appends random chunks or parts of them, spills with `spill_percent` after each, and reads all parts.
void CheckPartitions(Random& random, const std::vector<LogicalType>& types, size_t row_count,
                     size_t memory_share, size_t spill_percent) {
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, "/tmp", 0);
  MemoryTracker memory(size_t{1} << 30);
  {
    const PartitionBits bits{5, 3};
    HashPartitions partitions(types, bits, memory_share, memory);
    std::map<size_t, std::vector<std::string>> expected;
    for (size_t done = 0; done < row_count;) {
      const size_t count = std::min(row_count - done, 1 + Below(random, kVectorSize));
      auto rows = RandomRows(random, types, count, 20, 1000);
      DataChunk chunk = MakeChunk(random, types, rows);
      uint64_t hashes[kVectorSize];
      for (size_t i = 0; i < types.size(); i++) HashVector(chunk.column(i), count, hashes, i != 0);
      sel_t kept[kVectorSize];
      size_t kept_count = 0;
      const bool keeps_all = Below(random, 2) == 0;
      for (size_t row = 0; row < count; row++) {
        if (!keeps_all && Below(random, 3) == 0) continue;
        kept[kept_count++] = static_cast<sel_t>(row);
        expected[bits.Of(hashes[row])].push_back(TextOf(rows[row]));
      }
      const size_t most = partitions.MostAppendBytes(chunk);
      const size_t before = memory.used_bytes();
      partitions.Append(chunk, hashes, keeps_all ? nullptr : kept, kept_count);
      REQUIRE(memory.used_bytes() <= before + most);
      if (Below(random, 100) < spill_percent) {
        partitions.Spill(storage);
        REQUIRE(memory.used_bytes() == 0);
      }
      done += count;
    }
    for (size_t number = 0; number < bits.partition_count(); number++) {
      const auto& rows = expected[number];
      REQUIRE(partitions.row_count(number) == rows.size());
      PartitionReader reader = partitions.Take(number);
      REQUIRE(partitions.row_count(number) == 0);
      REQUIRE(reader.row_count() == rows.size());
      DataChunk chunk(types);
      size_t next = 0;
      while (reader.Next(chunk)) {
        for (size_t row = 0; row < chunk.size(); row++) {
          Row values;
          for (size_t i = 0; i < types.size(); i++) values.push_back(chunk.column(i).GetValue(row));
          REQUIRE(TextOf(values) == rows.at(next++));
        }
      }
      REQUIRE(next == rows.size());
    }
    REQUIRE(storage.used_bytes() == 0);
  }
  REQUIRE(memory.used_bytes() == 0);
}

}  // namespace

TEST_CASE("Rows come back from their partitions in order", "[execution]") {
  Random random(31);
  const std::vector<std::vector<LogicalType>> layouts = {
      {TypeId::kBigInt},
      {TypeId::kVarchar, TypeId::kInteger},
      {TypeId::kBoolean, TypeId::kSmallInt, TypeId::kDouble, TypeId::kHugeInt, TypeId::kVarchar},
  };
  for (const auto& types : layouts) {
    for (const size_t share : {size_t{1} << 12, size_t{1} << 28}) {
      for (const size_t spill_percent : {0, 15, 100})
        CheckPartitions(random, types, 9000, share, spill_percent);
    }
  }
}

}  // namespace scaup
