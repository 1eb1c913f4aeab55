// IndexEntryList: adding entries, and pages that go to temporary storage and come back.
#include "storage/table_index/index_entry_list.hpp"

#include <algorithm>
#include <cstring>

#include "common/check.hpp"
#include "common/memory/memory_advance.hpp"

namespace scaup {

namespace {

constexpr size_t kPageEntries = 4096;
constexpr size_t kPageKeyBytes = size_t{64} << 10;
/// Full pages in memory take at most this part of the memory limit.
constexpr size_t kListShare = 128;
/// A slot of temporary storage takes as much; a list with less memory stays there.
constexpr size_t kLeastSpilledBytes = TemporaryStorage::kUnitBytes;

template <typename T>
void Append(std::vector<std::byte>& image, const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  image.insert(image.end(), bytes, bytes + values.size() * sizeof(T));
}

template <typename T>
const std::byte* Take(const std::byte* from, size_t count, std::vector<T>& values) {
  values.resize(count);
  if (count != 0) std::memcpy(values.data(), from, count * sizeof(T));
  return from + count * sizeof(T);
}

}  // namespace

IndexEntryList::IndexEntryList(TableIndexRef index, MemoryTracker& memory,
                               std::shared_ptr<TemporaryStorage> storage)
    : index_(std::move(index)),
      memory_(memory),
      storage_(std::move(storage)),
      pages_(1),
      reservation_(memory),
      read_reservation_(memory) {}

IndexEntryList::~IndexEntryList() = default;

void IndexEntryList::SetValue(size_t i, uint64_t value) {
  Page& page = PageOf(i);
  page.values[i - page.first] = value;
  page.is_changed = true;
}

size_t IndexEntryList::PageEnd(size_t i) const {
  const Page& page = pages_[PlaceOf(i)];
  return page.first + page.count;
}

size_t IndexEntryList::PlaceOf(size_t i) const {
  SCAUP_ASSERT(i < size_);
  const auto above = std::upper_bound(pages_.begin(), pages_.end(), i,
                                      [](size_t wanted, const Page& page) { return wanted < page.first; });
  return static_cast<size_t>(above - pages_.begin()) - 1;
}

void IndexEntryList::Add(KeyBytes key, uint64_t value) {
  if (NeedsPage(key)) AddPage();
  Page& page = pages_.back();
  const auto grown = [](auto& vector, size_t more) {
    const size_t wanted = vector.size() + more;
    return wanted <= vector.capacity() ? vector.capacity() : std::max(wanted, 2 * vector.size());
  };
  const size_t bytes = grown(page.bytes, key.size()), ends = grown(page.ends, 1),
               values = grown(page.values, 1);
  const size_t page_bytes = bytes + ends * sizeof(size_t) + values * sizeof(uint64_t);
  // The reservation comes before any growth, so a failure leaves the list unchanged.
  const size_t size_bytes = full_bytes_ + page_bytes + pages_.capacity() * sizeof(Page);
  if (size_bytes > reservation_.size_bytes()) {
    reservation_.Resize(size_bytes);
    page.bytes.reserve(bytes);
    page.ends.reserve(ends);
    page.values.reserve(values);
  }
  page.bytes.insert(page.bytes.end(), key.begin(), key.end());
  page.ends.push_back(page.bytes.size());
  page.values.push_back(value);
  page.count++;
  size_++;
  has_local_ = has_local_ || IndexValue::IsLocal(value);
}

bool IndexEntryList::NeedsPage(KeyBytes key) const {
  const Page& last = pages_.back();
  if (storage_ == nullptr || last.is_spilled) return last.is_spilled;
  return last.count == kPageEntries || (last.count != 0 && last.bytes.size() + key.size() > kPageKeyBytes);
}

// Spills before it changes anything else, so that a failure leaves the list as it is.
void IndexEntryList::AddPage() {
  const Page& last = pages_.back();
  if (!last.is_spilled && full_bytes_ + last.size_bytes() > memory_.limit_bytes() / kListShare) SpillPages();
  if (pages_.size() == pages_.capacity()) pages_.reserve(pages_.size() + pages_.size() / 2 + 1);
  if (!pages_.back().is_spilled) full_bytes_ += pages_.back().size_bytes();
  pages_.emplace_back();
  pages_.back().first = size_;
}

void IndexEntryList::RemoveLast() noexcept {
  SCAUP_ASSERT(pages_.back().count != 0);
  Page& page = pages_.back();
  page.ends.pop_back();
  page.values.pop_back();
  page.bytes.resize(page.ends.empty() ? 0 : page.ends.back());
  page.count--;
  size_--;
}

// --- Pages

// Not `= {}`, which leaves a vector its memory.
void IndexEntryList::Page::FreeMemory() noexcept {
  bytes = std::vector<std::byte>();
  ends = std::vector<size_t>();
  values = std::vector<uint64_t>();
}

IndexEntryList::Page& IndexEntryList::Open(size_t i) const {
  const size_t place = PlaceOf(i);
  Page& page = pages_[place];
  if (!page.is_in_memory()) {
    FreeReadPage();
    Read(page);
    read_ = place;
  }
  current_ = place;
  return page;
}

void IndexEntryList::FreeReadPage() const {
  Page& page = pages_[read_];
  if (!page.is_spilled) return;
  if (page.is_changed) Write(page);
  page.FreeMemory();
  read_reservation_.Reset();
}

void IndexEntryList::Read(Page& page) const {
  const size_t size_bytes = page.slot.size_bytes();
  // Twice, for the image of the page.
  const MemoryAdvance advance(memory_, std::max(MemoryAdvance::OfThread(memory_), 2 * size_bytes));
  read_reservation_.Resize(2 * size_bytes);
  std::vector<std::byte> image(size_bytes);
  storage_->Read(page.slot, image);
  const size_t key_bytes = image.size() - page.count * (sizeof(size_t) + sizeof(uint64_t));
  const std::byte* from = Take(image.data(), page.count, page.ends);
  // The values come last: a page that has them is in memory.
  Take(from + page.count * sizeof(uint64_t), key_bytes, page.bytes);
  Take(from, page.count, page.values);
  read_reservation_.Resize(size_bytes);
}

void IndexEntryList::Write(Page& page) const {
  std::vector<std::byte> image;
  image.reserve(page.size_bytes());
  Append(image, page.ends);
  Append(image, page.values);
  Append(image, page.bytes);
  page.slot = storage_->Write(image);
  page.is_spilled = true;
  page.is_changed = false;
}

void IndexEntryList::Spill() {
  FreeReadPage();
  if (storage_ == nullptr || pages_.back().is_spilled || reservation_.size_bytes() < kLeastSpilledBytes)
    return;
  SpillPages();
}

void IndexEntryList::SpillPages() {
  for (; spilled_count_ < pages_.size(); spilled_count_++) {
    Page& page = pages_[spilled_count_];
    const size_t size_bytes = page.size_bytes();
    Write(page);
    page.FreeMemory();
    if (spilled_count_ + 1 < pages_.size()) full_bytes_ -= size_bytes;
  }
  reservation_.Resize(pages_.capacity() * sizeof(Page));
}

size_t IndexEntryList::allocated_bytes() const {
  size_t size_bytes = pages_.capacity() * sizeof(Page);
  for (const Page& page : pages_) size_bytes += page.size_bytes();
  return size_bytes;
}

}  // namespace scaup
