// Encodes index keys.
#include "storage/index/index_key.hpp"

#include <numeric>

#include "common/throw.hpp"
#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

// The mark before each value. 0 and 0xff stay unused, so that bounds exist below and above all values.
constexpr std::byte kValueMark{1};
constexpr std::byte kNullMark{2};

constexpr std::byte kStringEnd{0};
constexpr std::byte kEscape{1};  // precedes each 0 and 1 in a string, which are raised by one

size_t StringBytes(std::string_view text) {
  size_t escaped = 0;
  for (const char c : text) escaped += static_cast<uint8_t>(c) <= 1 ? 1 : 0;
  return text.size() + escaped + 1;
}

// Escaping keeps the order: the escape byte is above the end mark and below all other bytes.
std::byte* StoreString(std::string_view text, std::byte* out) {
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= 1) *out++ = kEscape;
    *out++ = std::byte{byte <= 1 ? static_cast<uint8_t>(byte + 1) : byte};
  }
  *out++ = kStringEnd;
  return out;
}

template <typename T>
size_t EncodedBytes(const T& value) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return StringBytes(value.view());
  } else {
    return sizeof(T);
  }
}

template <typename T>
std::byte* Store(const T& value, std::byte* out) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return StoreString(value.view(), out);
  } else {
    // Big-endian with the sign flipped, so that memcmp gives the numeric order.
    StoreSortable(value, out);
    return out + sizeof(T);
  }
}

template <typename T>
void AddLengths(Vector& column, size_t count, size_t* lengths) {
  const auto view = column.ViewAs<T>(count);
  for (size_t row = 0; row < count; row++)
    lengths[row] += 1 + (view.IsValid(row) ? EncodedBytes(view[row]) : 0);
}

template <typename T>
void StoreColumn(Vector& column, size_t count, std::byte* bytes, size_t* ends, uint8_t* has_null) {
  const auto view = column.ViewAs<T>(count);
  for (size_t row = 0; row < count; row++) {
    std::byte* out = bytes + ends[row];
    const bool is_valid = view.IsValid(row);
    *out++ = is_valid ? kValueMark : kNullMark;
    if (is_valid) {
      out = Store(view[row], out);
    } else {
      has_null[row] = 1;
    }
    ends[row] = static_cast<size_t>(out - bytes);
  }
}

template <typename T>
T StoredValue(const Value& value) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return StringRef(value.GetString());
  } else if constexpr (std::is_same_v<T, Interval>) {
    return value.GetInterval();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.GetDouble());
  } else {
    return static_cast<T>(value.GetInteger());
  }
}

}  // namespace

void IndexKeys::Resize(std::span<const size_t> lengths) {
  const size_t count = lengths.size();
  const size_t size_bytes = std::accumulate(lengths.begin(), lengths.end(), size_t{0});
  const size_t wanted = size_bytes + count * (sizeof(size_t) + 1);
  // Memory is retained for the next chunk, but not the excess that a chunk of long strings took.
  constexpr size_t kKeptBytes = size_t{1} << 20;
  if (bytes_.capacity() > kKeptBytes && size_bytes < bytes_.capacity() / 4) bytes_ = {};
  reservation_.Resize(std::max(wanted, bytes_.capacity()));
  // Freed before it grows, as the old contents need not be copied.
  if (size_bytes > bytes_.capacity()) bytes_ = {};
  bytes_.resize(size_bytes);
  offsets_.assign(count + 1, 0);
  for (size_t row = 0; row < count; row++) offsets_[row + 1] = offsets_[row] + lengths[row];
  has_null_.assign(count, 0);
}

void IndexKeyEncoder::Encode(DataChunk& columns, size_t count, IndexKeys& keys) const {
  SCAUP_CHECK(columns.column_count() <= types_.size());
  // Two passes over each column: lengths first, so that all keys fit one allocation.
  std::vector<size_t> lengths(count, 0);
  for (size_t i = 0; i < columns.column_count(); i++) {
    VisitPhysicalType(PhysicalTypeOf(types_[i]),
                      [&]<typename T>() { AddLengths<T>(columns.column(i), count, lengths.data()); });
  }
  keys.Resize(lengths);
  // Reuses the lengths as write positions.
  std::vector<size_t>& ends = lengths;
  std::copy_n(keys.offsets_.begin(), count, ends.begin());
  for (size_t i = 0; i < columns.column_count(); i++) {
    VisitPhysicalType(PhysicalTypeOf(types_[i]), [&]<typename T>() {
      StoreColumn<T>(columns.column(i), count, keys.bytes_.data(), ends.data(), keys.has_null_.data());
    });
  }
}

void IndexKeyEncoder::Encode(std::span<const std::string_view> texts, IndexKeys& keys) const {
  SCAUP_CHECK(types_.size() == 1 && PhysicalTypeOf(types_[0]) == PhysicalType::kString);
  std::vector<size_t> lengths;
  lengths.reserve(texts.size());
  for (const std::string_view text : texts) lengths.push_back(1 + StringBytes(text));
  keys.Resize(lengths);
  std::byte* out = keys.bytes_.data();
  for (const std::string_view text : texts) {
    *out++ = kValueMark;
    out = StoreString(text, out);
  }
}

KeyRange IndexKeyEncoder::TextRange(std::string_view text, bool is_prefix) const {
  KeyRange range;
  range.lower.resize(1 + StringBytes(text));
  range.lower[0] = kValueMark;
  StoreString(text, range.lower.data() + 1);
  if (is_prefix) range.lower.pop_back();  // without the end, so that longer texts match
  range.upper = range.lower;
  if (!MakePrefixSuccessor(*range.upper)) range.upper.reset();
  return range;
}

void IndexKeyEncoder::AppendValue(size_t column, const Value& value, IndexKey& key) const {
  if (value.is_null()) {
    key.push_back(kNullMark);
    return;
  }
  const PhysicalType type = PhysicalTypeOf(types_[column]);
  SCAUP_CHECK(PhysicalTypeOf(value.type()) == type);
  key.push_back(kValueMark);
  VisitPhysicalType(type, [&]<typename T>() {
    const T stored = StoredValue<T>(value);
    const size_t begin = key.size();
    key.resize(begin + EncodedBytes(stored));
    Store(stored, key.data() + begin);
  });
}

void IndexKeyEncoder::Append(std::span<const Value> values, IndexKey& key) const {
  SCAUP_CHECK(values.size() <= types_.size());
  for (size_t i = 0; i < values.size(); i++) AppendValue(i, values[i], key);
}

KeyBytes IndexKeyEncoder::ColumnOf(KeyBytes key, size_t column) const {
  // Columns have no fixed places, so the ones before must be skipped.
  for (size_t i = 0;; i++) {
    size_t size = 1;
    if (key[0] == kValueMark) {
      VisitPhysicalType(PhysicalTypeOf(types_[i]), [&]<typename T>() {
        if constexpr (std::is_same_v<T, StringRef>) {
          while (key[size] != kStringEnd) size += key[size] == kEscape ? 2 : 1;
          size++;
        } else {
          size += sizeof(T);
        }
      });
    }
    if (i == column) return key.first(size);
    key = key.subspan(size);
  }
}

KeyRange IndexKeyEncoder::Range(std::span<const Value> equal, const std::optional<ValueBound>& lower,
                                const std::optional<ValueBound>& upper) const {
  IndexKey prefix;
  Append(equal, prefix);
  KeyRange range;
  range.lower = prefix;
  range.upper = prefix;
  // Without bounds, the range is all keys that begin with the prefix.
  if (!lower && !upper) {
    if (!MakePrefixSuccessor(*range.upper)) range.upper.reset();
    return range;
  }
  SCAUP_CHECK(equal.size() < types_.size());
  if (lower) {
    AppendValue(equal.size(), lower->value, range.lower);
    // Excludes all keys that have the bound's value, whatever follows.
    if (!lower->is_inclusive) MakePrefixSuccessor(range.lower);
  } else {
    // Both defaults exclude NULLs, whose mark is above that of values.
    range.lower.push_back(kValueMark);
  }
  if (upper) {
    AppendValue(equal.size(), upper->value, *range.upper);
    if (upper->is_inclusive) MakePrefixSuccessor(*range.upper);
  } else {
    range.upper->push_back(kNullMark);
  }
  return range;
}

bool MakePrefixSuccessor(IndexKey& prefix) {
  // A trailing 0xff cannot be raised, so the byte before it is.
  while (!prefix.empty() && prefix.back() == std::byte{0xff}) prefix.pop_back();
  if (prefix.empty()) return false;
  prefix.back() = static_cast<std::byte>(static_cast<uint8_t>(prefix.back()) + 1);
  return true;
}

}  // namespace scaup
