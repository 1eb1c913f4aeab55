// Hash partitions: every row comes back once, in its part, in order, from memory and from temporary storage.
#include "execution/rows/hash_partitions.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "../vector/random_values.hpp"
#include "common/file/file_system.hpp"

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
      const size_t most = partitions.MostAppendBytes(chunk, keeps_all ? nullptr : kept, kept_count);
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
      // Rows that are kept are read again, also after a part of them.
      const size_t readings = Below(random, 3);
      reader.SetKeeping(readings != 0);
      for (size_t reading = 0; reading < readings; reading++) {
        uint64_t read = 0;
        const uint64_t most = reading == 0 ? Below(random, rows.size() + 1) : rows.size();
        while (read < most && reader.Next(chunk)) read += chunk.size();
        if (reading != 0) REQUIRE(read == rows.size());
        reader.Rewind();
      }
      reader.SetKeeping(false);
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

TEST_CASE("A hash that most rows of a partition have stands out", "[execution]") {
  Random random(17);
  for (const size_t percent : {0, 20, 45, 80, 90, 100}) {
    MemoryTracker memory(size_t{1} << 30);
    const std::vector<LogicalType> types = {TypeId::kBigInt};
    const PartitionBits bits{5, 3};
    MajorityHash all;
    for (int sink = 0; sink < 3; sink++) {
      HashPartitions partitions(types, bits, size_t{1} << 28, memory);
      DataChunk chunk(types);
      for (size_t i = 0; i < 40; i++) {
        chunk.ResetForWriting();
        uint64_t hashes[kVectorSize];
        for (size_t row = 0; row < kVectorSize; row++) {
          // All of one partition; in order, so that one key comes after the others in the first two.
          const bool is_many = sink == 2 ? Chance(random, percent) : i >= 40 - 40 * percent / 100;
          hashes[row] = (is_many ? 77 << 8 : random() << 8) | 0x21;
          chunk.column(0).MutableData<int64_t>()[row] = 0;
        }
        chunk.SetSize(kVectorSize);
        partitions.Append(chunk, hashes, nullptr, kVectorSize);
      }
      all.Merge(partitions.Take(1).majority());
      REQUIRE_FALSE(partitions.Take(2).majority().stands_out());
    }
    REQUIRE(all.stands_out() == (percent > 75));
  }
}

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
