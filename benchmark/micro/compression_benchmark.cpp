// Compression: unpacking by width, and decoding, filtering and compressing whole blocks of every encoding.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernel_levels.hpp"
#include "scaup/type.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

uint64_t NextRandom(uint64_t& seed) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return seed >> 11;
}

/// 1024 values of `width` bits to 1, 2, 4 or 8 bytes, as the width needs, or always to 8.
void RegisterUnpack(unsigned width) {
  const size_t lane = LaneOfWidth(width);
  RegisterPerLevel("unpack/" + std::to_string(width),
                   [=](benchmark::State& state, const KernelTable& kernels) {
                     const std::vector<std::byte> packed(128 * width);
                     std::vector<uint64_t> out(kVectorSize);
                     for (auto _ : state) {
                       kernels.unpack[width](packed.data(), 7, out.data());
                       benchmark::DoNotOptimize(out.data());
                       benchmark::ClobberMemory();
                     }
                     CountRows(state);
                   });
  if (lane == 3) return;
  RegisterPerLevel("unpack_to_int64/" + std::to_string(width),
                   [=](benchmark::State& state, const KernelTable& kernels) {
                     const std::vector<std::byte> packed(128 * width);
                     std::vector<uint64_t> narrow(kVectorSize), out(kVectorSize);
                     for (auto _ : state) {
                       kernels.unpack[width](packed.data(), 0, narrow.data());
                       kernels.widen[lane][3](narrow.data(), 7, out.data());
                       benchmark::DoNotOptimize(out.data());
                       benchmark::ClobberMemory();
                     }
                     CountRows(state);
                   });
}

/// A segment of 128 blocks of BIGINT.
struct Column {
  explicit Column(const std::function<int64_t(size_t, uint64_t&)>& value) : values(128 * kVectorSize) {
    uint64_t seed = 5;
    for (size_t i = 0; i < values.size(); i++) values[i] = value(i, seed);
    input.type = PhysicalType::kInt64;
    for (size_t i = 0; i < values.size(); i += kVectorSize) {
      input.blocks.push_back({reinterpret_cast<const std::byte*>(&values[i]), nullptr, kVectorSize});
    }
  }
  std::vector<int64_t> values;
  SegmentInput input;
};

void RegisterEncoding(Encoding encoding, const std::function<int64_t(size_t, uint64_t&)>& value) {
  const std::string name(EncodingName(encoding));
  const auto column = std::make_shared<Column>(value);
  const auto segment = std::make_shared<CompressedSegment>(CompressSegment(column->input, encoding));
  const CompressionMethod* method = FindCompressionMethod(encoding);
  if (segment->encoding != encoding) return;
  const std::shared_ptr<SegmentDecoder> decoder = method->Open(PhysicalType::kInt64, segment->header);
  const auto block = [segment](size_t i) {
    const size_t begin = i == 0 ? 0 : segment->block_ends[i - 1];
    return std::span(segment->bytes).subspan(begin, segment->block_ends[i] - begin);
  };
  RegisterPerLevel("decode/" + name, [=](benchmark::State& state, const KernelTable& kernels) {
    Vector output(TypeId::kBigInt);
    size_t i = 0;
    for (auto _ : state) {
      output.Release();
      decoder->Decode(block(i++ % 128), kVectorSize, kernels, segment, output);
      benchmark::DoNotOptimize(&output);
      benchmark::ClobberMemory();
    }
    CountRows(state);
  });
  Vector picked(TypeId::kBigInt);
  picked.Reset();
  const sel_t first = 0;
  if (decoder->Gather(block(0), kVectorSize, {&first, 1}, picked, 0)) {
    benchmark::RegisterBenchmark(("pick_one_row/" + name).c_str(), [=](benchmark::State& state) {
      Vector output(TypeId::kBigInt);
      size_t i = 0;
      for (auto _ : state) {
        output.Reset();
        const auto row = static_cast<sel_t>(i * 37 % kVectorSize);
        decoder->Gather(block(i++ % 128), kVectorSize, {&row, 1}, output, 0);
        benchmark::ClobberMemory();
      }
    });
  }
  const ScanFilter filter{0, ScanFilter::Op::kLess,
                          Value::FromInteger(TypeId::kBigInt, column->values[40000])};
  uint8_t mask[kVectorSize];
  if (decoder->Filter(block(0), kVectorSize, KernelsOf(BestKernelLevel()), filter, mask)) {
    RegisterPerLevel("filter_encoded/" + name, [=](benchmark::State& state, const KernelTable& kernels) {
      uint8_t passes[kVectorSize];
      size_t i = 0;
      for (auto _ : state) {
        decoder->Filter(block(i++ % 128), kVectorSize, kernels, filter, passes);
        benchmark::DoNotOptimize(passes);
        benchmark::ClobberMemory();
      }
      CountRows(state);
    });
  }
  benchmark::RegisterBenchmark(("compress/" + name).c_str(), [=](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(method->Compress(column->input));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(column->values.size()));
  });
  benchmark::RegisterBenchmark(("choose_and_compress/" + name).c_str(), [=](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(CompressSegment(column->input));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(column->values.size()));
  });
}

const bool registered = [] {
  for (const unsigned width : {1, 4, 8, 11, 16, 20, 32, 40, 64}) RegisterUnpack(width);
  RegisterEncoding(Encoding::kConstant, [](size_t, uint64_t&) { return 42; });
  RegisterEncoding(Encoding::kRunLength,
                   [](size_t i, uint64_t&) { return static_cast<int64_t>(i / 20) << 40; });
  RegisterEncoding(Encoding::kFrameOfReference,
                   [](size_t, uint64_t& seed) { return static_cast<int64_t>(NextRandom(seed) % 2000); });
  RegisterEncoding(Encoding::kDelta, [](size_t i, uint64_t& seed) {
    return static_cast<int64_t>(i * 50 + NextRandom(seed) % 16);
  });
  RegisterEncoding(Encoding::kDictionary, [](size_t, uint64_t& seed) {
    return static_cast<int64_t>(NextRandom(seed) % 50 * 1000000007 * 1009);
  });
  RegisterEncoding(Encoding::kRaw,
                   [](size_t, uint64_t& seed) { return static_cast<int64_t>(NextRandom(seed) << 11); });
  return true;
}();

}  // namespace
}  // namespace scaup
