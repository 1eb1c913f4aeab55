// Join builder: rows with headers while they fit in memory, partitions when they do not.
#include "execution/join/join_builder.hpp"

#include <cstring>

#include "common/throw.hpp"
#include "execution/rows/column_collection.hpp"
#include "scaup/error.hpp"

namespace scaup {

PartitionBits JoinBuilder::BitsOf(const QueryContext& context, size_t level) {
  if (context.forces_partitions()) return {kShifts[level], PartitionBits::kForcedBitCount};
  return {kShifts[level], PartitionBits::BitCountFor(context.MemoryShareBytes())};
}

size_t JoinBuilder::LeastBytes(const QueryContext& context, const RowLayout& layout, size_t level) {
  const size_t partitions =
      HashPartitions::LeastBytes(layout.types(), BitsOf(context, level), context.MemoryShareBytes());
  // Above level 0, where partitioning may not help, also a block of build rows with its directory.
  return level == 0 ? partitions
                    : partitions + kVectorSize * 2 * (layout.row_bytes() + JoinTable::kDirectoryBytesPerRow);
}

JoinBuilder::JoinBuilder(QueryContext& context, const JoinBuildRules& rules, size_t level, MemoryGrant& grant)
    : context_(context),
      rules_(rules),
      level_(level),
      grant_(grant),
      memory_(grant),
      reserve_(memory_.account()),
      rows_(rules.layout, memory_.account()) {}

void JoinBuilder::StopWhenFull(uint64_t most_rows) {
  SCAUP_ASSERT(!is_partitioned() && rows_.row_count() == 0);
  stops_ = true;
  most_rows_ = most_rows;
}

bool JoinBuilder::IsTooLarge() {
  if (memory_.is_short()) return true;
  if (stops_ && rows_.row_count() >= most_rows_) return true;
  if (!stops_ && context_.forces_partitions() && level_ < kForcedLevels) return true;
  // Partitions are joined in parallel, and the remaining rows of others are in memory, too.
  const size_t used = memory_.account().used_bytes(), share = context_.MemoryShareBytes();
  return level_ != 0 && (used > share / 2 || (used > share / 8 && context_.OperatorsHoldMoreThan(75)));
}

bool JoinBuilder::ReserveFor(DataChunk& rows) {
  // The memory for partitioning is reserved before the first row: no more is available once it is needed.
  const bool is_first = rows_.row_count() == 0;
  size_t reserve = reserve_.size_bytes();
  if (stops_) {
    reserve = JoinTable::DirectoryBytes(rows_.row_count() + rows.size());
  } else if (is_first) {
    reserve = HashPartitions::ReserveBytes(context_.TaskShareBytes(grant_));
  }
  const size_t row_bytes = rows_.MostAddBytes(rows.size()) + LongStringBytes(rows);
  const size_t wanted = row_bytes + reserve - reserve_.size_bytes();
  if (!memory_.TryGrow(wanted)) {
    if (!stops_) {
      Partition();
      return true;
    }
    if (!is_first) return false;
    memory_.Require(wanted);  // Without rows there is nothing to spill.
  }
  reserve_.Resize(reserve);
  return true;
}

bool JoinBuilder::Add(DataChunk& rows) {
  const size_t count = rows.size();
  if (!is_partitioned() && IsTooLarge()) {
    if (!stops_) {
      Partition();
    } else if (rows_.row_count() != 0) {
      return false;
    }
  }
  if (!is_partitioned() && !ReserveFor(rows)) return false;
  uint64_t hashes[kVectorSize];
  bool has_null[kVectorSize] = {};
  for (size_t i = 0; i < rules_.nulls_equal.size(); i++) {
    HashVector(rows.column(i), count, hashes, i != 0);
    if (rules_.nulls_equal[i]) continue;
    const UnifiedView view = rows.column(i).View(count);
    if (view.validity == nullptr) continue;
    for (size_t row = 0; row < count; row++) has_null[row] |= !view.IsValid(row);
  }
  sel_t kept[kVectorSize];
  size_t kept_count = 0;
  for (size_t row = 0; row < count; row++) {
    has_null_key_ |= has_null[row];
    kept[kept_count] = static_cast<sel_t>(row);
    kept_count += !has_null[row] || rules_.keeps_all;
  }
  if (is_partitioned()) {
    partitions_->Append(rows, hashes, kept, kept_count);
  } else {
    Scatter(rows, hashes, has_null, kept, kept_count);
  }
  return true;
}

void JoinBuilder::Scatter(DataChunk& rows, const uint64_t* hashes, const bool* has_null, const sel_t* kept,
                          size_t count) {
  std::byte* made[kVectorSize];
  for (size_t i = 0; i < count; i++) {
    std::byte* row = made[i] = rows_.AddRow();
    std::memset(row, 0, JoinTable::kHeaderBytes);
    std::memcpy(row, &hashes[kept[i]], sizeof(uint64_t));
    row[JoinTable::kMatchedOffset] =
        std::byte{has_null[kept[i]] ? JoinTable::kNotInDirectory : JoinTable::kUnmatched};
    rules_.layout.InitializeValidity(row);
  }
  for (size_t i = 0; i < rules_.layout.column_count(); i++)
    rules_.layout.Scatter(i, rows.column(i).View(rows.size()), kept, count, made, rows_.arena());
}

void JoinBuilder::Partition() {
  SCAUP_ASSERT(!stops_);
  const RowLayout& layout = rules_.layout;
  const std::vector<LogicalType>& types = layout.types();
  partitions_ =
      std::make_unique<SpillablePartitions>(context_, grant_, memory_, types, BitsOf(context_, level_));
  reserve_.Reset();
  // Within the memory that was reserved for this purpose: there is no other.
  DataChunk chunk(types);
  rows_.ForEachBlock([&](std::byte* first, size_t block_rows) {
    for (size_t begin = 0; begin < block_rows; begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, block_rows - begin);
      std::byte* rows[kVectorSize];
      uint64_t hashes[kVectorSize];
      for (size_t i = 0; i < count; i++) {
        rows[i] = first + (begin + i) * layout.row_bytes();
        std::memcpy(&hashes[i], rows[i], sizeof(uint64_t));
      }
      chunk.ResetForWriting();
      for (size_t i = 0; i < types.size(); i++) layout.Gather(i, rows, count, chunk.column(i));
      chunk.SetSize(count);
      context_.functions.CheckInterrupt();
      partitions_->AppendWithin(chunk, hashes, count);
    }
  });
  rows_ = RowCollection(layout, memory_.account());
  memory_.GiveBackPages();
}

void JoinBuilder::GiveBack() {
  if (!is_partitioned()) reserve_.Reset();
  memory_.GiveBack();
}

bool JoinBuilder::TryGrowForTable() {
  if (stops_) return true;  // Already reserved.
  return memory_.TryGrow(JoinTable::DirectoryBytes(rows_.row_count()));
}

void JoinBuilder::Finish() {
  if (!is_partitioned() && !stops_ && IsTooLarge()) Partition();
  if (is_partitioned()) partitions_->Finish();
  memory_.SetFixed(TaskMemory::kAll);
}

}  // namespace scaup
