// Reading compressed segments.
#include "storage/table/stored_segment.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "storage/table/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// More rows of a block than this are read by decoding all of it.
constexpr size_t kMostPicked = kVectorSize / 8;

/// Whether bytes of a run lie in one block of the file, so that to read them copies nothing.
bool IsInOneBlock(const Extents& extents, uint64_t begin, uint64_t size_bytes) {
  for (const Extent& extent : extents) {
    if (begin < extent.size_bytes) return begin + size_bytes <= extent.size_bytes;
    begin -= extent.size_bytes;
  }
  return false;
}

/// A part of a run of bytes, of which only what is asked for is read.
class StoredBlockBytes final : public BlockBytes {
 public:
  StoredBlockBytes(ExtentReader& reader, uint64_t begin, size_t size_bytes)
      : reader_(reader), begin_(begin), size_(size_bytes) {}
  size_t size() const override { return size_; }
  std::span<const std::byte> Read(size_t begin, size_t size_bytes) override {
    StoredBytes stored = reader_.Read(begin_ + begin, size_bytes);
    owners_.push_back(std::move(stored.owner));
    return stored.bytes;
  }

 private:
  ExtentReader& reader_;
  uint64_t begin_;
  size_t size_;
  std::vector<std::shared_ptr<const void>> owners_;
};

class StoredSegmentReader final : public SegmentReader {
 public:
  StoredSegmentReader(std::shared_ptr<const StoredSegment> segment, const KernelTable& kernels)
      : SegmentReader(segment),
        segment_(*segment),
        physical_type_(PhysicalTypeOf(segment_.type())),
        kernels_(kernels),
        bytes_(segment_.store(), segment_.metadata().extents),
        decoder_memory_(segment_.store().memory()),
        decoded_(segment_.type()) {}

  void Read(size_t block, size_t count, Vector& output) override {
    if (block == decoded_block_) {
      output.Reference(decoded_);
    } else {
      Decode(block, count, output);
    }
  }

  void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) override {
    const bool is_decoded = block == decoded_block_;
    if (!is_decoded && rows.size() <= kMostPicked && Pick(block, count, rows, output, offset)) return;
    if (!is_decoded) DecodeHere(block, count);
    const UnifiedView view = decoded_.View(count);
    for (const sel_t row : rows) CopyRow(view, row, output, offset++);
  }

  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override {
    const ZoneMap& zone = segment_.block_zone(block);
    const bool is_null_test = filter.op == ScanFilter::Op::kIsNull || filter.op == ScanFilter::Op::kIsNotNull;
    if (!is_null_test && zone.null_count == 0 && FilterEncoded(block, count, filter, mask)) return;
    if (block != decoded_block_) DecodeHere(block, count);
    switch (decoded_.kind()) {
      case VectorKind::kDictionary: return FilterDictionary(count, filter, mask);
      case VectorKind::kConstant: {
        uint8_t passes;
        EvaluateScanFilter(kernels_, filter, physical_type_, decoded_.Data<std::byte>(), decoded_.Validity(),
                           1, &passes);
        std::memset(mask, passes, count);
        return;
      }
      case VectorKind::kSequence: decoded_.Flatten(count); [[fallthrough]];
      case VectorKind::kFlat:
        EvaluateScanFilter(kernels_, filter, physical_type_, decoded_.Data<std::byte>(), decoded_.Validity(),
                           count, mask);
    }
  }

 private:
  /// Who wants single rows should not have to read a dictionary, or make a table of symbols, for each.
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
  StoredBytes BytesOf(size_t block) {
    const auto [begin, size_bytes] = PlaceOf(block);
    return bytes_.Read(begin, size_bytes);
  }

  const SegmentDecoder& decoder() {
    if (decoder_) return *decoder_;
    const SegmentMetadata& metadata = segment_.metadata();
    const CompressionMethod* method = FindCompressionMethod(metadata.encoding);
    if (method == nullptr || !method->Supports(physical_type_)) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kDataCorrupted,
          "database file \"" + segment_.store().file().path() + "\" has a column in an unknown encoding");
    }
    if (IsKept(method->encoding())) decoder_ = segment_.decoder();
    if (decoder_) return *decoder_;
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
    decoded_block_ = SIZE_MAX;
    decoded_.Release();
    Decode(block, count, decoded_);
    decoded_block_ = block;
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
    const auto [begin, size_bytes] = PlaceOf(block);
    const size_t head_bytes = validity != nullptr ? kStoredValidityBytes : 0;
    if (size_bytes < head_bytes) ThrowDamaged();
    if (IsInOneBlock(segment_.metadata().extents, begin, size_bytes)) {
      const StoredBytes stored = bytes_.Read(begin, size_bytes);
      if (validity != nullptr) std::memcpy(validity, stored.bytes.data(), head_bytes);
      return decoder().Gather(stored.bytes.subspan(head_bytes), count, rows, output, offset);
    }
    if (validity != nullptr) std::memcpy(validity, bytes_.Read(begin, head_bytes).bytes.data(), head_bytes);
    StoredBlockBytes rest(bytes_, begin + head_bytes, size_bytes - head_bytes);
    return decoder().GatherFrom(rest, count, rows, output, offset);
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
    if (output.kind() == VectorKind::kDictionary) output.KeepAlive(decoder_);
    if (!has_validity) return;
    output.Flatten(count);
    output.SetValidity(validity);
  }

  bool FilterEncoded(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) {
    const SegmentDecoder& decode = decoder();
    if (decode.dictionary() != nullptr) return false;  // By entry, below.
    return decode.Filter(BytesOf(block).bytes, count, kernels_, filter, mask);
  }

  void FilterDictionary(size_t count, const ScanFilter& filter, uint8_t* mask) {
    const Dictionary& dictionary = decoded_.dictionary();
    const sel_t* codes = decoded_.selection()->rows;
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](auto& item) { return item.first == &filter; });
    std::vector<uint8_t>* entries = known == entries_.end() ? nullptr : &known->second;
    if (entries == nullptr) {
      entries = &entries_.emplace_back(&filter, std::vector<uint8_t>(dictionary.size)).second;
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

  const StoredSegment& segment_;
  PhysicalType physical_type_;
  const KernelTable& kernels_;
  ExtentReader bytes_;
  MemoryReservation decoder_memory_;
  std::shared_ptr<const SegmentDecoder> decoder_;
  // The block that a filter decoded, which is likely to be read next.
  Vector decoded_;
  size_t decoded_block_ = SIZE_MAX;
  std::vector<std::pair<const ScanFilter*, std::vector<uint8_t>>> entries_;
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
