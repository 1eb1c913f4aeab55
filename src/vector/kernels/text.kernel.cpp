// Kernels: ASCII checks and case, string references, digits of integers, and substring search.
#include "vector/function_kernels.hpp"
#include "vector/kernels/kernel_list.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

constexpr size_t kStretch = 64;

bool IsAscii(const char* text_in, size_t size) {
  const auto* text = reinterpret_cast<const uint8_t*>(text_in);
  uint8_t all = 0;
  for (size_t i = 0; i < size; i++) all |= text[i];
  return all < 128;
}

bool ChangeAsciiCase(const char* text_in, size_t size, char first, char* out_in) {
  const auto* __restrict text = reinterpret_cast<const uint8_t*>(text_in);
  auto* __restrict out = reinterpret_cast<uint8_t*>(out_in);
  const auto from = static_cast<uint8_t>(first);
  uint8_t all = 0;
  for (size_t i = 0; i < size; i++) {
    const uint8_t byte = text[i];
    const bool is_letter = static_cast<uint8_t>(byte - from) < 26;
    all |= byte;
    out[i] = byte ^ static_cast<uint8_t>(is_letter ? 0x20 : 0);
  }
  return all < 128;
}

// The words of a StringRef. The first holds the length and, above it, the first four bytes; the second holds
// the other inline bytes, or the address of all bytes.
constexpr uint64_t kPrefixBytes = ~uint64_t{0} << 32;
constexpr uint64_t kInlineBytes = 12;

bool AreJoined(const void* strings, size_t count) {
  const auto* words = static_cast<const uint64_t*>(strings);
  for (size_t begin = 0; begin < count; begin += kStretch) {
    // Compares each string with the next one, if there is one.
    const size_t end = begin + kStretch < count ? begin + kStretch : count - 1;
    uint64_t wrong = 0;
    for (size_t i = begin; i < end; i++) {
      const uint64_t size = words[2 * i] & ~kPrefixBytes;
      wrong |= (words[2 * i + 1] + size) ^ words[2 * i + 3];
      wrong |= size <= kInlineBytes ? 1 : 0;
    }
    if (wrong != 0) return false;
  }
  return count == 0 || (words[2 * count - 2] & ~kPrefixBytes) > kInlineBytes;
}

// The bits in which the letters among eight ASCII bytes differ from the other case.
uint64_t CaseBits(uint64_t word, uint64_t first) {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  // No byte carries into the next: the high bit says whether the byte is large enough, and in the second sum,
  // too large.
  const uint64_t from_first = word + kOnes * (128 - first);
  const uint64_t after_last = word + kOnes * (128 - 26 - first);
  return (from_first & ~after_last & (kOnes << 7)) >> 2;
}

void MoveWithCase(const void* strings, size_t count, char first_in, ptrdiff_t distance, void* out_in) {
  const auto* words = static_cast<const uint64_t*>(strings);
  auto* __restrict out = static_cast<uint64_t*>(out_in);
  const auto first = static_cast<uint64_t>(first_in), further = static_cast<uint64_t>(distance);
  for (size_t i = 0; i < count; i++) {
    const uint64_t head = words[2 * i], tail = words[2 * i + 1];
    const bool is_inline = (head & ~kPrefixBytes) <= kInlineBytes;
    // For an address the sum is meaningless and discarded.
    const uint64_t changed = tail ^ CaseBits(tail, first);
    out[2 * i] = head ^ CaseBits(head & kPrefixBytes, first);
    out[2 * i + 1] = is_inline ? changed : tail + further;
  }
}

void StringSizes(const void* strings, size_t count, int32_t* __restrict out) {
  const auto* words = static_cast<const uint64_t*>(strings);
  for (size_t i = 0; i < count; i++) out[i] = static_cast<int32_t>(words[2 * i] & ~kPrefixBytes);
}

// Splits the number into halves, quarters and eighths side by side in a word, the most significant digit in
// the lowest byte.
bool IntegerTexts(const int32_t* values, size_t count, void* out_in) {
  auto* __restrict out = static_cast<uint64_t*>(out_in);
  uint32_t largest = 0;
  for (size_t i = 0; i < count; i++) {
    const auto value = static_cast<uint32_t>(values[i]);
    largest = value > largest ? value : largest;
  }
  if (largest >= 100000000) return false;
  for (size_t i = 0; i < count; i++) {
    const uint64_t value = static_cast<uint32_t>(values[i]);
    const uint64_t high = (value * 109951163) >> 40;  // divides by 10000, for values below 10^8
    const uint64_t fours = high | (value - 10000 * high) << 32;
    const uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007fULL;
    const uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
    const uint64_t tens = ((pairs * 103) >> 10) & 0x000f000f000f000fULL;
    const uint64_t digits = tens | (pairs - 10 * tens) << 8;
    const uint64_t length = 1 + (value >= 10) + (value >= 100) + (value >= 1000) + (value >= 10000) +
                            (value >= 100000) + (value >= 1000000) + (value >= 10000000);
    const uint64_t text = (digits | 0x3030303030303030ULL) >> (8 * (8 - length));
    out[2 * i] = length | text << 32;
    out[2 * i + 1] = text >> 32;
  }
  return true;
}

// The bytes to find, with up to four probe bytes, each broadcast to a register. A full comparison is made
// only where all probes match; more probes would cost more loads than they save comparisons. The rest is
// compared by words.
struct Wanted {
  const uint8_t* bytes;
  size_t size;
  uint8_t probes[4];
  size_t offsets[4];
  uint64_t word;  // the first eight bytes,
  uint64_t mask;  // or as many as there are

  explicit Wanted(const char* wanted, size_t wanted_size)
      : bytes(reinterpret_cast<const uint8_t*>(wanted)), size(wanted_size), word(0), mask(~uint64_t{0}) {
    for (size_t i = 0; i < 4; i++) {
      offsets[i] = i * (size - 1) / 3;
      probes[i] = bytes[offsets[i]];
    }
    __builtin_memcpy(&word, bytes, size < 8 ? size : 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (size < 8) mask = (uint64_t{1} << (8 * size)) - 1;
#else
    if (size < 8) mask = ~uint64_t{0} << (8 * (8 - size));
#endif
  }
  /// Compares the first bytes. REQUIRES: eight bytes can be read.
  bool IsAt(const uint8_t* text) const {
    uint64_t there;
    __builtin_memcpy(&there, text, 8);
    if (((there ^ word) & mask) != 0) return false;
    return size <= 8 || __builtin_memcmp(text + 8, bytes + 8, size - 8) == 0;
  }
};

// Sets marks[i] to 1 if the probes match an occurrence that begins at text[i], otherwise to 0.
void Mark(const uint8_t* text, const Wanted& wanted, uint8_t* __restrict marks) {
  const uint8_t* a = text + wanted.offsets[0];
  const uint8_t* b = text + wanted.offsets[1];
  const uint8_t* c = text + wanted.offsets[2];
  const uint8_t* d = text + wanted.offsets[3];
  const uint8_t wanted_a = wanted.probes[0], wanted_b = wanted.probes[1];
  const uint8_t wanted_c = wanted.probes[2], wanted_d = wanted.probes[3];
  for (size_t i = 0; i < kStretch; i++) {
    marks[i] = static_cast<uint8_t>((a[i] == wanted_a) & (b[i] == wanted_b) & (c[i] == wanted_c) &
                                    (d[i] == wanted_d));
  }
}

size_t FindPlaces(const char* text_in, size_t size, const char* bytes, size_t wanted_size, size_t& from,
                  uint32_t* places, size_t most) {
  const auto* text = reinterpret_cast<const uint8_t*>(text_in);
  size_t at = from;
  from = size;
  if (size < wanted_size) return 0;
  const Wanted wanted(bytes, wanted_size);
  const size_t end = size - wanted_size + 1;  // the end of possible positions
  // Up to here all reads are within the text: at most eight bytes are read after the last position of a
  // stride.
  const size_t last = size < wanted_size + kStretch + 8 ? 0 : size - wanted_size - kStretch - 8;
  size_t found = 0;
  alignas(kStretch) uint8_t marks[kStretch];
  for (; at <= last && last != 0; at += kStretch) {
    if (found + kStretch > most) {
      from = at;
      return found;
    }
    Mark(text + at, wanted, marks);
    for (size_t i = 0; i < kStretch; i += 8) {
      uint64_t word;
      __builtin_memcpy(&word, marks + i, 8);
      for (; word != 0; word &= word - 1) {
        const size_t place = at + i + static_cast<size_t>(__builtin_ctzll(word)) / 8;
        places[found] = static_cast<uint32_t>(place);
        found += wanted.IsAt(text + place) ? 1 : 0;
      }
    }
  }
  for (; at < end && found < most; at++) {
    places[found] = static_cast<uint32_t>(at);
    const bool begins = text[at] == wanted.bytes[0];
    found += begins && __builtin_memcmp(text + at, wanted.bytes, wanted_size) == 0 ? 1 : 0;
  }
  if (at < end) from = at;
  return found;
}

// Returns bit i for position text[i] of a stride: whether the probes match an occurrence that begins there.
uint64_t MarkBits(const uint8_t* text, const Wanted& wanted) {
#if defined(__AVX512BW__)
  uint64_t bits = ~uint64_t{0};
  for (size_t probe = 0; probe < 4; probe++) {
    const __m512i there = _mm512_loadu_si512(text + wanted.offsets[probe]);
    bits &= _mm512_cmpeq_epi8_mask(there, _mm512_set1_epi8(static_cast<char>(wanted.probes[probe])));
  }
  return bits;
#elif defined(__AVX2__)
  uint64_t bits = 0;
  for (size_t i = 0; i < kStretch; i += 32) {
    __m256i all = _mm256_set1_epi8(-1);
    for (size_t probe = 0; probe < 4; probe++) {
      const __m256i there =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + i + wanted.offsets[probe]));
      const __m256i same =
          _mm256_cmpeq_epi8(there, _mm256_set1_epi8(static_cast<char>(wanted.probes[probe])));
      all = _mm256_and_si256(all, same);
    }
    bits |= uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(all))} << i;
  }
  return bits;
#elif defined(__SSE2__)
  uint64_t bits = 0;
  for (size_t i = 0; i < kStretch; i += 16) {
    __m128i all = _mm_set1_epi8(-1);
    for (size_t probe = 0; probe < 4; probe++) {
      const __m128i there =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + wanted.offsets[probe]));
      all = _mm_and_si128(all, _mm_cmpeq_epi8(there, _mm_set1_epi8(static_cast<char>(wanted.probes[probe]))));
    }
    bits |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(all))} << i;
  }
  return bits;
#else
  alignas(kStretch) uint8_t marks[kStretch];
  Mark(text, wanted, marks);
  uint64_t bits = 0;
  for (size_t i = 0; i < kStretch; i++) bits |= uint64_t{marks[i]} << i;
  return bits;
#endif
}

void MarkPlaces(const char* text_in, size_t size, const char* bytes, size_t wanted_size, uint64_t* marks) {
  const auto* text = reinterpret_cast<const uint8_t*>(text_in);
  const size_t end = size < wanted_size ? 0 : size - wanted_size + 1;  // the end of possible positions
  const Wanted wanted(bytes, wanted_size);
  size_t at = 0;
  for (; at + kStretch <= end; at += kStretch) marks[at / 64] = MarkBits(text + at, wanted);
  for (; at < size; at += 64) {
    uint64_t bits = 0;
    for (size_t i = 0; i < 64 && at + i < end; i++) {
      bool begins = true;
      for (size_t probe = 0; probe < 4; probe++)
        begins &= text[at + i + wanted.offsets[probe]] == wanted.probes[probe];
      bits |= uint64_t{begins} << i;
    }
    marks[at / 64] = bits;
  }
}

}  // namespace

void FillText(FunctionKernels& table) {
  table.is_ascii = &IsAscii;
  table.change_ascii_case = &ChangeAsciiCase;
  table.are_joined = &AreJoined;
  table.move_with_case = &MoveWithCase;
  table.string_sizes = &StringSizes;
  table.integer_texts = &IntegerTexts;
  table.find_places = &FindPlaces;
  table.mark_places = &MarkPlaces;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
