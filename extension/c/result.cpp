// Results of the C interface: columns in memory, and single values.
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "column.hpp"
#include "edge.hpp"
#include "handles.hpp"
#include "text_buffer.hpp"
#include "value.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::ThrowUsage;

const std::vector<scaup::ColumnView>& scaup_result::Columns() const {
  if (const auto* found = columns_.load()) return *found;
  auto made = std::make_unique<std::vector<scaup::ColumnView>>();
  made->reserve(result.column_count());
  for (size_t i = 0; i < result.column_count(); i++) made->push_back(result.Column(i));
  // Another thread may have been first.
  const std::vector<scaup::ColumnView>* present = nullptr;
  return columns_.compare_exchange_strong(present, made.get()) ? *made.release() : *present;
}

namespace {

void RequirePlace(const scaup_result* result, size_t column, size_t row) {
  Require(result, "the result");
  if (column < result->result.column_count() && row < result->result.row_count()) return;
  ThrowUsage("22023", "row " + std::to_string(row) + ", column " + std::to_string(column) +
                          " is outside a result of " + std::to_string(result->result.row_count()) +
                          " rows and " + std::to_string(result->result.column_count()) + " columns");
}

/// Returns a value that is not NULL.
scaup_value RequireValue(const scaup_result* result, size_t column, size_t row) {
  RequirePlace(result, column, row);
  const scaup_value value = scaup::c::ReadValue(result->Columns()[column], row);
  if (value.is_null) ThrowUsage("22002", "the value is NULL: ask scaup_result_is_null first");
  return value;
}

[[noreturn]] void ThrowWrongType(const scaup_result& result, size_t column, const char* wanted) {
  throw scaup::Error(scaup::ErrorKind::kConversion, "42804",
                     "column " + std::to_string(column) + " of type " +
                         result.Columns()[column].type.ToString() + " is no " + wanted);
}

bool HasInteger(scaup::TypeId id) {
  switch (id) {
    case scaup::TypeId::kBoolean:
    case scaup::TypeId::kTinyInt:
    case scaup::TypeId::kSmallInt:
    case scaup::TypeId::kInteger:
    case scaup::TypeId::kBigInt:
    case scaup::TypeId::kHugeInt:
    case scaup::TypeId::kUTinyInt:
    case scaup::TypeId::kUSmallInt:
    case scaup::TypeId::kUInteger:
    case scaup::TypeId::kUBigInt:
    case scaup::TypeId::kDate:
    case scaup::TypeId::kTime:
    case scaup::TypeId::kTimeTz:
    case scaup::TypeId::kTimestamp:
    case scaup::TypeId::kTimestampTz:
    case scaup::TypeId::kEnum: return true;
    default: return false;
  }
}

/// Returns the double nearest to a DECIMAL. Its text is read where a division would round twice.
double NearestDouble(scaup::int128_t unscaled, uint8_t width, uint8_t scale) {
  constexpr scaup::int128_t kExact = scaup::int128_t{1} << std::numeric_limits<double>::digits;
  constexpr uint8_t kExactPower = 22;  // the largest power of ten that a double has
  if (scale <= kExactPower && unscaled >= -kExact && unscaled <= kExact) {
    double power = 1;
    for (uint8_t i = 0; i < scale; i++) power *= 10;
    return static_cast<double>(unscaled) / power;
  }
  const std::string text = scaup::Value::Decimal(unscaled, width, scale).ToString();
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Returns the double nearest to a NUMERIC.
double DoubleOfText(const scaup_result& result, size_t column, size_t row) {
  std::string text;
  result.result.AppendText(column, row, text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    throw scaup::Error(scaup::ErrorKind::kOutOfRange, "22003", "the NUMERIC is out of the range of DOUBLE");
  return number;
}

}  // namespace

size_t scaup_result_column_count(const scaup_result* result) {
  return result == nullptr ? 0 : result->result.column_count();
}

size_t scaup_result_row_count(const scaup_result* result) {
  return result == nullptr ? 0 : result->result.row_count();
}

uint64_t scaup_result_rows_changed(const scaup_result* result) {
  return result == nullptr ? 0 : result->result.rows_changed();
}

scaup_status scaup_result_column(const scaup_result* result, size_t column, scaup_column* out,
                                 scaup_error** error) {
  return Guard(error, [&] {
    scaup::c::DescribeColumn(Require(result, "the result").result.columns(), column, out);
    const scaup::ColumnView& view = result->Columns()[column];
    out->row_count = view.row_count;
    out->nulls = view.nulls;
    if (scaup::c::HasNoMemory(view.type)) return;
    out->value_bytes = view.value_bytes;
    out->data = view.data;
  });
}

bool scaup_result_is_null(const scaup_result* result, size_t column, size_t row) {
  if (column >= scaup_result_column_count(result) || row >= scaup_result_row_count(result)) return true;
  return result->result.IsNull(column, row);
}

scaup_status scaup_result_value(const scaup_result* result, size_t column, size_t row, scaup_value* out,
                                scaup_error** error) {
  return Guard(error, [&] {
    RequirePlace(result, column, row);
    Require(out, "the output") = scaup::c::ReadValue(result->Columns()[column], row);
  });
}

scaup_status scaup_result_int64(const scaup_result* result, size_t column, size_t row, int64_t* out,
                                scaup_error** error) {
  return Guard(error, [&] {
    const scaup_value value = RequireValue(result, column, row);
    Require(out, "the output");
    if (!HasInteger(static_cast<scaup::TypeId>(value.type))) ThrowWrongType(*result, column, "integer");
    const scaup::int128_t number = scaup::c::IntegerOf(value);
    if (number != static_cast<int64_t>(number))
      throw scaup::Error(scaup::ErrorKind::kOutOfRange, "22003",
                         "the number does not fit into 64 bits with a sign");
    *out = static_cast<int64_t>(number);
  });
}

scaup_status scaup_result_double(const scaup_result* result, size_t column, size_t row, double* out,
                                 scaup_error** error) {
  return Guard(error, [&] {
    const scaup_value value = RequireValue(result, column, row);
    Require(out, "the output");
    const scaup::LogicalType& type = result->Columns()[column].type;
    if (type.IsFloating()) {
      *out = value.real;
    } else if (type.IsInteger()) {
      *out = static_cast<double>(scaup::c::IntegerOf(value));
    } else if (type.id() == scaup::TypeId::kDecimal) {
      *out = NearestDouble(scaup::c::IntegerOf(value), value.width, value.scale);
    } else if (type.id() == scaup::TypeId::kNumeric) {
      *out = DoubleOfText(*result, column, row);
    } else {
      ThrowWrongType(*result, column, "number");
    }
  });
}

scaup_status scaup_result_text(const scaup_result* result, size_t column, size_t row, char* buffer,
                               size_t capacity, size_t* length, scaup_error** error) {
  return Guard(error, [&] {
    RequirePlace(result, column, row);
    std::string text;
    result->result.AppendText(column, row, text);
    scaup::c::CopyText(text, buffer, capacity, length);
  });
}

void scaup_result_free(scaup_result* result) { delete result; }
