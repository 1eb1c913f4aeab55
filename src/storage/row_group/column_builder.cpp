// Builds one column of a row group.
#include "storage/row_group/column_builder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/throw.hpp"
#include "storage/row_group/memory_segment.hpp"

namespace scaup {

namespace {

template <size_t kBytes>
void Gather(const std::byte* source, const sel_t* selection, size_t offset, size_t count, std::byte* target) {
  for (size_t i = 0; i < count; i++) {
    std::memcpy(target + i * kBytes, source + selection[offset + i] * kBytes, kBytes);
  }
}

/// Returns the capacity for `row_count` rows, rounded up to a power of two so that growth is amortized.
size_t CapacityFor(size_t row_count) {
  constexpr size_t kFewest = 8;
  return std::min(kVectorSize, std::bit_ceil(std::max(row_count, kFewest)));
}

size_t CapacityBytes(const ColumnBlock& block) { return block.memory()->capacity(); }

}  // namespace

ColumnBuilder::ColumnBuilder(LogicalType type, MemoryTracker& memory)
    : type_(type),
      physical_type_(PhysicalTypeOf(type)),
      value_bytes_(PhysicalSize(physical_type_)),
      memory_(memory),
      slab_(memory) {}

void ColumnBuilder::BeginSegment() {
  segment_ = std::make_shared<MemorySegment>(physical_type_);
  open_.reset();
  open_rows_ = 0;
  resumed_rows_ = 0;
  resumed_zone_ = ZoneMap{};
  has_nulls_ = false;
  SetAllValid(validity_, kVectorSize);
  dictionary_.Clear();
  // Each segment of strings tries a dictionary first; see DictionaryPays.
  use_dictionary_ = physical_type_ == PhysicalType::kString;
}

void ColumnBuilder::Resume(const MemorySegment& segment, size_t row_count) {
  BeginSegment();
  const size_t rest = row_count % kVectorSize;
  // The zone map and the strings cover the resumed rows as well.
  segment_->MergeZone(segment.zone());
  segment_->size_bytes = segment.size_bytes;
  segment_->string_heap = segment.string_heap;
  segment_->blocks = segment.blocks;
  segment_->blocks.Resume();
  // All blocks of a segment have the same encoding.
  if (row_count != 0 && segment.blocks[0].encoding == BlockEncoding::kFlat) use_dictionary_ = false;
  if (use_dictionary_) dictionary_.Resume(segment);
  if (rest != 0) ResumeBlock(segment.blocks[row_count / kVectorSize], rest);
}

void ColumnBuilder::ResumeBlock(const ColumnBlock& block, size_t row_count) {
  // The open block is counted again when it is closed.
  segment_->size_bytes -= CapacityBytes(block);
  open_rows_ = row_count;
  resumed_rows_ = row_count;
  resumed_zone_ = block.zone;
  if (block.validity) {
    std::memcpy(validity_, block.validity.get(), sizeof(validity_));
    has_nulls_ = true;
  }
  if (block.memory()->right.Take(row_count)) {
    open_ = block.memory();
    return;
  }
  // Another builder has appended behind these rows already, in a version that was not published as the
  // newest. So the rows are copied.
  open_ = std::make_shared<GrowingArray<std::byte>>(block.memory()->capacity());
  std::memcpy(open_->data(), block.data(), row_count * (use_dictionary_ ? sizeof(sel_t) : value_bytes_));
}

/// Makes the open block's memory large enough; returns its beginning.
std::byte* ColumnBuilder::RoomFor(size_t row_count) {
  // Readers of a block of codes see it as a SelectionVector, which has 1024 entries.
  const size_t bytes = use_dictionary_ ? sizeof(SelectionVector) : CapacityFor(row_count) * value_bytes_;
  if (open_ && open_->capacity() >= bytes) return open_->data();
  // A block that may still grow is allocated singly, as it does not stay; only full blocks go to the slab.
  const bool is_full = use_dictionary_ || bytes == kVectorSize * value_bytes_;
  auto larger = is_full ? slab_.Take(bytes) : std::make_shared<GrowingArray<std::byte>>(bytes);
  if (open_) std::memcpy(larger->data(), open_->data(), open_rows_ * value_bytes_);
  open_ = std::move(larger);
  return open_->data();
}

void ColumnBuilder::Append(Vector& vector, size_t vector_size, size_t offset, size_t count) {
  SCAUP_ASSERT(open_rows_ + count <= kVectorSize);
  if (!segment_) BeginSegment();
  const UnifiedView view = vector.View(vector_size);
  if (physical_type_ != PhysicalType::kString) {
    AppendFixed(view, offset, count, vector.is_flat());
  } else if (use_dictionary_) {
    AppendCodes(view, offset, count);
  } else {
    AppendStrings(view, offset, count);
  }
  open_rows_ += count;
}

void ColumnBuilder::AppendFixed(const UnifiedView& view, size_t offset, size_t count, bool is_flat) {
  std::byte* target = RoomFor(open_rows_ + count) + open_rows_ * value_bytes_;
  if (is_flat) {
    std::memcpy(target, view.data + offset * value_bytes_, count * value_bytes_);
  } else {
    switch (value_bytes_) {
      case 1: Gather<1>(view.data, view.selection, offset, count, target); break;
      case 2: Gather<2>(view.data, view.selection, offset, count, target); break;
      case 4: Gather<4>(view.data, view.selection, offset, count, target); break;
      case 8: Gather<8>(view.data, view.selection, offset, count, target); break;
      default: Gather<16>(view.data, view.selection, offset, count, target); break;
    }
  }
  if (view.validity == nullptr) return;
  for (size_t i = 0; i < count; i++) {
    if (view.IsValid(offset + i)) continue;
    SetInvalid(validity_, open_rows_ + i);
    // NULLs hold zero, so that results never show stale bytes.
    std::memset(target + i * value_bytes_, 0, value_bytes_);
    has_nulls_ = true;
  }
}

/// Allocates string bytes in the heap; returns null for 0 bytes.
char* ColumnBuilder::HeapFor(size_t size_bytes) {
  if (size_bytes == 0) return nullptr;
  if (!segment_->string_heap) segment_->string_heap = std::make_shared<Arena>(&memory_);
  return reinterpret_cast<char*>(segment_->string_heap->Allocate(size_bytes, 1));
}

StringRef ColumnBuilder::CopyString(const StringRef& value) {
  if (value.is_inline()) return value;
  char* copy = HeapFor(value.size());
  std::memcpy(copy, value.data(), value.size());
  return StringRef(copy, value.size());
}

void ColumnBuilder::AppendStrings(const UnifiedView& view, size_t offset, size_t count) {
  const auto strings = view.As<StringRef>();
  StringRef* target = reinterpret_cast<StringRef*>(RoomFor(open_rows_ + count)) + open_rows_;
  // The first pass copies the references and adds up their sizes.
  size_t size_bytes = 0;
  for (size_t i = 0; i < count; i++) {
    const StringRef value = view.IsValid(offset + i) ? strings[offset + i] : StringRef();
    target[i] = value;
    size_bytes += value.is_inline() ? 0 : value.size();
  }
  // One allocation for all strings: one each would take as long as copying them.
  char* heap = HeapFor(size_bytes);
  for (size_t i = 0; i < count; i++) {
    if (target[i].is_inline()) continue;
    const size_t size = target[i].size();
    std::memcpy(heap, target[i].data(), size);
    target[i] = StringRef(heap, static_cast<uint32_t>(size));
    heap += size;
  }
  if (view.validity == nullptr) return;
  for (size_t i = 0; i < count; i++) {
    if (view.IsValid(offset + i)) continue;
    SetInvalid(validity_, open_rows_ + i);
    has_nulls_ = true;
  }
}

/// Returns whether the dictionary still pays off for `rows` rows of the open block and those of closed
/// blocks.
bool ColumnBuilder::DictionaryPays(size_t rows) const {
  // A larger dictionary must have shown that values repeat. Of 10,000 equally frequent values, the first 4096
  // appear within 5,300 rows; of 100,000, within 4,200.
  constexpr size_t kSmall = 4096, kLargest = 16384;
  const size_t entry_count = dictionary_.size();
  if (entry_count < kSmall) return true;
  rows += segment_->blocks.size() * kVectorSize;
  return entry_count < kLargest && 5 * rows >= 6 * entry_count;
}

void ColumnBuilder::AppendCodes(const UnifiedView& view, size_t offset, size_t count) {
  const auto strings = view.As<StringRef>();
  sel_t* target = reinterpret_cast<sel_t*>(RoomFor(open_rows_ + count)) + open_rows_;
  for (size_t i = 0; i < count; i++) {
    const bool is_valid = view.IsValid(offset + i);
    // Checked before each value, so the dictionary never exceeds its limit. The rows so far are decoded, and
    // the rest is appended flat.
    if (!DictionaryPays(open_rows_ + i)) {
      open_rows_ += i;
      LeaveDictionary();
      AppendStrings(view, offset + i, count - i);
      open_rows_ -= i;
      return;
    }
    target[i] = is_valid ? CodeOf(strings[offset + i]) : dictionary_.NullCode();
  }
}

sel_t ColumnBuilder::CodeOf(const StringRef& value) {
  const uint64_t hash = DictionaryBuilder::Hash(value);
  const sel_t code = dictionary_.Find(hash, value);
  return code != DictionaryBuilder::kNoCode ? code : dictionary_.Add(hash, CopyString(value));
}

// All blocks change at once, since a segment has one encoding.
void ColumnBuilder::LeaveDictionary() {
  const auto decode = [&](const sel_t* codes, size_t count) {
    return dictionary_.Decode(codes, count, slab_.Take(count * sizeof(StringRef)));
  };
  BlockList flat;
  size_t size_bytes = 0;
  for (size_t i = 0; i < segment_->blocks.size(); i++) {
    const ColumnBlock& block = segment_->blocks[i];
    ColumnBlock decoded = decode(block.codes(), kVectorSize);
    decoded.zone = block.zone;
    size_bytes += CapacityBytes(decoded);
    flat.AddFull(std::move(decoded));
  }
  segment_->blocks = std::move(flat);
  segment_->size_bytes = size_bytes;
  if (open_rows_ != 0) {
    const ColumnBlock block = decode(codes(), open_rows_);
    open_ = block.memory();
    if (block.validity) {
      std::memcpy(validity_, block.validity.get(), sizeof(validity_));
      has_nulls_ = true;
    }
  } else {
    open_.reset();
  }
  dictionary_.Clear();
  use_dictionary_ = false;
}

/// Returns the validity of the open block from row `begin` on, using `words` if it must be shifted; null
/// without NULLs.
const ValidityWord* ColumnBuilder::OpenValidity(size_t begin, ValidityWord* words) const {
  if (!has_nulls_ || begin == 0) return has_nulls_ ? validity_ : nullptr;
  SetAllValid(words, kVectorSize);
  for (size_t row = begin; row < open_rows_; row++) {
    if (!TestValid(validity_, row)) SetInvalid(words, row - begin);
  }
  return words;
}

ZoneMap ColumnBuilder::ZoneOfRows(size_t begin, size_t end) {
  const size_t count = end - begin;
  if (!use_dictionary_) {
    ValidityWord words[kValidityWords];
    return ComputeZoneMap(physical_type_, open_->data() + begin * value_bytes_, OpenValidity(begin, words),
                          count);
  }
  // Codes are decoded here: a dictionary's own bounds would include values that other blocks have.
  alignas(StringRef) std::byte memory[kVectorSize * sizeof(StringRef)];
  auto* values = reinterpret_cast<StringRef*>(memory);
  size_t value_count = 0;
  for (size_t row = begin; row < end; row++) {
    if (!dictionary_.IsNull(codes()[row])) values[value_count++] = dictionary_.entries()[codes()[row]];
  }
  ZoneMap zone = ComputeZoneMap(physical_type_, memory, nullptr, value_count);
  zone.row_count = static_cast<uint32_t>(count);
  zone.null_count = static_cast<uint32_t>(count - value_count);
  return zone;
}

void ColumnBuilder::AddToSketch(ColumnStatistics& statistics, size_t begin, size_t end) {
  // Only some blocks are sketched, as hashing every value would slow down inserts.
  if (block_number_++ % kSketchEvery != 0 || begin == end) return;
  const size_t count = end - begin;
  Vector values(type_);
  ValidityWord words[kValidityWords];
  const ValidityWord* valid = OpenValidity(begin, words);
  if (use_dictionary_) {
    Dictionary dictionary{reinterpret_cast<const std::byte*>(dictionary_.entries()), nullptr,
                          dictionary_.size(), nullptr, true};
    values.ReferenceDictionary(std::move(dictionary),
                               SelectionRef(open_, reinterpret_cast<SelectionVector*>(codes() + begin)));
  } else {
    values.ReferenceFlat(open_->data() + begin * value_bytes_, valid, nullptr);
  }
  uint64_t hashes[kVectorSize];
  HashVector(values, count, hashes, false);
  size_t sampled = 0;
  for (size_t i = 0; i < count; i++) {
    const bool is_null =
        use_dictionary_ ? dictionary_.IsNull(codes()[begin + i]) : valid != nullptr && !TestValid(valid, i);
    if (!is_null) hashes[sampled++] = hashes[i];
  }
  statistics.sketch.AddAll({hashes, sampled});
  statistics.sampled_rows += sampled;
}

void ColumnBuilder::CloseBlock(ColumnStatistics* statistics) {
  const size_t count = open_rows_;
  // If more than half of the first block's values are distinct, the dictionary will not pay off.
  if (use_dictionary_ && segment_->blocks.empty() && count == kVectorSize &&
      dictionary_.size() > kVectorSize / 2) {
    LeaveDictionary();
  }
  ColumnBlock block;
  // Resumed rows are in the zone map and the statistics already.
  const ZoneMap added = ZoneOfRows(resumed_rows_, count);
  block.zone = resumed_zone_;
  block.zone.Merge(added, physical_type_);
  segment_->MergeZone(added);
  if (statistics != nullptr) {
    AddToSketch(*statistics, resumed_rows_, count);
    statistics->zone.Merge(added, physical_type_);
    statistics->row_count += added.row_count;
    statistics->null_count += added.null_count;
  }
  block.encoding = use_dictionary_ ? BlockEncoding::kDictionary : BlockEncoding::kFlat;
  if (has_nulls_ && !use_dictionary_) {
    block.validity = std::make_shared<ValidityWord[]>(kValidityWords);
    std::memcpy(block.validity.get(), validity_, sizeof(validity_));
  }
  block.SetMemory(std::exchange(open_, nullptr));
  segment_->size_bytes += CapacityBytes(block);
  if (count == kVectorSize) {
    segment_->blocks.AddFull(std::move(block));
  } else {
    // A partial block can be continued by the next version.
    block.memory()->right.GiveBack(count);
    segment_->blocks.SetLast(std::move(block));
  }
  open_rows_ = 0;
  resumed_rows_ = 0;
  resumed_zone_ = ZoneMap{};
  has_nulls_ = false;
  SetAllValid(validity_, kVectorSize);
}

std::shared_ptr<const MemorySegment> ColumnBuilder::Finish() {
  // From here on another builder may resume the segment.
  segment_->blocks.Close();
  dictionary_.Finish(*segment_);
  return std::exchange(segment_, nullptr);
}

}  // namespace scaup
