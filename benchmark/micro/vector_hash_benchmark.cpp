// Hashes of whole vectors in each of their forms: what GROUP BY and joins do with every chunk of keys.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {
namespace {

void Run(benchmark::State& state, Vector& vector) {
  std::vector<uint64_t> hashes(kVectorSize);
  for (auto _ : state) {
    HashVector(vector, kVectorSize, hashes.data(), false);
    benchmark::DoNotOptimize(hashes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kVectorSize));
}

void HashFlatIntegers(benchmark::State& state) {
  Vector vector(TypeId::kBigInt);
  vector.Reset();
  std::iota(vector.MutableData<int64_t>(), vector.MutableData<int64_t>() + kVectorSize, int64_t{0});
  Run(state, vector);
}
BENCHMARK(HashFlatIntegers);

void HashFlatIntegersWithNulls(benchmark::State& state) {
  Vector vector(TypeId::kBigInt);
  vector.Reset();
  std::iota(vector.MutableData<int64_t>(), vector.MutableData<int64_t>() + kVectorSize, int64_t{0});
  for (size_t row = 0; row < kVectorSize; row += 7) vector.SetNull(row);
  Run(state, vector);
}
BENCHMARK(HashFlatIntegersWithNulls);

void HashFlatStrings(benchmark::State& state) {
  Vector vector(TypeId::kVarchar);
  vector.Reset();
  const std::string padding(static_cast<size_t>(state.range(0)), 'x');
  for (size_t row = 0; row < kVectorSize; row++) {
    vector.MutableData<StringRef>()[row] = vector.AddString(std::to_string(row) + padding);
  }
  Run(state, vector);
}
BENCHMARK(HashFlatStrings)->Arg(0)->Arg(40);

void HashDictionaryStrings(benchmark::State& state) {
  Vector values(TypeId::kVarchar);
  values.Reset();
  for (size_t row = 0; row < kVectorSize; row++) {
    values.MutableData<StringRef>()[row] =
        values.AddString("a rather long key, number " + std::to_string(row));
  }
  const auto selection = std::make_shared<SelectionVector>();
  for (size_t row = 0; row < kVectorSize; row++) selection->rows[row] = static_cast<sel_t>(row % 16);
  Dictionary dictionary;
  dictionary.data = reinterpret_cast<const std::byte*>(values.Data<StringRef>());
  dictionary.size = 16;
  dictionary.owner = values.SharedMemory();
  dictionary.is_distinct = true;
  Vector vector(TypeId::kVarchar);
  vector.ReferenceDictionary(std::move(dictionary), selection);
  Run(state, vector);
}
BENCHMARK(HashDictionaryStrings);

void HashConstant(benchmark::State& state) {
  Vector vector(Value::BigInt(42));
  Run(state, vector);
}
BENCHMARK(HashConstant);

}  // namespace
}  // namespace scaup
