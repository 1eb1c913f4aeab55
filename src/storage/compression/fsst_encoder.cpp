// FSST: finds the symbols of a table in text.
#include "storage/compression/fsst_encoder.hpp"

#include <algorithm>

#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

namespace {

/// Shorter text is not split, as each cut costs a byte or two.
constexpr size_t kLeastSideBySide = 2048;

uint64_t LoadWord(const std::byte* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof(word));
  return word;
}

}  // namespace

FsstEncoder::FsstEncoder() : short_steps_(size_t{1} << 16, Step(kFsstEscape, 1, 2)), slots_(kSlots) {}

bool FsstEncoder::TryAdd(const FsstSymbol& symbol) {
  if (symbols_.size() == kFsstMaxSymbols) return false;
  const Step step(static_cast<uint32_t>(symbols_.size()), symbol.length, 1);
  if (symbol.length == 1) {
    // Pairs that are a symbol of two bytes keep it.
    for (size_t next = 0; next < 256; next++) {
      Step& place = short_steps_[symbol.bytes | next << 8];
      if (place.length() == 1) place = step;
    }
  } else if (symbol.length == 2) {
    short_steps_[symbol.bytes] = step;
  } else {
    Slot& slot = slots_[SlotIndex(symbol.bytes)];
    // The slot has a better symbol, as symbols are added in order of gain.
    if (slot.mask != 0) return false;
    slot = {symbol.bytes, ~uint64_t{0} >> (64 - 8 * symbol.length), step};
  }
  symbols_.push_back(symbol);
  return true;
}

void FsstEncoder::Encode(std::span<const std::byte> text, std::vector<std::byte>& codes) const {
  const size_t start = codes.size();
  codes.resize(start + 2 * text.size() + kLanes);
  // Each step depends on the one before. So sections of the text are encoded in parallel, each into as much
  // space as it can need, and then moved together.
  std::byte* const begin = codes.data() + start;
  const size_t part_bytes = text.size() < kLeastSideBySide ? 0 : text.size() / kLanes;
  Lane lanes[kLanes];
  for (size_t i = 0; i < kLanes; i++) {
    lanes[i].in = text.data() + i * part_bytes;
    lanes[i].end = i + 1 == kLanes ? text.data() + text.size() : lanes[i].in + part_bytes;
    lanes[i].out = begin + 2 * i * part_bytes + i;
  }
  EncodeSideBySide(lanes);
  std::byte* out = begin;
  for (size_t i = 0; i < kLanes; i++) {
    const std::byte* lane_begin = begin + 2 * i * part_bytes + i;
    EncodeRest(lanes[i]);
    const auto size_bytes = static_cast<size_t>(lanes[i].out - lane_begin);
    std::memmove(out, lane_begin, size_bytes);
    out += size_bytes;
  }
  codes.resize(static_cast<size_t>(out - codes.data()));
}

void FsstEncoder::EncodeSideBySide(Lane (&lanes)[kLanes]) const {
  // Local copies tell the compiler that writing the output does not change them.
  const Slot* slots = slots_.data();
  const Step* short_steps = short_steps_.data();
  const std::byte* in[kLanes];
  std::byte* out[kLanes];
  for (size_t i = 0; i < kLanes; i++) in[i] = lanes[i].in, out[i] = lanes[i].out;
  while (true) {
    ptrdiff_t shortest = lanes[0].end - in[0];
    for (size_t i = 1; i < kLanes; i++) shortest = std::min(shortest, lanes[i].end - in[i]);
    // No section can end within this many steps.
    ptrdiff_t steps = shortest / static_cast<ptrdiff_t>(kFsstMaxSymbolBytes);
    if (steps == 0) break;
    for (; steps > 0; steps--) {
#pragma GCC unroll 4
      for (size_t i = 0; i < kLanes; i++) {
        const uint64_t word = LoadWord(in[i]);
        const Step step = FindStep(slots, short_steps, word);
        // Both bytes of an escape are always written; after a symbol's code, the next step overwrites the
        // second.
        out[i][0] = static_cast<std::byte>(step.code());
        out[i][1] = static_cast<std::byte>(word);
        in[i] += step.length();
        out[i] += step.taken();
      }
    }
  }
  for (size_t i = 0; i < kLanes; i++) lanes[i].in = in[i], lanes[i].out = out[i];
}

void FsstEncoder::EncodeRest(Lane& lane) const {
  while (lane.in < lane.end) {
    const auto left = static_cast<size_t>(lane.end - lane.in);
    uint64_t word = LoadWord(lane.in);
    if (left < sizeof(word)) word &= ~uint64_t{0} >> (64 - 8 * left);
    Step step = StepFor(word);
    // A symbol that extends beyond the end, into zeros, does not count; a byte can always be escaped.
    if (step.length() > left) step = Step(kFsstEscape, 1, 2);
    lane.out[0] = static_cast<std::byte>(step.code());
    lane.out[1] = static_cast<std::byte>(word);
    lane.in += step.length();
    lane.out += step.taken();
  }
}

void AppendFsstSymbols(const std::vector<FsstSymbol>& symbols, std::vector<std::byte>& bytes) {
  AppendNumber(bytes, static_cast<uint8_t>(symbols.size()));
  for (const FsstSymbol& symbol : symbols) AppendNumber(bytes, static_cast<uint8_t>(symbol.length));
  for (const FsstSymbol& symbol : symbols) {
    AppendBytes(bytes, std::as_bytes(std::span(&symbol.bytes, 1)).first(symbol.length));
  }
}

}  // namespace scaup
