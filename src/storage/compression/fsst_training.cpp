// FSST: learns a symbol table over several generations, each from the best symbols of the one before.
#include <algorithm>

#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

namespace {

constexpr size_t kSampleBytes = 32 * 1024;
constexpr size_t kPieceBytes = 512;
/// The share of the sample, in 1/128, that each generation uses; early generations are coarse anyway.
constexpr size_t kSampleShares[] = {16, 40, 70, 100, 128};
constexpr size_t kAllShares = 128;
/// With at most this many pieces, every generation uses all of them.
constexpr size_t kFewPieces = 16;

/// During learning, an escaped byte counts as a symbol of its own; these codes follow the table's.
constexpr uint32_t kBytesBegin = 256;
constexpr uint32_t kLearningCodes = 512;

/// How often each code, and each pair of neighbours, has occurred.
class Counts {
 public:
  Counts() : single_(kLearningCodes), pairs_(kLearningCodes * kLearningCodes) {}
  void Clear() {
    std::fill(single_.begin(), single_.end(), 0);
    std::fill(pairs_.begin(), pairs_.end(), 0);
  }
  void Add(uint32_t code) { single_[code]++; }
  void AddPair(uint32_t first, uint32_t second) {
    uint16_t& count = pairs_[first * kLearningCodes + second];
    // Saturates: beyond this, only the order of large counts is lost.
    if (count != UINT16_MAX) count++;
  }
  uint32_t single(uint32_t code) const { return single_[code]; }
  const uint16_t* pairs_of(uint32_t first) const { return pairs_.data() + first * kLearningCodes; }

 private:
  std::vector<uint32_t> single_;
  std::vector<uint16_t> pairs_;
};

FsstSymbol SymbolOf(const FsstEncoder& encoder, uint32_t code) {
  return code < kBytesBegin ? encoder.symbols()[code] : FsstSymbol{code - kBytesBegin, 1};
}

/// Returns the first eight bytes of two concatenated symbols.
FsstSymbol Joined(const FsstSymbol& first, const FsstSymbol& second) {
  const uint32_t length = std::min(first.length + second.length, kFsstMaxSymbolBytes);
  uint64_t bytes = first.bytes;
  if (first.length < kFsstMaxSymbolBytes) bytes |= second.bytes << (8 * first.length);
  if (length < kFsstMaxSymbolBytes) bytes &= ~uint64_t{0} >> (64 - 8 * length);
  return {bytes, length};
}

/// Encodes a piece of the sample and counts codes. `with_pairs` also counts what could become a longer
/// symbol.
void CountPiece(const FsstEncoder& encoder, std::span<const std::byte> piece, bool with_pairs,
                Counts& counts) {
  const std::byte* in = piece.data();
  const std::byte* end = in + piece.size();
  uint32_t previous = kLearningCodes;
  while (in < end) {
    uint64_t word;
    std::memcpy(&word, in, sizeof(word));
    const auto step = encoder.StepFor(word);
    // A symbol that extends into the padding did not occur.
    if (step.length() > static_cast<size_t>(end - in)) break;
    const uint32_t first_byte = kBytesBegin + static_cast<uint32_t>(word & 0xff);
    const uint32_t code = step.code() == kFsstEscape ? first_byte : step.code();
    counts.Add(code);
    if (with_pairs) {
      if (previous != kLearningCodes) counts.AddPair(previous, code);
      // Growth by single bytes counts as well; otherwise symbols could only jump to lengths that occur less
      // often.
      if (step.length() > 1) {
        counts.Add(first_byte);
        if (previous != kLearningCodes) counts.AddPair(previous, first_byte);
      }
    }
    previous = code;
    in += step.length();
  }
}

struct Candidate {
  FsstSymbol symbol;
  uint64_t gain;
};

/// Returns how many bytes of the sample a symbol would cover. A single byte has the highest weight, as it
/// saves its escape.
uint64_t GainOf(const FsstSymbol& symbol, uint32_t count) {
  return uint64_t{count} * (symbol.length == 1 ? 8 : symbol.length);
}

std::vector<Candidate> CandidatesOf(const FsstEncoder& encoder, const Counts& counts, uint32_t least_count,
                                    bool with_pairs) {
  std::vector<Candidate> candidates;
  const auto symbol_count = static_cast<uint32_t>(encoder.symbols().size());
  const auto for_each_code = [&](auto&& visit) {
    for (uint32_t code = 0; code < symbol_count; code++) visit(code);
    for (uint32_t code = kBytesBegin; code < kLearningCodes; code++) visit(code);
  };
  for_each_code([&](uint32_t first) {
    const uint32_t count = counts.single(first);
    if (count == 0) return;
    const FsstSymbol symbol = SymbolOf(encoder, first);
    candidates.push_back({symbol, GainOf(symbol, count)});
    if (!with_pairs || count < least_count || symbol.length == kFsstMaxSymbolBytes) return;
    const uint16_t* pairs = counts.pairs_of(first);
    for_each_code([&](uint32_t second) {
      if (pairs[second] < least_count) return;
      const FsstSymbol joined = Joined(symbol, SymbolOf(encoder, second));
      candidates.push_back({joined, GainOf(joined, pairs[second])});
    });
  });
  return candidates;
}

/// An arbitrary but fixed order, so that equal symbols are adjacent and ties are decided the same everywhere.
bool StandsBefore(const Candidate& a, const Candidate& b) {
  return a.symbol.bytes != b.symbol.bytes ? a.symbol.bytes < b.symbol.bytes
                                          : a.symbol.length < b.symbol.length;
}

/// Adds the best candidates for which there is a slot; the gains of equal candidates are added up.
FsstEncoder BestOf(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end(), &StandsBefore);
  size_t kept = 0;
  for (const Candidate& candidate : candidates) {
    if (kept != 0 && candidates[kept - 1].symbol == candidate.symbol) {
      candidates[kept - 1].gain += candidate.gain;
    } else {
      candidates[kept++] = candidate;
    }
  }
  candidates.resize(kept);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.gain != b.gain ? a.gain > b.gain : StandsBefore(a, b);
  });
  FsstEncoder encoder;
  // A candidate whose slot is taken is skipped; a worse one may still fit.
  for (const Candidate& candidate : candidates) {
    if (encoder.symbols().size() == kFsstMaxSymbols) break;
    encoder.TryAdd(candidate.symbol);
  }
  return encoder;
}

/// Learns from pieces. Pairs are counted within a piece only, since pieces were not adjacent in the text.
FsstEncoder LearnFrom(std::span<const std::span<const std::byte>> pieces) {
  FsstEncoder encoder;
  Counts counts;
  for (const size_t share : kSampleShares) {
    const bool is_last = share == kAllShares;
    counts.Clear();
    for (size_t i = 0; i < pieces.size(); i++) {
      // Spread over the sample, with different pieces in each generation if possible.
      const bool is_in_share = (i * 37 + share) % kAllShares < share;
      if (!is_last && !is_in_share && pieces.size() >= kFewPieces) continue;
      CountPiece(encoder, pieces[i], !is_last, counts);
    }
    // Later generations see more of the sample, so rare pairs must occur more often.
    const auto least_count = static_cast<uint32_t>(1 + 4 * share / kAllShares);
    encoder = BestOf(CandidatesOf(encoder, counts, least_count, !is_last));
  }
  return encoder;
}

}  // namespace

// Takes pieces at equal distances from all blocks.
FsstEncoder TrainFsst(const SegmentInput& input) {
  const size_t block_count = input.blocks.size();
  const size_t wanted_pieces = kSampleBytes / kPieceBytes;
  const size_t pieces_per_block = std::max<size_t>(1, wanted_pieces / std::max<size_t>(1, block_count));
  const size_t block_step = std::max<size_t>(1, block_count / wanted_pieces);
  std::vector<std::byte> sample;
  std::vector<std::span<const std::byte>> pieces;
  sample.reserve((block_count / block_step + 1) * pieces_per_block * (kPieceBytes + kFsstReadAheadBytes));
  JoinedStrings joined;
  for (size_t i = 0; i < block_count; i += block_step) {
    joined.Assign(input.blocks[i]);
    const auto text = joined.AsBytes();
    if (text.empty()) continue;
    const size_t piece_count = std::clamp<size_t>(text.size() / kPieceBytes, 1, pieces_per_block);
    const size_t distance = text.size() / piece_count;
    const size_t size_bytes = std::min(kPieceBytes, distance);
    for (size_t piece = 0; piece < piece_count; piece++) {
      // `sample` has enough capacity, so that pieces do not move.
      const size_t at = sample.size();
      AppendBytes(sample, text.subspan(piece * distance, size_bytes));
      sample.resize(sample.size() + kFsstReadAheadBytes);
      pieces.emplace_back(sample.data() + at, size_bytes);
    }
  }
  return LearnFrom(pieces);
}

}  // namespace scaup
