// Result columns as Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "scaup/result.hpp"

namespace scaup::python {

/// Makes str objects; short texts that come again soon share one object. Needs the GIL.
class TextCache {
 public:
  TextCache() = default;
  ~TextCache();
  TextCache(TextCache&&) noexcept = default;
  TextCache& operator=(TextCache&&) = delete;
  /// A new reference; null with a Python error set when memory is out.
  PyObject* Get(std::string_view text) {
    if (text.size() > kLongest || entries_ == nullptr) return Make(text);
    const Key key(text);
    const Entry& entry = (*entries_)[key.Slot()];
    return entry.object != nullptr && entry.key == key ? Py_NewRef(entry.object) : Make(text);
  }

 private:
  static constexpr size_t kEntries = 1024;
  static constexpr size_t kLongest = 32;
  /// The size of a text and its bytes as four words, which overlap in a text of fewer than 32 bytes.
  /// Comparing words takes no call and no loop.
  struct Key {
    Key() = default;
    explicit Key(std::string_view text) : size(text.size()) {
      const char* begin = text.data();
      if (size >= 8) {
        std::memcpy(&head, begin, 8);
        std::memcpy(&tail, begin + size - 8, 8);
        if (size > 16) {
          std::memcpy(&second, begin + 8, 8);
          std::memcpy(&third, begin + size - 16, 8);
        }
      } else if (size >= 4) {
        uint32_t first = 0;
        uint32_t last = 0;
        std::memcpy(&first, begin, 4);
        std::memcpy(&last, begin + size - 4, 4);
        head = first;
        tail = last;
      } else if (size > 0) {
        head = static_cast<uint64_t>(static_cast<unsigned char>(begin[0])) |
               static_cast<uint64_t>(static_cast<unsigned char>(begin[size / 2])) << 8 |
               static_cast<uint64_t>(static_cast<unsigned char>(begin[size - 1])) << 16;
      }
    }
    bool operator==(const Key& other) const {
      return ((head ^ other.head) | (tail ^ other.tail) | (second ^ other.second) | (third ^ other.third) |
              (size ^ other.size)) == 0;
    }
    size_t Slot() const {
      constexpr uint64_t kFactor = 0x9E3779B97F4A7C15U;  // 2^64 by the golden ratio
      static_assert(kEntries == 1024);
      constexpr uint64_t kOtherFactor = kFactor << 1 | 1;
      const uint64_t mixed = ((head ^ size) * kFactor) ^ ((tail + second + third) * kOtherFactor);
      return (mixed ^ mixed >> 29) * kFactor >> 54;  // 10 bits
    }

    uint64_t head = 0;
    uint64_t tail = 0;
    uint64_t second = 0;
    uint64_t third = 0;
    uint64_t size = 0;
  };
  struct Entry {
    Key key;
    PyObject* object = nullptr;
  };
  using Entries = std::array<Entry, kEntries>;
  PyObject* Make(std::string_view text);
  std::unique_ptr<Entries> entries_;  // made by the first text
};

/// Reads one column value by value. Borrows the result. Needs the GIL.
class ColumnObjects {
 public:
  ColumnObjects(const QueryResult& result, size_t column);
  /// A new reference: None, bool, int, float, Decimal, str, bytes, date, time, datetime or timedelta, or a
  /// list or dict (of a struct) of them. Throws error_already_set when no Python object can hold the value.
  PyObject* Get(size_t row) {
    if (view_.nulls != nullptr && view_.nulls[row] != 0) return Py_NewRef(Py_None);
    if (!shares_texts_) return GetValid(row);
    PyObject* object = texts_.Get(result_.GetString(column_, row));  // Here, so that it is inlined.
    if (object == nullptr) throw pybind11::error_already_set();
    return object;
  }

 private:
  PyObject* GetValid(size_t row);
  PyObject* MakeMoment(int64_t micros) const;
  PyObject* MakeUuid(int128_t stored) const;
  PyObject* MakeDecimal(int128_t unscaled, size_t scale) const;
  /// A value within a list or struct.
  PyObject* MakeValue(const Value& value) const;
  PyObject* MakeList(const Value& list) const;
  PyObject* MakeDict(const Value& value) const;

  const QueryResult& result_;
  size_t column_;
  ColumnView view_;
  static constexpr size_t kRowsToShareTexts = 64;  // Fewer are made sooner than the cache is.
  bool shares_texts_;                              // Whether the column is of texts that come from the cache.
  TextCache texts_;
  pybind11::object decimal_type_;
  pybind11::object uuid_type_;
  pybind11::object time_zone_ = pybind11::none();  // Of TIMESTAMP WITH TIME ZONE; None: UTC.
};

/// The unscaled integer of a DECIMAL, or the value of an integer column, of any storage width.
int128_t ReadInteger(const ColumnView& view, size_t row);
/// The tzinfo of a time zone by its name in SQL; None for UTC, and for zones that Python does not know: the
/// moment is the same in UTC.
pybind11::object FindTimeZone(const std::string& name);
/// The name of a type as `description` and `types` show it.
pybind11::str TypeName(const LogicalType& type);

}  // namespace scaup::python
