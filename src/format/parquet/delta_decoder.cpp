// The encodings DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY.
#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/rle_decoder.hpp"
#include "format/parquet/value_decoder.hpp"

namespace scaup {

namespace {

using Bytes = std::span<const std::byte>;

/// Differences of integers in blocks, each with a least difference and miniblocks of bit-packed rests.
/// Differences wrap, so nothing overflows.
class DeltaIntegers {
 public:
  DeltaIntegers() = default;
  explicit DeltaIntegers(Bytes bytes)
      : at_(reinterpret_cast<const uint8_t*>(bytes.data())), begin_(at_), end_(at_ + bytes.size()) {
    constexpr uint64_t kMostBlock = 1 << 20;
    block_values_ = Varint();
    miniblocks_ = Varint();
    left_ = Varint();
    value_ = Zigzag();
    if (block_values_ == 0 || block_values_ > kMostBlock || miniblocks_ == 0 ||
        block_values_ % miniblocks_ != 0 || block_values_ / miniblocks_ % 32 != 0)
      ThrowParquetDamage("the blocks of a page have an impossible size");
    miniblock_values_ = block_values_ / miniblocks_;
    miniblock_ = miniblocks_;
  }

  size_t left() const { return left_; }
  /// Writes the next `count` values, or skips them if `values` is null.
  template <typename T>
  void Read(size_t count, T* values) {
    if (count > left_) ThrowParquetDamage("a page has fewer values than it claims");
    for (size_t i = 0; i < count;) {
      if (values != nullptr) values[i] = static_cast<T>(value_);
      i++;
      left_--;
      if (left_ == 0) return;
      if (in_miniblock_ == 0) NextMiniblock(left_);
      // A whole stretch of a miniblock.
      if (width_ <= 32) {
        uint32_t rests[kStretch];
        const size_t stretch = std::min({count - i, in_miniblock_ - 1, left_ - 1, kStretch});
        if (stretch != 0) {
          UnpackBits(packed_, bit_, width_, stretch, rests);
          bit_ += stretch * width_;
          in_miniblock_ -= stretch;
          left_ -= stretch;
          for (size_t k = 0; k < stretch; k++) {
            value_ += least_ + rests[k];
            if (values != nullptr) values[i + k] = static_cast<T>(value_);
          }
          i += stretch;
        }
      }
      value_ += least_ + Rest();
      in_miniblock_--;
    }
  }
  /// Skips all values, and returns how many bytes they take.
  size_t FindEnd() {
    while (left_ > 1) {
      if (in_miniblock_ == 0) NextMiniblock(left_ - 1);
      const size_t skipped = std::min(in_miniblock_, left_ - 1);
      in_miniblock_ -= skipped;
      left_ -= skipped;
    }
    return static_cast<size_t>(at_ - begin_);
  }

 private:
  static constexpr size_t kStretch = 256;

  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) ThrowParquetDamage("the blocks of a page are cut off");
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    ThrowParquetDamage("a number in a page is too long");
  }
  uint64_t Zigzag() {
    const uint64_t value = Varint();
    return value >> 1 ^ (uint64_t{0} - (value & 1));
  }

  /// Begins a miniblock, of which `wanted` values will be read.
  void NextMiniblock(size_t wanted) {
    if (miniblock_ == miniblocks_) {
      least_ = Zigzag();
      widths_ = at_;
      if (miniblocks_ > static_cast<size_t>(end_ - at_))
        ThrowParquetDamage("the blocks of a page are cut off");
      at_ += miniblocks_;
      miniblock_ = 0;
    }
    width_ = widths_[miniblock_++];
    if (width_ > 64) ThrowParquetDamage("a block of a page has values of impossible width");
    const size_t bytes = miniblock_values_ * width_ / 8;
    const auto rest = static_cast<size_t>(end_ - at_);
    // The last miniblock may be shorter than its values, where none needs the rest.
    const size_t needed = (std::min(miniblock_values_, wanted) * width_ + 7) / 8;
    if (bytes > rest && needed > rest) ThrowParquetDamage("the blocks of a page are cut off");
    packed_ = at_;
    bit_ = 0;
    in_miniblock_ = miniblock_values_;
    at_ += std::min(bytes, rest);
  }

  uint64_t Rest() {
    if (width_ == 0) return 0;
    uint64_t low;
    std::memcpy(&low, packed_ + bit_ / 8, sizeof(low));
    const size_t shift = bit_ % 8;
    uint64_t value = low >> shift;
    if (shift + width_ > 64) value |= uint64_t{packed_[bit_ / 8 + 8]} << (64 - shift);
    bit_ += width_;
    return width_ == 64 ? value : value & ((uint64_t{1} << width_) - 1);
  }

  const uint8_t* at_ = nullptr;
  const uint8_t* begin_ = nullptr;
  const uint8_t* end_ = nullptr;
  size_t block_values_ = 0, miniblocks_ = 0, miniblock_values_ = 0;
  size_t left_ = 0;  // values, value_ among them
  uint64_t value_ = 0;
  uint64_t least_ = 0;
  const uint8_t* widths_ = nullptr;
  size_t miniblock_ = 0;  // of the next one in its block
  uint32_t width_ = 0;
  const uint8_t* packed_ = nullptr;
  size_t bit_ = 0;
  size_t in_miniblock_ = 0;  // values left
};

template <typename T>
class DeltaNumbers final : public ValueDecoder {
 public:
  explicit DeltaNumbers(Bytes bytes) : integers_(bytes) {}
  void Read(size_t count, std::byte* raw, Vector&) override {
    integers_.Read(count, reinterpret_cast<T*>(raw));
  }
  void Skip(size_t count) override { integers_.Read(count, static_cast<T*>(nullptr)); }

 private:
  DeltaIntegers integers_;
};

/// All lengths, then all bytes.
class DeltaLengths final : public ValueDecoder {
 public:
  DeltaLengths() = default;
  explicit DeltaLengths(Bytes bytes) : lengths_(bytes) {
    DeltaIntegers lengths = lengths_;
    bytes_ = bytes.subspan(lengths.FindEnd());
  }
  void Read(size_t count, std::byte* raw, Vector&) override {
    SCAUP_ASSERT(count <= kVectorSize);
    int32_t lengths[kVectorSize];
    lengths_.Read(count, lengths);
    auto* strings = reinterpret_cast<StringRef*>(raw);
    for (size_t i = 0; i < count; i++) {
      if (lengths[i] < 0 || static_cast<size_t>(lengths[i]) > bytes_.size())
        ThrowParquetDamage("a string in a page is cut off");
      strings[i] = StringRef(reinterpret_cast<const char*>(bytes_.data()), static_cast<uint32_t>(lengths[i]));
      bytes_ = bytes_.subspan(static_cast<size_t>(lengths[i]));
    }
  }
  void Skip(size_t count) override {
    StringRef strings[kVectorSize];
    for (size_t done = 0; done < count; done += kVectorSize)
      ReadStrings(std::min(count - done, kVectorSize), strings);
  }
  void ReadStrings(size_t count, StringRef* strings) {
    Vector unused(TypeId::kBlob);
    Read(count, reinterpret_cast<std::byte*>(strings), unused);
  }

 private:
  DeltaIntegers lengths_;
  Bytes bytes_;
};

/// Each string shares a prefix with the one before it.
class DeltaStrings final : public ValueDecoder {
 public:
  DeltaStrings(Bytes bytes, int32_t fixed_length) : prefixes_(bytes), fixed_length_(fixed_length) {
    DeltaIntegers prefixes = prefixes_;
    suffixes_ = DeltaLengths(bytes.subspan(prefixes.FindEnd()));
  }
  void Read(size_t count, std::byte* raw, Vector& heap) override {
    auto* strings = reinterpret_cast<StringRef*>(raw);
    Expand(count, [&](size_t i) { strings[i] = heap.AddString(last_); });
  }
  void Skip(size_t count) override {
    for (size_t done = 0; done < count; done += kVectorSize)
      Expand(std::min(count - done, kVectorSize), [](size_t) {});
  }

 private:
  template <typename Emit>
  void Expand(size_t count, Emit&& emit) {
    SCAUP_ASSERT(count <= kVectorSize);
    int32_t prefixes[kVectorSize];
    StringRef suffixes[kVectorSize];
    prefixes_.Read(count, prefixes);
    suffixes_.ReadStrings(count, suffixes);
    for (size_t i = 0; i < count; i++) {
      if (prefixes[i] < 0 || static_cast<size_t>(prefixes[i]) > last_.size())
        ThrowParquetDamage("a string in a page shares more than the one before it has");
      last_.resize(static_cast<size_t>(prefixes[i]));
      last_.append(suffixes[i].view());
      if (fixed_length_ >= 0 && last_.size() != static_cast<size_t>(fixed_length_))
        ThrowParquetDamage("a string in a page has a wrong length");
      emit(i);
    }
  }

  DeltaIntegers prefixes_;
  DeltaLengths suffixes_;
  int32_t fixed_length_;  // -1 for any
  std::string last_;
};

}  // namespace

std::unique_ptr<ValueDecoder> MakeDeltaDecoder(const ParquetLeaf& leaf, ParquetEncoding encoding,
                                               std::span<const std::byte> bytes) {
  if (encoding == ParquetEncoding::kDeltaBinary) {
    if (leaf.physical == ParquetType::kInt32) return std::make_unique<DeltaNumbers<int32_t>>(bytes);
    if (leaf.physical == ParquetType::kInt64) return std::make_unique<DeltaNumbers<int64_t>>(bytes);
    return nullptr;
  }
  if (encoding == ParquetEncoding::kDeltaLength)
    return leaf.physical == ParquetType::kByteArray ? std::make_unique<DeltaLengths>(bytes) : nullptr;
  if (leaf.physical == ParquetType::kByteArray) return std::make_unique<DeltaStrings>(bytes, -1);
  if (leaf.physical == ParquetType::kFixedBytes) return std::make_unique<DeltaStrings>(bytes, leaf.length);
  return nullptr;
}

}  // namespace scaup
