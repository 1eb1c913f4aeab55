// The group table under collisions, growth and wide keys.
#include "execution/rows/group_table.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "../vector/random_values.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

/// Groups rows with hashes reduced to `hash_mask`, and checks that equal keys, and no others, share a row.
void CheckGroups(Random& random, const std::vector<LogicalType>& types, size_t row_count, size_t domain,
                 uint64_t hash_mask) {
  MemoryTracker memory(size_t{1} << 30);
  {
    const RowLayout layout(types, GroupTable::kHeaderBytes);
    GroupTable table(layout, memory, nullptr, nullptr);
    std::map<std::string, std::byte*> known;
    for (size_t done = 0; done < row_count;) {
      const size_t count = std::min(row_count - done, 1 + Below(random, kVectorSize));
      auto rows = RandomRows(random, types, count, 10, domain);
      DataChunk chunk = MakeChunk(random, types, rows);
      uint64_t hashes[kVectorSize] = {};
      for (size_t i = 0; i < types.size(); i++) HashVector(chunk.column(i), count, hashes, i != 0);
      for (size_t row = 0; row < count; row++) hashes[row] &= hash_mask;
      std::byte* found[kVectorSize];
      table.FindOrCreate(chunk.columns(), hashes, count, found);
      for (size_t row = 0; row < count; row++) {
        std::string text = TextOf(rows[row]);
        for (size_t at; (at = text.find("-0|")) != std::string::npos;)
          text.replace(at, 3, "0|");  // One zero.
        REQUIRE(known.emplace(text, found[row]).first->second == found[row]);
      }
      done += count;
    }
    REQUIRE(table.group_count() == known.size());
    // Everything is found in a table that adopts the rows.
    GroupTable other(layout, memory, nullptr, nullptr);
    for (size_t pass = 0; pass < 2; pass++) {
      for (const auto& [text, row] : known) {
        bool is_new;
        other.FindOrAdopt(row, is_new);
        REQUIRE(is_new == (pass == 0));
      }
    }
    // And reads back as it was.
    for (const auto& [text, row] : known) {
      Row values;
      for (size_t i = 0; i < types.size(); i++) {
        Vector column(types[i]);
        column.Reset();
        layout.Gather(i, &row, 1, column);
        values.push_back(column.GetValue(0));
      }
      std::string copy = TextOf(values);
      for (size_t at; (at = copy.find("-0|")) != std::string::npos;) copy.replace(at, 3, "0|");
      REQUIRE(copy == text);
    }
  }
  REQUIRE(memory.used_bytes() == 0);
}

}  // namespace

TEST_CASE("Groups of every type, whatever the hashes", "[execution]") {
  Random random(121);
  // All bits; salts only; slots only; four values; none at all.
  for (const uint64_t mask :
       {~uint64_t{0}, ~uint64_t{0} << 48, uint64_t{0xffff}, uint64_t{3} << 50 | 1, uint64_t{0}}) {
    for (const LogicalType& type : SampleTypes()) {
      if (type.id() == TypeId::kInterval) continue;  // Equal intervals of different text: tested by SQL.
      CheckGroups(random, {type}, mask == 0 ? 500 : 3000, 60, mask);
    }
    CheckGroups(random, {TypeId::kInteger, TypeId::kVarchar, TypeId::kDouble}, mask == 0 ? 1500 : 4000, 8,
                mask);
  }
}

TEST_CASE("Many groups make the table grow", "[execution]") {
  Random random(122);
  CheckGroups(random, {TypeId::kBigInt}, 60000, 1000000, ~uint64_t{0});
  CheckGroups(random, {TypeId::kVarchar, TypeId::kInteger}, 20000, 100000, ~uint64_t{0});
}

TEST_CASE("Keys of more than 64 columns", "[execution]") {
  Random random(123);
  std::vector<LogicalType> types;
  for (size_t i = 0; i < 100; i++) {
    const LogicalType type = SampleTypes()[i % SampleTypes().size()];
    types.push_back(type.id() == TypeId::kInterval ? LogicalType(TypeId::kInteger) : type);
  }
  CheckGroups(random, types, 600, 1, ~uint64_t{0});
  CheckGroups(random, types, 300, 2, uint64_t{1} << 60);
}

TEST_CASE("No keys make one group", "[execution]") {
  MemoryTracker memory(size_t{1} << 30);
  const StateSpace states[] = {{16, 16}};
  const RowLayout layout({}, GroupTable::kHeaderBytes, states);
  GroupTable table(
      layout, memory,
      [](const void* owner, std::byte* row) {
        row[static_cast<const RowLayout*>(owner)->state_offset(0)] = std::byte{7};
      },
      &layout);
  uint64_t hashes[100] = {};
  std::byte* rows[100];
  table.FindOrCreate({}, hashes, 100, rows);
  CHECK(table.group_count() == 1);
  CHECK(rows[0] == rows[99]);
  CHECK(rows[0][layout.state_offset(0)] == std::byte{7});
  CHECK(reinterpret_cast<uintptr_t>(rows[0] + layout.state_offset(0)) % 16 == 0);
}

TEST_CASE("A memory limit stops a group table", "[execution]") {
  MemoryTracker memory(1 << 20);
  const std::vector<LogicalType> types = {TypeId::kBigInt};
  {
    const RowLayout layout(types, GroupTable::kHeaderBytes);
    GroupTable table(layout, memory, nullptr, nullptr);
    const auto fill = [&] {
      for (int64_t begin = 0;; begin += 1024) {
        Vector keys(types[0]);
        keys.MakeSequence(begin, 1);
        uint64_t hashes[kVectorSize];
        HashVector(keys, kVectorSize, hashes, false);
        std::byte* rows[kVectorSize];
        table.FindOrCreate({&keys, 1}, hashes, kVectorSize, rows);
      }
    };
    CHECK_THROWS_AS(fill(), Error);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace scaup
