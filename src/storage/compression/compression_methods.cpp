// The registry of compression methods, and the advisor that chooses among them.
#include <algorithm>

#include "common/throw.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/compression.hpp"
#include "storage/compression/methods.hpp"

namespace scaup {
namespace {

/// The number of whole blocks that the advisor samples.
constexpr size_t kRankingBlocks = 8;
/// The cost of a stored byte besides decoding: reading it from a disk with about 1 GB/s, or the memory that
/// it takes from other data.
constexpr double kNanosecondsPerByte = 1.0;
/// If a result is larger than its estimate by more than this factor, the next best method is tried as well.
constexpr double kTolerance = 1.25;

struct RankedMethod {
  const CompressionMethod* method;
  CompressionEstimate estimate;
  double score;
};

double ScoreOf(double size_bytes, double decode_nanoseconds, size_t value_count) {
  return size_bytes * kNanosecondsPerByte + decode_nanoseconds * static_cast<double>(value_count);
}

SegmentInput SampleBlocks(const SegmentInput& input) {
  if (input.blocks.size() <= kRankingBlocks) return input;
  SegmentInput sample{.type = input.type, .blocks = {}};
  // The middle block of each of eight sections, so that neither the first block nor a short last one is
  // taken.
  for (size_t i = 0; i < kRankingBlocks; i++) {
    sample.blocks.push_back(input.blocks[(2 * i + 1) * input.blocks.size() / (2 * kRankingBlocks)]);
  }
  return sample;
}

/// Returns the methods that can represent the values, the best first.
std::vector<RankedMethod> RankMethods(const SegmentInput& input) {
  const SegmentInput sample = SampleBlocks(input);
  const size_t value_count = CountValues(input);
  std::vector<RankedMethod> candidates;
  for (const CompressionMethod* method : AllCompressionMethods()) {
    if (!method->Supports(input.type)) continue;
    const auto estimate = method->Estimate(sample, input.blocks.size());
    if (!estimate) continue;
    const double score = ScoreOf(estimate->size_bytes, estimate->decode_nanoseconds, value_count);
    candidates.push_back({method, *estimate, score});
  }
  // Stable, so that ties are decided by the methods' numbers and files are reproducible.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const RankedMethod& a, const RankedMethod& b) { return a.score < b.score; });
  return candidates;
}

}  // namespace

std::span<const CompressionMethod* const> AllCompressionMethods() {
  static const CompressionMethod* const methods[] = {
      &ConstantMethod(), &RunLengthMethod(),  &FrameOfReferenceMethod(),
      &DeltaMethod(),    &DictionaryMethod(), &FsstMethod(),
      &AlpMethod(),      &RawMethod()};
  return methods;
}

const CompressionMethod* FindCompressionMethod(Encoding encoding) {
  for (const CompressionMethod* method : AllCompressionMethods()) {
    if (method->encoding() == encoding) return method;
  }
  return nullptr;
}

CompressedSegment CompressSegment(const SegmentInput& input, std::optional<Encoding> forced) {
  // For tests and for users who know their data better than the sample.
  if (forced) {
    const CompressionMethod* method = FindCompressionMethod(*forced);
    if (method != nullptr && method->Supports(input.type)) {
      if (auto segment = method->Compress(input)) return std::move(*segment);
    }
  }
  const size_t value_count = CountValues(input);
  std::optional<CompressedSegment> best;
  double best_score = 0;
  for (const RankedMethod& candidate : RankMethods(input)) {
    // The remaining candidates cannot beat the best even if their estimates hold.
    if (best && candidate.score >= best_score) break;
    auto segment = candidate.method->Compress(input);
    if (!segment) continue;
    const auto size = static_cast<double>(segment->header.size() + segment->bytes.size());
    const double score = ScoreOf(size, candidate.estimate.decode_nanoseconds, value_count);
    if (!best || score < best_score) {
      best = std::move(segment);
      best_score = score;
    }
    if (size <= candidate.estimate.size_bytes * kTolerance) break;
  }
  // Raw encodes everything up to the limit of a segment.
  if (!best) best = RawMethod().Compress(input);
  if (!best) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               "the values of a column in a row group are too large: 4 GiB is the most");
  }
  return std::move(*best);
}

}  // namespace scaup
