// Builds one column of a row group.
#include "storage/table/column_builder.hpp"

#include <cstring>

#include "common/hash.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Of every so many blocks one goes into the distinct sketch.
constexpr size_t kSketchEvery = 8;

template <size_t kBytes>
void Gather(const std::byte* source, const sel_t* selection, size_t offset, size_t count, std::byte* target) {
  for (size_t i = 0; i < count; i++) {
    std::memcpy(target + i * kBytes, source + selection[offset + i] * kBytes, kBytes);
  }
}

uint64_t HashString(const StringRef& value) {
  if (!value.is_inline()) return HashBytes(value.data(), value.size());
  uint64_t words[2];
  std::memcpy(words, &value, sizeof(words));
  return HashInteger(words[0] ^ (words[1] * 0x9fb21c651e98df25ULL));
}

}  // namespace

ColumnBuilder::ColumnBuilder(LogicalType type, MemoryTracker& memory)
    : type_(type),
      physical_type_(PhysicalTypeOf(type)),
      value_bytes_(PhysicalSize(physical_type_)),
      memory_(memory),
      values_(kVectorSize * value_bytes_) {
  BeginSegment();
}

void ColumnBuilder::BeginSegment() {
  segment_ = std::make_shared<MemorySegment>(physical_type_);
  size_bytes_ = 0;
  open_rows_ = 0;
  resumed_rows_ = 0;
  has_nulls_ = false;
  SetAllValid(validity_, kVectorSize);
  null_code_.reset();
  use_dictionary_ = physical_type_ == PhysicalType::kString;
  if (use_dictionary_) {
    segment_->string_heap = std::make_shared<Arena>(&memory_);
    slots_.assign(kSlots, 0);
    open_codes_ = std::make_shared<SelectionVector>();
  }
}

void ColumnBuilder::Resume(const std::shared_ptr<const MemorySegment>& segment, size_t row_count) {
  BeginSegment();
  const size_t full_blocks = row_count / kVectorSize;
  const size_t rest = row_count % kVectorSize;
  segment_->blocks.assign(segment->blocks.begin(), segment->blocks.begin() + full_blocks);
  for (const auto& block : segment_->blocks) {
    segment_->MergeZone(block->zone);
    // Counted here too: the row group that they came from goes when nobody reads it any more, the blocks
    // stay.
    size_bytes_ +=
        block->encoding == BlockEncoding::kFlat ? kVectorSize * value_bytes_ : sizeof(SelectionVector);
    if (block->encoding == BlockEncoding::kFlat) use_dictionary_ = false;
  }
  segment_->string_heap = segment->string_heap;
  if (rest != 0 && segment->blocks[full_blocks]->encoding == BlockEncoding::kFlat) use_dictionary_ = false;
  if (use_dictionary_) {
    segment_->dictionary = segment->dictionary;
    segment_->dictionary_validity = segment->dictionary_validity;
    RebuildSlots();
  }
  if (rest == 0) return;
  const ColumnBlock& last = *segment->blocks[full_blocks];
  if (use_dictionary_) {
    std::memcpy(open_codes_->rows, last.codes->rows, rest * sizeof(sel_t));
  } else {
    std::memcpy(values_.data(), last.data.get(), rest * value_bytes_);
    if (last.validity) {
      std::memcpy(validity_, last.validity.get(), sizeof(validity_));
      for (size_t row = rest; row < kVectorSize; row++) SetValid(validity_, row);
      has_nulls_ = true;
    }
  }
  open_rows_ = rest;
  resumed_rows_ = rest;
}

void ColumnBuilder::Append(Vector& vector, size_t vector_size, size_t offset, size_t count) {
  SCAUP_ASSERT(open_rows_ + count <= kVectorSize);
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
  std::byte* target = values_.data() + open_rows_ * value_bytes_;
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
    // NULLs hold zero, so that results show no stale bytes.
    std::memset(target + i * value_bytes_, 0, value_bytes_);
    has_nulls_ = true;
  }
}

StringRef ColumnBuilder::CopyString(const StringRef& value) {
  if (value.is_inline()) return value;
  char* copy = reinterpret_cast<char*>(segment_->string_heap->Allocate(value.size(), 1));
  std::memcpy(copy, value.data(), value.size());
  return StringRef(copy, value.size());
}

void ColumnBuilder::AppendStrings(const UnifiedView& view, size_t offset, size_t count) {
  const auto strings = view.As<StringRef>();
  StringRef* target = reinterpret_cast<StringRef*>(values_.data()) + open_rows_;
  for (size_t i = 0; i < count; i++) {
    if (view.IsValid(offset + i)) {
      target[i] = CopyString(strings[offset + i]);
    } else {
      SetInvalid(validity_, open_rows_ + i);
      target[i] = StringRef();
      has_nulls_ = true;
    }
  }
}

void ColumnBuilder::AppendCodes(const UnifiedView& view, size_t offset, size_t count) {
  const auto strings = view.As<StringRef>();
  for (size_t i = 0; i < count; i++) {
    const bool is_valid = view.IsValid(offset + i);
    if (segment_->dictionary.size() == kMaxDictionary) {
      // It might be in the dictionary, but one so full does not pay.
      open_rows_ += i;
      LeaveDictionary();
      AppendStrings(view, offset + i, count - i);
      open_rows_ -= i;
      return;
    }
    open_codes_->rows[open_rows_ + i] = is_valid ? CodeOf(strings[offset + i]) : NullCode();
  }
}

sel_t ColumnBuilder::CodeOf(const StringRef& value) {
  size_t slot = HashString(value) % kSlots;
  while (slots_[slot] != 0) {
    const sel_t code = slots_[slot] - 1u;
    if (segment_->dictionary[code] == value && code != null_code_) return code;
    slot = (slot + 1) % kSlots;
  }
  const sel_t code = static_cast<sel_t>(segment_->dictionary.size());
  segment_->dictionary.push_back(CopyString(value));
  slots_[slot] = static_cast<uint16_t>(code + 1);
  return code;
}

sel_t ColumnBuilder::NullCode() {
  if (!null_code_) {
    null_code_ = static_cast<sel_t>(segment_->dictionary.size());
    segment_->dictionary.emplace_back();
  }
  return *null_code_;
}

void ColumnBuilder::RebuildSlots() {
  for (sel_t code = 0; code < segment_->dictionary.size(); code++) {
    if (!segment_->dictionary_validity.empty() && !TestValid(segment_->dictionary_validity.data(), code)) {
      null_code_ = code;
      continue;
    }
    size_t slot = HashString(segment_->dictionary[code]) % kSlots;
    while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
    slots_[slot] = static_cast<uint16_t>(code + 1);
  }
}

std::shared_ptr<ColumnBlock> ColumnBuilder::DecodeBlock(const sel_t* codes, size_t count,
                                                        const ZoneMap& zone) {
  auto block = std::make_shared<ColumnBlock>();
  block->data = std::unique_ptr<std::byte[]>(new std::byte[count * sizeof(StringRef)]);
  block->zone = zone;
  auto* strings = reinterpret_cast<StringRef*>(block->data.get());
  for (size_t i = 0; i < count; i++) {
    strings[i] = segment_->dictionary[codes[i]];
    if (codes[i] != null_code_) continue;
    if (!block->validity) {
      block->validity = std::make_unique<ValidityWord[]>(kValidityWords);
      SetAllValid(block->validity.get(), kVectorSize);
    }
    SetInvalid(block->validity.get(), i);
  }
  size_bytes_ += count * sizeof(StringRef);
  return block;
}

void ColumnBuilder::LeaveDictionary() {
  for (auto& block : segment_->blocks) {
    if (block->encoding == BlockEncoding::kDictionary)
      block = DecodeBlock(block->codes->rows, kVectorSize, block->zone);
  }
  auto* strings = reinterpret_cast<StringRef*>(values_.data());
  for (size_t i = 0; i < open_rows_; i++) {
    const sel_t code = open_codes_->rows[i];
    strings[i] = segment_->dictionary[code];
    if (code == null_code_) {
      SetInvalid(validity_, i);
      has_nulls_ = true;
    }
  }
  segment_->dictionary.clear();
  segment_->dictionary_validity.clear();
  use_dictionary_ = false;
}

void ColumnBuilder::AddToSketch(ColumnStatistics& statistics, size_t count) {
  if (block_number_++ % kSketchEvery != 0) return;
  Vector values(type_);
  values.ReferenceFlat(values_.data(), has_nulls_ ? validity_ : nullptr, nullptr);
  if (use_dictionary_) {
    Dictionary dictionary{reinterpret_cast<const std::byte*>(segment_->dictionary.data()), nullptr,
                          segment_->dictionary.size(), nullptr, true};
    values.ReferenceDictionary(std::move(dictionary), open_codes_);
  }
  uint64_t hashes[kVectorSize];
  HashVector(values, count, hashes, false);
  for (size_t i = 0; i < count; i++) {
    const bool is_null =
        use_dictionary_ ? open_codes_->rows[i] == null_code_ : has_nulls_ && !TestValid(validity_, i);
    if (is_null) continue;
    statistics.sketch.Add(hashes[i]);
    statistics.sampled_rows++;
  }
}

void ColumnBuilder::CloseBlock(ColumnStatistics& statistics) {
  const size_t count = open_rows_;
  auto block = std::make_shared<ColumnBlock>();
  if (use_dictionary_ && segment_->blocks.empty() && count == kVectorSize &&
      segment_->dictionary.size() > kVectorSize / 2) {
    LeaveDictionary();
  }
  if (use_dictionary_) {
    // The zone covers the entries that this block uses.
    bool used[kMaxDictionary + 1] = {};
    uint32_t null_count = 0;
    for (size_t i = 0; i < count; i++) {
      used[open_codes_->rows[i]] = true;
      null_count += open_codes_->rows[i] == null_code_;
    }
    auto* strings = reinterpret_cast<StringRef*>(values_.data());
    size_t used_count = 0;
    for (sel_t code = 0; code < segment_->dictionary.size(); code++) {
      if (used[code] && code != null_code_) strings[used_count++] = segment_->dictionary[code];
    }
    block->zone = ComputeZoneMap(physical_type_, values_.data(), nullptr, used_count);
    block->zone.row_count = static_cast<uint32_t>(count);
    block->zone.null_count = null_count;
    block->encoding = BlockEncoding::kDictionary;
    block->codes = open_codes_;
    AddToSketch(statistics, count);
    open_codes_ = std::make_shared<SelectionVector>();
    size_bytes_ += sizeof(SelectionVector);
  } else {
    block->zone = ComputeZoneMap(physical_type_, values_.data(), has_nulls_ ? validity_ : nullptr, count);
    block->data = std::unique_ptr<std::byte[]>(new std::byte[count * value_bytes_]);
    std::memcpy(block->data.get(), values_.data(), count * value_bytes_);
    if (has_nulls_) {
      block->validity = std::make_unique<ValidityWord[]>(kValidityWords);
      std::memcpy(block->validity.get(), validity_, sizeof(validity_));
    }
    AddToSketch(statistics, count);
    size_bytes_ += count * value_bytes_;
  }
  const ZoneMap& zone = block->zone;
  segment_->MergeZone(zone);
  statistics.zone.Merge(zone, physical_type_);
  // Rows taken over from an earlier segment were counted then; their NULLs too, which resumed_rows_ cannot
  // tell apart, so that null_count may come out slightly high. It is an estimate.
  statistics.row_count += count - resumed_rows_;
  statistics.null_count += std::min<uint64_t>(zone.null_count, count - resumed_rows_);
  segment_->blocks.push_back(std::move(block));
  open_rows_ = 0;
  resumed_rows_ = 0;
  has_nulls_ = false;
  SetAllValid(validity_, kVectorSize);
}

std::shared_ptr<const MemorySegment> ColumnBuilder::Finish() {
  if (use_dictionary_ && null_code_) {
    segment_->dictionary_validity.assign((segment_->dictionary.size() + 63) / 64, ~ValidityWord{0});
    SetInvalid(segment_->dictionary_validity.data(), *null_code_);
  }
  std::shared_ptr<const MemorySegment> finished = std::move(segment_);
  BeginSegment();
  return finished;
}

}  // namespace scaup
