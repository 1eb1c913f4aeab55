// Reads and encodes the bytes of records.
#include "document/document_record.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "common/throw.hpp"

namespace scaup {

static_assert(std::endian::native == std::endian::little, "records are little-endian");

namespace {

// The bits of a record's first byte; see docs/document-format.md.
constexpr uint32_t kIdWidthShift = 0, kEndWidthShift = 2, kCountWidthShift = 4;
constexpr uint32_t kHasOrder = 64, kHasText = 128;

/// The code of the narrowest width for numbers up to `largest`: 0, 1 or 2 for 1, 2 or 4 bytes.
uint32_t WidthCode(uint32_t largest) { return largest < 256 ? 0 : largest < 65536 ? 1 : 2; }

char* Store(char* out, uint32_t value, uint32_t width_code) {
  std::memcpy(out, &value, size_t{1} << width_code);
  return out + (size_t{1} << width_code);
}

template <typename T>
size_t StoreAs(int64_t value, char* out) {
  const T narrow = static_cast<T>(value);
  std::memcpy(out, &narrow, sizeof(T));
  return sizeof(T);
}

}  // namespace

int64_t LoadInteger(std::string_view value) {
  switch (value.size()) {
    case 1: return LoadFixed<int8_t>(value);
    case 2: return LoadFixed<int16_t>(value);
    case 4: return LoadFixed<int32_t>(value);
    default: return LoadFixed<int64_t>(value);
  }
}

size_t StoreInteger(int64_t value, char* out) {
  if (value == static_cast<int8_t>(value)) return StoreAs<int8_t>(value, out);
  if (value == static_cast<int16_t>(value)) return StoreAs<int16_t>(value, out);
  if (value == static_cast<int32_t>(value)) return StoreAs<int32_t>(value, out);
  return StoreAs<int64_t>(value, out);
}

void ThrowBadRecord(const char* reason) {
  ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
             std::string("a document of a collection is damaged: ") + reason);
}

DocumentRecord::DocumentRecord(std::string_view bytes, size_t attribute_count) {
  if (bytes.empty()) ThrowBadRecord("it has no header");
  const auto flags = static_cast<uint8_t>(bytes[0]);
  const uint32_t id_code = flags >> kIdWidthShift & 3, end_code = flags >> kEndWidthShift & 3,
                 count_code = flags >> kCountWidthShift & 3;
  if (id_code > 2 || end_code > 2 || count_code > 2) ThrowBadRecord("its header has unknown flags");
  id_width_ = 1U << id_code;
  end_width_ = 1U << end_code;
  count_width_ = 1U << count_code;
  size_t left = bytes.size() - 1;
  if (left < count_width_) ThrowBadRecord("its header is cut");
  count_ = Load(bytes.data() + 1, 0, count_width_);
  left -= count_width_;
  const bool has_order = (flags & kHasOrder) != 0;
  const uint64_t entry_bytes = id_width_ + end_width_ + (has_order ? count_width_ : 0);
  if (count_ * entry_bytes > left) ThrowBadRecord("its header is cut");
  left -= count_ * entry_bytes;
  head_ = bytes.data() + 1;
  ids_ = head_ + count_width_;
  const char* after_ids = ids_ + size_t{count_} * id_width_;
  if (has_order) {
    order_ = after_ids;
    after_ids += size_t{count_} * count_width_;
  }
  ends_ = after_ids;
  values_ = ends_ + size_t{count_} * end_width_;
  if (count_ != 0) {
    values_size_ = Load(ends_, count_ - 1, end_width_);
    if (id(count_ - 1) >= attribute_count) ThrowBadRecord("it has an attribute that nobody knows");
  }
  const bool has_text = (flags & kHasText) != 0;
  if (values_size_ > left || (values_size_ < left && !has_text)) ThrowBadRecord("its values are cut");
  if (has_text) text_ = {values_ + values_size_, left - values_size_};
}

template <typename T>
size_t DocumentRecord::Search(AttributeId id) const {
  if (id > std::numeric_limits<T>::max()) return kNotFound;
  size_t begin = 0;
  for (size_t length = count_; length > 1;) {
    const size_t half = length / 2;
    // The compiler makes this a conditional move; a branch would be unpredictable.
    begin = Load(ids_, begin + half, sizeof(T)) <= id ? begin + half : begin;
    length -= half;
  }
  return count_ != 0 && Load(ids_, begin, sizeof(T)) == id ? begin : kNotFound;
}

size_t DocumentRecord::Find(AttributeId id, size_t hint) const {
  switch (id_width_) {
    case 1: return hint < count_ && Load(ids_, hint, 1) == id ? hint : Search<uint8_t>(id);
    case 2: return hint < count_ && Load(ids_, hint, 2) == id ? hint : Search<uint16_t>(id);
    default: return hint < count_ && Load(ids_, hint, 4) == id ? hint : Search<uint32_t>(id);
  }
}

void DocumentRecordWriter::Sort(const std::vector<DocumentEntry>& entries) {
  sorted_.resize(entries.size());
  constexpr size_t kFew = 64;
  if (entries.size() > kFew) {
    for (size_t i = 0; i < entries.size(); i++) sorted_[i] = uint64_t{entries[i].id} << 32 | i;
    std::sort(sorted_.begin(), sorted_.end());
    return;
  }
  // Insertion sort, because the ids are mostly sorted already.
  for (size_t i = 0; i < entries.size(); i++) {
    const uint64_t item = uint64_t{entries[i].id} << 32 | i;
    size_t place = i;
    for (; place > 0 && sorted_[place - 1] > item; place--) sorted_[place] = sorted_[place - 1];
    sorted_[place] = item;
  }
}

void DocumentRecordWriter::Append(const std::vector<DocumentEntry>& entries, const char* values,
                                  std::string_view text, std::string& record) {
  const auto count = static_cast<uint32_t>(entries.size());
  const auto by_id = [](const DocumentEntry& a, const DocumentEntry& b) { return a.id < b.id; };
  const bool is_sorted = std::is_sorted(entries.begin(), entries.end(), by_id);
  if (!is_sorted) Sort(entries);
  const bool has_text = text.data() != nullptr, has_order = !is_sorted && !has_text;
  const uint32_t values_size = count == 0 ? 0 : entries.back().end;
  const uint32_t largest_id = count == 0  ? 0
                              : is_sorted ? entries.back().id
                                          : static_cast<uint32_t>(sorted_.back() >> 32);
  const uint32_t id_code = WidthCode(largest_id), end_code = WidthCode(values_size),
                 count_code = WidthCode(count);
  const size_t header =
      1 + (size_t{1} << count_code) +
      size_t{count} * ((1U << id_code) + (1U << end_code) + (has_order ? 1U << count_code : 0));
  const size_t begin = record.size();
  record.resize(begin + header + values_size + text.size());
  char* out = record.data() + begin;
  *out++ = static_cast<char>(id_code << kIdWidthShift | end_code << kEndWidthShift |
                             count_code << kCountWidthShift | (has_order ? kHasOrder : 0) |
                             (has_text ? kHasText : 0));
  out = Store(out, count, count_code);
  if (is_sorted) {
    for (const DocumentEntry& entry : entries) out = Store(out, entry.id, id_code);
    for (const DocumentEntry& entry : entries) out = Store(out, entry.end, end_code);
    if (values_size != 0) std::memcpy(out, values, values_size);
    out += values_size;
  } else {
    for (const uint64_t item : sorted_) out = Store(out, static_cast<uint32_t>(item >> 32), id_code);
    if (has_order) {
      for (uint32_t i = 0; i < count; i++)
        Store(out + (static_cast<uint32_t>(sorted_[i]) << count_code), i, count_code);
      out += size_t{count} << count_code;
    }
    char* value_out = out + (size_t{count} << end_code);
    uint32_t end = 0;
    for (const uint64_t item : sorted_) {
      const auto place = static_cast<uint32_t>(item);
      const uint32_t from = place == 0 ? 0 : entries[place - 1].end;
      const uint32_t size = entries[place].end - from;
      if (size != 0) std::memcpy(value_out, values + from, size);
      value_out += size;
      end += size;
      out = Store(out, end, end_code);
    }
    out = value_out;
  }
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
}

}  // namespace scaup
