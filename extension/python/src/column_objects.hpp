// Result columns as Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
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
  PyObject* Get(std::string_view text);

 private:
  static constexpr size_t kEntries = 1024;
  static constexpr size_t kLongest = 32;
  using Entries = std::array<PyObject*, kEntries>;
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
    return GetValid(row);
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
  bool shares_texts_;
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
