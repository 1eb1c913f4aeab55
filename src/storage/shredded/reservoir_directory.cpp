// Reads the reservoir directory of a block in its stored form.
#include "storage/shredded/reservoir_directory.hpp"

#include <bit>
#include <cstring>

#include "document/document_record.hpp"

namespace scaup {

void ReservoirDirectory::Open(std::string_view bytes, uint64_t value_count) {
  bytes_ = bytes;
  value_count_ = value_count;
  next_ = 0;
  first_text_ = Checked(ReadVarint());
  first_value_ = Checked(first_text_ + ReadVarint());
  attribute_count_ = ReadVarint();
  entries_begin_ = next_;
  // Each entry has at least two bytes.
  if (attribute_count_ > (bytes_.size() - next_) / 2) ThrowBadRecord("the directory of its block is cut");
  Rewind();
}

void ReservoirDirectory::Rewind() {
  next_ = entries_begin_;
  left_ = attribute_count_;
  id_ = UINT64_MAX;
  next_value_ = first_value_;
}

uint64_t ReservoirDirectory::ReadVarint() {
  uint64_t value = 0;
  for (unsigned shift = 0; next_ != bytes_.size() && shift < 63; shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes_[next_++]);
    value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  ThrowBadRecord("the directory of its block is cut");
}

uint32_t ReservoirDirectory::Checked(uint64_t value) const {
  if (value > value_count_ || value > UINT32_MAX) ThrowBadRecord("its block has more values than there are");
  return static_cast<uint32_t>(value);
}

bool ReservoirDirectory::SkipFour(uint64_t id) {
  // Entries alternate id steps and value counts, each a single byte while below 128.
  constexpr uint64_t kLongBytes = 0x8080808080808080, kSteps = 0x00ff00ff00ff00ff;
  constexpr uint64_t kSum = 0x0001000100010001;  // multiplying by it sums the four lanes in the top 16 bits
  static_assert(std::endian::native == std::endian::little);
  if (left_ < 4 || bytes_.size() - next_ < sizeof(uint64_t)) return false;
  uint64_t four;
  std::memcpy(&four, bytes_.data() + next_, sizeof(four));
  if ((four & kLongBytes) != 0) return false;
  const uint64_t last_id = id_ + ((four & kSteps) * kSum >> 48);
  if (last_id >= id) return false;
  id_ = last_id;
  next_value_ += (four >> 8 & kSteps) * kSum >> 48;
  next_ += sizeof(four);
  left_ -= 4;
  return true;
}

std::optional<ReservoirDirectory::Entry> ReservoirDirectory::Find(AttributeId id) {
  // Lookups in descending order start over.
  if (id_ != UINT64_MAX && id_ >= id) Rewind();
  while (left_ != 0) {
    // Skips quickly over the many short entries in front.
    if (SkipFour(id)) continue;
    const size_t before = next_;
    const uint64_t step = ReadVarint(), count = ReadVarint();
    // A damaged step could wrap around and break the ascending order.
    if (step == 0 || step > UINT32_MAX || id_ + step >= UINT32_MAX)
      ThrowBadRecord("the directory of its block is out of order");
    if (id_ + step > id) {  // the next lookup may be for an id up to this one
      next_ = before;
      return std::nullopt;
    }
    left_--;
    id_ += step;
    const uint32_t first = Checked(next_value_);
    next_value_ = Checked(first + count);
    if (id_ == id) return Entry{first, static_cast<uint32_t>(count)};
  }
  return std::nullopt;
}

uint32_t ReservoirDirectory::FindEnd() {
  // Passes over all remaining entries.
  Find(UINT32_MAX);
  if (left_ != 0 || next_ != bytes_.size())
    ThrowBadRecord("the directory of its block has more than attributes");
  return Checked(next_value_);
}

}  // namespace scaup
