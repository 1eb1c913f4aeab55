// Reading compressed segments.
#include "storage/table/stored_segment.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "storage/table/scan_filter_kernels.hpp"

namespace scaup {

namespace {

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

  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override {
    const ZoneMap& zone = segment_.block_zone(block);
    const bool is_null_test = filter.op == ScanFilter::Op::kIsNull || filter.op == ScanFilter::Op::kIsNotNull;
    if (!is_null_test && zone.null_count == 0 && FilterEncoded(block, count, filter, mask)) return;
    if (block != decoded_block_) {
      decoded_block_ = SIZE_MAX;
      decoded_.Release();
      Decode(block, count, decoded_);
      decoded_block_ = block;
    }
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
  StoredBytes BytesOf(size_t block) {
    const SegmentMetadata& metadata = segment_.metadata();
    const uint32_t begin = block == 0 ? 0 : metadata.blocks[block - 1].end;
    return bytes_.Read(uint64_t{metadata.header_bytes} + begin, metadata.blocks[block].end - begin);
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
    header_ = bytes_.Read(0, metadata.header_bytes);
    decoder_memory_.Resize(header_.bytes.size());  // A long one is a copy out of several blocks.
    decoder_ = method->Open(physical_type_, header_.bytes);
    decoder_memory_.Resize(header_.bytes.size() + decoder_->size_bytes());
    // Vectors that refer to the dictionary keep the header that it lies in.
    owner_ =
        std::make_shared<const std::pair<std::shared_ptr<const SegmentDecoder>, std::shared_ptr<const void>>>(
            decoder_, header_.owner);
    return *decoder_;
  }

  bool HasValidity(const ZoneMap& zone, size_t count) {
    return zone.null_count != 0 && zone.null_count < count && !decoder().encodes_nulls();
  }

  void Decode(size_t block, size_t count, Vector& output) {
    const ZoneMap& zone = segment_.block_zone(block);
    if (zone.null_count == count) return output.SetConstantNull();
    const SegmentDecoder& decode = decoder();
    StoredBytes stored = BytesOf(block);
    ValidityWord validity[kValidityWords];
    const bool has_validity = HasValidity(zone, count);
    if (has_validity) {
      if (stored.bytes.size() < kStoredValidityBytes) ThrowDamaged();
      std::memcpy(validity, stored.bytes.data(), kStoredValidityBytes);
      stored.bytes = stored.bytes.subspan(kStoredValidityBytes);
    }
    decode.Decode(stored.bytes, count, kernels_, stored.owner, output);
    if (output.kind() == VectorKind::kDictionary) output.KeepAlive(owner_);
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
  StoredBytes header_;
  MemoryReservation decoder_memory_;
  std::shared_ptr<const SegmentDecoder> decoder_;
  std::shared_ptr<const void> owner_;
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
