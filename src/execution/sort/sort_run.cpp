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

std::vector<LogicalType> StringTypes(const SortKeyEncoder& encoder, const std::vector<size_t>& columns) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(encoder.orders()[column].type);
  return types;
}

}  // namespace

SortRun::SortRun(const SortKeyEncoder& encoder, std::vector<LogicalType> payload_types,
                 const FunctionContext& context)
    : encoder_(encoder),
      payload_types_(std::move(payload_types)),
      context_(context),
      reservation_(context.memory),
      payload_(std::make_unique<ColumnCollection>(payload_types_, context.memory)) {
  for (size_t i = 0; i < encoder.orders().size(); i++) {
    if (PhysicalTypeOf(encoder.orders()[i].type) == PhysicalType::kString) string_keys_.push_back(i);
  }
  string_key_values_ = std::make_unique<ColumnCollection>(StringTypes(encoder, string_keys_), context.memory);
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
  const size_t decisive_bytes =
      string_keys_.empty() ? key_bytes : encoder_.offset(string_keys_[0]) + encoder_.width(string_keys_[0]);
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
  for (size_t row = 0; row < count; row++)
    entries_.push_back({HeadOf(encoded + row * key_bytes, key_bytes), first_row + row});
  payload_->Append(payload);
  if (string_keys_.empty()) return;
  DataChunk strings(string_key_values_->types());
  for (size_t i = 0; i < string_keys_.size(); i++) strings.column(i).Reference(keys.column(string_keys_[i]));
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
  const SortKeyEncoder& encoder = a_run.encoder_;
  if (!encoder.has_strings()) return std::memcmp(a_key, b_key, encoder.key_bytes());
  // Up to each string its prefix decides; a tie is settled by the whole strings before later columns count.
  size_t begin = 0;
  for (size_t i = 0; i < a_run.string_keys_.size(); i++) {
    const size_t column = a_run.string_keys_[i];
    const size_t end = encoder.offset(column) + encoder.width(column);
    if (const int order = std::memcmp(a_key + begin, b_key + begin, end - begin); order != 0) return order;
    begin = end;
    if (a_key[encoder.offset(column)] != std::byte{1}) continue;  // Both NULL.
    const auto order = a_run.StringOf(i, a.row) <=> b_run.StringOf(i, b.row);
    if (order == 0) continue;
    return (order < 0) != encoder.orders()[column].descending ? -1 : 1;
  }
  return std::memcmp(a_key + begin, b_key + begin, encoder.key_bytes() - begin);
}

void SortRun::Sort() {
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
  SortRun kept(encoder_, payload_types_, context_);
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
    for (size_t i = 0; i < string_keys_.size(); i++)
      string_key_values_->Gather(i, rows, part, keys.column(string_keys_[i]));
    payload.SetSize(part);
    keys.SetSize(part);
    kept.AppendRows(keys, payload, encoded.data());
  }
  keys_ = std::move(kept.keys_);
  reservation_ = std::move(kept.reservation_);
  payload_ = std::move(kept.payload_);
  string_key_values_ = std::move(kept.string_key_values_);
  entries_ = std::move(kept.entries_);
  if (count != 0) threshold_.assign(KeyOf(count - 1), KeyOf(count - 1) + key_bytes);
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
