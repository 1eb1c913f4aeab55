// Encodes and decodes the parts of an index, and its location.
#include "storage/index/stored_part.hpp"

#include <algorithm>

#include "storage/index/index_place.hpp"

namespace scaup {

void IndexPlace::Write(ByteWriter& writer) const {
  writer.WriteVarint(entry_count);
  WriteExtents(directory, writer);
  writer.WriteVarint(block_ids.size());
  uint64_t previous = 0;
  for (const uint64_t block_id : block_ids) {
    // Block ids ascend, so their differences are short in the variable-length format.
    writer.WriteVarint(block_id - previous);
    previous = block_id;
  }
}

IndexPlace IndexPlace::Read(ByteReader& reader) {
  IndexPlace place;
  place.entry_count = reader.ReadVarint("entries of an index");
  place.directory = ReadExtents(reader);
  place.block_ids.resize(reader.ReadCount("blocks of an index", 1));
  uint64_t previous = 0;
  for (uint64_t& block_id : place.block_ids) {
    block_id = previous + reader.ReadVarint("block id");
    if (block_id < previous) reader.Fail("block id", "it is too large");
    previous = block_id;
  }
  return place;
}

uint64_t StoredPart::size_bytes() const {
  uint64_t size_bytes = 0;
  for (const Extent& extent : extents) size_bytes += extent.size_bytes;
  return size_bytes;
}

namespace {

// Few values are not worth a call of the memory tracker.
constexpr size_t kLeastAccountedValues = 4096;

}  // namespace

bool PartEncoder::IsLastKey(KeyBytes key) const {
  return !values_.empty() && std::equal(key.begin(), key.end(), key_.begin(), key_.end());
}

void PartEncoder::Add(KeyBytes key, uint64_t value) {
  if (!IsLastKey(key)) {
    EndKey();
    // Swapped, not copied: the old buffer is reused.
    std::swap(key_, previous_key_);
    key_.assign(key.begin(), key.end());
    key_bytes_ += key.size();
  }
  if (values_.size() == values_.capacity() && values_.size() >= kLeastAccountedValues) {
    // Accounts also for the bytes that the values become.
    reservation_.Resize(2 * values_.size() * 2 * sizeof(uint64_t));
  }
  values_.push_back(value);
  entry_count_++;
}

void PartEncoder::EndKey() {
  if (values_.empty()) return;
  const size_t common = radix::CommonBytes(previous_key_, key_);
  writer_.WriteVarint(common);
  // Prefix compression: sorted keys share most of their bytes.
  writer_.WriteSizedBytes(KeyBytes(key_).subspan(common));
  writer_.WriteVarint(values_.size());
  uint64_t previous = 0;
  for (const uint64_t value : values_) {
    writer_.WriteVarint(value - previous);
    previous = value;
  }
  values_.clear();
}

std::vector<std::byte> PartEncoder::Finish() {
  EndKey();
  key_.clear();
  previous_key_.clear();
  entry_count_ = key_bytes_ = 0;
  return writer_.Take();
}

void DecodePart(ByteReader& reader, uint64_t entry_count, DecodedPart& part) {
  // Each entry has at least one byte; this bounds the allocation below.
  if (entry_count > reader.remaining()) reader.Fail("part of an index", "it cannot have so many entries");
  std::vector<std::pair<size_t, size_t>> places;  // begin and length of each entry's key
  const size_t entry_bytes = entry_count * (sizeof(RadixEntry) + sizeof(places[0]));
  part.bytes.clear();
  part.entries.clear();
  part.reservation.Resize(entry_bytes + part.bytes.capacity());
  // Keys are collected first, as the buffer may move; entries get their keys when all are there.
  std::vector<std::byte>& keys = part.bytes;
  part.entries.reserve(entry_count);
  places.reserve(entry_count);
  size_t previous_begin = 0, previous_size = 0;
  while (reader.remaining() != 0) {
    const uint64_t common = reader.ReadVarint("key of an index");
    const KeyBytes rest = reader.ReadSizedBytes("key of an index");
    // Keys must ascend, as Build and lookups rely on it.
    const bool is_ascending =
        common <= previous_size && !rest.empty() &&
        (previous_size == 0 || (common < previous_size && keys[previous_begin + common] < rest[0]));
    if (!is_ascending) reader.Fail("key of an index", "it does not follow the one before");
    const size_t begin = keys.size(), size = common + rest.size();
    if (begin + size > keys.capacity()) {
      const size_t capacity = std::max(begin + size, 2 * keys.capacity());
      part.reservation.Resize(entry_bytes + capacity);
      keys.reserve(capacity);
    }
    keys.resize(begin + size);
    std::copy_n(keys.begin() + static_cast<ptrdiff_t>(previous_begin), common,
                keys.begin() + static_cast<ptrdiff_t>(begin));
    std::copy(rest.begin(), rest.end(), keys.begin() + static_cast<ptrdiff_t>(begin + common));
    const size_t value_count = reader.ReadCount("values of a key", 1);
    if (value_count == 0 || value_count > entry_count - part.entries.size())
      reader.Fail("values of a key", "their number cannot be");
    uint64_t value = 0;
    for (size_t i = 0; i < value_count; i++) {
      const uint64_t step = reader.ReadVarint("value of a key");
      // A sum that wraps around would break the order as well.
      if ((i != 0 && step == 0) || value + step < value) reader.Fail("value of a key", "it does not ascend");
      value += step;
      part.entries.push_back({{}, value});
      places.emplace_back(begin, size);
    }
    previous_begin = begin;
    previous_size = size;
  }
  if (part.entries.size() != entry_count) reader.Fail("part of an index", "it has another number of entries");
  for (size_t i = 0; i < part.entries.size(); i++)
    part.entries[i].key = KeyBytes(keys).subspan(places[i].first, places[i].second);
}

void LoadPart(BlockStore& store, const StoredPart& part, RadixTree& tree) {
  const StoredBytes stored = ExtentReader(store, part.extents).Read(0, part.size_bytes());
  ByteReader reader(stored.bytes, store.file().path());
  DecodedPart decoded(store.memory());
  DecodePart(reader, part.entry_count, decoded);
  tree.Build(decoded.entries);
}

}  // namespace scaup
