// Reading compressed segments.
#include "storage/row_group/stored_segment.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/memory/piece_cache.hpp"
#include "common/throw.hpp"
#include "storage/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// More rows of a block than this are read by decoding all of it.
constexpr size_t kMostPicked = kVectorSize / 8;

/// The bytes of a block's beginning, which says where its values are, that are prefetched.
constexpr size_t kPrefetchedHeadBytes = 384;

/// Asks for bytes to be brought into the processor's cache.
void FetchAhead(const void* data, size_t size_bytes) {
  constexpr size_t kLineBytes = 64;
  const auto* bytes = static_cast<const std::byte*>(data);
  for (size_t i = 0; i < size_bytes; i += kLineBytes) __builtin_prefetch(bytes + i);
  if (size_bytes != 0) __builtin_prefetch(bytes + size_bytes - 1);
}

/// A part of a run of bytes, of which only what is asked for is read.
class StoredBlockBytes final : public BlockBytes {
 public:
  StoredBlockBytes(ExtentReader& reader, uint64_t begin, size_t size_bytes)
      : reader_(reader), begin_(begin), size_(size_bytes) {}
  size_t size() const override { return size_; }
  std::span<const std::byte> Read(size_t begin, size_t size_bytes) override {
    StoredBytes stored = reader_.Read(begin_ + begin, size_bytes);
    if (owner_count_ < owners_.size()) {
      owners_[owner_count_++] = std::move(stored.owner);
    } else {
      more_owners_.push_back(std::move(stored.owner));
    }
    return stored.bytes;
  }

 private:
  ExtentReader& reader_;
  uint64_t begin_;
  size_t size_;
  std::array<std::shared_ptr<const void>, 2> owners_;
  size_t owner_count_ = 0;
  std::vector<std::shared_ptr<const void>> more_owners_;
};

/// A reader of one segment. Readers of single rows make one for each: so it is small, and parts that only
/// whole blocks need are made when one is read.
class StoredSegmentReader final : public SegmentReader, public InPieceCache<StoredSegmentReader> {
 public:
  StoredSegmentReader(std::shared_ptr<const StoredSegment> segment, const KernelTable& kernels)
      : SegmentReader(segment),
        segment_(*segment),
        physical_type_(PhysicalTypeOf(segment_.type())),
        kernels_(kernels),
        bytes_(segment_.store(), segment_.metadata().extents),
        decoder_memory_(segment_.store().memory()) {}

  void Read(size_t block, size_t count, Vector& output) override {
    if (IsDecoded(block)) {
      output.Reference(decoded_->values);
    } else {
      Decode(block, count, output);
    }
  }

  void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) override {
    const bool is_decoded = IsDecoded(block);
    if (!is_decoded && rows.size() <= kMostPicked && Pick(block, count, rows, output, offset)) return;
    if (!is_decoded) DecodeHere(block, count);
    const UnifiedView view = decoded_->values.View(count);
    for (const sel_t row : rows) CopyRow(view, row, output, offset++);
  }

  // First where the block is, then what its beginning says, then the value.
  bool PrefetchRow(size_t step, size_t block, size_t count, sel_t row) override {
    if (IsDecoded(block)) return false;
    const SegmentMetadata& metadata = segment_.metadata();
    if (step == 0) {
      FetchAhead(&metadata.blocks[block], sizeof(SegmentMetadata::Block));
      if (block != 0) __builtin_prefetch(&metadata.blocks[block - 1].end);
      __builtin_prefetch(metadata.extents.data());
      return true;
    }
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) return false;
    const SegmentDecoder* decode = decoder_ ? decoder_.get() : segment_.kept_decoder();
    if (decode == nullptr) return false;
    const bool has_validity = HasValidity(zone, count);
    const auto [begin, size_bytes] = PlaceOfValues(block, has_validity);
    const auto head = bytes_.Look(begin, std::min<size_t>(size_bytes, kMostPlaceBytes));
    if (!head) return false;
    if (step == 1) {
      FetchAhead(head->data(), std::min(head->size(), kPrefetchedHeadBytes));
      return true;
    }
    const auto place = decode->PlaceOf(*head, count, row);
    if (!place || place->size_bytes > size_bytes || place->begin > size_bytes - place->size_bytes)
      return false;
    const auto bytes = bytes_.Look(begin + place->begin, place->size_bytes);
    if (!bytes) return false;
    FetchAhead(bytes->data(), bytes->size());
    prefetched_ = {block, row, *place};
    return false;
  }

  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override {
    if (!filter.is_null_test() && FilterEncoded(block, count, filter, mask)) return;
    if (!IsDecoded(block)) DecodeHere(block, count);
    Vector& values = decoded_->values;
    switch (values.kind()) {
      case VectorKind::kDictionary: return FilterDictionary(count, filter, mask);
      case VectorKind::kConstant: {
        uint8_t passes;
        EvaluateScanFilter(kernels_, filter, physical_type_, values.Data<std::byte>(), values.Validity(), 1,
                           &passes);
        std::memset(mask, passes, count);
        return;
      }
      case VectorKind::kSequence: values.Flatten(count); [[fallthrough]];
      case VectorKind::kFlat:
        EvaluateScanFilter(kernels_, filter, physical_type_, values.Data<std::byte>(), values.Validity(),
                           count, mask);
    }
  }

 private:
  /// Whether the decoder is cached: readers of single rows should not have to read a dictionary, or make a
  /// table of symbols, for each.
  static bool IsKept(Encoding encoding) {
    return encoding == Encoding::kDictionary || encoding == Encoding::kFsst;
  }

  struct Place {
    uint64_t begin;
    size_t size_bytes;
  };
  /// Where a block's bytes are.
  Place PlaceOf(size_t block) const {
    const SegmentMetadata& metadata = segment_.metadata();
    const uint32_t begin = block == 0 ? 0 : metadata.blocks[block - 1].end;
    return {uint64_t{metadata.header_bytes} + begin, metadata.blocks[block].end - begin};
  }
  /// The place of the values, without the bits that say which are NULL.
  Place PlaceOfValues(size_t block, bool has_validity) const {
    Place place = PlaceOf(block);
    if (!has_validity) return place;
    if (place.size_bytes < kStoredValidityBytes) ThrowDamaged();
    place.begin += kStoredValidityBytes;
    place.size_bytes -= kStoredValidityBytes;
    return place;
  }
  StoredBytes BytesOf(size_t block) {
    const auto [begin, size_bytes] = PlaceOf(block);
    return bytes_.Read(begin, size_bytes);
  }
  bool IsDecoded(size_t block) const { return decoded_ && decoded_->block == block; }

  const SegmentDecoder& decoder() {
    if (decoder_) return *decoder_;
    if (const SegmentDecoder* kept = segment_.kept_decoder()) return *kept;
    return OpenDecoder();
  }

  const SegmentDecoder& OpenDecoder() {
    const SegmentMetadata& metadata = segment_.metadata();
    const CompressionMethod* method = FindCompressionMethod(metadata.encoding);
    if (method == nullptr || !method->Supports(physical_type_)) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kDataCorrupted,
          "database file \"" + segment_.store().file().path() + "\" has a column in an unknown encoding");
    }
    const StoredBytes header = bytes_.Read(0, metadata.header_bytes);
    MemoryReservation memory(segment_.store().memory());
    memory.Resize(header.bytes.size());  // A long one is a copy out of several blocks.
    decoder_ = method->Open(physical_type_, header.bytes);
    memory.Resize(decoder_->size_bytes());
    if (IsKept(method->encoding())) {
      segment_.KeepDecoder(decoder_, std::move(memory));
    } else {
      decoder_memory_ = std::move(memory);
    }
    return *decoder_;
  }

  void DecodeHere(size_t block, size_t count) {
    if (!decoded_) decoded_ = std::make_unique<DecodedBlock>(segment_.type());
    decoded_->block = SIZE_MAX;
    decoded_->values.Release();
    Decode(block, count, decoded_->values);
    decoded_->block = block;
  }

  /// Reads single rows of a block that is not decoded; false if they cannot be found without decoding it.
  bool Pick(size_t block, size_t count, std::span<const sel_t> rows, Vector& output, size_t offset) {
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) {
      for (size_t i = 0; i < rows.size(); i++) PutValue(nullptr, output, offset + i);
      return true;
    }
    ValidityWord validity[kValidityWords];
    const bool has_validity = HasValidity(zone, count);
    if (!GatherValues(block, count, rows, output, offset, has_validity ? validity : nullptr)) return false;
    for (size_t i = 0; has_validity && i < rows.size(); i++) {
      if (!TestValid(validity, rows[i])) PutValue(nullptr, output, offset + i);
    }
    return true;
  }

  /// Pick without its NULLs. `validity`: where to put it; null if the block has none.
  bool GatherValues(size_t block, size_t count, std::span<const sel_t> rows, Vector& output, size_t offset,
                    ValidityWord* validity) {
    const auto [begin, size_bytes] = PlaceOfValues(block, validity != nullptr);
    const SegmentDecoder& decode = decoder();
    if (validity != nullptr) {
      const StoredBytes words = bytes_.Read(begin - kStoredValidityBytes, kStoredValidityBytes);
      std::memcpy(validity, words.bytes.data(), kStoredValidityBytes);
    }
    const Approached approached = std::exchange(prefetched_, {});
    if (approached.block == block && rows.size() == 1 && approached.row == rows[0]) {
      const auto head = bytes_.Look(begin, std::min<size_t>(size_bytes, kMostPlaceBytes));
      const auto bytes = bytes_.Look(begin + approached.place.begin, approached.place.size_bytes);
      if (head && bytes) {
        decode.GatherRow(*head, count, rows[0], *bytes, output, offset);
        return true;
      }
    }
    if (const auto bytes = bytes_.Look(begin, size_bytes))
      return decode.Gather(*bytes, count, rows, output, offset);
    StoredBlockBytes rest(bytes_, begin, size_bytes);
    return decode.GatherFrom(rest, count, rows, output, offset);
  }

  bool HasValidity(const ZoneMap& zone, size_t count) {
    return zone.null_count != 0 && zone.null_count < count && !decoder().encodes_nulls();
  }

  /// Takes the validity from the head of a block, if it has one.
  bool TakeValidity(const ZoneMap& zone, size_t count, StoredBytes& stored, ValidityWord* validity) {
    if (!HasValidity(zone, count)) return false;
    if (stored.bytes.size() < kStoredValidityBytes) ThrowDamaged();
    std::memcpy(validity, stored.bytes.data(), kStoredValidityBytes);
    stored.bytes = stored.bytes.subspan(kStoredValidityBytes);
    return true;
  }

  void Decode(size_t block, size_t count, Vector& output) {
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) return output.SetConstantNull();
    const SegmentDecoder& decode = decoder();
    StoredBytes stored = BytesOf(block);
    ValidityWord validity[kValidityWords];
    const bool has_validity = TakeValidity(zone, count, stored, validity);
    decode.Decode(stored.bytes, count, kernels_, stored.owner, output);
    if (output.kind() == VectorKind::kDictionary) output.KeepAlive(decoder_ ? decoder_ : segment_.decoder());
    if (!has_validity) return;
    output.Flatten(count);
    output.SetValidity(validity);
  }

  bool FilterEncoded(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) {
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) {
      std::memset(mask, 0, count);
      return true;
    }
    const SegmentDecoder& decode = decoder();
    if (decode.dictionary() != nullptr) return false;  // By entry, below.
    if (zone.null_count != 0 && decode.encodes_nulls()) return false;
    StoredBytes stored = BytesOf(block);
    ValidityWord validity[kValidityWords];
    const bool has_validity = TakeValidity(zone, count, stored, validity);
    if (!decode.Filter(stored.bytes, count, kernels_, filter, mask)) return false;
    for (size_t row = 0; has_validity && row < count; row++) mask[row] &= TestValid(validity, row) ? 1 : 0;
    return true;
  }

  void FilterDictionary(size_t count, const ScanFilter& filter, uint8_t* mask) {
    const Dictionary& dictionary = decoded_->values.dictionary();
    const sel_t* codes = decoded_->values.selection()->rows;
    auto& by_filter = decoded_->entries;
    const auto known =
        std::find_if(by_filter.begin(), by_filter.end(), [&](auto& item) { return item.first == &filter; });
    std::vector<uint8_t>* entries = known == by_filter.end() ? nullptr : &known->second;
    if (entries == nullptr) {
      entries = &by_filter.emplace_back(&filter, std::vector<uint8_t>(dictionary.size)).second;
      EvaluateScanFilter(kernels_, filter, physical_type_, dictionary.data, dictionary.validity,
                         dictionary.size, entries->data());
    }
    for (size_t row = 0; row < count; row++) mask[row] = (*entries)[codes[row]];
  }

  [[noreturn]] void ThrowDamaged() const {
    ThrowError(
        ErrorKind::kIo, sqlstate::kDataCorrupted,
        "database file \"" + segment_.store().file().path() + "\" has a column block that is too short");
  }

  /// The block that a filter decoded, which is likely to be read next.
  struct DecodedBlock {
    explicit DecodedBlock(const LogicalType& type) : values(type) {}
    Vector values;
    size_t block = SIZE_MAX;
    std::vector<std::pair<const ScanFilter*, std::vector<uint8_t>>> entries;  // Which of them pass.
  };

  /// A row whose value PrefetchRow has found.
  struct Approached {
    size_t block = SIZE_MAX;
    sel_t row = 0;
    BytePlace place;
  };

  const StoredSegment& segment_;
  PhysicalType physical_type_;
  const KernelTable& kernels_;
  ExtentReader bytes_;
  Approached prefetched_;
  MemoryReservation decoder_memory_;
  std::shared_ptr<const SegmentDecoder> decoder_;  // Null while the segment's serves.
  std::unique_ptr<DecodedBlock> decoded_;          // Null while none was.
};

}  // namespace

std::unique_ptr<SegmentReader> StoredSegment::MakeReader(const KernelTable& kernels) const {
  return std::make_unique<StoredSegmentReader>(
      std::static_pointer_cast<const StoredSegment>(shared_from_this()), kernels);
}

std::shared_ptr<const SegmentDecoder> StoredSegment::decoder() const {
  std::lock_guard lock(decoder_mutex_);
  return decoder_;
}

void StoredSegment::KeepDecoder(std::shared_ptr<const SegmentDecoder> decoder,
                                MemoryReservation memory) const {
  std::lock_guard lock(decoder_mutex_);
  if (decoder_) return;
  decoder_ = std::move(decoder);
  decoder_memory_ = std::move(memory);
  kept_decoder_.store(decoder_.get(), std::memory_order_release);
}

SegmentSummary StoredSegment::Summarize() const {
  SegmentSummary summary;
  summary.encoding = EncodingName(metadata_.encoding);
  for (const Extent& extent : metadata_.extents) {
    summary.size_bytes += extent.size_bytes;
    summary.block_ids.push_back(extent.block.block_id);
  }
  return summary;
}

void StoredSegment::Prefetch() const {
  std::vector<BlockPointer> pointers;
  for (const Extent& extent : metadata_.extents) pointers.push_back(extent.block);
  store_->buffers().Prefetch(pointers);
}

size_t StoredSegment::size_bytes() const {
  return sizeof(*this) + metadata_.blocks.size() * sizeof(SegmentMetadata::Block) +
         metadata_.extents.size() * sizeof(Extent);
}

}  // namespace scaup
