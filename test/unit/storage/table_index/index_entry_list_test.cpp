// Lists of changed entries: what is read back, and that their memory is what they have reserved.
#include "storage/table_index/index_entry_list.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <utility>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_advance.hpp"
#include "scaup/error.hpp"

namespace scaup::test {
namespace {

using Added = std::pair<IndexKey, uint64_t>;

/// The key of an entry, of a length that differs from others'.
IndexKey KeyOf(uint64_t number) {
  IndexKey key(20 + number % 50, std::byte(number % 251));
  std::memcpy(key.data(), &number, sizeof(number));
  return key;
}

struct Lists {
  explicit Lists(size_t limit_bytes) : memory(limit_bytes) {
    IndexDefinition definition{"i", {"k"}, {0}};
    index = std::make_shared<TableIndex>(std::move(definition), std::vector<LogicalType>{TypeId::kVarchar},
                                         nullptr, memory, nullptr);
  }

  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  std::shared_ptr<TemporaryStorage> storage = std::make_shared<TemporaryStorage>(*files, "/tmp", 0);
  MemoryTracker memory;
  TableIndexRef index;
};

void Fill(IndexEntryList& list, std::vector<Added>& added, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t number = added.size();
    list.Add(KeyOf(number), number);
    // An entry that was there already is taken back.
    if (number % 7 == 0) {
      list.RemoveLast();
      list.Add(KeyOf(number), number + 1);
    }
    added.emplace_back(KeyOf(number), number % 7 == 0 ? number + 1 : number);
    REQUIRE(list.allocated_bytes() <= list.reserved_bytes());
  }
}

void CompareAll(const IndexEntryList& list, const std::vector<Added>& added) {
  REQUIRE(list.size() == added.size());
  for (size_t i = 0; i < added.size(); i++) {
    const KeyBytes key = list.key(i);
    REQUIRE(IndexKey(key.begin(), key.end()) == added[i].first);
    REQUIRE(list.value(i) == added[i].second);
    REQUIRE(list.allocated_bytes() <= list.reserved_bytes());
  }
}

TEST_CASE("a list of entries keeps a small part of the limit, and no memory that is not reserved",
          "[storage][index]") {
  Lists lists(size_t{16} << 20);
  const size_t index_bytes = lists.memory.used_bytes();
  {
    IndexEntryList list(lists.index, lists.memory, lists.storage);
    std::vector<Added> added;
    // Ten times the limit's part for a list, which is 128 KiB.
    Fill(list, added, 30'000);
    // The part, the page that is being filled, and the one after which it spills.
    CHECK(list.reserved_bytes() <= 3 * (size_t{128} << 10));
    CHECK(lists.storage->used_bytes() != 0);
    CompareAll(list, added);
    for (size_t i = 0; i < added.size(); i += 3) {
      list.SetValue(i, i + 5);
      added[i].second = i + 5;
    }
    CompareAll(list, added);
    // The other way, as a rollback reads it.
    for (size_t i = added.size(); i-- > 0;) REQUIRE(list.value(i) == added[i].second);
    list.FreeReadPage();
    CompareAll(list, added);
    // Entries that are added after a reading come behind the rest.
    Fill(list, added, 5'000);
    CompareAll(list, added);
  }
  CHECK(lists.memory.used_bytes() == index_bytes);
  CHECK(lists.storage->used_bytes() == 0);
}

TEST_CASE("a list of entries that is spilled keeps almost nothing in memory", "[storage][index]") {
  Lists lists(size_t{1} << 30);
  IndexEntryList list(lists.index, lists.memory, lists.storage);
  std::vector<Added> added;
  for (int statement = 0; statement < 3; statement++) {
    Fill(list, added, 1'000);
    list.Spill();
    CHECK(list.reserved_bytes() < 2048);
    CHECK(list.allocated_bytes() <= list.reserved_bytes());
  }
  CompareAll(list, added);
  list.SetValue(0, 77);
  added[0].second = 77;
  list.Spill();
  CHECK(list.reserved_bytes() < 2048);
  CompareAll(list, added);
  // Few entries are not worth a slot of temporary storage.
  IndexEntryList few(lists.index, lists.memory, lists.storage);
  few.Add(KeyOf(1), 1);
  const size_t spilled_bytes = lists.storage->used_bytes();
  few.Spill();
  CHECK(lists.storage->used_bytes() == spilled_bytes);
  CHECK(few.value(0) == 1);
}

TEST_CASE("a list of entries without temporary storage stays in memory", "[storage][index]") {
  Lists lists(size_t{16} << 20);
  IndexEntryList list(lists.index, lists.memory);
  std::vector<Added> added;
  Fill(list, added, 30'000);
  list.Spill();
  CHECK(list.PageEnd(0) == added.size());
  CompareAll(list, added);
  CHECK_FALSE(list.has_local());
  list.Add(KeyOf(0), IndexValue::OfLocal(1, kFirstLocalRow));
  CHECK(list.has_local());
}

TEST_CASE("a list of entries is read where no memory is left", "[storage][index]") {
  Lists lists(size_t{16} << 20);
  IndexEntryList list(lists.index, lists.memory, lists.storage);
  std::vector<Added> added;
  Fill(list, added, 10'000);
  list.Spill();
  MemoryReservation others(lists.memory);
  others.Resize(lists.memory.free_bytes());
  CompareAll(list, added);
  list.FreeReadPage();
  CHECK(lists.memory.free_bytes() == 0);
  // A rollback's permission to exceed the limit is not narrowed.
  const MemoryAdvance advance(lists.memory, SIZE_MAX / 2);
  CompareAll(list, added);
}

}  // namespace
}  // namespace scaup::test
