// Builds one column of a row group: see row_group.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/table/row_group.hpp"

namespace scaup {

/// Gathers values in a block of 1024 and closes blocks into a segment. One thread at a time.
/// Strings begin as codes into a dictionary that grows with the row group; when it grows past what pays off,
/// all blocks of the row group are turned flat.
class ColumnBuilder {
 public:
  ColumnBuilder(LogicalType type, MemoryTracker& memory);

  /// Goes on where `segment`, with `row_count` rows, ended: its full blocks are shared, its last part is
  /// copied.
  void Resume(const std::shared_ptr<const MemorySegment>& segment, size_t row_count);
  /// Adds rows [offset, offset + count) of a vector of `vector_size` rows. The open block has room for them.
  void Append(Vector& vector, size_t vector_size, size_t offset, size_t count);
  /// Closes the open block and takes it into `statistics`.
  void CloseBlock(ColumnStatistics& statistics);
  /// Bytes of closed blocks that this builder allocated (strings are accounted by their arena).
  size_t size_bytes() const { return size_bytes_; }
  /// Of the segment's strings.
  size_t heap_bytes() const { return segment_->string_heap ? segment_->string_heap->size_bytes() : 0; }
  /// Gives the segment away and begins a new one.
  std::shared_ptr<const MemorySegment> Finish();

 private:
  static constexpr size_t kMaxDictionary = 4096;
  static constexpr size_t kSlots = 4 * kMaxDictionary;

  void BeginSegment();
  void AppendFixed(const UnifiedView& view, size_t offset, size_t count, bool is_flat);
  void AppendStrings(const UnifiedView& view, size_t offset, size_t count);
  void AppendCodes(const UnifiedView& view, size_t offset, size_t count);
  sel_t CodeOf(const StringRef& value);
  sel_t NullCode();
  StringRef CopyString(const StringRef& value);
  void RebuildSlots();
  void LeaveDictionary();
  std::shared_ptr<ColumnBlock> DecodeBlock(const sel_t* codes, size_t count, const ZoneMap& zone);
  void AddToSketch(ColumnStatistics& statistics, size_t count);

  LogicalType type_;
  PhysicalType physical_type_;
  size_t value_bytes_;
  MemoryTracker& memory_;

  std::shared_ptr<MemorySegment> segment_;
  size_t size_bytes_ = 0;

  // The open block.
  size_t open_rows_ = 0;
  size_t resumed_rows_ = 0;  // Rows of the open block that came from Resume: counted in statistics before.
  std::vector<std::byte> values_;
  ValidityWord validity_[kValidityWords];
  bool has_nulls_ = false;

  // Dictionary mode of strings.
  bool use_dictionary_ = false;
  SelectionRef open_codes_;
  std::vector<uint16_t> slots_;  // Open addressing: code + 1, 0 where empty.
  std::optional<sel_t> null_code_;
  size_t block_number_ = 0;
};

}  // namespace scaup
