// The radix tree against an ordered set of entries: every operation, little memory, long keys, threads.
#include "storage/index/radix_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <catch2/catch.hpp>

#include "common/sqlstate.hpp"
#include "radix_fixture.hpp"
#include "scaup/error.hpp"

namespace scaup::test {
namespace {

constexpr size_t kPlenty = size_t{1} << 30;

TEST_CASE("an empty radix tree has nothing", "[radix]") {
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  const IndexKey key = KeyOf("a\xff");
  std::vector<uint64_t> values;
  tree.Lookup(key, values);
  CHECK(values.empty());
  CHECK_FALSE(tree.Contains(key));
  CHECK_FALSE(tree.Erase(key, 1));
  CHECK_FALSE(tree.Replace(key, 1, 2));
  CHECK(tree.size() == 0);
  CHECK(memory.used_bytes() == 0);
  CHECK(EntriesOf(tree, {}, false).empty());
  CHECK(EntriesOf(tree, {}, true).empty());
}

TEST_CASE("a radix tree says what a key had before", "[radix]") {
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  const IndexKey key = KeyOf("key");
  std::vector<uint64_t> present{7};
  CHECK(tree.Insert(key, 3, &present));
  CHECK(present.empty());
  CHECK(tree.Insert(key, kPending | 1, &present));
  CHECK(present == std::vector<uint64_t>{3});
  CHECK_FALSE(tree.Insert(key, 3, &present));
  CHECK(present == std::vector<uint64_t>{3, kPending | 1});
  CHECK(tree.Replace(key, kPending | 1, 2));
  std::vector<uint64_t> values;
  tree.Lookup(key, values);
  CHECK(values == std::vector<uint64_t>{2, 3});
  CHECK(tree.Replace(key, 2, 3));
  CHECK(tree.size() == 1);
  CHECK_FALSE(tree.Insert(key, 3, &present));
  CHECK(present == std::vector<uint64_t>{3});
}

// Few letters and short keys, so that nodes of every kind grow and shrink and keys share beginnings.
IndexKey RandomKey(Random& random, int alphabet, size_t most_length) {
  IndexKey key;
  const size_t length = Below(random, most_length);
  for (size_t i = 0; i < length; i++)
    key.push_back(static_cast<std::byte>(1 + Below(random, static_cast<uint64_t>(alphabet))));
  // Nothing else is zero, so that no key begins another one.
  key.push_back(std::byte{0});
  return key;
}

void CompareWhole(const RadixTree& tree, const Model& model) {
  CHECK(tree.size() == model.size());
  const std::vector<Entry> expected(model.begin(), model.end());
  CHECK(EntriesOf(tree, {}, false) == expected);
  CHECK(EntriesOf(tree, {}, true) == std::vector<Entry>(expected.rbegin(), expected.rend()));
}

TEST_CASE("a radix tree does what a set of entries does", "[radix]") {
  Random random(17);
  for (const auto& [alphabet, most_length, value_count] :
       {std::tuple{255, 3, 4}, {2, 40, 2}, {20, 4, 30}, {60, 3, 1}, {1, 30, 300}}) {
    MemoryTracker memory(kPlenty);
    {
      RadixTree tree(memory);
      Model model;
      for (int phase = 0; phase < 8; phase++) {
        const bool grows = phase % 2 == 0;
        for (int step = 0; step < 3000; step++) {
          IndexKey key = RandomKey(random, alphabet, most_length);
          // Now and then one that is there.
          const auto near = model.lower_bound({key, 0});
          if (Below(random, 4) == 0 && near != model.end()) key = near->first;
          const uint64_t bit = Below(random, 3) == 0 ? kPending : 0;
          const uint64_t value = Below(random, static_cast<uint64_t>(value_count)) | bit;
          const uint64_t what = Below(random, 10);
          if (what == 0) {
            std::vector<uint64_t> values, expected;
            tree.Lookup(key, values);
            for (auto it = model.lower_bound({key, 0}); it != model.end() && it->first == key; ++it)
              expected.push_back(it->second);
            REQUIRE(values == expected);
            REQUIRE(tree.Contains(key) == !expected.empty());
          } else if (what == 1) {
            const uint64_t committed = Below(random, static_cast<uint64_t>(value_count));
            const bool is_there = model.erase({key, value}) != 0;
            REQUIRE(tree.Replace(key, value, committed) == is_there);
            if (is_there) model.insert({key, committed});
          } else if ((what < 8) == grows) {
            REQUIRE(tree.Insert(key, value) == model.insert({key, value}).second);
          } else {
            REQUIRE(tree.Erase(key, value) == (model.erase({key, value}) != 0));
          }
        }
        CompareWhole(tree, model);
      }
      // Ranges, whose ends need not be keys.
      for (int i = 0; i < 60; i++) {
        KeyRange range{RandomKey(random, alphabet, most_length), RandomKey(random, alphabet, most_length)};
        range.lower.resize(Below(random, range.lower.size() + 1));
        range.upper->resize(Below(random, range.upper->size() + 1));
        if (Below(random, 4) == 0) range.upper.reset();
        std::vector<Entry> expected;
        for (const Entry& entry : model) {
          if (entry.first >= range.lower && (!range.upper || entry.first < *range.upper))
            expected.push_back(entry);
        }
        REQUIRE(EntriesOf(tree, range, false, 1 + Below(random, 20)) == expected);
        REQUIRE(CountEntries(tree, range, 10) == std::min<size_t>(expected.size(), 10));
        std::reverse(expected.begin(), expected.end());
        REQUIRE(EntriesOf(tree, range, true, 1 + Below(random, 20)) == expected);
      }
      while (!model.empty()) {
        const Entry entry = *model.begin();
        model.erase(model.begin());
        REQUIRE(tree.Erase(entry.first, entry.second));
      }
      CHECK(tree.size_bytes() == 0);
    }
    CHECK(memory.used_bytes() == 0);
  }
}

TEST_CASE("a tree built from sorted entries is as one made by inserts", "[radix]") {
  Random random(5);
  for (const auto& [alphabet, most_length] : {std::pair{255, 3}, {3, 30}, {40, 4}}) {
    MemoryTracker memory(kPlenty);
    RadixTree tree(memory);
    Model model;
    for (int i = 0; i < 5000; i++) model.insert({RandomKey(random, alphabet, most_length), Below(random, 5)});
    std::vector<RadixEntry> entries;
    for (const Entry& entry : model) entries.push_back({entry.first, entry.second});
    tree.Build(entries);
    CompareWhole(tree, model);
    for (int i = 0; i < 5000; i++) {
      const Entry entry{RandomKey(random, alphabet, most_length), Below(random, 5)};
      if (Below(random, 2) == 0) {
        REQUIRE(tree.Insert(entry.first, entry.second) == model.insert(entry).second);
      } else {
        REQUIRE(tree.Erase(entry.first, entry.second) == (model.erase(entry) != 0));
      }
    }
    CompareWhole(tree, model);
  }
}

TEST_CASE("a key with many values", "[radix]") {
  // Erased from the front, from the back, and anywhere; none of it may move them all each time.
  const int way = GENERATE(0, 1, 2);
  Random random(6);
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  const IndexKey key = KeyOf("key");
  Model model;
  constexpr uint64_t kValues = 30'000;
  for (uint64_t i = 0; i < kValues; i++) {
    REQUIRE(tree.Insert(key, kPending | i));
    REQUIRE(tree.Replace(key, kPending | i, i));
  }
  for (uint64_t i = 0; i < kValues; i++) model.insert({key, i});
  for (uint64_t i = 0; i < kValues; i++) {
    if (way == 2 && i == 10'000) break;
    const uint64_t value = way == 0 ? i : way == 1 ? kValues - 1 - i : Below(random, kValues);
    REQUIRE(tree.Erase(key, value) == (model.erase({key, value}) != 0));
    // A queue: one goes, one comes.
    if (way == 0 && i < kValues / 2) {
      REQUIRE(tree.Insert(key, kValues + i));
      model.insert({key, kValues + i});
    }
    if (i % 10'000 == 7) CompareWhole(tree, model);
  }
  CompareWhole(tree, model);
}

TEST_CASE("keys of a megabyte", "[radix]") {
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  Random random(3);
  Model model;
  const IndexKey base(1 << 20, std::byte{7});
  for (int i = 0; i < 12; i++) {
    IndexKey key = base;
    key.resize(key.size() - Below(random, 1000));
    key[Below(random, key.size())] = std::byte{9};
    key.push_back(std::byte{0});
    model.insert({key, Below(random, 9)});
  }
  for (const Entry& entry : model) REQUIRE(tree.Insert(entry.first, entry.second));
  CompareWhole(tree, model);
  for (int i = 0; i < 6; i++) {
    REQUIRE(tree.Erase(model.begin()->first, model.begin()->second));
    model.erase(model.begin());
  }
  CompareWhole(tree, model);
}

TEST_CASE("a tree as deep as its keys are long", "[radix]") {
  MemoryTracker memory(kPlenty);
  {
    RadixTree tree(memory);
    IndexKey key;
    std::vector<IndexKey> keys;
    for (size_t length = 0; length < 3000; length++) {
      keys.push_back(key);
      keys.back().push_back(std::byte{0});
      tree.Insert(keys.back(), length);
      key.push_back(std::byte{1});
    }
    CHECK(EntriesOf(tree, {}, true).size() == keys.size());
    for (size_t i = 0; i < keys.size(); i += 2) REQUIRE(tree.Erase(keys[i], i));
    CHECK(EntriesOf(tree, {}, false).size() == keys.size() / 2);
  }
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("an insert for which memory is missing changes nothing", "[radix]") {
  Random random(23);
  MemoryTracker memory(60'000);
  RadixTree tree(memory);
  Model model;
  int failures = 0;
  for (int step = 0; step < 20'000; step++) {
    const IndexKey key = RandomKey(random, 30, 12);
    const uint64_t value = Below(random, 3);
    if (Below(random, 4) == 0) {
      const auto entry = model.lower_bound({key, 0});
      if (entry == model.end()) continue;
      REQUIRE(tree.Erase(entry->first, entry->second));
      model.erase(entry);
      continue;
    }
    try {
      const bool is_new = tree.Insert(key, value);
      REQUIRE(is_new == model.insert({key, value}).second);
    } catch (const Error& error) {
      REQUIRE(std::string(error.sqlstate()) == "53200");
      REQUIRE(model.count({key, value}) == 0);
      failures++;
    }
    REQUIRE(memory.used_bytes() <= 60'000);
    if (step % 2000 == 0) CompareWhole(tree, model);
  }
  CHECK(failures > 1000);
  CompareWhole(tree, model);
  std::vector<RadixEntry> entries;
  IndexKey key;
  for (const Entry& entry : model) entries.push_back({entry.first, entry.second});
  RadixTree copy(memory);
  const size_t used_bytes = memory.used_bytes();
  CHECK_THROWS_AS(copy.Build(entries), Error);
  CHECK(copy.size() == 0);
  CHECK(copy.size_bytes() == 0);
  CHECK(memory.used_bytes() <= used_bytes + 65'536);
}

TEST_CASE("readers and writers of a radix tree at the same time", "[radix]") {
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  // What stays is always found; the rest comes and goes.
  std::vector<IndexKey> stays;
  for (uint32_t i = 0; i < 200; i++) {
    stays.push_back({std::byte{1}, static_cast<std::byte>(i), std::byte{0}});
    tree.Insert(stays.back(), i);
  }
  std::atomic<bool> failed{false};
  const auto write = [&](uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 3000; i++) {
      const IndexKey key = {std::byte{1}, static_cast<std::byte>(Below(random, 256)),
                            static_cast<std::byte>(1 + seed), static_cast<std::byte>(Below(random, 20))};
      if (Below(random, 2) == 0) {
        tree.Insert(key, kPending | seed);
        if (Below(random, 2) == 0) tree.Replace(key, kPending | seed, 1000 + seed);
      } else {
        tree.Erase(key, 1000 + seed);
        tree.Erase(key, kPending | seed);
      }
    }
  };
  const auto read = [&] {
    IndexBatch batch;
    for (int i = 0; i < 20; i++) {
      RadixScan scan({}, i % 2 == 0);
      uint64_t found = 0;
      while (scan.Next(tree, 50, true, batch)) {
        for (const uint64_t value : batch.values) found += value < 1000 ? 1 : 0;
      }
      if (found != stays.size()) failed = true;
      for (const IndexKey& key : stays) {
        if (!tree.Contains(key)) failed = true;
      }
    }
  };
  std::thread first(write, 1), second(write, 2), third(read);
  read();
  first.join();
  second.join();
  third.join();
  CHECK_FALSE(failed);
}

TEST_CASE("of two threads that insert the same key one sees the other", "[radix]") {
  MemoryTracker memory(kPlenty);
  RadixTree tree(memory);
  constexpr uint64_t kKeys = 2000;
  std::array<std::atomic<int>, kKeys> winners{};
  const auto insert = [&](uint64_t value) {
    std::vector<uint64_t> present;
    for (uint64_t i = 0; i < kKeys; i++) {
      const IndexKey key = {static_cast<std::byte>(i >> 8), static_cast<std::byte>(i)};
      tree.Insert(key, value, &present);
      if (present.empty()) winners[i]++;
    }
  };
  std::thread other(insert, 1);
  insert(2);
  other.join();
  CHECK(std::all_of(winners.begin(), winners.end(), [](const auto& count) { return count == 1; }));
}

}  // namespace
}  // namespace scaup::test
