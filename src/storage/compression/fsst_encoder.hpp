// FsstEncoder: encodes text as FSST codes; TrainFsst learns its symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/compression/compression.hpp"
#include "storage/compression/fsst_symbol.hpp"

namespace scaup {

/// An encoder may read this many bytes behind its input.
inline constexpr size_t kFsstReadAheadBytes = 8;

/// A symbol table that finds the longest symbol at the beginning of a text. Symbols of one and two bytes are
/// in a table over all pairs of bytes, longer ones in a hash table over their first three bytes. Each hash
/// slot has space for one symbol, so that a lookup is one comparison; a symbol whose slot is taken cannot be
/// added.
class FsstEncoder {
 public:
  /// Makes a table without symbols, which escapes every byte.
  FsstEncoder();

  /// Returns false if the symbol's slot is taken or the table is full.
  bool TryAdd(const FsstSymbol& symbol);
  const std::vector<FsstSymbol>& symbols() const { return symbols_; }

  /// One step of encoding, in one word: the code (kFsstEscape is followed by the byte itself), the number of
  /// bytes that it stands for, and the number of bytes that it takes.
  class Step {
   public:
    Step() = default;
    Step(uint32_t code, uint32_t length, uint32_t taken)
        : word_(static_cast<uint16_t>(code | length << 8 | taken << 12)) {}
    uint32_t code() const { return word_ & 0xffu; }
    uint32_t length() const { return (word_ >> 8) & 0xfu; }
    uint32_t taken() const { return word_ >> 12; }

   private:
    friend class FsstEncoder;
    explicit Step(uint32_t word) : word_(static_cast<uint16_t>(word)) {}
    uint16_t word_ = 0;
  };
  /// Returns the step for text that begins with the eight bytes `word`.
  Step StepFor(uint64_t word) const { return FindStep(slots_.data(), short_steps_.data(), word); }

  /// Appends the codes of `text`, behind which kFsstReadAheadBytes more must be readable.
  void Encode(std::span<const std::byte> text, std::vector<std::byte>& codes) const;

 private:
  static constexpr size_t kSlots = 1024;
  struct Slot {
    uint64_t bytes = 1;  // masked words are never 1 for a zero mask, so an empty slot never matches
    uint64_t mask = 0;
    Step step;
  };
  static size_t SlotIndex(uint64_t word) {
    return static_cast<uint32_t>(static_cast<uint32_t>(word & 0xffffff) * 0x9e3779b1u) >> 22;
  }

  static Step FindStep(const Slot* slots, const Step* short_steps, uint64_t word) {
    const Slot& slot = slots[SlotIndex(word)];
    const Step short_step = short_steps[word & 0xffff];
    // Selected by bit operations, as a branch would be mispredicted every few symbols.
    const auto use_slot = static_cast<uint32_t>(-static_cast<int32_t>((word & slot.mask) == slot.bytes));
    return Step((slot.step.word_ & use_slot) | (short_step.word_ & ~use_slot));
  }

  /// A section of the text that is being encoded.
  struct Lane {
    const std::byte* in;
    const std::byte* end;
    std::byte* out;
  };
  static constexpr size_t kLanes = 4;
  void EncodeSideBySide(Lane (&lanes)[kLanes]) const;
  void EncodeRest(Lane& lane) const;

  std::vector<FsstSymbol> symbols_;
  std::vector<Step> short_steps_;  // by the first two bytes
  std::vector<Slot> slots_;
};

/// Learns a table from pieces of the strings of a segment, or of a sample of one.
FsstEncoder TrainFsst(const SegmentInput& input);

}  // namespace scaup
