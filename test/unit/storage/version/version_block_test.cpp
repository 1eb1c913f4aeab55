// A block of versions is unchanged where a change to it fails.
#include "storage/version/version_block.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"

namespace scaup {
namespace {

std::vector<VersionBlock::ColumnChange> ChangeOfRow(int64_t before, int64_t after) {
  std::vector<VersionBlock::ColumnChange> changes;
  ValueList old_values(PhysicalType::kInt64), new_values(PhysicalType::kInt64);
  Vector old_vector(Value::BigInt(before)), new_vector(Value::BigInt(after));
  old_values.Append(old_vector.View(1), 0);
  new_values.Append(new_vector.View(1), 0);
  const ZoneMap zone =
      ComputeZoneMap(PhysicalType::kInt64, reinterpret_cast<const std::byte*>(&after), nullptr, 1);
  changes.push_back({1, std::move(new_values), std::move(old_values), zone});
  return changes;
}

TEST_CASE("an update without memory leaves a block of versions as it was", "[storage][versions]") {
  MemoryTracker memory(4096);
  VersionBlock block(memory);
  const MutexLock lock(block.mutex);
  const Timestamp own = 1ULL << 62;
  const VersionWriter writer{{1, own}, std::make_shared<CommitStamp>(own), "t"};
  memory.Reserve(4096);
  CHECK_THROWS_AS(block.Update(writer, {5}, ChangeOfRow(1, 2)), Error);
  CHECK(block.IsEmpty());
  CHECK(block.OverlayZone(1) == nullptr);
  memory.Release(4096);
  block.Update(writer, {5}, ChangeOfRow(1, 2));
  CHECK_FALSE(block.IsEmpty());
  CHECK(block.OverlayZone(1) != nullptr);
}

}  // namespace
}  // namespace scaup
