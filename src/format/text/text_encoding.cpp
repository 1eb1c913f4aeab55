// Names encodings, and converts UTF-16, Latin-1 and Windows-1252.
#include "format/text/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

constexpr size_t kDecodedBytes = size_t{64} << 10;

/// The characters of bytes 0x80 to 0x9F in Windows-1252. The five that it leaves open are control characters,
/// as browsers read them.
constexpr char16_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                       0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

struct EncodingName {
  const char* name;  ///< without hyphens
  TextEncoding encoding;
};
constexpr EncodingName kEncodings[] = {
    {"auto", TextEncoding::kAuto},          {"utf8", TextEncoding::kUtf8},
    {"unicode", TextEncoding::kUtf8},       {"utf8sig", TextEncoding::kUtf8},
    {"ascii", TextEncoding::kUtf8},         {"usascii", TextEncoding::kUtf8},
    {"sqlascii", TextEncoding::kUtf8},      {"utf16", TextEncoding::kUtf16},
    {"ucs2", TextEncoding::kUtf16},         {"utf16le", TextEncoding::kUtf16Le},
    {"utf16be", TextEncoding::kUtf16Be},    {"latin1", TextEncoding::kLatin1},
    {"iso88591", TextEncoding::kLatin1},    {"windows1252", TextEncoding::kWindows1252},
    {"cp1252", TextEncoding::kWindows1252}, {"win1252", TextEncoding::kWindows1252},
    {"ansi", TextEncoding::kWindows1252},
};

void AppendUtf8(uint32_t character, std::string& text) {
  const auto byte = [&](uint32_t value) { text += static_cast<char>(value); };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xC0 | character >> 6);
    byte(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    byte(0xE0 | character >> 12);
    byte(0x80 | (character >> 6 & 0x3F));
    byte(0x80 | (character & 0x3F));
  } else {
    byte(0xF0 | character >> 18);
    byte(0x80 | (character >> 12 & 0x3F));
    byte(0x80 | (character >> 6 & 0x3F));
    byte(0x80 | (character & 0x3F));
  }
}

}  // namespace

TextEncoding EncodingOption(const std::string& name, const Value& value) {
  std::string text = LowerCase(TextOption(name, value));
  std::erase_if(text, [](char c) { return c == '-' || c == '_' || c == ' '; });
  for (const EncodingName& known : kEncodings) {
    if (text == known.name) return known.encoding;
  }
  ThrowBadOption(name, "utf-8, utf-16, latin-1 or windows-1252 (iconv converts files of others)",
                 TextOption(name, value));
}

TextEncoding EncodingOfMark(std::string_view head) {
  if (head.starts_with("\xFF\xFE")) return TextEncoding::kUtf16Le;
  if (head.starts_with("\xFE\xFF")) return TextEncoding::kUtf16Be;
  return TextEncoding::kUtf8;
}

bool LooksLikeUtf16(std::string_view head) {
  if (head.size() < 4) return false;
  size_t zeros[2] = {0, 0};
  for (size_t i = 0; i < head.size(); i++) zeros[i % 2] += head[i] == '\0';
  const size_t half = head.size() / 2;
  return (zeros[0] > half / 2 && zeros[1] == 0) || (zeros[1] > half / 2 && zeros[0] == 0);
}

DecodedStream::DecodedStream(std::unique_ptr<ByteStream> source, TextEncoding encoding, std::string path)
    : source_(std::move(source)), encoding_(encoding), path_(std::move(path)), input_(kDecodedBytes) {
  SCAUP_CHECK(encoding != TextEncoding::kAuto && encoding != TextEncoding::kUtf8);
}

size_t DecodedStream::Read(char* buffer, size_t size_bytes) {
  size_t filled = 0;
  while (filled < size_bytes) {
    if (next_ == decoded_.size()) {
      if (at_end_) break;
      Fill();
      continue;
    }
    const size_t part = std::min(size_bytes - filled, decoded_.size() - next_);
    std::memcpy(buffer + filled, decoded_.data() + next_, part);
    filled += part;
    next_ += part;
  }
  return filled;
}

/// Decodes the next bytes of the source.
void DecodedStream::Fill() {
  decoded_.clear();
  next_ = 0;
  const size_t got = source_->Read(input_.data() + kept_, input_.size() - kept_);
  at_end_ = got < input_.size() - kept_;
  std::string_view bytes(input_.data(), kept_ + got);
  if (!is_begun_ && encoding_ != TextEncoding::kLatin1 && encoding_ != TextEncoding::kWindows1252) {
    const TextEncoding marked = EncodingOfMark(bytes);
    if (encoding_ == TextEncoding::kUtf16)
      encoding_ = marked == TextEncoding::kUtf16Be ? marked : TextEncoding::kUtf16Le;
    if (marked == encoding_) {
      bytes.remove_prefix(2);
      input_offset_ += 2;
    }
  }
  is_begun_ = true;
  if (encoding_ == TextEncoding::kUtf16Le || encoding_ == TextEncoding::kUtf16Be) {
    DecodeUtf16(bytes);
  } else {
    DecodeBytes(bytes);
  }
}

void DecodedStream::DecodeBytes(std::string_view bytes) {
  const bool is_windows = encoding_ == TextEncoding::kWindows1252;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    AppendUtf8(is_windows && byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80] : byte, decoded_);
  }
  kept_ = 0;
}

void DecodedStream::DecodeUtf16(std::string_view bytes) {
  const size_t high = encoding_ == TextEncoding::kUtf16Be ? 0 : 1;
  const auto unit = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i + high]) << 8 |
                                 static_cast<uint8_t>(bytes[i + 1 - high]));
  };
  size_t i = 0;
  for (; i + 2 <= bytes.size(); i += 2) {
    uint32_t character = unit(i);
    if (character >= 0xD800 && character < 0xE000) {
      if (i + 4 > bytes.size() && !at_end_) break;
      const uint32_t second = character < 0xDC00 && i + 4 <= bytes.size() ? unit(i + 2) : 0;
      if (second < 0xDC00 || second >= 0xE000) {
        ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire,
                   fmt::format("could not read \"{}\": at byte {} it is not valid UTF-16", path_,
                               input_offset_ + i));
      }
      character = 0x10000 + ((character - 0xD800) << 10) + (second - 0xDC00);
      i += 2;
    }
    AppendUtf8(character, decoded_);
  }
  input_offset_ += i;
  kept_ = bytes.size() - i;
  if (at_end_ && kept_ != 0) {
    ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire,
               fmt::format("could not read \"{}\": it ends within a character of UTF-16", path_));
  }
  std::memmove(input_.data(), bytes.data() + i, kept_);
}

}  // namespace scaup
