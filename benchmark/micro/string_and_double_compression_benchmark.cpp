// Encodings of strings and doubles over whole segments: compressing, and decoding block by block.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "comment_text.hpp"
#include "storage/compression/methods.hpp"

namespace scaup {
namespace {

constexpr size_t kRows = 128 * kVectorSize;

SegmentInput InputOf(const std::vector<StringRef>& strings) {
  SegmentInput input{PhysicalType::kString, {}};
  for (size_t row = 0; row < strings.size(); row += kVectorSize) {
    const size_t count = std::min(kVectorSize, strings.size() - row);
    input.blocks.push_back(
        {reinterpret_cast<const std::byte*>(strings.data() + row), nullptr, static_cast<uint32_t>(count)});
  }
  return input;
}

/// `text_bytes`: bytes of all strings; speeds are in them, and the ratio is to them.
void RunCompress(benchmark::State& state, const CompressionMethod& method, const SegmentInput& input,
                 size_t text_bytes) {
  size_t size_bytes = 0;
  for (auto _ : state) {
    const auto segment = method.Compress(input);
    size_bytes = segment->header.size() + segment->bytes.size();
    benchmark::DoNotOptimize(size_bytes);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text_bytes));
  state.counters["ratio"] = static_cast<double>(text_bytes) / static_cast<double>(size_bytes);
}

void RunDecode(benchmark::State& state, const CompressionMethod& method, const SegmentInput& input,
               size_t text_bytes) {
  const auto segment = method.Compress(input);
  const auto decoder = method.Open(input.type, segment->header);
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  Vector output(input.type == PhysicalType::kString ? TypeId::kVarchar : TypeId::kDouble);
  for (auto _ : state) {
    size_t begin = 0;
    for (size_t block = 0; block < input.blocks.size(); block++) {
      const size_t end = segment->block_ends[block];
      decoder->Decode(std::span(segment->bytes).subspan(begin, end - begin), input.blocks[block].count,
                      kernels, nullptr, output);
      begin = end;
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text_bytes));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kRows));
}

/// One row of each block in turn.
void RunPick(benchmark::State& state, const CompressionMethod& method, const SegmentInput& input) {
  const auto segment = method.Compress(input);
  const auto decoder = method.Open(input.type, segment->header);
  Vector output(input.type == PhysicalType::kString ? TypeId::kVarchar : TypeId::kDouble);
  size_t i = 0;
  for (auto _ : state) {
    const size_t block = i % input.blocks.size();
    const size_t begin = block == 0 ? 0 : segment->block_ends[block - 1];
    const auto row = static_cast<sel_t>(i++ * 37 % input.blocks[block].count);
    output.Release();
    output.Reset();
    decoder->Gather(std::span(segment->bytes).subspan(begin, segment->block_ends[block] - begin),
                    input.blocks[block].count, {&row, 1}, output, 0);
    benchmark::ClobberMemory();
  }
}

const CommentColumn& Comments() {
  static const CommentColumn comments(kRows);
  return comments;
}

/// Up to 100,000.00.
std::vector<double> Prices() {
  std::vector<double> prices(kRows);
  uint64_t seed = 7;
  for (double& price : prices) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    price = static_cast<double>((seed >> 33) % 10'000'000) / 100;
  }
  return prices;
}

SegmentInput InputOf(const std::vector<double>& values) {
  SegmentInput input{PhysicalType::kDouble, {}};
  for (size_t row = 0; row < values.size(); row += kVectorSize) {
    input.blocks.push_back({reinterpret_cast<const std::byte*>(values.data() + row), nullptr,
                            static_cast<uint32_t>(kVectorSize)});
  }
  return input;
}

/// Strings of which `distinct` are different, and their bytes.
struct RepeatedStrings {
  explicit RepeatedStrings(size_t distinct) {
    for (size_t i = 0; i < distinct; i++) texts.push_back("a product of category " + std::to_string(i));
    uint64_t seed = 9;
    for (size_t row = 0; row < kRows; row++) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      strings.emplace_back(std::string_view(texts[(seed >> 33) % distinct]));
      size_bytes += strings.back().size();
    }
  }
  std::vector<std::string> texts;
  std::vector<StringRef> strings;
  size_t size_bytes = 0;
};

void CompressFsstComments(benchmark::State& state) {
  RunCompress(state, FsstMethod(), InputOf(Comments().strings()), Comments().size_bytes());
}
BENCHMARK(CompressFsstComments);

void EstimateFsstComments(benchmark::State& state) {
  SegmentInput sample = InputOf(Comments().strings());
  sample.blocks.resize(4);
  for (auto _ : state) benchmark::DoNotOptimize(FsstMethod().Estimate(sample, 128));
}
BENCHMARK(EstimateFsstComments);

void DecodeFsstComments(benchmark::State& state) {
  RunDecode(state, FsstMethod(), InputOf(Comments().strings()), Comments().size_bytes());
}
BENCHMARK(DecodeFsstComments);

void PickFsstComment(benchmark::State& state) { RunPick(state, FsstMethod(), InputOf(Comments().strings())); }
BENCHMARK(PickFsstComment);

void PickRawComment(benchmark::State& state) { RunPick(state, RawMethod(), InputOf(Comments().strings())); }
BENCHMARK(PickRawComment);

void CompressRawComments(benchmark::State& state) {
  RunCompress(state, RawMethod(), InputOf(Comments().strings()), Comments().size_bytes());
}
BENCHMARK(CompressRawComments);

void DecodeRawComments(benchmark::State& state) {
  RunDecode(state, RawMethod(), InputOf(Comments().strings()), Comments().size_bytes());
}
BENCHMARK(DecodeRawComments);

void CompressStringDictionary(benchmark::State& state) {
  const RepeatedStrings repeated(static_cast<size_t>(state.range(0)));
  RunCompress(state, DictionaryMethod(), InputOf(repeated.strings), repeated.size_bytes);
}
BENCHMARK(CompressStringDictionary)->Arg(25)->Arg(1000)->Arg(20000);

void DecodeStringDictionary(benchmark::State& state) {
  const RepeatedStrings repeated(static_cast<size_t>(state.range(0)));
  RunDecode(state, DictionaryMethod(), InputOf(repeated.strings), repeated.size_bytes);
}
BENCHMARK(DecodeStringDictionary)->Arg(25)->Arg(1000)->Arg(20000);

void PickStringDictionary(benchmark::State& state) {
  const RepeatedStrings repeated(static_cast<size_t>(state.range(0)));
  RunPick(state, DictionaryMethod(), InputOf(repeated.strings));
}
BENCHMARK(PickStringDictionary)->Arg(25)->Arg(20000);

void RefuseStringDictionary(benchmark::State& state) {
  const SegmentInput input = InputOf(Comments().strings());
  for (auto _ : state) benchmark::DoNotOptimize(DictionaryMethod().Compress(input));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kRows));
}
BENCHMARK(RefuseStringDictionary);

void CompressAlpPrices(benchmark::State& state) {
  const std::vector<double> prices = Prices();
  RunCompress(state, AlpMethod(), InputOf(prices), prices.size() * sizeof(double));
}
BENCHMARK(CompressAlpPrices);

void DecodeAlpPrices(benchmark::State& state) {
  const std::vector<double> prices = Prices();
  RunDecode(state, AlpMethod(), InputOf(prices), prices.size() * sizeof(double));
}
BENCHMARK(DecodeAlpPrices);

void PickAlpPrice(benchmark::State& state) { RunPick(state, AlpMethod(), InputOf(Prices())); }
BENCHMARK(PickAlpPrice);

}  // namespace
}  // namespace scaup
