// Reads segments in memory: vectors refer to the blocks themselves.
#include "storage/row_group/memory_segment.hpp"

#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

class MemorySegmentReader final : public SegmentReader {
 public:
  MemorySegmentReader(std::shared_ptr<const MemorySegment> segment, const KernelTable& kernels)
      : SegmentReader(segment), segment_(*segment), kernels_(kernels) {}

  void Read(size_t block, size_t, Vector& output) override { segment_.ReferenceBlock(block, output); }

  void Fetch(size_t block_index, size_t count) override {
    constexpr size_t kLineBytes = 64;
    const ColumnBlock& block = segment_.blocks[block_index];
    const size_t width = block.encoding == BlockEncoding::kFlat ? PhysicalSize(segment_.type) : sizeof(sel_t);
    // Plain loads rather than prefetch instructions, of which the processor runs too few at a time.
    for (size_t offset = 0; offset < count * width; offset += kLineBytes)
      (void)*static_cast<const volatile std::byte*>(block.data() + offset);
  }

  void Gather(size_t block_index, size_t, std::span<const sel_t> rows, Vector& output,
              size_t offset) override {
    const ColumnBlock& block = segment_.blocks[block_index];
    for (const sel_t row : rows) {
      if (block.encoding == BlockEncoding::kFlat) {
        const bool is_valid = !block.validity || TestValid(block.validity.get(), row);
        PutValue(is_valid ? block.data() + row * PhysicalSize(segment_.type) : nullptr, output, offset++);
      } else {
        const sel_t code = block.codes()[row];
        const auto& validity = segment_.dictionary_validity;
        const bool is_valid = validity.empty() || TestValid(validity.data(), code);
        const auto* entry = reinterpret_cast<const std::byte*>(&segment_.dictionary[code]);
        PutValue(is_valid ? entry : nullptr, output, offset++);
      }
    }
  }

  void Filter(size_t block_index, size_t count, const ScanFilter& filter, uint8_t* mask) override {
    const ColumnBlock& block = segment_.blocks[block_index];
    if (block.encoding == BlockEncoding::kFlat) {
      EvaluateScanFilter(kernels_, filter, segment_.type, block.data(), block.validity.get(), count, mask);
      return;
    }
    // The filter runs once per dictionary entry, then each row is a lookup.
    const std::vector<uint8_t>& entries = EntriesOf(filter);
    const sel_t* codes = block.codes();
    for (size_t row = 0; row < count; row++) mask[row] = entries[codes[row]];
  }

 private:
  /// Returns for each dictionary entry whether it passes; computed once per filter.
  const std::vector<uint8_t>& EntriesOf(const ScanFilter& filter) {
    for (const auto& [known, entries] : entries_) {
      if (known == &filter) return entries;
    }
    std::vector<uint8_t> entries(segment_.dictionary.size());
    EvaluateScanFilter(kernels_, filter, segment_.type,
                       reinterpret_cast<const std::byte*>(segment_.dictionary.data()),
                       segment_.dictionary_validity.empty() ? nullptr : segment_.dictionary_validity.data(),
                       entries.size(), entries.data());
    return entries_.emplace_back(&filter, std::move(entries)).second;
  }

  const MemorySegment& segment_;
  const KernelTable& kernels_;
  std::vector<std::pair<const ScanFilter*, std::vector<uint8_t>>> entries_;
};

}  // namespace

void BlockList::AddFull(ColumnBlock block) {
  constexpr size_t kFirstCapacity = 8;
  if (!full_) {
    MakeOwn(kFirstCapacity);
  } else if (full_count_ == full_->capacity()) {
    MakeOwn(full_count_ * 2);
  }
  full_->data()[full_count_++] = std::move(block);
}

void BlockList::Resume() {
  last_.reset();
  // If another version has continued the list, copies it. Blocks are cheap to copy, as they share their
  // memory.
  if (full_ && !full_->right.Take(full_count_)) MakeOwn(full_->capacity());
}

void BlockList::MakeOwn(size_t capacity) {
  auto own = std::make_shared<Blocks>(capacity);
  for (size_t i = 0; i < full_count_; i++) own->data()[i] = full_->data()[i];
  full_ = std::move(own);
}

std::unique_ptr<SegmentReader> MemorySegment::MakeReader(const KernelTable& kernels) const {
  return std::make_unique<MemorySegmentReader>(
      std::static_pointer_cast<const MemorySegment>(shared_from_this()), kernels);
}

SegmentSummary MemorySegment::Summarize() const {
  SegmentSummary summary;
  summary.encoding = dictionary.empty() ? "flat" : "dictionary";
  for (size_t i = 0; i < blocks.size(); i++) {
    summary.size_bytes += blocks[i].encoding == BlockEncoding::kFlat
                              ? blocks[i].zone.row_count * PhysicalSize(type)
                              : sizeof(SelectionVector);
  }
  summary.size_bytes += dictionary.size() * sizeof(StringRef);
  if (string_heap) summary.size_bytes += string_heap->size_bytes();
  return summary;
}

void MemorySegment::ReferenceBlock(size_t block_index, Vector& vector) const {
  const ColumnBlock& block = blocks[block_index];
  switch (block.encoding) {
    case BlockEncoding::kFlat:
      vector.ReferenceFlat(block.data(), block.validity.get(), shared_from_this());
      return;
    case BlockEncoding::kDictionary: {
      Dictionary entries;
      entries.data = reinterpret_cast<const std::byte*>(dictionary.data());
      entries.validity = dictionary_validity.empty() ? nullptr : dictionary_validity.data();
      entries.size = dictionary.size();
      entries.owner = shared_from_this();
      // The builder adds each value once, which lets operators work on codes.
      entries.is_distinct = true;
      vector.ReferenceDictionary(
          std::move(entries),
          SelectionRef(block.memory(), reinterpret_cast<SelectionVector*>(block.memory()->data())));
      return;
    }
  }
}

}  // namespace scaup
