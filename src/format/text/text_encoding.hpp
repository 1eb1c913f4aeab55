// Encodings of text files, and their conversion to UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/text/byte_stream.hpp"
#include "scaup/value.hpp"

namespace scaup {

enum class TextEncoding : uint8_t {
  kAuto = 0,  ///< UTF-8, or UTF-16 where a byte order mark says so
  kUtf8 = 1,
  kUtf16 = 2,  ///< with a byte order mark, or else little endian
  kUtf16Le = 3,
  kUtf16Be = 4,
  kLatin1 = 5,
  kWindows1252 = 6
};

/// Reads an option such as 'utf-8' or 'latin-1': names of DuckDB, PostgreSQL and Python, in any case and with
/// any hyphens. Throws Error(kBinder, 22023).
TextEncoding EncodingOption(const std::string& name, const Value& value);
/// The encoding that a byte order mark tells; kUtf8 without one.
TextEncoding EncodingOfMark(std::string_view head);
/// Whether text without such a mark looks like UTF-16: every other byte of what is mostly ASCII is zero.
bool LooksLikeUtf16(std::string_view head);

/// Converts a stream to UTF-8, without a byte order mark. Throws Error(kConversion, 22021) for what is no
/// character.
class DecodedStream final : public ByteStream {
 public:
  /// `path` is named in errors. REQUIRES: the encoding is neither kAuto nor kUtf8.
  DecodedStream(std::unique_ptr<ByteStream> source, TextEncoding encoding, std::string path);
  size_t Read(char* buffer, size_t size_bytes) override;
  uint64_t consumed_bytes() const override { return source_->consumed_bytes(); }

 private:
  void Fill();
  void DecodeBytes(std::string_view bytes);
  void DecodeUtf16(std::string_view bytes);

  std::unique_ptr<ByteStream> source_;
  TextEncoding encoding_;
  std::string path_;
  bool is_begun_ = false;
  bool at_end_ = false;
  std::vector<char> input_;
  size_t kept_ = 0;            ///< bytes at the beginning of `input_` that are half a character
  uint64_t input_offset_ = 0;  ///< of `input_` in the source
  std::string decoded_;
  size_t next_ = 0;  ///< in `decoded_`
};

}  // namespace scaup
