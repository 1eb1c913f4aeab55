// Builds one column of a row group.
#include "storage/row_group/column_builder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/hash.hpp"
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

uint64_t HashString(const StringRef& value) {
  // An inline string is its 16 bytes, so two words identify it.
  if (!value.is_inline()) return HashBytes(value.data(), value.size());
  uint64_t words[2];
  std::memcpy(words, &value, sizeof(words));
  return HashInteger(words[0] ^ (words[1] * 0x9fb21c651e98df25ULL));
}

/// Returns the capacity for `row_count` rows, rounded up to a power of two so that growth is amortized.
size_t CapacityFor(size_t row_count) {
  constexpr size_t kFewest = 8;
  return std::min(kVectorSize, std::bit_ceil(std::max(row_count, kFewest)));
}

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
  null_code_.reset();
  dictionary_.reset();
  dictionary_size_ = 0;
  // Each segment of strings tries a dictionary first; see DictionaryPays.
  use_dictionary_ = physical_type_ == PhysicalType::kString;
}

size_t ColumnBuilder::BytesOf(const ColumnBlock& block) const { return block.memory()->capacity(); }

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
  if (use_dictionary_) ResumeDictionary(segment);
  if (rest != 0) ResumeBlock(segment.blocks[row_count / kVectorSize], rest);
}

void ColumnBuilder::ResumeBlock(const ColumnBlock& block, size_t row_count) {
  // The open block is counted again when it is closed.
  segment_->size_bytes -= BytesOf(block);
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

void ColumnBuilder::ResumeDictionary(const MemorySegment& segment) {
  const auto& validity = segment.dictionary_validity;
  for (sel_t code = 0; code < segment.dictionary.size() && !validity.empty(); code++) {
    if (!TestValid(validity.data(), code)) null_code_ = code;
  }
  // A holder of the right adds entries behind those in use; a builder without the right copies the
  // dictionary.
  dictionary_size_ = segment.dictionary.size();
  if (!segment.dictionary_memory) return;
  if (segment.dictionary_memory->entries.right.Take(dictionary_size_)) {
    dictionary_ = segment.dictionary_memory;
  } else {
    GrowDictionary(segment.dictionary, segment.dictionary_memory->entries.capacity());
  }
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
  if (dictionary_size_ < kSmall) return true;
  rows += segment_->blocks.size() * kVectorSize;
  return dictionary_size_ < kLargest && 5 * rows >= 6 * dictionary_size_;
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
    target[i] = is_valid ? CodeOf(strings[offset + i]) : NullCode();
  }
}

sel_t ColumnBuilder::AddEntry(const StringRef& value) {
  constexpr size_t kFirstCapacity = 16;
  if (!dictionary_) {
    GrowDictionary({}, kFirstCapacity);
  } else if (dictionary_size_ == dictionary_->entries.capacity()) {
    GrowDictionary({dictionary_->entries.data(), dictionary_size_}, dictionary_size_ * 2);
  }
  dictionary_->entries.data()[dictionary_size_] = value;
  return static_cast<sel_t>(dictionary_size_++);
}

sel_t ColumnBuilder::CodeOf(const StringRef& value) {
  const uint64_t hash = HashString(value);
  // Linear probing in a table four times as large as the dictionary.
  if (dictionary_) {
    const uint16_t* slots = dictionary_->slots.data();
    const StringRef* entries = dictionary_->entries.data();
    const size_t mask = dictionary_->slots.size() - 1;
    for (size_t slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      const sel_t code = slots[slot] - 1u;
      if (entries[code] == value) return code;
    }
  }
  const sel_t code = AddEntry(CopyString(value));
  dictionary_->AddSlot(hash, code);
  return code;
}

sel_t ColumnBuilder::NullCode() {
  if (!null_code_) null_code_ = AddEntry(StringRef());
  return *null_code_;
}

/// Copies the entries to larger memory of their own. The NULL entry gets no slot, as it is no string.
void ColumnBuilder::GrowDictionary(std::span<const StringRef> entries, size_t capacity) {
  auto larger = std::make_shared<DictionaryMemory>(capacity);
  std::copy(entries.begin(), entries.end(), larger->entries.data());
  for (sel_t code = 0; code < entries.size(); code++) {
    if (code != null_code_) larger->AddSlot(HashString(entries[code]), code);
  }
  dictionary_ = std::move(larger);
}

ColumnBlock ColumnBuilder::DecodeBlock(const sel_t* codes, size_t count, const ZoneMap& zone) {
  ColumnBlock block;
  block.SetMemory(slab_.Take(count * sizeof(StringRef)));
  block.zone = zone;
  auto* strings = reinterpret_cast<StringRef*>(block.memory()->data());
  for (size_t i = 0; i < count; i++) {
    strings[i] = dictionary_->entries.data()[codes[i]];
    if (codes[i] != null_code_) continue;
    if (!block.validity) {
      block.validity = std::make_shared<ValidityWord[]>(kValidityWords);
      SetAllValid(block.validity.get(), kVectorSize);
    }
    SetInvalid(block.validity.get(), i);
  }
  return block;
}

// All blocks change at once, since a segment has one encoding.
void ColumnBuilder::LeaveDictionary() {
  BlockList flat;
  size_t size_bytes = 0;
  for (size_t i = 0; i < segment_->blocks.size(); i++) {
    const ColumnBlock& block = segment_->blocks[i];
    ColumnBlock decoded = DecodeBlock(block.codes(), kVectorSize, block.zone);
    size_bytes += BytesOf(decoded);
    flat.AddFull(std::move(decoded));
  }
  segment_->blocks = std::move(flat);
  segment_->size_bytes = size_bytes;
  if (open_rows_ != 0) {
    const ColumnBlock block = DecodeBlock(codes(), open_rows_, ZoneMap{});
    open_ = block.memory();
    if (block.validity) {
      std::memcpy(validity_, block.validity.get(), sizeof(validity_));
      has_nulls_ = true;
    }
  } else {
    open_.reset();
  }
  dictionary_.reset();
  dictionary_size_ = 0;
  null_code_.reset();
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
    if (codes()[row] != null_code_) values[value_count++] = dictionary_->entries.data()[codes()[row]];
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
    Dictionary dictionary{reinterpret_cast<const std::byte*>(dictionary_->entries.data()), nullptr,
                          dictionary_size_, nullptr, true};
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
        use_dictionary_ ? codes()[begin + i] == null_code_ : valid != nullptr && !TestValid(valid, i);
    if (!is_null) hashes[sampled++] = hashes[i];
  }
  statistics.sketch.AddAll({hashes, sampled});
  statistics.sampled_rows += sampled;
}

void ColumnBuilder::CloseBlock(ColumnStatistics* statistics) {
  const size_t count = open_rows_;
  // If more than half of the first block's values are distinct, the dictionary will not pay off.
  if (use_dictionary_ && segment_->blocks.empty() && count == kVectorSize &&
      dictionary_size_ > kVectorSize / 2) {
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
  segment_->size_bytes += BytesOf(block);
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
  if (dictionary_) {
    segment_->dictionary = {dictionary_->entries.data(), dictionary_size_};
    segment_->dictionary_memory = dictionary_;
    if (null_code_) {
      segment_->dictionary_validity.assign((dictionary_size_ + 63) / 64, ~ValidityWord{0});
      SetInvalid(segment_->dictionary_validity.data(), *null_code_);
    }
    dictionary_->entries.right.GiveBack(dictionary_size_);
    dictionary_.reset();
  }
  return std::exchange(segment_, nullptr);
}

}  // namespace scaup
