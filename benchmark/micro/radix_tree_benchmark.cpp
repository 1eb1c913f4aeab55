// The radix tree: lookups, inserts, scans and bytes per key, with a million random integers, and strings of
// 24 bytes that share their beginnings.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>

#include "common/file/file_system.hpp"
#include "storage/index/index_checkpoint.hpp"

namespace scaup {
namespace {

constexpr size_t kKeys = 1'000'000;

enum Keys { kAscending, kRandom, kText };

std::vector<IndexKey> MakeKeys(Keys kind) {
  std::mt19937_64 random(1);
  const IndexKeyEncoder encoder(
      {kind == kText ? LogicalType(TypeId::kVarchar) : LogicalType(TypeId::kBigInt)});
  std::vector<IndexKey> keys(kKeys);
  for (size_t i = 0; i < kKeys; i++) {
    Value value;
    if (kind == kText) {
      std::string text = std::to_string(random() % 1000 + 1'000'000) + "@customer.";
      while (text.size() < 24) text += static_cast<char>('a' + random() % 26);
      value = Value::Varchar(text);
    } else {
      value = Value::BigInt(kind == kAscending ? static_cast<int64_t>(i) : static_cast<int64_t>(random()));
    }
    encoder.Append({&value, 1}, keys[i]);
  }
  return keys;
}

// Made once, as that takes longer than what is measured.
const std::vector<IndexKey>& KeysOf(benchmark::State& state) {
  static const std::vector<IndexKey> keys[] = {MakeKeys(kAscending), MakeKeys(kRandom), MakeKeys(kText)};
  return keys[state.range(0)];
}

struct Filled {
  explicit Filled(Keys kind) : keys(MakeKeys(kind)), tree(memory) {
    for (size_t i = 0; i < kKeys; i++) tree.Insert(keys[i], i);
    std::shuffle(keys.begin(), keys.end(), std::mt19937_64(2));
  }
  std::vector<IndexKey> keys;
  MemoryTracker memory{size_t{4} << 30};
  RadixTree tree;
};

const Filled& FilledWith(benchmark::State& state) {
  static const Filled filled_with[] = {Filled(kAscending), Filled(kRandom), Filled(kText)};
  const Filled& filled = filled_with[state.range(0)];
  state.counters["bytes_per_key"] = benchmark::Counter(
      static_cast<double>(filled.memory.used_bytes()) / kKeys, benchmark::Counter::kAvgThreads);
  return filled;
}

void RadixLookup(benchmark::State& state) {
  const Filled& filled = FilledWith(state);
  std::vector<uint64_t> values;
  size_t i = static_cast<size_t>(state.thread_index()) * 12345;
  for (auto _ : state) {
    values.clear();
    filled.tree.Lookup(filled.keys[i++ % kKeys], values);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(RadixLookup)->Arg(kAscending)->Arg(kRandom)->Arg(kText);
BENCHMARK(RadixLookup)->Arg(kRandom)->Threads(2)->UseRealTime();

void RadixLookupMany(benchmark::State& state) {
  const Filled& filled = FilledWith(state);
  std::vector<uint64_t> values;
  std::vector<size_t> ends;
  std::vector<KeyBytes> wanted(1024);
  size_t next = 0;
  for (auto _ : state) {
    for (KeyBytes& key : wanted) key = filled.keys[next++ % kKeys];
    values.clear();
    ends.clear();
    filled.tree.LookupMany(wanted, values, ends);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(wanted.size()));
}
BENCHMARK(RadixLookupMany)->Arg(kAscending)->Arg(kRandom)->Arg(kText);

void RadixInsert(benchmark::State& state) {
  const std::vector<IndexKey>& keys = KeysOf(state);
  MemoryTracker memory(size_t{4} << 30);
  RadixTree tree(memory);
  size_t i = 0;
  for (auto _ : state) {
    if (i == kKeys) {
      state.PauseTiming();
      tree.Clear();
      i = 0;
      state.ResumeTiming();
    }
    tree.Insert(keys[i], i);
    i++;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(RadixInsert)->Arg(kAscending)->Arg(kRandom)->Arg(kText);

void RadixBuild(benchmark::State& state) {
  const std::vector<IndexKey>& keys = KeysOf(state);
  std::vector<RadixEntry> entries;
  for (size_t i = 0; i < kKeys; i++) entries.push_back({keys[i], i});
  std::sort(entries.begin(), entries.end(), [](const RadixEntry& a, const RadixEntry& b) {
    return std::lexicographical_compare(a.key.begin(), a.key.end(), b.key.begin(), b.key.end());
  });
  MemoryTracker memory(size_t{4} << 30);
  for (auto _ : state) {
    RadixTree tree(memory);
    tree.Build(entries);
    state.counters["bytes_per_key"] = static_cast<double>(tree.size_bytes()) / kKeys;
    state.PauseTiming();
    tree.Clear();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kKeys));
}
BENCHMARK(RadixBuild)->Arg(kAscending)->Arg(kRandom)->Arg(kText)->Unit(benchmark::kMillisecond);

// An index in the file, all of whose parts have been loaded.
struct Stored {
  explicit Stored(const Filled& filled) {
    OrderedIndex index(store, memory);
    for (size_t i = 0; i < kKeys; i++) index.Insert(filled.keys[i], i);
    IndexCheckpoint checkpoint(index, [](uint64_t) { return true; });
    StreamWriter data(store->file(), memory, 1, false), directories(store->file(), memory, 1, false);
    checkpoint.WriteParts(data, 0, nullptr);
    data.Finish();
    checkpoint.WriteDirectory(data, directories);
    directories.Finish();
    opened = std::make_unique<OrderedIndex>(store, checkpoint.Finish(directories));
    size_bytes = data.size_bytes() + directories.size_bytes();
  }
  ~Stored() {
    opened.reset();
    store.reset();
    files->Remove(path);
  }
  std::string path = "/tmp/scaup_micro_" + std::to_string(std::random_device()()) + ".scaup";
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{4} << 30};
  std::shared_ptr<BlockStore> store =
      std::make_shared<BlockStore>(DatabaseFile::Create(*files, path), memory);
  std::unique_ptr<OrderedIndex> opened;
  uint64_t size_bytes = 0;
};

const Stored& StoredOf(const Filled& filled) {
  static const Stored stored(filled);
  return stored;
}

void StoredIndexLookup(benchmark::State& state) {
  const Filled& filled = FilledWith(state);
  const Stored& stored = StoredOf(filled);
  state.counters["bytes_per_key"] = static_cast<double>(stored.size_bytes) / kKeys;
  std::vector<uint64_t> values;
  size_t i = 0;
  for (auto _ : state) {
    values.clear();
    stored.opened->Lookup(filled.keys[i++ % kKeys], values);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(StoredIndexLookup)->Arg(kRandom);

// Opens an index and reads all of it, which the system has in memory.
void StoredIndexLoad(benchmark::State& state) {
  const Filled& filled = FilledWith(state);
  const Stored& stored = StoredOf(filled);
  const IndexPlace place = stored.opened->place();
  IndexBatch batch;
  for (auto _ : state) {
    const OrderedIndex index(stored.store, place);
    OrderedIndexScan scan(index, {}, false);
    while (scan.Next(1024, false, batch)) benchmark::DoNotOptimize(batch.values.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kKeys));
}
BENCHMARK(StoredIndexLoad)->Arg(kRandom)->Unit(benchmark::kMillisecond);

void RadixScanAll(benchmark::State& state) {
  const Filled& filled = FilledWith(state);
  IndexBatch batch;
  for (auto _ : state) {
    RadixScan scan({}, false);
    while (scan.Next(filled.tree, 1024, false, batch)) benchmark::DoNotOptimize(batch.values.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kKeys));
}
BENCHMARK(RadixScanAll)->Arg(kAscending)->Arg(kRandom)->Arg(kText)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scaup
