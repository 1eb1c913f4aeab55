// Walks over the pages of a column chunk, and decompresses those that are wanted.
#include "format/parquet/page_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/codec/crc32.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/rle_decoder.hpp"
#include "format/parquet/value_converter.hpp"
#include "format/parquet/value_decoder.hpp"

namespace scaup {

namespace {

constexpr size_t kWindowBytes = 128 << 10;
/// Headers are longer only where their statistics have long strings.
constexpr size_t kMostHeaderBytes = 16 << 20;

/// The fewest bytes that so many plain values take, or more than any page has.
size_t LeastPlainBytes(const ParquetLeaf& leaf, size_t count) {
  switch (leaf.physical) {
    case ParquetType::kBoolean: return count / 8;
    case ParquetType::kByteArray: return count * sizeof(uint32_t);
    case ParquetType::kFixedBytes: return count * static_cast<size_t>(std::max(leaf.length, 1));
    default: return count * RawValueBytes(leaf.physical);
  }
}

/// Takes the first `size_bytes` of the bytes.
std::span<const std::byte> TakeBytes(std::span<const std::byte>& bytes, size_t size_bytes) {
  if (size_bytes > bytes.size()) ThrowParquetDamage("the levels of a page are cut off");
  const auto taken = bytes.first(size_bytes);
  bytes = bytes.subspan(size_bytes);
  return taken;
}

/// Takes the levels of a page of version 1: their size, then runs; or bits without a size.
std::span<const std::byte> TakeLevels(std::span<const std::byte>& bytes, ParquetEncoding encoding,
                                      uint32_t most, size_t count) {
  if (most == 0) return {};
  if (encoding == ParquetEncoding::kBitPacked) {
    const auto width = static_cast<size_t>(std::bit_width(most));
    return TakeBytes(bytes, (count * width + 7) / 8);
  }
  if (encoding != ParquetEncoding::kRle) ThrowParquetDamage("the levels of a page have an unknown encoding");
  uint32_t size;
  std::memcpy(&size, TakeBytes(bytes, sizeof(size)).data(), sizeof(size));
  return TakeBytes(bytes, size);
}

}  // namespace

PageBuffer::PageBuffer(MemoryTracker& memory, size_t size_bytes)
    : memory_(memory),
      capacity_((memory_.Resize(size_bytes + kPagePadding), size_bytes)),
      data_(size_bytes + kPagePadding) {}

std::shared_ptr<PageBuffer> PageBuffers::FindUnused(size_t size_bytes) {
  const std::shared_ptr<PageBuffer>* best = nullptr;
  for (const auto& buffer : buffers_) {
    if (buffer.use_count() != 1 || buffer->capacity() < size_bytes) continue;
    if (best == nullptr || buffer->capacity() < (*best)->capacity()) best = &buffer;
  }
  return best == nullptr ? nullptr : *best;
}

std::shared_ptr<PageBuffer> PageBuffers::Make(size_t size_bytes) {
  try {
    return std::make_shared<PageBuffer>(memory_, size_bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
  }
  std::erase_if(buffers_, [](const auto& buffer) { return buffer.use_count() == 1; });
  return std::make_shared<PageBuffer>(memory_, size_bytes);
}

std::shared_ptr<PageBuffer> PageBuffers::Take(size_t size_bytes) {
  constexpr size_t kMostBuffers = 256;
  std::shared_ptr<PageBuffer> buffer = FindUnused(size_bytes);
  if (buffer == nullptr) {
    // Sizes in steps of an eighth, so that the next page of a column fits, too.
    const size_t step = std::bit_ceil(std::max<size_t>(size_bytes, 4096)) / 8;
    buffer = Make((size_bytes + step - 1) / step * step);
    // Buffers that are too small would stay for ever.
    if (buffers_.size() >= kMostBuffers)
      std::erase_if(buffers_, [](const auto& unused) { return unused.use_count() == 1; });
    if (buffers_.size() < kMostBuffers) buffers_.push_back(buffer);
  }
  std::memset(buffer->data() + size_bytes, 0, kPagePadding);
  return buffer;
}

ParquetDictionary::ParquetDictionary(MemoryTracker& tracker, size_t value_count, size_t value_bytes)
    : memory(tracker),
      values((memory.Resize((value_count + 1) * value_bytes + value_count / 8),
              (value_count + 1) * value_bytes)),
      validity(value_count / 64 + 1, ~ValidityWord{0}),
      size(value_count) {
  std::memset(values.data() + value_count * value_bytes, 0, value_bytes);
  SetInvalid(validity.data(), value_count);
}

PageReader::PageReader(const ParquetReading& reading, const ParquetColumnChunk& chunk,
                       const ParquetLeaf& leaf)
    : reading_(reading),
      chunk_(chunk),
      leaf_(leaf),
      file_bytes_(reading.file.Size()),
      position_(static_cast<uint64_t>(
          chunk.dictionary_offset > 0 && chunk.dictionary_offset < chunk.data_offset ? chunk.dictionary_offset
                                                                                     : chunk.data_offset)),
      chunk_end_(position_ + static_cast<uint64_t>(chunk.compressed_bytes)),
      values_left_(chunk.value_count) {
  if (!CanDecompress(chunk.codec)) {
    ThrowParquetUnknown(fmt::format("column \"{}\" is compressed by {}", leaf.name, CodecName(chunk.codec)));
  }
}

/// The bytes from position_ on: at least as many as wanted, if the file has them.
std::span<const std::byte> PageReader::Window(size_t wanted_bytes) {
  const uint64_t left = position_ < file_bytes_ ? file_bytes_ - position_ : 0;
  const bool is_inside = position_ >= window_begin_ && position_ <= window_begin_ + window_bytes_;
  const size_t offset = is_inside ? position_ - window_begin_ : 0;
  const size_t have = is_inside ? window_bytes_ - offset : 0;
  if (have >= std::min<uint64_t>(wanted_bytes, left)) return {window_->data() + offset, have};
  // Reading ahead ends with the chunk; its size may be wrong, so what is wanted need not.
  const size_t ahead = position_ < chunk_end_ ? std::min<uint64_t>(kWindowBytes, chunk_end_ - position_) : 0;
  const auto size = static_cast<size_t>(std::min<uint64_t>(left, std::max(wanted_bytes, ahead)));
  if (window_ == nullptr || window_->capacity() < size) {
    std::shared_ptr<PageBuffer> larger = reading_.buffers.Take(size);
    if (have != 0) std::memcpy(larger->data(), window_->data() + offset, have);
    window_ = std::move(larger);
  } else if (have != 0) {
    std::memmove(window_->data(), window_->data() + offset, have);
  }
  window_begin_ = position_;
  window_bytes_ = have;
  window_bytes_ += reading_.file.Read(position_ + have, window_->data() + have, size - have);
  return {window_->data(), window_bytes_};
}

bool PageReader::Next() {
  while (true) {
    position_ += payload_bytes_;
    payload_bytes_ = 0;
    if (values_left_ <= 0) return false;
    size_t header_bytes = 0;
    for (size_t wanted = 1024;; wanted *= 8) {
      const std::span<const std::byte> window = Window(wanted);
      try {
        header_ = ReadParquetPageHeader(window, header_bytes);
        break;
      } catch (const ParquetDamage&) {
        // A header of unknown size may only have been cut off by the window.
        if (window.size() < wanted || wanted > kMostHeaderBytes) throw;
      }
    }
    position_ += header_bytes;
    payload_bytes_ = header_.compressed_bytes;
    if (position_ > file_bytes_ || payload_bytes_ > file_bytes_ - position_)
      ThrowParquetDamage("a page is outside of the file");
    if (header_.type == ParquetPageType::kIndex) continue;
    if (header_.type == ParquetPageType::kDictionary) {
      LoadDictionary();
      continue;
    }
    if (header_.value_count == 0) continue;
    values_left_ -= static_cast<int64_t>(header_.value_count);
    if (values_left_ < 0) ThrowParquetDamage("a column chunk has more values than it claims");
    return true;
  }
}

std::span<const std::byte> PageReader::Payload() {
  const std::span<const std::byte> bytes = Window(payload_bytes_);
  if (bytes.size() < payload_bytes_) ThrowParquetDamage("a page is cut off");
  const auto payload = bytes.first(payload_bytes_);
  if (header_.checksum && Crc32(payload) != *header_.checksum)
    ThrowParquetDamage(fmt::format("the checksum of a page of column \"{}\" is wrong", leaf_.name));
  return payload;
}

void PageReader::Decompress(std::span<const std::byte> input, std::span<std::byte> output) {
  if (input.empty() && output.empty()) return;
  if (!reading_.decompressor.Run(chunk_.codec, input, output))
    ThrowParquetDamage(fmt::format("a page of column \"{}\" does not decompress", leaf_.name));
}

void PageReader::SplitLevels(ParquetPage& page, std::span<const std::byte> bytes) const {
  if (header_.type == ParquetPageType::kDataV2) {
    page.repetitions = TakeBytes(bytes, header_.repetition_bytes);
    page.definitions = TakeBytes(bytes, header_.definition_bytes);
  } else {
    page.repetitions = TakeLevels(bytes, header_.repetition_encoding, leaf_.repetition, header_.value_count);
    page.definitions = TakeLevels(bytes, header_.definition_encoding, leaf_.definition, header_.value_count);
  }
  page.values = bytes;
}

ParquetPage PageReader::Load() {
  const std::span<const std::byte> payload = Payload();
  ParquetPage page;
  page.buffer = reading_.buffers.Take(header_.uncompressed_bytes);
  const std::span<std::byte> output(page.buffer->data(), header_.uncompressed_bytes);
  size_t levels = 0;
  if (header_.type == ParquetPageType::kDataV2) {
    // Levels of version 2 are never compressed.
    levels = header_.repetition_bytes + header_.definition_bytes;
    if (levels > payload.size() || levels > output.size())
      ThrowParquetDamage("the levels of a page are cut off");
    if (levels != 0) std::memcpy(output.data(), payload.data(), levels);
  }
  const bool is_plain = header_.type == ParquetPageType::kDataV2 && !header_.is_compressed;
  if (is_plain) {
    if (payload.size() != output.size()) ThrowParquetDamage("a page has a wrong size");
    if (!output.empty()) std::memcpy(output.data(), payload.data(), payload.size());
  } else {
    Decompress(payload.subspan(levels), output.subspan(levels));
  }
  SplitLevels(page, output);
  return page;
}

void PageReader::LoadDictionary() {
  if (dictionary_ != nullptr) ThrowParquetDamage("a column chunk has two dictionaries");
  if (header_.encoding != ParquetEncoding::kPlain && header_.encoding != ParquetEncoding::kPlainDictionary)
    ThrowParquetDamage("a dictionary has an unknown encoding");
  const std::span<const std::byte> payload = Payload();
  auto page = reading_.buffers.Take(header_.uncompressed_bytes);
  const std::span<std::byte> output(page->data(), header_.uncompressed_bytes);
  Decompress(payload, output);
  const size_t count = header_.value_count;
  if (LeastPlainBytes(leaf_, count) > output.size())
    ThrowParquetDamage("a dictionary has fewer values than it claims");
  const size_t width = PhysicalSize(leaf_.type);
  auto dictionary = std::make_shared<ParquetDictionary>(reading_.memory, count, width);
  const auto decoder = MakePlainDecoder(leaf_, output);
  const ValueConverter convert = FindValueConverter(leaf_);
  alignas(16) std::byte raw[kVectorSize * sizeof(StringRef)];
  Vector unused(TypeId::kBlob);
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const size_t size = std::min(kVectorSize, count - begin);
    std::byte* const target = dictionary->values.data() + begin * width;
    decoder->Read(size, convert == nullptr ? target : raw, unused);
    if (convert != nullptr) convert(leaf_, raw, size, target);
  }
  dictionary->page = std::move(page);
  dictionary_ = std::move(dictionary);
}

}  // namespace scaup
