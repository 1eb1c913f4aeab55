// FSST (Boncz, Neumann, Leis, VLDB 2020): strings as codes of one byte, each of them a symbol of up to eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

/// What a code stands for: `length` bytes (1 to 8), the first in the lowest byte of the word, the rest zero.
struct FsstSymbol {
  uint64_t bytes = 0;
  uint32_t length = 0;

  uint32_t first_byte() const { return static_cast<uint32_t>(bytes & 0xff); }
  friend bool operator==(const FsstSymbol&, const FsstSymbol&) = default;
};

/// The code behind which a byte stands as it is.
inline constexpr uint32_t kFsstEscape = 255;
inline constexpr size_t kFsstMaxSymbols = 255;
inline constexpr uint32_t kFsstMaxSymbolBytes = 8;
/// Bytes that an encoder may read behind its input.
inline constexpr size_t kFsstReadAheadBytes = 8;

/// A symbol table that finds the longest symbol at the head of some text: of one and two bytes by a table of
/// all pairs of bytes, longer ones by a hash of their first three. The hash table has room for one symbol
/// per slot, so that a look-up is one comparison; a symbol whose slot is taken cannot be had.
class FsstEncoder {
 public:
  /// Without symbols: every byte is escaped.
  FsstEncoder();

  /// False where its place is taken or the table is full.
  bool TryAdd(const FsstSymbol& symbol);
  const std::vector<FsstSymbol>& symbols() const { return symbols_; }

  /// A step of encoding: the code (kFsstEscape: and the byte itself), how many bytes it stands for and how
  /// many it takes, in one word.
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
  /// The step for text that begins with the eight bytes `word`.
  Step StepFor(uint64_t word) const {
    const Slot& slot = slots_[SlotIndex(word)];
    const Step short_step = short_steps_[word & 0xffff];
    // Chosen by bits: a branch here would be guessed wrong for every few symbols.
    const auto use_slot = static_cast<uint32_t>(-static_cast<int32_t>((word & slot.mask) == slot.bytes));
    return Step((slot.step.word_ & use_slot) | (short_step.word_ & ~use_slot));
  }

  /// Appends the codes of `text`, behind which kFsstReadAheadBytes more must be readable.
  void Encode(std::span<const std::byte> text, std::vector<std::byte>& codes) const;

 private:
  static constexpr size_t kSlots = 1024;
  struct Slot {
    uint64_t bytes = 1;  // No word is 1 under a mask of no bits: an empty slot matches nothing.
    uint64_t mask = 0;
    Step step;
  };
  static size_t SlotIndex(uint64_t word) {
    return static_cast<uint32_t>(static_cast<uint32_t>(word & 0xffffff) * 0x9e3779b1u) >> 22;
  }

  /// A part of the text that is being encoded.
  struct Lane {
    const std::byte* in;
    const std::byte* end;
    std::byte* out;
  };
  static constexpr size_t kLanes = 4;
  static void Advance(Lane& lane, uint64_t word, Step step);
  void EncodeSideBySide(Lane (&lanes)[kLanes]) const;
  void EncodeRest(Lane& lane) const;

  std::vector<FsstSymbol> symbols_;
  std::vector<Step> short_steps_;  // By the first two bytes.
  std::vector<Slot> slots_;
};

/// Learns a table from a sample of text, in which each of `pieces` stands for itself: what a piece ends with
/// and the next begins with never was a neighbour. kFsstReadAheadBytes more must be readable behind each.
FsstEncoder TrainFsst(std::span<const std::span<const std::byte>> pieces);

/// Layout: u8 number of symbols; u8 length of each; their bytes.
void AppendFsstSymbols(const std::vector<FsstSymbol>& symbols, std::vector<std::byte>& bytes);

/// Expands codes. Immutable and thread-safe.
class FsstDecoder {
 public:
  /// Bytes that Decode may write behind its output.
  static constexpr size_t kWriteAheadBytes = 64;

  /// Reads what AppendFsstSymbols wrote. Throws Error(kIo, XX001).
  explicit FsstDecoder(EncodedReader& reader);

  /// Expands `codes` to exactly `size_bytes` bytes of text; kWriteAheadBytes behind them may be written too.
  /// Throws Error(kIo, XX001) where the codes stand for more or fewer.
  void Decode(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

 private:
  uint64_t bytes_[256];
  uint8_t lengths_[256];
};

}  // namespace scaup
