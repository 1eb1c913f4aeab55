// Encodings of strings, over a segment of comments: compressing, and decoding block by block.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
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
  Vector output(TypeId::kVarchar);
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

const CommentColumn& Comments() {
  static const CommentColumn comments(kRows);
  return comments;
}

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

}  // namespace
}  // namespace scaup
