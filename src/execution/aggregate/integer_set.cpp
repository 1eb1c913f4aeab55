// Integer set: allocating pages of bits where they pay, and reading values in order.
#include "execution/aggregate/integer_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/throw.hpp"
#include "execution/rows/visit_integer.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// A set of this size stays in a core's caches. Larger sets must be denser.
constexpr size_t kCachedSetBytes = size_t{2} << 20;
/// The approximate bytes of a hash table per value, for comparison.
constexpr size_t kTableBytesPerValue = 32;
/// The largest number of pages from the first to the last, present or not.
constexpr uint64_t kMostPages = 1 << 16;

/// Keys are values mapped to unsigned integers in the same order.
constexpr uint64_t kSignBit = uint64_t{1} << 63;
template <typename T>
uint64_t KeyOf(T value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ kSignBit;
}

}  // namespace

IntegerSet::IntegerSet(PhysicalType type, MemoryTracker& memory, size_t most_bytes)
    : type_(type), most_bytes_(most_bytes), memory_(memory) {
  SCAUP_CHECK(Holds(type));
}

bool IntegerSet::Holds(PhysicalType type) {
  return VisitInteger(type, []<typename T>() {});
}

bool IntegerSet::Pays() const {
  const size_t bytes = page_count_ * sizeof(Page);
  return bytes <= kCachedSetBytes || bytes <= kTableBytesPerValue * value_count_;
}

IntegerSet::Page* IntegerSet::MakePage(uint64_t number) {
  const uint64_t first = pages_.empty() ? number : std::min(first_page_, number);
  const uint64_t last = pages_.empty() ? number : std::max(first_page_ + pages_.size() - 1, number);
  if (last - first >= kMostPages || !Pays()) return nullptr;
  // Twice the size: the old directory lives until its pages have been moved.
  const size_t directory_bytes = 2 * (last - first + 1) * sizeof(pages_[0]);
  const size_t bytes = (page_count_ + 1) * sizeof(Page) + directory_bytes;
  if (bytes > most_bytes_) return nullptr;
  try {
    memory_.Resize(bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
  if (pages_.empty()) first_page_ = first;
  if (first < first_page_) {
    std::vector<std::unique_ptr<Page>> moved(last - first + 1);
    std::move(pages_.begin(), pages_.end(), moved.begin() + static_cast<std::ptrdiff_t>(first_page_ - first));
    pages_ = std::move(moved);
    first_page_ = first;
  }
  pages_.resize(last - first + 1);
  std::unique_ptr<Page>& page = pages_[number - first_page_];
  page = std::make_unique<Page>();
  page_count_++;
  return page.get();
}

template <typename T>
bool IntegerSet::AddValues(Vector& values, size_t count) {
  uint64_t added = 0;
  const auto add = [&](T value) {
    const uint64_t key = KeyOf(value);
    const uint64_t page_index = (key >> kPageBits) - first_page_;
    Page* page = page_index < pages_.size() ? pages_[page_index].get() : nullptr;
    if (page == nullptr) {
      page = MakePage(key >> kPageBits);
      if (page == nullptr) return false;
    }
    uint64_t& word = page->words[key / 64 % kPageWords];
    const uint64_t bit = uint64_t{1} << (key % 64);
    added += (word & bit) == 0 ? 1 : 0;
    word |= bit;
    return true;
  };
  bool all = true;
  const auto view = values.ViewAs<T>(count);
  if (view.all_valid()) {
    for (size_t row = 0; row < count && all; row++) all = add(view[row]);
  } else {
    for (size_t row = 0; row < count && all; row++) {
      if (view.IsValid(row)) {
        all = add(view[row]);
      } else {
        has_null_ = true;
      }
    }
  }
  value_count_ += added;
  return all;
}

bool IntegerSet::TryAdd(Vector& values, size_t count) {
  if (values.is_constant()) count = std::min<size_t>(count, 1);
  bool all = true;
  VisitInteger(type_, [&]<typename T>() { all = AddValues<T>(values, count); });
  return all;
}

bool IntegerSet::TryMerge(const IntegerSet& other) {
  has_null_ = has_null_ || other.has_null_;
  for (size_t i = 0; i < other.pages_.size(); i++) {
    const Page* source = other.pages_[i].get();
    if (source == nullptr) continue;
    const uint64_t number = other.first_page_ + i;
    const uint64_t index = number - first_page_;
    Page* page = index < pages_.size() ? pages_[index].get() : nullptr;
    if (page == nullptr) page = MakePage(number);
    if (page == nullptr) return false;
    for (size_t word = 0; word < kPageWords; word++) {
      const uint64_t both = page->words[word] | source->words[word];
      value_count_ += static_cast<uint64_t>(std::popcount(both) - std::popcount(page->words[word]));
      page->words[word] = both;
    }
  }
  return true;
}

template <typename T>
size_t IntegerSet::ReadValues(const Position& position, uint64_t word, T* out) const {
  const uint64_t first = ((first_page_ + position.part) << kPageBits) + position.word * 64;
  size_t count = 0;
  for (; word != 0; word &= word - 1) {
    const uint64_t key = first + static_cast<uint64_t>(std::countr_zero(word));
    out[count++] = static_cast<T>(static_cast<int64_t>(key ^ kSignBit));
  }
  return count;
}

size_t IntegerSet::Read(Position& position, Vector& output) const {
  // The last part holds only NULL.
  if (position.part == pages_.size()) {
    if (!has_null_ || position.word != 0) return 0;
    position.word = 1;
    output.SetNull(0);
    return 1;
  }
  const Page* page = pages_[position.part].get();
  if (page == nullptr) return 0;
  size_t count = 0;
  VisitInteger(type_, [&]<typename T>() {
    T* out = output.MutableData<T>();
    // A word has up to 64 values, which must fit in the output.
    for (; position.word < kPageWords && count + 64 <= kVectorSize; position.word++)
      count += ReadValues(position, page->words[position.word], out + count);
  });
  return count;
}

}  // namespace scaup
