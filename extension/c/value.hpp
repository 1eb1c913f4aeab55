// Conversion between scaup_value and scaup::Value, and reading of values in columns.
#pragma once

#include "scaup.h"
#include "scaup/result.hpp"

namespace scaup::c {

// Values of the program. All throw Error(kUsage) for what is no value, and copy bytes.

Value ToValue(const scaup_value& value);
Value TextValue(const char* text, size_t length);
Value BlobValue(const void* bytes, size_t size);

/// Returns a value whose bytes, if it has any, belong to `value`.
scaup_value FromValue(const Value& value);
/// Returns the value of a column's row; its bytes belong to the column. REQUIRES: row < row_count.
scaup_value ReadValue(const ColumnView& column, size_t row);

/// Returns whether values are read as text, or by elements, alone.
bool HasNoMemory(const LogicalType& type);
/// Returns the stored integer of a value that has one: `integer` or, for types of 128 bits, `huge`.
int128_t IntegerOf(const scaup_value& value);

}  // namespace scaup::c
