// Sorted runs: collecting, sorting, truncating, merging.
#include "execution/sort/sort_run.hpp"

#include <algorithm>
#include <cstring>

namespace scaup {

namespace {

/// Sorting and merging look for an interruption after so many steps.
constexpr size_t kRowsPerCheck = 16 * kVectorSize;

uint64_t HeadOf(const std::byte* key, size_t key_bytes) {
  uint64_t head = 0;
  std::memcpy(&head, key, std::min<size_t>(key_bytes, 8));
  return __builtin_bswap64(head);
}

/// What the next blocks of both arenas may take, which double, when so much is in them.
size_t ArenaBlockBytes(size_t string_bytes) {
  constexpr size_t kMostArenaBlock = size_t{1} << 20;
  constexpr size_t kLeastArenaBlock = 4096;
  return 2 * std::min(kMostArenaBlock, kLeastArenaBlock + 4 * string_bytes);
}

/// What strings take that are not inline.
size_t StringBytes(Vector& column, size_t count) {
  if (column.physical_type() != PhysicalType::kString) return 0;
  size_t size_bytes = 0;
  const auto view = column.ViewAs<StringRef>(count);
  for (size_t row = 0; row < count; row++) {
    if (view.IsValid(row) && !view[row].is_inline()) size_bytes += view[row].size();
  }
  return size_bytes;
}

}  // namespace

SortRun::SortRun(const SortKeyEncoder& encoder, std::vector<LogicalType> payload_types,
                 const FunctionContext& context, MemoryTracker* memory)
    : encoder_(encoder),
      payload_types_(std::move(payload_types)),
      context_(context),
      memory_(memory == nullptr ? context.memory : *memory),
      reservation_(memory_) {
  Clear();
}

void SortRun::Clear() {
  entries_ = {};
  keys_.clear();
  payload_ = std::make_unique<ColumnCollection>(payload_types_, memory_);
  string_key_values_ = std::make_unique<ColumnCollection>(encoder_.string_types(), memory_);
  string_bytes_ = 0;
  reservation_.Reset();
}

// Of 1024 rows, but for the bytes of strings.
size_t SortRun::PieceBytes() const {
  size_t row_bytes = encoder_.key_bytes() + sizeof(SortEntry);
  for (const LogicalType& type : payload_types_) row_bytes += PhysicalSize(type);
  row_bytes += encoder_.string_columns().size() * sizeof(StringRef);
  return kVectorSize * row_bytes;
}

size_t SortRun::MostAppendBytes(DataChunk& keys, DataChunk& payload) const {
  size_t string_bytes = 0;
  for (Vector& column : payload.columns()) string_bytes += StringBytes(column, payload.size());
  for (const size_t column : encoder_.string_columns())
    string_bytes += StringBytes(keys.column(column), payload.size());
  // One more piece of everything, as at most 1024 rows come, and blocks of the two arenas.
  return PieceBytes() + (string_bytes == 0 ? 0 : 2 * string_bytes + ArenaBlockBytes(string_bytes_));
}

size_t SortRun::TruncateBytes(size_t count) const {
  const size_t rows = std::min(count, row_count());
  if (rows == 0) return 0;
  const double part = static_cast<double>(rows) / static_cast<double>(row_count());
  const auto string_bytes = static_cast<size_t>(part * static_cast<double>(string_bytes_));
  return (rows / kVectorSize + 1) * PieceBytes() +
         (string_bytes == 0 ? 0 : 2 * string_bytes + ArenaBlockBytes(string_bytes));
}

size_t SortRun::size_bytes() const {
  return reservation_.size_bytes() + payload_->size_bytes() + string_key_values_->size_bytes();
}

void SortRun::Append(DataChunk& keys, DataChunk& payload) {
  const size_t count = payload.size();
  std::vector<std::byte> encoded(count * encoder_.key_bytes());
  encoder_.Encode(keys, count, encoded.data());
  keys.SetSize(count);
  if (threshold_.empty()) {
    AppendRows(keys, payload, encoded.data());
    return;
  }
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  const size_t key_bytes = encoder_.key_bytes();
  const size_t decisive_bytes = !encoder_.has_strings() ? key_bytes
                                                        : encoder_.offset(encoder_.string_columns()[0]) +
                                                              encoder_.width(encoder_.string_columns()[0]);
  for (size_t row = 0; row < count; row++) {
    // Behind the first string its bytes decide nothing yet: an equal prefix may belong to a lesser string.
    const int order = std::memcmp(encoded.data() + row * key_bytes, threshold_.data(), decisive_bytes);
    if (order > 0 || (order == 0 && !encoder_.has_strings())) continue;
    std::memmove(encoded.data() + kept * key_bytes, encoded.data() + row * key_bytes, key_bytes);
    selection->rows[kept++] = static_cast<sel_t>(row);
  }
  if (kept == 0) return;
  if (kept < count) {
    keys.Slice(selection, kept);
    payload.Slice(selection, kept);
  }
  AppendRows(keys, payload, encoded.data());
}

void SortRun::AppendRows(DataChunk& keys, DataChunk& payload, const std::byte* encoded) {
  const size_t count = payload.size();
  const size_t key_bytes = encoder_.key_bytes();
  const size_t first_row = payload_->row_count();
  for (size_t done = 0; done < count;) {
    const size_t filled = (first_row + done) % kVectorSize;
    if (filled == 0) {
      reservation_.Resize(reservation_.size_bytes() + kVectorSize * (key_bytes + sizeof(SortEntry)));
      keys_.push_back(std::unique_ptr<std::byte[]>(new std::byte[kVectorSize * key_bytes]));
    }
    const size_t part = std::min(kVectorSize - filled, count - done);
    std::memcpy(keys_.back().get() + filled * key_bytes, encoded + done * key_bytes, part * key_bytes);
    done += part;
  }
  payload_->Append(payload);
  for (Vector& column : payload.columns()) string_bytes_ += StringBytes(column, count);
  if (!encoder_.has_strings()) return;
  DataChunk strings(string_key_values_->types());
  for (size_t i = 0; i < strings.column_count(); i++) {
    strings.column(i).Reference(keys.column(encoder_.string_columns()[i]));
    string_bytes_ += StringBytes(strings.column(i), count);
  }
  strings.SetSize(count);
  string_key_values_->Append(strings);
}

StringRef SortRun::StringOf(size_t string_column, uint64_t row) const {
  return string_key_values_->PieceView(string_column, row / kVectorSize).As<StringRef>()[row % kVectorSize];
}

int SortRun::Compare(const SortRun& a_run, const SortEntry& a, const SortRun& b_run, const SortEntry& b) {
  if (a.head != b.head && !a_run.encoder_.has_strings()) return a.head < b.head ? -1 : 1;
  const std::byte* a_key = a_run.KeyOf(a.row);
  const std::byte* b_key = b_run.KeyOf(b.row);
  if (!a_run.encoder_.has_strings()) return std::memcmp(a_key, b_key, a_run.encoder_.key_bytes());
  return a_run.encoder_.Compare(
      a_key, b_key, [&](size_t i) { return a_run.StringOf(i, a.row); },
      [&](size_t i) { return b_run.StringOf(i, b.row); });
}

void SortRun::MakeEntries() {
  entries_.clear();
  entries_.reserve(row_count());
  for (uint64_t row = 0; row < row_count(); row++)
    entries_.push_back({HeadOf(KeyOf(row), encoder_.key_bytes()), row});
}

void SortRun::SetThreshold(uint64_t row) { threshold_.assign(KeyOf(row), KeyOf(row) + encoder_.key_bytes()); }

void SortRun::Sort() {
  MakeEntries();
  size_t compared = 0;
  std::sort(entries_.begin(), entries_.end(), [&](const SortEntry& a, const SortEntry& b) {
    if (++compared % kRowsPerCheck == 0) context_.CheckInterrupt();
    const int order = Compare(*this, a, *this, b);
    return order != 0 ? order < 0 : a.row < b.row;
  });
}

void SortRun::Truncate(size_t count) {
  Sort();
  if (entries_.size() <= count) return;
  entries_.resize(count);
  SortRun kept(encoder_, payload_types_, context_, &memory_);
  const size_t key_bytes = encoder_.key_bytes();
  std::vector<std::byte> encoded(kVectorSize * key_bytes);
  std::vector<LogicalType> key_types;
  for (const SortOrder& order : encoder_.orders()) key_types.push_back(order.type);
  DataChunk keys(key_types), payload(payload_types_);
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const size_t part = std::min(kVectorSize, count - begin);
    uint64_t rows[kVectorSize];
    for (size_t i = 0; i < part; i++) {
      rows[i] = entries_[begin + i].row;
      std::memcpy(encoded.data() + i * key_bytes, KeyOf(rows[i]), key_bytes);
    }
    payload.ResetForWriting();
    for (size_t i = 0; i < payload_types_.size(); i++) payload_->Gather(i, rows, part, payload.column(i));
    keys.ResetForWriting();
    for (size_t i = 0; i < encoder_.string_columns().size(); i++)
      string_key_values_->Gather(i, rows, part, keys.column(encoder_.string_columns()[i]));
    payload.SetSize(part);
    keys.SetSize(part);
    kept.AppendRows(keys, payload, encoded.data());
  }
  keys_ = std::move(kept.keys_);
  reservation_ = std::move(kept.reservation_);
  payload_ = std::move(kept.payload_);
  string_key_values_ = std::move(kept.string_key_values_);
  string_bytes_ = kept.string_bytes_;
  MakeEntries();  // They are in order.
  if (count != 0) SetThreshold(count - 1);
}

SpilledRun SortRun::Spill(TemporaryStorage& storage, size_t count) {
  Sort();
  const size_t row_bytes = size_bytes() / std::max<size_t>(row_count(), 1);
  const size_t total = std::min(count, entries_.size());
  SpilledRunWriter writer(storage, SpilledRunWriter::RowsPerBlock(row_bytes, context_.memory.limit_bytes()));
  const size_t key_bytes = encoder_.key_bytes();
  SpilledBlock block(payload_types_, encoder_);
  for (size_t begin = 0; begin < total; begin += writer.rows_per_block()) {
    context_.CheckInterrupt();
    const size_t part = std::min(writer.rows_per_block(), total - begin);
    uint64_t rows[kVectorSize];
    block.Reset(part, encoder_);
    for (size_t i = 0; i < part; i++) {
      rows[i] = entries_[begin + i].row;
      std::memcpy(block.keys.data() + i * key_bytes, KeyOf(rows[i]), key_bytes);
    }
    for (size_t i = 0; i < payload_types_.size(); i++)
      payload_->Gather(i, rows, part, block.payload.column(i));
    for (size_t i = 0; i < block.strings.column_count(); i++)
      string_key_values_->Gather(i, rows, part, block.strings.column(i));
    writer.Write(block);
  }
  if (count != 0 && count < entries_.size()) SetThreshold(entries_[count - 1].row);
  Clear();
  return writer.Take();
}

std::vector<uint64_t> MergeRuns(const std::vector<const SortRun*>& runs, size_t limit,
                                const FunctionContext& context) {
  size_t total = 0;
  for (const SortRun* run : runs) total += run->row_count();
  total = std::min(total, limit);
  std::vector<uint64_t> order;
  order.reserve(total);
  std::vector<size_t> next(runs.size(), 0);
  while (order.size() < total) {
    if (order.size() % kRowsPerCheck == 0) context.CheckInterrupt();
    // Few runs, one a thread: a linear search for the least is as good as a heap.
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < runs.size(); i++) {
      if (next[i] == runs[i]->entries().size()) continue;
      if (best == SIZE_MAX || SortRun::Compare(*runs[i], runs[i]->entries()[next[i]], *runs[best],
                                               runs[best]->entries()[next[best]]) < 0) {
        best = i;
      }
    }
    order.push_back(CollectionRow(best, runs[best]->entries()[next[best]].row));
    next[best]++;
  }
  return order;
}

}  // namespace scaup
