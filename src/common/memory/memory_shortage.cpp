// Implements MemoryShortage: single moments or long runs of them, often or seldom, as the seed says.
#include "common/memory/memory_shortage.hpp"

#include <bit>
#include <iterator>

#include "common/hash.hpp"

namespace scaup {

namespace {

// A shortage comes once in so many moments, about.
constexpr uint64_t kIntervals[] = {4, 16, 64, 512};
// With half of the seeds it lasts so long.
constexpr uint64_t kLongShortage = 32;
// The part that seems to be left is 1, 1/2, 1/4, ..., down to this many bytes.
constexpr size_t kLeastBytes = size_t{4} << 10;
// A limit that is small itself holds much data beside it, of which one phase of very little memory would
// write parts of a few rows to temporary storage for minutes. There the part that is left is 1/16 or more.
constexpr size_t kSmallLimit = size_t{64} << 20;
constexpr int kMostHalvings = 4;

}  // namespace

void MemoryShortage::Begin(uint64_t seed, size_t limit_bytes) noexcept {
  SetLimit(limit_bytes);
  moment_.store(0);
  seed_.store(seed);
  if (seed != 0) was_on_.store(true);
}

bool MemoryShortage::Comes() noexcept {
  const uint64_t seed = seed_.load(std::memory_order_relaxed);
  const uint64_t moment = moment_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t length = seed % 2 == 0 ? kLongShortage : 1;
  const uint64_t interval = kIntervals[seed / 2 % std::size(kIntervals)];
  return seed != 0 && CombineHashes(HashInteger(seed), HashInteger(moment / length)) % interval == 0;
}

size_t MemoryShortage::Shrunk(size_t size_bytes) noexcept {
  if (!Comes() || size_bytes <= kLeastBytes) return size_bytes;
  const int most = limit_bytes() <= kSmallLimit ? kMostHalvings : std::bit_width(size_bytes / kLeastBytes);
  const uint64_t random = HashInteger(moment_.load(std::memory_order_relaxed));
  return size_bytes >> random % static_cast<uint64_t>(most + 1);
}

}  // namespace scaup
