// Reads compressed segments.
#include "storage/row_group/stored_segment.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/memory/piece_cache.hpp"
#include "common/throw.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// How much of a block's beginning, which tells where values are, is prefetched.
constexpr size_t kPrefetchedHeadBytes = 384;

/// Prefetches bytes into the processor's cache.
void FetchAhead(const void* data, size_t size_bytes) {
  constexpr size_t kLineBytes = 64;
  const auto* bytes = static_cast<const std::byte*>(data);
  for (size_t i = 0; i < size_bytes; i += kLineBytes) __builtin_prefetch(bytes + i);
  // The range need not begin at a cache line, so the last line may be another one.
  if (size_bytes != 0) __builtin_prefetch(bytes + size_bytes - 1);
}

/// A block whose bytes are read on demand only.
class StoredBlockBytes final : public BlockBytes {
 public:
  StoredBlockBytes(ExtentReader& reader, uint64_t begin, size_t size_bytes)
      : reader_(reader), begin_(begin), size_(size_bytes) {}
  size_t size() const override { return size_; }

 private:
  std::span<const std::byte> ReadRange(size_t begin, size_t size_bytes) override {
    StoredBytes stored = reader_.Read(begin_ + begin, size_bytes);
    // Two owners suffice for most values, and need no allocation.
    if (owner_count_ < owners_.size()) {
      owners_[owner_count_++] = std::move(stored.owner);
    } else {
      more_owners_.push_back(std::move(stored.owner));
    }
    return stored.bytes;
  }

  ExtentReader& reader_;
  uint64_t begin_;
  size_t size_;
  std::array<std::shared_ptr<const void>, 2> owners_;
  size_t owner_count_ = 0;
  std::vector<std::shared_ptr<const void>> more_owners_;
};

/// A reader of one segment. Single-row reads make a reader each, so it is small; what only whole blocks need
/// is allocated when one is read.
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
    if (!is_decoded && rows.size() <= kMostGatheredRows && Pick(block, count, rows, output, offset)) return;
    if (!is_decoded) DecodeHere(block, count);
    const UnifiedView view = decoded_->values.View(count);
    for (const sel_t row : rows) CopyRow(view, row, output, offset++);
  }

  // Step 0 fetches the block's location, step 1 its beginning, step 2 the value.
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
    // Opening a decoder would wait for memory, so prefetching stops without one.
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
    // The place comes from the file and may be damaged.
    if (!place || place->size_bytes > size_bytes || place->begin > size_bytes - place->size_bytes)
      return false;
    const auto bytes = bytes_.Look(begin + place->begin, place->size_bytes);
    if (!bytes) return false;
    FetchAhead(bytes->data(), bytes->size());
    prefetched_ = {block, row, *place};
    return false;
  }

  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override {
    // NULL tests need no values; the decoded block has the validity.
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
  /// Returns whether the decoder is cached: single-row reads should not have to read a dictionary, or build a
  /// symbol table, each time.
  static bool IsKept(Encoding encoding) {
    return encoding == Encoding::kDictionary || encoding == Encoding::kFsst;
  }

  struct Place {
    uint64_t begin;
    size_t size_bytes;
  };
  /// Returns the location of a block's bytes.
  Place PlaceOf(size_t block) const {
    const SegmentMetadata& metadata = segment_.metadata();
    const uint32_t begin = block == 0 ? 0 : metadata.blocks[block - 1].end;
    return {uint64_t{metadata.header_bytes} + begin, metadata.blocks[block].end - begin};
  }
  /// Returns the location of the values, without the validity bits before them.
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
    // The cached decoder lives as long as the segment, so no reference count is touched.
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
    memory.Resize(header.bytes.size());  // a long header is a copy from several blocks
    decoder_ = method->Open(physical_type_, header.bytes);
    memory.Resize(decoder_->size_bytes());
    // Otherwise the decoder dies with this reader, as opening it again is cheap.
    if (IsKept(method->encoding())) {
      segment_.KeepDecoder(decoder_, std::move(memory));
    } else {
      decoder_memory_ = std::move(memory);
    }
    return *decoder_;
  }

  void DecodeHere(size_t block, size_t count) {
    if (!decoded_) decoded_ = std::make_unique<DecodedBlock>(segment_.type());
    // Marked invalid until decoding has succeeded.
    decoded_->block = SIZE_MAX;
    decoded_->values.Release();
    Decode(block, count, decoded_->values);
    decoded_->block = block;
  }

  /// Reads single rows without decoding the block. Returns false if the encoding does not allow it.
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

  /// Picks the values without regard to NULLs. `validity` receives the validity bits; null if the block has
  /// none.
  bool GatherValues(size_t block, size_t count, std::span<const sel_t> rows, Vector& output, size_t offset,
                    ValidityWord* validity) {
    const auto [begin, size_bytes] = PlaceOfValues(block, validity != nullptr);
    const SegmentDecoder& decode = decoder();
    if (validity != nullptr) {
      const StoredBytes words = bytes_.Read(begin - kStoredValidityBytes, kStoredValidityBytes);
      std::memcpy(validity, words.bytes.data(), kStoredValidityBytes);
    }
    // Uses the location that PrefetchRow has found, so that the block's beginning is not searched again.
    const Approached approached = std::exchange(prefetched_, {});
    if (approached.block == block && rows.size() == 1 && approached.row == rows[0]) {
      const auto head = bytes_.Look(begin, std::min<size_t>(size_bytes, kMostPlaceBytes));
      const auto bytes = bytes_.Look(begin + approached.place.begin, approached.place.size_bytes);
      if (head && bytes) {
        decode.GatherRow(*head, count, rows[0], *bytes, output, offset);
        return true;
      }
    }
    // In one block of the file, the values are used in place; otherwise only the needed ranges are read.
    if (const auto bytes = bytes_.Look(begin, size_bytes))
      return decode.Gather(*bytes, count, rows, output, offset);
    StoredBlockBytes rest(bytes_, begin, size_bytes);
    return decode.GatherFrom(rest, count, rows, output, offset);
  }

  bool HasValidity(const ZoneMap& zone, size_t count) {
    return zone.null_count != 0 && zone.null_count < count && !decoder().encodes_nulls();
  }

  /// Copies the validity bits from the head of a block; returns false if it has none.
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
    // A dictionary vector refers to entries that the decoder owns.
    if (output.kind() == VectorKind::kDictionary) output.KeepAlive(decoder_ ? decoder_ : segment_.decoder());
    if (!has_validity) return;
    output.Flatten(count);
    output.SetValidity(validity);
  }

  bool FilterEncoded(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) {
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) {
      std::memset(mask, filter.or_null ? 1 : 0, count);
      return true;
    }
    if (zone.null_count != 0 && filter.or_null) return false;
    const SegmentDecoder& decode = decoder();
    if (decode.dictionary() != nullptr) return false;  // filtered by entry, in FilterDictionary
    // NULLs that the encoding stores itself would be compared like values.
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
    // Several filters may use this block, so the result is looked up by filter.
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

  /// The block decoded by a filter; it is likely to be read next.
  struct DecodedBlock {
    explicit DecodedBlock(const LogicalType& type) : values(type) {}
    Vector values;
    size_t block = SIZE_MAX;
    std::vector<std::pair<const ScanFilter*, std::vector<uint8_t>>> entries;  // which entries pass, by filter
  };

  /// A row whose value PrefetchRow has located.
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
  std::shared_ptr<const SegmentDecoder> decoder_;  // null while the segment's cached decoder serves
  std::unique_ptr<DecodedBlock> decoded_;          // null until a block is decoded
};

}  // namespace

std::unique_ptr<SegmentReader> StoredSegment::MakeReader(const KernelTable& kernels) const {
  return std::make_unique<StoredSegmentReader>(
      std::static_pointer_cast<const StoredSegment>(shared_from_this()), kernels);
}

std::shared_ptr<const SegmentDecoder> StoredSegment::decoder() const {
  MutexLock lock(decoder_mutex_);
  return decoder_;
}

void StoredSegment::KeepDecoder(std::shared_ptr<const SegmentDecoder> decoder,
                                MemoryReservation memory) const {
  MutexLock lock(decoder_mutex_);
  // Another reader was faster; its decoder may already be in use.
  if (decoder_) return;
  decoder_ = std::move(decoder);
  decoder_memory_ = std::move(memory);
  // Last: readers use the pointer without the mutex.
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
