// Kernels: a few bytes looked for in many.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// Four bytes of those that are looked for, spread over them: where all four are in their places, the rest
// is worth a look. More of them would cost more loads than they save looks.
struct Probe {
  uint8_t bytes[4];
  size_t offsets[4];
};

// Which of the first kPlaces places have the bytes of the probe, as 0 or 1; whether any has.
template <size_t kPlaces>
bool MayBeIn(const uint8_t* text, const Probe& probe, uint8_t* places) {
  const uint8_t* texts[4];
  for (int i = 0; i < 4; i++) texts[i] = text + probe.offsets[i];
  uint8_t any = 0;
  for (size_t i = 0; i < kPlaces; i++) {
    places[i] = static_cast<uint8_t>((texts[0][i] == probe.bytes[0]) & (texts[1][i] == probe.bytes[1]) &
                                     (texts[2][i] == probe.bytes[2]) & (texts[3][i] == probe.bytes[3]));
    any |= places[i];
  }
  return any != 0;
}

size_t FindBytes(const char* text_in, size_t size, const char* wanted, size_t wanted_size, size_t from) {
  if (size < wanted_size) return size;
  const auto* text = reinterpret_cast<const uint8_t*>(text_in);
  const auto* bytes = reinterpret_cast<const uint8_t*>(wanted);
  Probe probe;
  for (size_t i = 0; i < 4; i++) {
    probe.offsets[i] = i * (wanted_size - 1) / 3;
    probe.bytes[i] = bytes[probe.offsets[i]];
  }
  const size_t end = size - wanted_size + 1;  // of the places where they may begin
  const auto find_among = [&](size_t at, size_t places) {
    for (const size_t past = at + places; at < past; at++) {
      if (text[at] == bytes[0] && __builtin_memcmp(text + at, bytes, wanted_size) == 0) return at;
    }
    return size;
  };
  constexpr size_t kMany = 64, kFew = 16;
  uint8_t places[kMany];
  const auto find_marked = [&](size_t at, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
      uint64_t word;
      __builtin_memcpy(&word, places + i, 8);
      for (; word != 0; word &= word - 1) {
        const size_t place = at + i + static_cast<size_t>(__builtin_ctzll(word)) / 8;
        if (__builtin_memcmp(text + place, bytes, wanted_size) == 0) return place;
      }
    }
    return size;
  };
  size_t at = from;
  for (; at + kMany <= end; at += kMany) {
    if (!MayBeIn<kMany>(text + at, probe, places)) continue;
    const size_t found = find_marked(at, kMany);
    if (found != size) return found;
  }
  for (; at + kFew <= end; at += kFew) {
    if (!MayBeIn<kFew>(text + at, probe, places)) continue;
    const size_t found = find_marked(at, kFew);
    if (found != size) return found;
  }
  if (at >= end) return size;
  // The last places once more with some before them, which are known to have nothing.
  if (end - from >= kFew && !MayBeIn<kFew>(text + end - kFew, probe, places)) return size;
  return find_among(at, end - at);
}

}  // namespace

void FillSearch(KernelTable& table) { table.find_bytes = &FindBytes; }

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
