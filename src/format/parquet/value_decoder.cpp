// The encodings PLAIN, RLE of booleans, and BYTE_STREAM_SPLIT; the choice of a decoder.
#include "format/parquet/value_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/rle_decoder.hpp"

namespace scaup {

namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void ThrowTooFew() { ThrowParquetDamage("a page has fewer values than it claims"); }

class PlainFixed final : public ValueDecoder {
 public:
  PlainFixed(Bytes bytes, size_t width) : bytes_(bytes), width_(width) {}
  void Read(size_t count, std::byte* raw, Vector&) override {
    const std::byte* const values = Take(count);
    if (count != 0) std::memcpy(raw, values, count * width_);
  }
  void Skip(size_t count) override { Take(count); }
  const std::byte* Take(size_t count) override {
    if (count * width_ > bytes_.size()) ThrowTooFew();
    const std::byte* const values = bytes_.data();
    bytes_ = bytes_.subspan(count * width_);
    return values;
  }

 private:
  Bytes bytes_;
  size_t width_;
};

class PlainBooleans final : public ValueDecoder {
 public:
  explicit PlainBooleans(Bytes bytes) : bytes_(bytes) {}
  void Read(size_t count, std::byte* raw, Vector&) override {
    const size_t begin = bit_;
    Skip(count);
    for (size_t i = 0; i < count; i++) raw[i] = bytes_[(begin + i) / 8] >> (begin + i) % 8 & std::byte{1};
  }
  void Skip(size_t count) override {
    if (count > bytes_.size() * 8 - bit_) ThrowTooFew();
    bit_ += count;
  }

 private:
  Bytes bytes_;
  size_t bit_ = 0;
};

class PlainStrings final : public ValueDecoder {
 public:
  explicit PlainStrings(Bytes bytes) : bytes_(bytes) {}
  void Read(size_t count, std::byte* raw, Vector&) override {
    auto* strings = reinterpret_cast<StringRef*>(raw);
    for (size_t i = 0; i < count; i++) strings[i] = Next();
  }
  void Skip(size_t count) override {
    for (size_t i = 0; i < count; i++) Next();
  }

 private:
  StringRef Next() {
    uint32_t size;
    if (bytes_.size() < sizeof(size)) ThrowTooFew();
    std::memcpy(&size, bytes_.data(), sizeof(size));
    if (size > bytes_.size() - sizeof(size)) ThrowParquetDamage("a string in a page is cut off");
    const StringRef string(reinterpret_cast<const char*>(bytes_.data()) + sizeof(size), size);
    bytes_ = bytes_.subspan(sizeof(size) + size);
    return string;
  }
  Bytes bytes_;
};

class PlainFixedStrings final : public ValueDecoder {
 public:
  PlainFixedStrings(Bytes bytes, size_t length) : bytes_(bytes), length_(length) {}
  void Read(size_t count, std::byte* raw, Vector&) override {
    const auto* at = reinterpret_cast<const char*>(bytes_.data());
    Skip(count);
    auto* strings = reinterpret_cast<StringRef*>(raw);
    for (size_t i = 0; i < count; i++)
      strings[i] = StringRef(at + i * length_, static_cast<uint32_t>(length_));
  }
  void Skip(size_t count) override {
    if (length_ != 0 && count > bytes_.size() / length_) ThrowTooFew();
    bytes_ = bytes_.subspan(count * length_);
  }

 private:
  Bytes bytes_;
  size_t length_;
};

class RleBooleans final : public ValueDecoder {
 public:
  explicit RleBooleans(Bytes bytes) {
    uint32_t size;
    if (bytes.size() < sizeof(size)) ThrowTooFew();
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes = bytes.subspan(sizeof(size));
    if (size > bytes.size()) ThrowTooFew();
    decoder_ = RleDecoder(bytes.first(size), 1);
  }
  void Read(size_t count, std::byte* raw, Vector&) override {
    uint32_t values[kVectorSize];
    SCAUP_ASSERT(count <= kVectorSize);
    decoder_.Read(count, values);
    for (size_t i = 0; i < count; i++) raw[i] = static_cast<std::byte>(values[i]);
  }
  void Skip(size_t count) override { decoder_.Skip(count); }

 private:
  RleDecoder decoder_;
};

/// Byte k of all values lies in stream k.
class ByteStreams final : public ValueDecoder {
 public:
  ByteStreams(Bytes bytes, size_t width, bool is_string)
      : bytes_(bytes), width_(width), count_(bytes.size() / width), is_string_(is_string) {
    if (bytes.size() % width != 0) ThrowParquetDamage("the streams of a page differ in length");
  }
  void Read(size_t count, std::byte* raw, Vector& heap) override {
    const size_t begin = at_;
    Skip(count);
    std::byte* target = raw;
    if (is_string_) target = reinterpret_cast<std::byte*>(heap.AllocateString(count * width_));
    for (size_t k = 0; k < width_; k++) {
      const std::byte* const stream = bytes_.data() + k * count_ + begin;
      for (size_t i = 0; i < count; i++) target[i * width_ + k] = stream[i];
    }
    if (!is_string_) return;
    auto* strings = reinterpret_cast<StringRef*>(raw);
    for (size_t i = 0; i < count; i++) {
      strings[i] =
          StringRef(reinterpret_cast<const char*>(target) + i * width_, static_cast<uint32_t>(width_));
    }
  }
  void Skip(size_t count) override {
    if (count > count_ - at_) ThrowTooFew();
    at_ += count;
  }

 private:
  Bytes bytes_;
  size_t width_, count_;
  bool is_string_;
  size_t at_ = 0;
};

std::unique_ptr<ValueDecoder> MakeByteStreams(const ParquetLeaf& leaf, Bytes bytes) {
  const bool is_fixed = leaf.physical == ParquetType::kFixedBytes;
  const size_t width = is_fixed ? static_cast<size_t>(leaf.length) : RawValueBytes(leaf.physical);
  if (leaf.physical == ParquetType::kBoolean || leaf.physical == ParquetType::kByteArray ||
      leaf.physical == ParquetType::kInt96 || width == 0)
    return nullptr;
  return std::make_unique<ByteStreams>(bytes, width, is_fixed);
}

std::unique_ptr<ValueDecoder> TryMake(const ParquetLeaf& leaf, ParquetEncoding encoding, Bytes bytes) {
  switch (encoding) {
    case ParquetEncoding::kPlain: return MakePlainDecoder(leaf, bytes);
    case ParquetEncoding::kRle:
      return leaf.physical == ParquetType::kBoolean ? std::make_unique<RleBooleans>(bytes) : nullptr;
    case ParquetEncoding::kDeltaBinary:
    case ParquetEncoding::kDeltaLength:
    case ParquetEncoding::kDeltaBytes: return MakeDeltaDecoder(leaf, encoding, bytes);
    case ParquetEncoding::kByteStreamSplit: return MakeByteStreams(leaf, bytes);
    case ParquetEncoding::kPlainDictionary:
    case ParquetEncoding::kRleDictionary:
    case ParquetEncoding::kBitPacked: break;
  }
  return nullptr;
}

}  // namespace

size_t RawValueBytes(ParquetType type) {
  switch (type) {
    case ParquetType::kBoolean: return 1;
    case ParquetType::kInt32:
    case ParquetType::kFloat: return 4;
    case ParquetType::kInt64:
    case ParquetType::kDouble: return 8;
    case ParquetType::kInt96: return 12;
    case ParquetType::kByteArray:
    case ParquetType::kFixedBytes: return sizeof(StringRef);
  }
  return 0;
}

std::unique_ptr<ValueDecoder> MakePlainDecoder(const ParquetLeaf& leaf, std::span<const std::byte> bytes) {
  if (leaf.physical == ParquetType::kBoolean) return std::make_unique<PlainBooleans>(bytes);
  if (leaf.physical == ParquetType::kByteArray) return std::make_unique<PlainStrings>(bytes);
  if (leaf.physical == ParquetType::kFixedBytes)
    return std::make_unique<PlainFixedStrings>(bytes, static_cast<size_t>(leaf.length));
  return std::make_unique<PlainFixed>(bytes, RawValueBytes(leaf.physical));
}

std::unique_ptr<ValueDecoder> MakeValueDecoder(const ParquetLeaf& leaf, ParquetEncoding encoding,
                                               std::span<const std::byte> bytes) {
  if (auto decoder = TryMake(leaf, encoding, bytes)) return decoder;
  ThrowParquetDamage(fmt::format("column \"{}\" of type {} has the encoding {}", leaf.name,
                                 ParquetTypeName(leaf.physical),
                                 ParquetEncodingName(static_cast<int32_t>(encoding))));
}

}  // namespace scaup
