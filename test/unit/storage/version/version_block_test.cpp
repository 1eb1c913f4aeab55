// A block of versions: unchanged where a change to it fails, and its memory.
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

TEST_CASE("a list of values counts what malloc takes for it", "[storage][versions]") {
  ValueList values(PhysicalType::kString);
  values.ReserveMore(100);
  const size_t empty_bytes = values.size_bytes();
  CHECK(empty_bytes >= 100 * (sizeof(StringRef) + 1));
  Vector text(Value::Varchar(std::string(20, 'x'))), inline_text(Value::Varchar("x"));
  for (int i = 0; i < 50; i++) {
    values.Append(text.View(1), 0);
    values.Append(inline_text.View(1), 0);
  }
  // 20 bytes have 32 with malloc's own; reserved room is taken, not added.
  CHECK(values.size_bytes() == empty_bytes + 50 * 32);
  ValueList other(PhysicalType::kString);
  other.Append(inline_text.View(1), 0);
  values.Exchange(0, other, 0);
  CHECK(values.size_bytes() == empty_bytes + 49 * 32);
}

TEST_CASE("an update gives back what it needed on its way", "[storage][versions]") {
  MemoryTracker memory(size_t{1} << 20);
  VersionBlock block(memory);
  const MutexLock lock(block.mutex);
  const Timestamp own = 1ULL << 62;
  const VersionWriter writer{{1, own}, std::make_shared<CommitStamp>(own), "t"};
  std::vector<sel_t> rows;
  for (sel_t row = 0; row < kVectorSize; row++) rows.push_back(row);
  std::vector<VersionBlock::ColumnChange> changes = ChangeOfRow(1, 2);
  Vector before(Value::BigInt(1)), after(Value::BigInt(2));
  changes[0].new_values.ReserveMore(kVectorSize - 1);
  changes[0].old_values.ReserveMore(kVectorSize - 1);
  for (size_t i = 1; i < kVectorSize; i++) {
    changes[0].new_values.Append(after.View(1), 0);
    changes[0].old_values.Append(before.View(1), 0);
  }
  block.Update(writer, rows, std::move(changes));
  // Two values of nine bytes for each row, three bytes for its number and mark, and what each block has.
  CHECK(memory.used_bytes() < kVectorSize * (2 * 9 + 3) + 1024);
}

}  // namespace
}  // namespace scaup
