// Indexes in the file against an ordered set of entries: checkpoints, opening, little memory, damage,
// threads.
#include "storage/index/ordered_index.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <thread>

#include "common/sqlstate.hpp"
#include "radix_fixture.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "storage/index/index_checkpoint.hpp"

namespace scaup::test {
namespace {

const std::string kPath = "x.scaup";

bool IsCommitted(uint64_t value) { return (value & kPending) == 0; }

struct Database {
  explicit Database(size_t memory_bytes = size_t{1} << 30) : memory(memory_bytes) {
    store->SetTemporaryStorage([storage = temporary] { return storage; });
  }

  // As a checkpoint of the whole database does. Returns the place as it comes back from its bytes.
  IndexPlace Checkpoint(
      OrderedIndex& index, const std::function<void()>& meanwhile = [] {},
      const std::function<bool(uint64_t)>& leaves_block = nullptr) {
    const uint64_t failed_syncs = store->file().failed_syncs();
    IndexCheckpoint checkpoint(index, IsCommitted);
    StreamWriter data(store->file(), memory, 1, false), directories(store->file(), memory, 1, false);
    checkpoint.WriteParts(data, 0, leaves_block);
    data.Finish();
    meanwhile();
    checkpoint.WriteDirectory(data, directories);
    directories.Finish();
    const IndexPlace place = checkpoint.Finish(directories);
    store->file().SyncSince(failed_syncs);
    store->file().SwitchTo({}, place.block_ids);
    written_bytes = data.size_bytes();
    checkpoint.Install();
    ByteWriter writer;
    place.Write(writer);
    ByteReader reader(writer.bytes(), "test");
    IndexPlace read = IndexPlace::Read(reader);
    reader.ExpectEnd("place");
    return read;
  }

  SimulatedFileSystem files;
  MemoryTracker memory;
  std::shared_ptr<TemporaryStorage> temporary = std::make_shared<TemporaryStorage>(files, "temporary", 0);
  std::shared_ptr<BlockStore> store =
      std::make_shared<BlockStore>(DatabaseFile::Create(files, kPath), memory);
  uint64_t written_bytes = 0;
};

std::vector<Entry> EntriesOf(const OrderedIndex& index, KeyRange range, bool descending,
                             size_t batch_size = 300) {
  OrderedIndexScan scan(index, std::move(range), descending);
  std::vector<Entry> entries;
  IndexBatch batch;
  while (scan.Next(batch_size, true, batch)) {
    for (size_t i = 0; i < batch.values.size(); i++)
      entries.push_back({{batch.key(i).begin(), batch.key(i).end()}, batch.values[i]});
  }
  return entries;
}

void CompareWhole(const OrderedIndex& index, const Model& model) {
  const std::vector<Entry> expected(model.begin(), model.end());
  CHECK(index.size() == expected.size());
  CHECK(EntriesOf(index, {}, false) == expected);
  CHECK(EntriesOf(index, {}, true) == std::vector<Entry>(expected.rbegin(), expected.rend()));
}

IndexKey NumberKey(uint64_t number) {
  IndexKey key;
  const Value value = Value::BigInt(static_cast<int64_t>(number));
  IndexKeyEncoder({TypeId::kBigInt}).Append({&value, 1}, key);
  return key;
}

// Many keys at once, some in order, against one by one.
void CompareLookups(Random& random, const OrderedIndex& index, uint64_t key_count) {
  std::vector<IndexKey> keys;
  for (uint64_t i = 0; i < 100; i++) {
    const uint64_t number = Chance(random, 50) ? i : Below(random, key_count);
    keys.push_back(NumberKey(number * number + (Chance(random, 10) ? 1 : 0)));
  }
  std::vector<uint64_t> values, expected;
  std::vector<size_t> ends, expected_ends;
  index.LookupMany(std::vector<KeyBytes>(keys.begin(), keys.end()), values, ends);
  for (const IndexKey& key : keys) {
    index.Lookup(key, expected);
    expected_ends.push_back(expected.size());
  }
  CHECK(values == expected);
  CHECK(ends == expected_ends);
}

Model Committed(const Model& model) {
  Model committed;
  for (const Entry& entry : model) {
    if (IsCommitted(entry.second)) committed.insert(entry);
  }
  return committed;
}

TEST_CASE("an index is built in the file, changed, written and opened", "[ordered_index]") {
  Random random(17);
  for (const size_t entry_count : {0, 1, 100, 50'000}) {
    Database database(size_t{4} << 20);
    Model model;
    for (size_t i = 0; i < entry_count; i++) model.insert({NumberKey(Below(random, entry_count)), i});
    auto entry = model.begin();
    const auto next = [&](KeyBytes& key, uint64_t& value) {
      if (entry == model.end()) return false;
      key = entry->first;
      value = entry->second;
      ++entry;
      return true;
    };
    OrderedIndex index(database.store, database.memory);
    index.BuildInFile(next);
    CHECK(index.HasChanges());
    CompareWhole(index, model);
    // Its blocks stay in use though no checkpoint refers to them: others are written elsewhere.
    OrderedIndex other(database.store, database.memory);
    for (uint64_t number = 0; number < 2'000; number++) other.Insert(NumberKey(number), number);
    database.Checkpoint(other);
    for (uint64_t number = 0; number < 300; number++) {
      const uint64_t value = 1'000'000 + number;
      index.Insert(NumberKey(number * 101), value);
      model.insert({NumberKey(number * 101), value});
    }
    CompareWhole(index, model);
    const IndexPlace place = database.Checkpoint(index);
    CHECK(!index.HasChanges());
    CompareWhole(index, model);
    CompareWhole(OrderedIndex(database.store, place), model);
  }
}

TEST_CASE("an empty index is written and opened", "[ordered_index]") {
  Database database;
  OrderedIndex index(database.store, database.memory);
  CHECK(index.HasChanges());
  const IndexPlace place = database.Checkpoint(index);
  CHECK_FALSE(index.HasChanges());
  CHECK(place.entry_count == 0);
  OrderedIndex opened(database.store, place);
  CompareWhole(opened, {});
  CHECK_FALSE(opened.HasChanges());
  opened.Insert(NumberKey(1), 2);
  CHECK(opened.HasChanges());
  CompareWhole(opened, {{NumberKey(1), 2}});
}

TEST_CASE("an index without a store", "[ordered_index]") {
  MemoryTracker memory(size_t{1} << 30);
  OrderedIndex index(nullptr, memory);
  index.Insert(NumberKey(1), 2);
  index.Insert(NumberKey(1), kPending);
  CHECK(index.Replace(NumberKey(1), kPending, 2));
  CHECK(index.size() == 1);
  CHECK(index.Erase(NumberKey(1), 2));
  CompareWhole(index, {});
}

TEST_CASE("an index does what a set of entries does, through checkpoints and openings", "[ordered_index]") {
  // With little memory most parts are read again and again.
  const size_t memory_bytes = GENERATE(size_t{1} << 30, size_t{5} << 19);
  const uint64_t key_count = GENERATE(uint64_t{10'000}, uint64_t{500});
  Random random(memory_bytes + key_count);
  Database database(memory_bytes);
  auto index = std::make_unique<OrderedIndex>(database.store, database.memory);
  Model model;
  const auto change = [&](int count) {
    // Around one place, so that some parts do not change.
    const uint64_t around = Below(random, key_count);
    for (int i = 0; i < count; i++) {
      const uint64_t number = (around + Below(random, key_count / 8)) % key_count;
      const Entry entry{NumberKey(number * number), Below(random, 3) | (Chance(random, 3) ? kPending : 0)};
      const size_t what = Below(random, 10);
      if (what == 0) {
        const bool is_there = model.erase(entry) != 0;
        const uint64_t committed = Below(random, 3);
        REQUIRE(index->Replace(entry.first, entry.second, committed) == is_there);
        if (is_there) model.insert({entry.first, committed});
      } else if (what < 4) {
        REQUIRE(index->Erase(entry.first, entry.second) == (model.erase(entry) != 0));
      } else {
        REQUIRE(index->Insert(entry.first, entry.second) == model.insert(entry).second);
      }
    }
  };
  for (uint64_t i = 0; i < key_count; i++) {
    index->Insert(NumberKey(i * i), 7);
    model.insert({NumberKey(i * i), 7});
  }
  for (int round = 0; round < 6; round++) {
    change(1500);
    const size_t kind = Below(random, 3);
    const Model written = Committed(model);
    // Changes of entries that are not committed come while it is written.
    const IndexPlace place = database.Checkpoint(*index, [&] {
      if (kind != 0) return;
      for (int i = 0; i < 200; i++) {
        const Entry entry{NumberKey(Below(random, key_count * key_count)), kPending | Below(random, 3)};
        if (model.insert(entry).second) REQUIRE(index->Insert(entry.first, entry.second));
      }
    });
    CHECK(place.entry_count == written.size());
    CompareWhole(*index, model);
    if (kind == 1) {
      // What has been opened has what was committed.
      index = std::make_unique<OrderedIndex>(database.store, place);
      model = written;
      CHECK_FALSE(index->HasChanges());
      CompareWhole(*index, model);
      CHECK(index->HasChanges() == false);
    } else {
      CompareWhole(OrderedIndex(database.store, place), written);
    }
    CompareLookups(random, *index, key_count);
    for (int i = 0; i < 20; i++) {
      KeyRange range{NumberKey(Below(random, key_count * key_count)),
                     NumberKey(Below(random, key_count * key_count))};
      std::vector<Entry> expected;
      for (auto entry = model.lower_bound({range.lower, 0});
           entry != model.end() && entry->first < *range.upper; ++entry)
        expected.push_back(*entry);
      REQUIRE(EntriesOf(*index, range, false, 1 + Below(random, 500)) == expected);
      std::reverse(expected.begin(), expected.end());
      REQUIRE(EntriesOf(*index, range, true, 1 + Below(random, 500)) == expected);
      const IndexKey key = NumberKey(Below(random, key_count) * Below(random, key_count));
      std::vector<uint64_t> values, wanted;
      index->Lookup(key, values);
      for (auto entry = model.lower_bound({key, 0}); entry != model.end() && entry->first == key; ++entry)
        wanted.push_back(entry->second);
      REQUIRE(values == wanted);
      REQUIRE(index->Contains(key) == !wanted.empty());
    }
  }
  if (key_count > 1000) CHECK(index->part_count() > 2);
  // Until nothing is left.
  for (const Entry& entry : model) REQUIRE(index->Erase(entry.first, entry.second));
  const IndexPlace place = database.Checkpoint(*index);
  CHECK(place.entry_count == 0);
  CHECK(index->part_count() == 1);
  CompareWhole(OrderedIndex(database.store, place), {});
  index.reset();
  CHECK(database.store->metadata().size_bytes() == 0);
}

TEST_CASE("changes that exceed memory are spilled", "[ordered_index]") {
  // The entries of 300,000 keys take some 15 MB.
  Database database(size_t{3} << 20);
  OrderedIndex index(database.store, database.memory);
  Model model;
  Random random(5);
  constexpr uint64_t kCount = 300'000;
  const bool is_in_order = GENERATE(true, false);
  const uint64_t count = is_in_order ? kCount : 40'000;
  for (uint64_t i = 0; i < count; i++) {
    const IndexKey key = NumberKey(is_in_order ? i : Below(random, kCount));
    if (model.insert({key, kPending | i}).second) REQUIRE(index.Insert(key, kPending | i));
  }
  CHECK(database.temporary->used_bytes() > 0);
  CHECK(database.store->changed_index_bytes() < size_t{1} << 20);
  CompareWhole(index, model);
  // Parts that grow at random places are halved, so none becomes tiny.
  CHECK(index.part_count() <= model.size() / 300);
  // None is committed, so the file gets none, and they stay as they are.
  CHECK(database.Checkpoint(index).entry_count == 0);
  CompareWhole(index, model);
  // As a commit does, in another order than that of the keys.
  Model committed;
  for (const Entry& entry : model) committed.insert({entry.first, entry.second & ~kPending});
  std::vector<Entry> entries(model.begin(), model.end());
  if (!is_in_order) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.second < b.second; });
  }
  for (const Entry& entry : entries)
    REQUIRE(index.Replace(entry.first, entry.second, entry.second & ~kPending));
  CompareWhole(index, committed);
  CHECK(index.HasChanges());
  const IndexPlace place = database.Checkpoint(index);
  CHECK(place.entry_count == committed.size());
  CHECK_FALSE(index.HasChanges());
  CHECK(database.temporary->used_bytes() == 0);
  CHECK(database.store->changed_index_bytes() == 0);
  CompareWhole(index, committed);
  CompareWhole(OrderedIndex(database.store, place), committed);
}

TEST_CASE("changes that cannot be spilled are refused, and nothing is lost", "[ordered_index]") {
  Database database(size_t{2} << 20);
  database.temporary->SetMaxBytes(size_t{64} << 10);
  OrderedIndex index(database.store, database.memory);
  Model model;
  uint64_t number = 0;
  const auto fill = [&] {
    while (number < 1'000'000) {
      index.Insert(NumberKey(number), number);
      model.insert({NumberKey(number), number});
      number++;
    }
  };
  CHECK_THROWS_AS(fill(), Error);
  CHECK(number > 1000);
  CompareWhole(index, model);
  for (uint64_t i = 0; i < number; i++) REQUIRE(index.Erase(NumberKey(i), i));
  CompareWhole(index, {});
}

TEST_CASE("a checkpoint writes only the parts that have changed", "[ordered_index]") {
  Database database;
  OrderedIndex index(database.store, database.memory);
  for (uint64_t i = 0; i < 100'000; i++) index.Insert(NumberKey(i * 1000), i);
  database.Checkpoint(index);
  const uint64_t all_bytes = database.written_bytes;
  CHECK(index.part_count() > 20);
  CHECK(index.part_count() < 200);
  CHECK_FALSE(index.HasChanges());
  const size_t part_count = index.part_count();
  index.Insert(NumberKey(500'500), 1);
  CHECK(index.HasChanges());
  database.Checkpoint(index);
  CHECK(database.written_bytes < all_bytes / 10);
  CHECK(index.part_count() <= part_count + 1);
  // Entries that are not committed are kept, and written when they are.
  index.Insert(NumberKey(500'501), kPending | 5);
  database.Checkpoint(index);
  CHECK(index.HasChanges());
  CHECK(index.Replace(NumberKey(500'501), kPending | 5, 77));
  const IndexPlace place = database.Checkpoint(index);
  CHECK_FALSE(index.HasChanges());
  std::vector<uint64_t> values;
  OrderedIndex(database.store, place).Lookup(NumberKey(500'501), values);
  CHECK(values == std::vector<uint64_t>{77});
}

TEST_CASE("blocks of which little is used become free", "[ordered_index]") {
  Database database;
  OrderedIndex index(database.store, database.memory);
  Random random(4);
  Model model;
  for (uint64_t i = 0; i < 100'000; i++) {
    index.Insert(NumberKey(i * 1000), i);
    model.insert({NumberKey(i * 1000), i});
  }
  database.Checkpoint(index);
  const uint64_t first_bytes = database.written_bytes;
  IndexPlace place;
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < 5; i++) {
      const Entry entry{NumberKey(Below(random, 100'000'000)), 1};
      if (model.insert(entry).second) index.Insert(entry.first, entry.second);
    }
    place = database.Checkpoint(index);
    CHECK(place.block_ids.size() * kFileBlockBytes < 3 * first_bytes + 4 * kFileBlockBytes);
  }
  CompareWhole(index, model);
  // A vacuum names blocks that shall be left.
  const std::vector<uint64_t> before = place.block_ids;
  place = database.Checkpoint(
      index, [] {}, [](uint64_t) { return true; });
  for (const uint64_t block_id : place.block_ids)
    CHECK_FALSE(std::binary_search(before.begin(), before.end(), block_id));
  CompareWhole(index, model);
  CompareWhole(OrderedIndex(database.store, place), model);
}

TEST_CASE("a checkpoint that is given up leaves the index as it was", "[ordered_index]") {
  Database database;
  OrderedIndex index(database.store, database.memory);
  Model model;
  for (uint64_t i = 0; i < 5000; i++) {
    index.Insert(NumberKey(i), i);
    model.insert({NumberKey(i), i});
  }
  {
    IndexCheckpoint checkpoint(index, IsCommitted);
    StreamWriter data(database.store->file(), database.memory, 1, false);
    checkpoint.WriteParts(data, 0, nullptr);
  }
  CHECK(index.HasChanges());
  CompareWhole(index, model);
  CHECK(database.store->file().allocator().free_count() ==
        database.store->file().allocator().end_block() - 2);
}

TEST_CASE("calls that fail leave the index as it was", "[ordered_index]") {
  Random random(77);
  Database database(size_t{2} << 20);
  auto index = std::make_unique<OrderedIndex>(database.store, database.memory);
  Model model, written;
  for (uint64_t i = 0; i < 20'000; i++) {
    index->Insert(NumberKey(i), 3);
    model.insert({NumberKey(i), 3});
  }
  IndexPlace place = database.Checkpoint(*index);
  written = model;
  int failed_checkpoints = 0, failed_lookups = 0;
  for (int round = 0; round < 60; round++) {
    database.files.ClearFaults();
    const uint64_t around = Below(random, 20'000);
    for (int i = 0; i < 200; i++) {
      const Entry entry{NumberKey(around + Below(random, 300)),
                        Below(random, 3) | (Chance(random, 5) ? kPending : 0)};
      if (Chance(random, 30)) {
        REQUIRE(index->Erase(entry.first, entry.second) == (model.erase(entry) != 0));
      } else {
        REQUIRE(index->Insert(entry.first, entry.second) == model.insert(entry).second);
      }
    }
    const FaultKind fault = Chance(random, 50) ? FaultKind::kError : FaultKind::kPartialError;
    database.files.FailAt(database.files.call_count() + 1 + Below(random, 12), fault);
    try {
      place = database.Checkpoint(*index);
      written = Committed(model);
    } catch (const Error&) {
      failed_checkpoints++;
    }
    // Reads may fail; then they do nothing. What can be read again is dropped before.
    database.memory.SetLimit(1);
    database.memory.SetLimit(size_t{2} << 20);
    database.files.ClearFaults();
    database.files.FailNext(CallKind::kRead, FaultKind::kError);
    for (int i = 0; i < 20; i++) {
      const Entry entry{NumberKey(Below(random, 20'000)), 2};
      try {
        if (Chance(random, 50)) {
          const auto next = model.lower_bound({entry.first, 0});
          const bool is_there = index->Contains(entry.first);
          REQUIRE(is_there == (next != model.end() && next->first == entry.first));
        } else if (index->Insert(entry.first, entry.second)) {
          REQUIRE(model.insert(entry).second);
        }
      } catch (const Error&) {
        failed_lookups++;
      }
    }
    database.files.ClearFaults();
    database.store->file().EnsureHeader();
    if (round % 10 == 0) {
      CompareWhole(*index, model);
      CompareWhole(OrderedIndex(database.store, place), written);
    }
    if (round % 20 == 19) {
      index = std::make_unique<OrderedIndex>(database.store, place);
      model = written;
    }
  }
  CHECK(failed_checkpoints > 8);
  CHECK(failed_lookups > 0);
  CompareWhole(*index, model);
}

TEST_CASE("damage to an index is found", "[ordered_index]") {
  Database database;
  IndexPlace place;
  {
    OrderedIndex index(database.store, database.memory);
    for (uint64_t i = 0; i < 20'000; i++) index.Insert(NumberKey(i), i);
    place = database.Checkpoint(index);
  }
  IndexPlace wrong = place;
  wrong.block_ids.pop_back();
  CHECK_THROWS_AS(OrderedIndex(database.store, wrong), Error);
  wrong = place;
  wrong.entry_count++;
  CHECK_THROWS_AS(OrderedIndex(database.store, wrong), Error);
  // Another part in the place of a part: the number of entries, or the bytes, do not fit.
  wrong = place;
  wrong.directory[0].offset++;
  wrong.directory[0].size_bytes--;
  CHECK_THROWS_AS(OrderedIndex(database.store, wrong), Error);
}

TEST_CASE("parts with long keys that share much", "[ordered_index]") {
  Database database;
  OrderedIndex index(database.store, database.memory);
  Model model;
  for (int i = 0; i < 30; i++) {
    IndexKey key(100'000, std::byte{5});
    key[99'000 + static_cast<size_t>(i)] = std::byte{9};
    key.push_back(std::byte{0});
    index.Insert(key, 1);
    model.insert({key, 1});
  }
  const IndexPlace place = database.Checkpoint(index);
  // No more than five in a part, which share almost all of their bytes.
  CHECK(index.part_count() >= 6);
  CompareWhole(index, model);
  CompareWhole(OrderedIndex(database.store, place), model);
}

TEST_CASE("an index is read and changed while checkpoints are made", "[ordered_index]") {
  // With less memory, changed parts are spilled all the time.
  Database database(GENERATE(size_t{8} << 20, size_t{5} << 19));
  OrderedIndex index(database.store, database.memory);
  constexpr uint64_t kStays = 20'000;
  for (uint64_t i = 0; i < kStays; i++) index.Insert(NumberKey(2 * i), i);
  std::atomic<bool> stop{false}, failed{false};
  std::thread writer([&] {
    Random random(1);
    while (!stop) {
      const IndexKey key = NumberKey(2 * Below(random, kStays) + 1);
      index.Insert(key, kPending);
      if (Chance(random, 70)) index.Erase(key, kPending);
    }
  });
  std::thread reader([&] {
    IndexBatch batch;
    for (int i = 0; !stop; i++) {
      OrderedIndexScan scan(index, {}, i % 2 == 0);
      uint64_t found = 0;
      while (scan.Next(500, false, batch))
        found += static_cast<uint64_t>(std::count_if(batch.values.begin(), batch.values.end(), IsCommitted));
      if (found != kStays) failed = true;
      for (uint64_t k = 0; k < 100; k++) {
        if (!index.Contains(NumberKey(2 * ((k * 997 + static_cast<uint64_t>(i)) % kStays)))) failed = true;
      }
    }
  });
  for (int i = 0; i < 5; i++) {
    const IndexPlace place = database.Checkpoint(index);
    if (place.entry_count != kStays) failed = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  stop = true;
  writer.join();
  reader.join();
  CHECK_FALSE(failed);
  CHECK(index.part_count() > 5);
}

}  // namespace
}  // namespace scaup::test
