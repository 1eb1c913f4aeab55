// Builds one column of a row group: see row_group.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/row_group/block_slab.hpp"
#include "storage/row_group/row_group.hpp"

namespace scaup {

/// Gathers values in a block of 1024 and closes blocks into a segment. One thread at a time.
/// Strings begin as codes into a dictionary that grows with the row group; when it grows past what pays off,
/// all blocks of the row group are turned flat.
/// Takes memory only when rows come. What resumes a segment writes its rows behind those that are there, in
/// the same memory, unless somebody did so before: a row more costs no copy of the others.
class ColumnBuilder {
 public:
  ColumnBuilder(LogicalType type, MemoryTracker& memory);

  /// Goes on where `segment`, with `row_count` rows, ended.
  void Resume(const MemorySegment& segment, size_t row_count);
  /// Adds rows [offset, offset + count) of a vector of `vector_size` rows. The open block has room for them.
  void Append(Vector& vector, size_t vector_size, size_t offset, size_t count);
  /// Closes the open block and takes its rows, but for those resumed, into `statistics` unless that is null.
  void CloseBlock(ColumnStatistics* statistics);
  /// Bytes of closed blocks (strings are accounted by their arena). Those resumed are counted, too: the row
  /// group that they came from goes when nobody reads it any more, the blocks stay.
  size_t size_bytes() const { return segment_ ? segment_->size_bytes : 0; }
  /// The bytes of the segment's strings.
  size_t heap_bytes() const {
    return segment_ && segment_->string_heap ? segment_->string_heap->size_bytes() : 0;
  }
  /// Gives the segment away. The next Append begins a new one.
  std::shared_ptr<const MemorySegment> Finish();

 private:
  void BeginSegment();
  void ResumeBlock(const ColumnBlock& block, size_t row_count);
  void ResumeDictionary(const MemorySegment& segment);
  size_t BytesOf(const ColumnBlock& block) const;
  std::byte* RoomFor(size_t row_count);
  StringRef* strings() { return reinterpret_cast<StringRef*>(open_->data()); }
  sel_t* codes() { return reinterpret_cast<sel_t*>(open_->data()); }
  void AppendFixed(const UnifiedView& view, size_t offset, size_t count, bool is_flat);
  void AppendStrings(const UnifiedView& view, size_t offset, size_t count);
  void AppendCodes(const UnifiedView& view, size_t offset, size_t count);
  bool DictionaryPays(size_t rows) const;
  sel_t AddEntry(const StringRef& value);
  sel_t CodeOf(const StringRef& value);
  sel_t NullCode();
  char* HeapFor(size_t size_bytes);
  StringRef CopyString(const StringRef& value);
  void GrowDictionary(std::span<const StringRef> entries, size_t capacity);
  void LeaveDictionary();
  ColumnBlock DecodeBlock(const sel_t* codes, size_t count, const ZoneMap& zone);
  const ValidityWord* OpenValidity(size_t begin, ValidityWord* words) const;
  ZoneMap ZoneOfRows(size_t begin, size_t end);
  void AddToSketch(ColumnStatistics& statistics, size_t begin, size_t end);

  LogicalType type_;
  PhysicalType physical_type_;
  size_t value_bytes_;
  MemoryTracker& memory_;

  BlockSlab slab_;
  std::shared_ptr<MemorySegment> segment_;  // Null where no row came yet.

  // The open block.
  std::shared_ptr<GrowingArray<std::byte>> open_;  // Values, or codes; null where it has no rows.
  size_t open_rows_ = 0;
  size_t resumed_rows_ = 0;  // Rows of the open block that came from Resume, and their zone.
  ZoneMap resumed_zone_;
  ValidityWord validity_[kValidityWords];
  bool has_nulls_ = false;

  // Dictionary mode of strings.
  bool use_dictionary_ = false;
  std::shared_ptr<DictionaryMemory> dictionary_;
  size_t dictionary_size_ = 0;
  std::optional<sel_t> null_code_;
  size_t block_number_ = 0;
};

}  // namespace scaup
