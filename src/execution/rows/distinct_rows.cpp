// Distinct rows: answering from the table of keys, deferring, and comparing deferred rows with spilled keys.
#include "execution/rows/distinct_rows.hpp"

#include <algorithm>
#include <bit>

namespace scaup {

namespace {

constexpr PartitionBits kPartitions{44, 4};
/// Chunks with fewer rows are not divided further where memory is short.
constexpr size_t kLeastRows = 64;
/// The filter takes this part of the grant.
constexpr size_t kFilterShare = 16;
constexpr size_t kLeastFilterBytes = size_t{4} << 10;
constexpr size_t kMostFilterBytes = size_t{16} << 20;
/// Rows of a batch where tests force spilling.
constexpr size_t kForcedBatchRows = 3;

void HashRows(DataChunk& keys, uint64_t* hashes) {
  for (size_t i = 0; i < keys.column_count(); i++) HashVector(keys.column(i), keys.size(), hashes, i != 0);
}

std::vector<LogicalType> Concatenate(const std::vector<LogicalType>& first,
                                     const std::vector<LogicalType>& second) {
  std::vector<LogicalType> types = first;
  types.insert(types.end(), second.begin(), second.end());
  return types;
}

size_t LeastBytes(const QueryContext& context, const RowLayout& layout,
                  const std::vector<LogicalType>& types) {
  return 2 * MarkedKeys::LeastBytes(layout, context.memory()) +
         ColumnCollection::MostBytes(types, kVectorSize) +
         HashPartitions::LeastBytes(types, kPartitions, context.MemoryShareBytes()) + kLeastFilterBytes;
}

}  // namespace

MarkedKeys::MarkedKeys(const RowLayout& layout, MemoryGrant& grant)
    : layout_(layout), mark_(layout.state_offset(0)), memory_(grant) {
  MakeTable();
}

size_t MarkedKeys::LeastBytes(const RowLayout& layout, MemoryTracker& memory) {
  return GroupTable::kLeastBytes + RowCollection(layout, memory).MostAddBytes(kVectorSize);
}

void MarkedKeys::MakeTable() {
  memory_.Require(GroupTable::kLeastBytes);
  const auto clear_mark = [](const void* self, std::byte* row) {
    row[static_cast<const MarkedKeys*>(self)->mark_] = std::byte{0};
  };
  table_.emplace(layout_, memory_.account(), clear_mark, this);
}

void MarkedKeys::Find(DataChunk& keys, std::byte** found) {
  uint64_t hashes[kVectorSize];
  HashRows(keys, hashes);
  sel_t missing[kVectorSize];
  const size_t missing_count = Find(keys, hashes, found, missing);
  for (size_t i = 0; i < missing_count; i++) found[missing[i]] = nullptr;
}

void MarkedKeys::Clear() {
  table_.reset();
  memory_.GiveBackPages();
  MakeTable();
}

DistinctRows::Batch::Batch(const RowLayout& layout, const std::vector<LogicalType>& types, MemoryGrant& grant)
    : memory(grant), keys(layout, grant), rows(types, memory.account()) {}

DistinctRows::DistinctRows(QueryContext& context, const std::vector<LogicalType>& key_types,
                           const std::vector<LogicalType>& other_types, MemoryUse* use)
    : context_(context),
      key_types_(key_types),
      types_(Concatenate(key_types, other_types)),
      layout_(key_types, GroupTable::kHeaderBytes, MarkedKeys::States()),
      grant_(context.grants, 1, LeastBytes(context, layout_, types_), use),
      keys_(layout_, grant_),
      deferred_memory_(grant_),
      rest_{std::nullopt, DataChunk(types_)},
      piece_(types_) {}

size_t DistinctRows::SelectNew(DataChunk& keys, DataChunk& others, sel_t* rows) {
  if (keys_.key_count() != 0 && (keys_.memory().is_short() || context_.forces_spilling())) Spill();
  size_t count = 0;
  AddInParts(keys, 0, [&](DataChunk& part, size_t begin) {
    const size_t added = SelectOfPart(part, others, begin, rows + count);
    for (size_t i = 0; i < added; i++) rows[count + i] = static_cast<sel_t>(rows[count + i] + begin);
    count += added;
  });
  return count;
}

void DistinctRows::AddInParts(DataChunk& keys, size_t begin, const Part& add) {
  if (!keys_.memory().TryGrow(keys_.MostGrowBytes(keys))) {
    if (keys_.key_count() != 0) Spill();
    if (!keys_.memory().TryGrow(keys_.MostGrowBytes(keys))) {
      if (keys.size() > kLeastRows) {
        const size_t half = keys.size() / 2;
        DataChunk part(key_types_);
        part.SliceRange(keys, 0, half);
        AddInParts(part, begin, add);
        part.Release();
        part.SliceRange(keys, half, keys.size() - half);
        return AddInParts(part, begin + half, add);
      }
      keys_.memory().Require(keys_.MostGrowBytes(keys));
    }
  }
  add(keys, begin);
}

/// Selects the new rows among those that the filter knows nothing of, or all rows before the first spill.
size_t DistinctRows::SelectOfPart(DataChunk& keys, DataChunk& others, size_t begin, sel_t* rows) {
  const size_t count = keys.size();
  uint64_t hashes[kVectorSize];
  HashRows(keys, hashes);
  std::byte* found[kVectorSize];
  size_t sure_count = count, unsure_count = 0;
  auto unsure = std::make_shared<SelectionVector>(), sure = std::make_shared<SelectionVector>();
  DataChunk sure_keys(key_types_);
  if (!spilled_) {
    keys_.FindOrCreate(keys, hashes, found);
  } else {
    sel_t missing[kVectorSize];
    uint64_t sure_hashes[kVectorSize];
    sure_count = 0;
    const size_t missing_count = keys_.Find(keys, hashes, found, missing);
    for (size_t i = 0; i < missing_count; i++) {
      const sel_t row = missing[i];
      if (spilled_->MayContain(hashes[row])) {
        unsure->rows[unsure_count++] = row;
      } else {
        sure_hashes[sure_count] = hashes[row];
        sure->rows[sure_count++] = row;
      }
    }
    sure_keys.Slice(keys, sure, sure_count);
    if (sure_count != 0) keys_.FindOrCreate(sure_keys, sure_hashes, found);
  }
  size_t new_count = 0;
  for (size_t i = 0; i < sure_count; i++) {
    rows[new_count] = spilled_ ? sure->rows[i] : static_cast<sel_t>(i);
    new_count += !keys_.is_marked(found[i]);
    keys_.SetMark(found[i]);
  }
  // The minimum is for deferred rows, of which there may be some from now on.
  if (spilled_ && keys_.memory().uses_least()) Spill();
  if (unsure_count != 0) Defer(keys, others, begin, hashes, unsure->rows, unsure_count);
  return new_count;
}

void DistinctRows::Defer(DataChunk& keys, DataChunk& others, size_t begin, const uint64_t* hashes,
                         const sel_t* rows, size_t count) {
  if (!deferred_) deferred_.emplace(context_, grant_, deferred_memory_, types_, kPartitions);
  DataChunk part, chunk(types_);
  part.Initialize(others.types());
  part.SliceRange(others, begin, keys.size());
  for (size_t i = 0; i < types_.size(); i++) {
    const size_t key_count = key_types_.size();
    chunk.column(i).Reference(i < key_count ? keys.column(i) : part.column(i - key_count));
  }
  chunk.SetSize(keys.size());
  deferred_->Append(chunk, hashes, rows, count);
}

void DistinctRows::Spill() {
  TaskMemory& memory = keys_.memory();
  if (!spilled_) {
    size_t filter_bytes =
        std::clamp(std::bit_floor(grant_.task_bytes() / kFilterShare), kLeastFilterBytes, kMostFilterBytes);
    while (filter_bytes > kLeastFilterBytes && !memory.TryGrow(filter_bytes)) filter_bytes /= 2;
    if (filter_bytes == kLeastFilterBytes) memory.Require(filter_bytes);
    spilled_.emplace(context_.temporary_storage, layout_, kPartitions, memory.account(), filter_bytes);
    memory.SetFixed(filter_bytes);
  }
  spilled_->Add(keys_.table());
  keys_.Clear();
}

bool DistinctRows::NextDeferred(DataChunk& output) {
  output.Release();
  if (!deferred_) return false;
  while (batch_ || BeginBatch()) {
    while (batch_->next_piece < batch_->rows.piece_count()) {
      context_.functions.CheckInterrupt();
      batch_->rows.Read(batch_->next_piece++, piece_);
      auto selection = std::make_shared<SelectionVector>();
      const size_t count = SelectOfBatch(piece_, selection->rows);
      if (count == 0) continue;
      output.Slice(piece_, selection, count);
      return true;
    }
    piece_.Release();
    batch_.reset();
  }
  deferred_.reset();
  deferred_memory_.GiveBackPages();
  is_reading_ = false;
  next_partition_ = 0;
  return false;
}

bool DistinctRows::BeginBatch() {
  if (!std::exchange(is_reading_, true)) deferred_->Finish();
  if (!ReadRest()) return false;
  batch_.emplace(layout_, types_, grant_);
  const size_t partition = next_partition_ - 1;
  while (AddToBatch() && ReadRest() && next_partition_ - 1 == partition) {
  }
  MarkKnownKeys(partition);
  return true;
}

bool DistinctRows::ReadRest() {
  while (rest_.begin == rest_.chunk.size()) {
    rest_.begin = 0;
    if (rest_.reader && rest_.reader->Next(rest_.chunk)) continue;
    rest_.chunk.Release();
    rest_.reader.reset();
    if (batch_ || !BeginPartition()) return false;
  }
  return true;
}

bool DistinctRows::BeginPartition() {
  deferred_->GiveBack();
  while (next_partition_ < kPartitions.partition_count()) {
    const size_t partition = next_partition_++;
    if (deferred_->rows().row_count(partition) == 0) continue;
    rest_.reader = deferred_->rows().Take(partition);
    return true;
  }
  return false;
}

bool DistinctRows::AddToBatch() {
  size_t count = rest_.chunk.size() - rest_.begin;
  if (context_.forces_spilling()) count = std::min(count, kForcedBatchRows);
  DataChunk part(types_), keys;
  while (true) {
    part.Release();
    part.SliceRange(rest_.chunk, rest_.begin, count);
    keys = KeysOf(part);
    const size_t key_bytes = batch_->keys.MostGrowBytes(keys);
    const size_t row_bytes = batch_->rows.NextPieceBytes() + LongStringBytes(part);
    const bool is_first = batch_->rows.row_count() == 0;
    if (batch_->keys.memory().TryGrow(key_bytes)) {
      if (batch_->memory.TryGrow(row_bytes)) break;
      if (is_first && count <= kLeastRows) batch_->memory.Require(row_bytes);
    } else if (is_first && count <= kLeastRows) {
      batch_->keys.memory().Require(key_bytes);
      batch_->memory.Require(row_bytes);
      break;
    }
    if (!is_first) return false;
    if (count > kLeastRows) count /= 2;
  }
  uint64_t hashes[kVectorSize];
  std::byte* found[kVectorSize];
  HashRows(keys, hashes);
  batch_->keys.FindOrCreate(keys, hashes, found);
  batch_->rows.Append(part);
  rest_.begin += count;
  return !context_.forces_spilling();
}

DataChunk DistinctRows::KeysOf(DataChunk& rows) const {
  DataChunk keys(key_types_);
  for (size_t i = 0; i < key_types_.size(); i++) keys.column(i).Reference(rows.column(i));
  keys.SetSize(rows.size());
  return keys;
}

void DistinctRows::MarkKnownKeys(size_t partition) {
  spilled_->ForEachChunk(partition, [&](DataChunk& keys) {
    context_.functions.CheckInterrupt();
    MarkFound(keys);
  });
  // Keys of an earlier batch may not be spilled yet.
  for (size_t piece = 0; piece < batch_->rows.piece_count(); piece++) {
    batch_->rows.Read(piece, piece_);
    DataChunk keys = KeysOf(piece_);
    std::byte* found[kVectorSize];
    keys_.Find(keys, found);
    auto selection = std::make_shared<SelectionVector>();
    size_t count = 0;
    for (size_t row = 0; row < keys.size(); row++)
      if (found[row] != nullptr) selection->rows[count++] = static_cast<sel_t>(row);
    keys.Slice(selection, count);
    if (count != 0) MarkFound(keys);
  }
}

void DistinctRows::MarkFound(DataChunk& keys) {
  std::byte* found[kVectorSize];
  batch_->keys.Find(keys, found);
  for (size_t row = 0; row < keys.size(); row++)
    if (found[row] != nullptr) batch_->keys.SetMark(found[row]);
}

size_t DistinctRows::SelectOfBatch(DataChunk& piece, sel_t* rows) {
  DataChunk keys = KeysOf(piece);
  std::byte* found[kVectorSize];
  batch_->keys.Find(keys, found);
  auto selection = std::make_shared<SelectionVector>();
  size_t count = 0;
  for (size_t row = 0; row < keys.size(); row++) {
    if (batch_->keys.is_marked(found[row])) continue;
    batch_->keys.SetMark(found[row]);
    selection->rows[count++] = static_cast<sel_t>(row);
  }
  if (count == 0) return 0;
  std::copy_n(selection->rows, count, rows);
  keys.Slice(selection, count);
  AddInParts(keys, 0, [&](DataChunk& part, size_t) {
    uint64_t hashes[kVectorSize];
    HashRows(part, hashes);
    keys_.FindOrCreate(part, hashes, found);
    for (size_t i = 0; i < part.size(); i++) keys_.SetMark(found[i]);
  });
  return count;
}

}  // namespace scaup
