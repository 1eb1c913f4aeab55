// Column objects: the values of result columns as Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "scaup/result.hpp"

namespace scaup::python {

/// Makes str objects. A cache lets equal short texts share one object. Needs the GIL.
class TextCache {
 public:
  TextCache() = default;
  ~TextCache();
  TextCache(TextCache&&) noexcept = default;
  TextCache& operator=(TextCache&&) = delete;
  /// Returns a new reference, or null with a Python error set if there is no memory.
  PyObject* Get(std::string_view text) {
    if (text.size() > kLongest || entries_ == nullptr) return Make(text);
    const Key key(text);
    const Entry& entry = (*entries_)[key.Slot()];
    return entry.object != nullptr && entry.key == key ? Py_NewRef(entry.object) : Make(text);
  }

 private:
  static constexpr size_t kEntries = 1024;
  static constexpr size_t kLongest = 32;
  /// The size of a text and its bytes as four words, which overlap for texts of fewer than 32 bytes. Words
  /// are compared without a call or a loop.
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

/// Converts the values of one column. Borrows the result. Needs the GIL.
class ColumnObjects {
 public:
  ColumnObjects(const QueryResult& result, size_t column);
  /// Returns a new reference to a None, bool, int, float, Decimal, str, bytes, date, time, datetime,
  /// timedelta or UUID, to a list of them, or, for a struct, to a dict. Throws error_already_set if no Python
  /// object can have the value.
  PyObject* Get(size_t row) {
    if (view_.nulls != nullptr && view_.nulls[row] != 0) return Py_NewRef(Py_None);
    if (!shares_texts_) return GetValid(row);
    PyObject* object = texts_.Get(result_.GetString(column_, row));  // not in GetValid, so that it is inlined
    if (object == nullptr) throw pybind11::error_already_set();
    return object;
  }

 private:
  PyObject* GetValid(size_t row);
  PyObject* MakeMoment(int64_t micros) const;
  PyObject* MakeUuid(int128_t stored) const;
  PyObject* MakeDecimal(int128_t unscaled, size_t scale) const;
  PyObject* MakeDecimal(const std::string& text) const;
  /// Converts a value within a list or struct.
  PyObject* MakeValue(const Value& value) const;
  PyObject* MakeList(const Value& list) const;
  PyObject* MakeDict(const Value& value) const;
  PyObject* MakeMap(const Value& map) const;
  PyObject* MakeRange(const Value& range) const;

  const QueryResult& result_;
  size_t column_;
  ColumnView view_;
  static constexpr size_t kRowsToShareTexts = 64;  // For fewer rows, the cache costs more than it saves.
  bool shares_texts_;                              // whether the column has texts that are cached
  TextCache texts_;
  pybind11::object decimal_type_;
  pybind11::object uuid_type_;
  pybind11::object range_type_;
  pybind11::object time_zone_ = pybind11::none();  // for TIMESTAMP WITH TIME ZONE; None means UTC
};

/// Returns the unscaled integer of a DECIMAL, or the value of an integer column, of any storage width.
int128_t ReadInteger(const ColumnView& view, size_t row);
/// Returns the tzinfo of a time zone by its SQL name. Returns None for UTC, and for zones that Python does
/// not know: the moment is the same in UTC.
pybind11::object FindTimeZone(const std::string& name);
/// Returns the name of a type for `description` and `types`.
pybind11::str TypeName(const LogicalType& type);

}  // namespace scaup::python
