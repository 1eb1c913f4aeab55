// Bit sequence: appending words, and counting ones in memory or in spilled pieces.
#include "execution/window/bit_sequence.hpp"

#include <bit>
#include <vector>

namespace scaup {

namespace {

constexpr size_t kWordBits = 64;

uint64_t LowBits(uint64_t word, size_t count) { return word & ((uint64_t{1} << count) - 1); }

}  // namespace

BitSequence::BitSequence(QueryContext& context)
    : filling_(std::make_unique<SpillableRows>(context,
                                               std::vector<LogicalType>{TypeId::kBigInt, TypeId::kInteger})),
      chunk_(filling_->types()) {
  chunk_.ResetForWriting();
}

void BitSequence::Append(uint64_t bits, size_t count) {
  const size_t used = size_ % kWordBits;
  word_ |= bits << used;
  size_ += count;
  if (used + count < kWordBits) return;
  AppendWord();
  word_ = used + count == kWordBits ? 0 : bits >> (kWordBits - used);
}

void BitSequence::AppendWord() {
  const size_t row = chunk_.size();
  chunk_.column(0).MutableData<uint64_t>()[row] = word_;
  chunk_.column(1).MutableData<uint32_t>()[row] = static_cast<uint32_t>(one_count_);
  one_count_ += static_cast<uint64_t>(std::popcount(word_));
  chunk_.SetSize(row + 1);
  if (row + 1 == kVectorSize) Flush();
}

void BitSequence::Flush() {
  filling_->Append(chunk_);
  chunk_.ResetForWriting();
}

void BitSequence::Finish() {
  AppendWord();  // Also if it is empty: for the place behind the last bit.
  if (chunk_.size() != 0) Flush();
  filling_->Finish();
  words_ = std::make_unique<RandomAccessRows>(std::move(filling_));
}

void BitSequence::CountOnes(const uint64_t* places, size_t count, uint64_t* ones) const {
  std::vector<std::shared_ptr<const ColumnCollection>> blocks;
  if (words_->rows().HoldBlocks(blocks)) {
    std::vector<const uint64_t*> words;
    std::vector<const uint32_t*> before;
    for (const auto& block : blocks) {
      for (size_t piece = 0; piece < block->piece_count(); piece++) {
        words.push_back(reinterpret_cast<const uint64_t*>(block->PieceView(0, piece).data));
        before.push_back(reinterpret_cast<const uint32_t*>(block->PieceView(1, piece).data));
      }
    }
    for (size_t i = 0; i < count; i++) {
      const uint64_t number = places[i] / kWordBits;
      const size_t piece = number / kVectorSize, row = number % kVectorSize;
      ones[i] = before[piece][row] +
                static_cast<uint64_t>(std::popcount(LowBits(words[piece][row], places[i] % kWordBits)));
    }
    return;
  }
  uint64_t numbers[kVectorSize];
  for (size_t i = 0; i < count; i++) numbers[i] = places[i] / kWordBits;
  Vector words(TypeId::kBigInt), before(TypeId::kInteger);
  words.Reset();
  before.Reset();
  words_->Gather(0, numbers, count, words);
  words_->Gather(1, numbers, count, before);
  for (size_t i = 0; i < count; i++) {
    ones[i] = before.Data<uint32_t>()[i] +
              static_cast<uint64_t>(std::popcount(LowBits(words.Data<uint64_t>()[i], places[i] % kWordBits)));
  }
}

}  // namespace scaup
