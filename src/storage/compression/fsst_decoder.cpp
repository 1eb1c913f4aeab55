// FSST: expands codes to text, eight at a time.
#include "storage/compression/fsst_decoder.hpp"

#include <bit>

namespace scaup {

namespace {

/// Returns the high bit of every byte of `word` that is 255. Only the lowest set bit is reliable.
uint64_t EscapesOf(uint64_t word) {
  constexpr uint64_t kLow = 0x0101010101010101ULL, kHigh = 0x8080808080808080ULL;
  const uint64_t inverse = ~word;
  return (inverse - kLow) & word & kHigh;
}

}  // namespace

FsstDecoder::FsstDecoder(EncodedReader& reader) : bytes_{}, lengths_{} {
  const size_t count = reader.Read<uint8_t>();
  const auto lengths = reader.Take(count);
  for (size_t code = 0; code < count; code++) {
    const auto length = static_cast<uint8_t>(lengths[code]);
    if (length < 1 || length > kFsstMaxSymbolBytes)
      ThrowCorruptEncoding("an FSST symbol of an impossible length");
    lengths_[code] = length;
    std::memcpy(&bytes_[code], reader.Take(length).data(), length);
  }
  // Codes without a symbol have length zero. They expand to nothing, so the total length comes out wrong.
}

FsstDecoder::Ends FsstDecoder::Expand(std::span<const std::byte> codes, char* text, size_t size_bytes) const {
  const auto* in = reinterpret_cast<const uint8_t*>(codes.data());
  const uint8_t* in_end = in + codes.size();
  char* out = text;
  const char* out_end = text + size_bytes;
  const auto expand = [&](uint32_t code) {
    // Always copies eight bytes: the surplus is overwritten by the next symbol.
    std::memcpy(out, &bytes_[code], kFsstMaxSymbolBytes);
    out += lengths_[code];
  };
  // Writes at most 64 bytes between two tests of the end, which is the permitted write-ahead.
  while (in_end - in >= 8 && out < out_end) {
    uint64_t word;
    std::memcpy(&word, in, sizeof(word));
    const uint64_t escapes = EscapesOf(word);
    if (escapes == 0) [[likely]] {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) expand(static_cast<uint8_t>(word >> (8 * i)));
      in += 8;
      continue;
    }
    const int before = std::countr_zero(escapes) / 8;
    for (int i = 0; i < before; i++) expand(in[i]);
    in += before;
    if (before == 7) continue;  // the escaped byte is in the next word
    *out++ = static_cast<char>(in[1]);
    in += 2;
  }
  // The rest is expanded one by one, with tests for each code.
  while (in < in_end && out < out_end) {
    const uint32_t code = *in++;
    if (code != kFsstEscape) {
      expand(code);
      continue;
    }
    if (in == in_end) ThrowCorruptEncoding("FSST codes end in an escape");
    *out++ = static_cast<char>(*in++);
  }
  return {codes.size() - static_cast<size_t>(in_end - in), static_cast<size_t>(out - text)};
}

void FsstDecoder::Decode(std::span<const std::byte> codes, char* text, size_t size_bytes) const {
  // One more than expected, so that surplus codes are detected.
  const Ends ends = Expand(codes, text, size_bytes + 1);
  if (ends.code_bytes != codes.size() || ends.text_bytes != size_bytes)
    ThrowCorruptEncoding("FSST codes of the wrong length");
}

FsstDecoder::Ends FsstDecoder::Skip(std::span<const std::byte> codes, size_t size_bytes) const {
  const auto* in = reinterpret_cast<const uint8_t*>(codes.data());
  const uint8_t* in_end = in + codes.size();
  size_t text_bytes = 0;
  while (in_end - in >= 8) {
    uint64_t word;
    std::memcpy(&word, in, sizeof(word));
    const uint64_t escapes = EscapesOf(word);
    const int before = std::countr_zero(escapes) / 8;  // 8 if there is none
    size_t length = 0, taken = static_cast<size_t>(before);
    if (before == 8) [[likely]] {
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) length += lengths_[static_cast<uint8_t>(word >> (8 * i))];
    } else {
      for (int i = 0; i < before; i++) length += lengths_[in[i]];
      if (before != 7) {  // otherwise the escaped byte is in the next word
        length++;
        taken += 2;
      }
    }
    // This word reaches beyond the wanted position, so Expand must begin with it.
    if (text_bytes + length > size_bytes) break;
    text_bytes += length;
    in += taken;
  }
  return {codes.size() - static_cast<size_t>(in_end - in), text_bytes};
}

size_t FsstDecoder::DecodePart(std::span<const std::byte> codes, size_t begin, char* text,
                               size_t size_bytes) const {
  Ends passed{0, 0};
  if (begin != 0) passed = Skip(codes, begin);
  const size_t before = begin - passed.text_bytes;
  // Either less than a word of codes is left, or one word's text reaches beyond `begin`.
  if (before > kWriteAheadBytes) ThrowCorruptEncoding("FSST codes of the wrong length");
  if (Expand(codes.subspan(passed.code_bytes), text, before + size_bytes).text_bytes < before + size_bytes)
    ThrowCorruptEncoding("FSST codes of the wrong length");
  return before;
}

}  // namespace scaup
