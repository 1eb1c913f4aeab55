// EntrySorter: runs of entries, and merging them.
#include "storage/index/entry_sorter.hpp"

#include <algorithm>
#include <cstring>

namespace scaup {

namespace {

constexpr size_t kPieceBytes = size_t{1} << 18;
constexpr size_t kLeastEntries = 1024;
constexpr size_t kCheckedEntries = 4096;
/// Entries in memory take at most this part of the limit.
constexpr size_t kMemoryShare = 4;
/// This part of the limit stays free for others.
constexpr size_t kMarginShare = 8;
/// A run that is merged has a part in memory: its bytes, and about as much for entries.
constexpr size_t kMergeBytes = size_t{192} << 10;
constexpr size_t kLeastMerge = 4, kMostMerge = 256;

bool IsBefore(const RadixEntry& a, const RadixEntry& b) {
  const int order = std::memcmp(a.key.data(), b.key.data(), std::min(a.key.size(), b.key.size()));
  if (order != 0) return order < 0;
  return a.key.size() != b.key.size() ? a.key.size() < b.key.size() : a.value < b.value;
}

}  // namespace

/// Writes a sorted run.
class EntrySorter::RunWriter {
 public:
  RunWriter(MemoryTracker& memory, TemporaryStorage& storage) : storage_(storage), encoder_(memory) {}
  void Add(const RadixEntry& entry) {
    // A part has each entry once.
    if (encoder_.IsLast(entry.key, entry.value)) return;
    if (const auto part = encoder_.Add(entry.key, entry.value)) Write(*part);
  }
  Run Finish() {
    const PartEncoder::Part part = encoder_.Finish();
    if (part.entry_count != 0) Write(part);
    return std::move(run_);
  }

 private:
  void Write(const PartEncoder::Part& part) {
    run_.push_back({storage_.Write(part.bytes), part.entry_count});
  }

  TemporaryStorage& storage_;
  PartEncoder encoder_;
  Run run_;
};

/// Merges runs, whose parts it reads one by one and frees.
class EntrySorter::Merge {
 public:
  Merge(MemoryTracker& memory, TemporaryStorage& storage, std::vector<Run> runs) : storage_(storage) {
    for (Run& run : runs) sources_.push_back(std::make_unique<Source>(std::move(run), memory));
    for (const auto& source : sources_)
      if (Read(*source)) heap_.push_back(source.get());
    std::make_heap(heap_.begin(), heap_.end(), IsBehind);
  }
  /// The next entry, which is valid until the next call; null at the end.
  const RadixEntry* Next() {
    if (last_ != nullptr) {
      last_->next++;
      if (last_->next < last_->part.entries.size() || Read(*last_)) {
        std::push_heap(heap_.begin(), heap_.end(), IsBehind);
      } else {
        heap_.pop_back();
      }
    }
    last_ = nullptr;
    if (heap_.empty()) return nullptr;
    std::pop_heap(heap_.begin(), heap_.end(), IsBehind);
    last_ = heap_.back();
    return &last_->part.entries[last_->next];
  }

 private:
  struct Source {
    Source(Run run_in, MemoryTracker& memory) : run(std::move(run_in)), part(memory) {}
    Run run;
    size_t next_part = 0;
    DecodedPart part;
    size_t next = 0;
  };
  static bool IsBehind(const Source* a, const Source* b) {
    return IsBefore(b->part.entries[b->next], a->part.entries[a->next]);
  }
  bool Read(Source& source) {
    if (source.next_part == source.run.size()) return false;
    SpilledPart& spilled = source.run[source.next_part++];
    bytes_.resize(spilled.slot.size_bytes());
    storage_.Read(spilled.slot, bytes_);
    spilled.slot.Reset();
    ByteReader reader(bytes_, "temporary file");
    DecodePart(reader, spilled.entry_count, source.part);
    source.next = 0;
    return true;
  }

  TemporaryStorage& storage_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<Source*> heap_;  // The last one is outside the heap while last_ is set.
  Source* last_ = nullptr;
  std::vector<std::byte> bytes_;
};

EntrySorter::EntrySorter(MemoryTracker& memory, std::shared_ptr<TemporaryStorage> storage,
                         std::function<void()> check)
    : memory_(memory), storage_(std::move(storage)), check_(std::move(check)), reservation_(memory) {}

EntrySorter::~EntrySorter() = default;

bool EntrySorter::TryReserveFor(KeyBytes key) {
  size_t more = 0;
  const bool needs_piece = pieces_.empty() || pieces_.back().capacity() - pieces_.back().size() < key.size();
  if (needs_piece) more += std::max(kPieceBytes, key.size());
  const bool needs_entries = entries_.size() == entries_.capacity();
  const size_t capacity = std::max(kLeastEntries, 2 * entries_.capacity());
  if (needs_entries) more += (capacity - entries_.capacity()) * sizeof(RadixEntry);
  if (more == 0) return true;
  const size_t wanted = reservation_.size_bytes() + more;
  const bool may_spill = storage_ != nullptr && !entries_.empty();
  if (may_spill && (wanted > memory_.limit_bytes() / kMemoryShare ||
                    !reservation_.TryResize(wanted, memory_.limit_bytes() / kMarginShare)))
    return false;
  if (!may_spill) reservation_.Resize(wanted);
  if (needs_piece) pieces_.emplace_back().reserve(std::max(kPieceBytes, key.size()));
  if (needs_entries) entries_.reserve(capacity);
  return true;
}

void EntrySorter::Add(KeyBytes key, uint64_t value) {
  if (!TryReserveFor(key)) {
    Spill();
    TryReserveFor(key);
  }
  auto& piece = pieces_.back();
  const std::byte* begin = piece.data() + piece.size();
  piece.insert(piece.end(), key.begin(), key.end());
  entries_.push_back({{begin, key.size()}, value});
}

void EntrySorter::Sort() {
  size_t compared = 0;
  std::sort(entries_.begin(), entries_.end(), [&](const RadixEntry& a, const RadixEntry& b) {
    if (++compared % kCheckedEntries == 0) check_();
    return IsBefore(a, b);
  });
}

void EntrySorter::Spill() {
  Sort();
  RunWriter writer(memory_, *storage_);
  for (const RadixEntry& entry : entries_) writer.Add(entry);
  runs_.push_back(writer.Finish());
  // Not `= {}`, which leaves a vector its memory.
  entries_ = std::vector<RadixEntry>();
  pieces_.clear();
  reservation_.Reset();
}

void EntrySorter::BeginReading() {
  if (!has_spilled()) return Sort();
  if (!entries_.empty()) Spill();
  const size_t most = std::clamp(memory_.limit_bytes() / kMemoryShare / kMergeBytes, kLeastMerge, kMostMerge);
  while (runs_.size() > most) {
    const auto end = runs_.begin() + static_cast<ptrdiff_t>(most);
    Merge merge(memory_, *storage_, {std::move_iterator(runs_.begin()), std::move_iterator(end)});
    runs_.erase(runs_.begin(), end);
    RunWriter writer(memory_, *storage_);
    size_t count = 0;
    while (const RadixEntry* entry = merge.Next()) {
      if (++count % kCheckedEntries == 0) check_();
      writer.Add(*entry);
    }
    runs_.push_back(writer.Finish());
  }
  merge_ = std::make_unique<Merge>(memory_, *storage_, std::exchange(runs_, {}));
}

bool EntrySorter::Next(KeyBytes& key, uint64_t& value) {
  if (next_ % kCheckedEntries == 0) check_();
  const RadixEntry* entry = nullptr;
  if (merge_) {
    entry = merge_->Next();
  } else if (next_ < entries_.size()) {
    entry = &entries_[next_];
  }
  next_++;
  if (entry == nullptr) return false;
  key = entry->key;
  value = entry->value;
  return true;
}

}  // namespace scaup
