// Builds the dictionary of a segment of strings.
#include "storage/row_group/dictionary_builder.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

void DictionaryBuilder::Resume(const MemorySegment& segment) {
  SCAUP_ASSERT(size_ == 0);
  const auto& validity = segment.dictionary_validity;
  for (sel_t code = 0; code < segment.dictionary.size() && !validity.empty(); code++) {
    if (!TestValid(validity.data(), code)) null_code_ = code;
  }
  // A holder of the right adds entries behind those in use; a builder without the right copies the
  // dictionary.
  size_ = segment.dictionary.size();
  if (!segment.dictionary_memory) return;
  if (segment.dictionary_memory->entries.right.Take(size_)) {
    memory_ = segment.dictionary_memory;
  } else {
    Grow(segment.dictionary, segment.dictionary_memory->entries.capacity());
  }
}

sel_t DictionaryBuilder::Add(uint64_t hash, const StringRef& value) {
  const sel_t code = AddEntry(value);
  memory_->AddSlot(hash, code);
  return code;
}

sel_t DictionaryBuilder::NullCode() {
  if (!null_code_) null_code_ = AddEntry(StringRef());
  return *null_code_;
}

sel_t DictionaryBuilder::AddEntry(const StringRef& value) {
  constexpr size_t kFirstCapacity = 16;
  if (!memory_) {
    Grow({}, kFirstCapacity);
  } else if (size_ == memory_->entries.capacity()) {
    Grow({memory_->entries.data(), size_}, size_ * 2);
  }
  memory_->entries.data()[size_] = value;
  return static_cast<sel_t>(size_++);
}

/// Copies the entries to larger memory of their own. The NULL entry gets no slot, as it is no string.
void DictionaryBuilder::Grow(std::span<const StringRef> entries, size_t capacity) {
  auto larger = std::make_shared<DictionaryMemory>(capacity);
  std::copy(entries.begin(), entries.end(), larger->entries.data());
  for (sel_t code = 0; code < entries.size(); code++) {
    if (code != null_code_) larger->AddSlot(Hash(entries[code]), code);
  }
  memory_ = std::move(larger);
}

ColumnBlock DictionaryBuilder::Decode(const sel_t* codes, size_t count, ColumnBlock::Memory memory) const {
  ColumnBlock block;
  block.SetMemory(std::move(memory));
  auto* strings = reinterpret_cast<StringRef*>(block.memory()->data());
  for (size_t i = 0; i < count; i++) {
    strings[i] = memory_->entries.data()[codes[i]];
    if (codes[i] != null_code_) continue;
    if (!block.validity) {
      block.validity = std::make_shared<ValidityWord[]>(kValidityWords);
      SetAllValid(block.validity.get(), kVectorSize);
    }
    SetInvalid(block.validity.get(), i);
  }
  return block;
}

void DictionaryBuilder::Clear() {
  memory_.reset();
  size_ = 0;
  null_code_.reset();
}

void DictionaryBuilder::Finish(MemorySegment& segment) {
  if (!memory_) return;
  segment.dictionary = {memory_->entries.data(), size_};
  segment.dictionary_memory = memory_;
  if (null_code_) {
    segment.dictionary_validity.assign((size_ + 63) / 64, ~ValidityWord{0});
    SetInvalid(segment.dictionary_validity.data(), *null_code_);
  }
  memory_->entries.right.GiveBack(size_);
  Clear();
}

}  // namespace scaup
