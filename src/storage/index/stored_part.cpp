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

bool PartEncoder::IsLastKey(KeyBytes key) const {
  return value_count_ != 0 && std::equal(key.begin(), key.end(), key_.begin(), key_.end());
}

std::optional<PartEncoder::Part> PartEncoder::Add(KeyBytes key, uint64_t value) {
  std::optional<Part> part;
  if (!IsLastKey(key)) {
    EndKey();
    if (writer_.size() >= 2 * kPartBytes || key_bytes_ >= 2 * kPartKeyBytes) part = TakeFirst(key);
    // Swapped, not copied: the old buffer is reused.
    std::swap(key_, previous_key_);
    key_.assign(key.begin(), key.end());
    key_bytes_ += key.size();
  }
  // Few values are not worth a call of the memory tracker. Accounts also for their copy behind the key.
  if (value_count_ != 0 && value_count_ % kAccountedValues == 0)
    reservation_.Resize(4 * (values_.size() + kAccountedValues * kMostValueBytes));
  // Most keys have one value, which needs no buffer.
  if (value_count_ == 0) {
    first_value_ = value;
  } else {
    values_.WriteVarint(value - last_value_);
  }
  last_value_ = value;
  value_count_++;
  entry_count_++;
  return part;
}

void PartEncoder::EndKey() {
  if (value_count_ == 0) return;
  if (!cut_ && (writer_.size() >= kPartBytes || key_bytes_ - key_.size() >= kPartKeyBytes)) {
    cut_ = Cut{writer_.size(),           0,    entry_count_ - value_count_,
               key_bytes_ - key_.size(), key_, FenceBetween(previous_key_, key_)};
  }
  const bool is_cut = cut_ && cut_->begin == writer_.size();
  const size_t common = radix::CommonBytes(previous_key_, key_);
  writer_.WriteVarint(common);
  // Prefix compression: sorted keys share most of their bytes.
  writer_.WriteSizedBytes(KeyBytes(key_).subspan(common));
  if (is_cut) cut_->values_begin = writer_.size();
  writer_.WriteVarint(value_count_);
  writer_.WriteVarint(first_value_);
  if (value_count_ > 1) writer_.WriteBytes(values_.Take());
  value_count_ = 0;
}

// Ends a part at the cut, or before key `next` if there is none.
PartEncoder::Part PartEncoder::TakeFirst(KeyBytes next) {
  if (!cut_) {
    IndexKey fence = FenceBetween(key_, next);
    Part part = Finish();
    part.next_fence = std::move(fence);
    return part;
  }
  Part part{writer_.Take(), cut_->entry_count, std::move(cut_->fence)};
  // The first key of the rest has no key before it to share bytes with.
  writer_.WriteVarint(0);
  writer_.WriteSizedBytes(cut_->key);
  writer_.WriteBytes(std::span(part.bytes).subspan(cut_->values_begin));
  part.bytes.resize(cut_->begin);
  entry_count_ -= cut_->entry_count;
  key_bytes_ -= cut_->key_bytes;
  cut_.reset();
  return part;
}

PartEncoder::Part PartEncoder::Finish() {
  EndKey();
  key_.clear();
  previous_key_.clear();
  cut_.reset();
  key_bytes_ = 0;
  return {writer_.Take(), std::exchange(entry_count_, 0), {}};
}

IndexKey FenceBetween(KeyBytes last, KeyBytes next) {
  const size_t common = radix::CommonBytes(last, next);
  return {next.begin(), next.begin() + static_cast<ptrdiff_t>(common) + 1};
}

void DecodePart(ByteReader& reader, uint64_t entry_count, DecodedPart& part) {
  // Each entry has at least one byte; this bounds the allocation below.
  if (entry_count > reader.remaining()) reader.Fail("part of an index", "it cannot have so many entries");
  struct KeyPlace {
    size_t begin = 0, size = 0, end_entry = 0;
  };
  std::vector<KeyPlace> places;
  // The bytes that are decoded count until they are.
  const size_t entry_bytes = std::max(entry_count, part.entries.capacity()) * sizeof(RadixEntry);
  const size_t other_bytes = entry_bytes + reader.remaining();
  part.bytes.clear();
  part.entries.clear();
  part.reservation.Resize(other_bytes + part.bytes.capacity());
  // Keys are collected first, as the buffer may move; entries get their keys when all are there.
  std::vector<std::byte>& keys = part.bytes;
  part.entries.reserve(entry_count);
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
    if (begin + size > keys.capacity() || places.size() == places.capacity()) {
      const auto grown = [](size_t wanted, size_t capacity) {
        return wanted <= capacity ? capacity : std::max({wanted, 2 * capacity, size_t{64}});
      };
      const size_t key_bytes = grown(begin + size, keys.capacity());
      const size_t place_count = grown(places.size() + 1, places.capacity());
      part.reservation.Resize(other_bytes + key_bytes + place_count * sizeof(KeyPlace));
      keys.reserve(key_bytes);
      places.reserve(place_count);
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
    }
    places.push_back({begin, size, part.entries.size()});
    previous_begin = begin;
    previous_size = size;
  }
  if (part.entries.size() != entry_count) reader.Fail("part of an index", "it has another number of entries");
  size_t entry = 0;
  for (const KeyPlace& place : places) {
    for (; entry < place.end_entry; entry++)
      part.entries[entry].key = KeyBytes(keys).subspan(place.begin, place.size);
  }
  part.reservation.Resize(entry_bytes + keys.capacity());
}

void ReadPart(const SpilledPart& spilled, DecodedPart& part) {
  part.reservation.Resize(spilled.slot.size_bytes());
  std::vector<std::byte> bytes(spilled.slot.size_bytes());
  spilled.storage->Read(spilled.slot, bytes);
  ByteReader reader(bytes, "temporary file");
  DecodePart(reader, spilled.entry_count, part);
}

void LoadPart(BlockStore& store, const StoredPart& part, RadixTree& tree) {
  const StoredBytes stored = ExtentReader(store, part.extents).Read(0, part.size_bytes());
  ByteReader reader(stored.bytes, store.file().path());
  DecodedPart decoded(store.memory());
  DecodePart(reader, part.entry_count, decoded);
  tree.Build(decoded.entries);
}

}  // namespace scaup
