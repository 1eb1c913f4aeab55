// ColumnBuilder: builds one column of a row group; see row_group.hpp.
#pragma once

#include <memory>
#include <vector>

#include "storage/row_group/block_slab.hpp"
#include "storage/row_group/dictionary_builder.hpp"
#include "storage/row_group/memory_segment.hpp"
#include "storage/row_group/row_group.hpp"

namespace scaup {

/// Collects values in a block of 1024, and closes full blocks into a segment. Used by one thread at a time.
/// Strings begin as codes into a dictionary that grows with the row group. When the dictionary grows beyond
/// what pays off, all blocks of the row group become flat.
/// The builder takes memory only when rows come. A resumed segment writes its rows behind the existing ones
/// in the same memory, unless another builder did so before. So one more row costs no copy of the others.
class ColumnBuilder {
 public:
  ColumnBuilder(LogicalType type, MemoryTracker& memory);

  /// Continues where `segment`, which has `row_count` rows, ended.
  void Resume(const MemorySegment& segment, size_t row_count);
  /// Appends rows [offset, offset + count) of a vector of `vector_size` rows. They must fit the open block.
  void Append(Vector& vector, size_t vector_size, size_t offset, size_t count);
  /// Closes the open block. Adds its rows, except resumed ones, to `statistics` unless that is null.
  void CloseBlock(ColumnStatistics* statistics);
  /// Returns the bytes of closed blocks; the arena accounts for strings. Resumed blocks count as well: the
  /// row group that they came from goes when it has no more readers, but the blocks stay.
  size_t size_bytes() const { return segment_ ? segment_->size_bytes : 0; }
  /// Returns the bytes of the segment's strings.
  size_t heap_bytes() const {
    return segment_ && segment_->string_heap ? segment_->string_heap->size_bytes() : 0;
  }
  /// Returns the finished segment. The next Append begins a new one.
  std::shared_ptr<const MemorySegment> Finish();

 private:
  void BeginSegment();
  void ResumeBlock(const ColumnBlock& block, size_t row_count);
  std::byte* RoomFor(size_t row_count);
  sel_t* codes() { return reinterpret_cast<sel_t*>(open_->data()); }
  void AppendFixed(const UnifiedView& view, size_t offset, size_t count, bool is_flat);
  void AppendStrings(const UnifiedView& view, size_t offset, size_t count);
  void AppendCodes(const UnifiedView& view, size_t offset, size_t count);
  bool DictionaryPays(size_t rows) const;
  /// Returns the code of a string; copies it into the heap if it is new.
  sel_t CodeOf(const StringRef& value);
  char* HeapFor(size_t size_bytes);
  StringRef CopyString(const StringRef& value);
  void LeaveDictionary();
  const ValidityWord* OpenValidity(size_t begin, ValidityWord* words) const;
  ZoneMap ZoneOfRows(size_t begin, size_t end);
  void AddToSketch(ColumnStatistics& statistics, size_t begin, size_t end);

  LogicalType type_;
  PhysicalType physical_type_;
  size_t value_bytes_;
  MemoryTracker& memory_;

  BlockSlab slab_;
  std::shared_ptr<MemorySegment> segment_;  // null until the first row comes

  // The open block.
  std::shared_ptr<GrowingArray<std::byte>> open_;  // values or codes; null if the block has no rows
  size_t open_rows_ = 0;
  size_t resumed_rows_ = 0;  // resumed rows of the open block, and their zone map
  ZoneMap resumed_zone_;
  ValidityWord validity_[kValidityWords];
  bool has_nulls_ = false;

  // Dictionary mode of strings: values are codes, and their strings are entries of the dictionary.
  bool use_dictionary_ = false;
  DictionaryBuilder dictionary_;
  size_t block_number_ = 0;
};

}  // namespace scaup
