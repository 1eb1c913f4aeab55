// The use of enums by types and columns, which have copies of them.
#pragma once

#include <algorithm>

#include "scaup/type.hpp"

namespace scaup {

/// Returns whether a type is an enum or contains one. Only enums have names.
bool HasEnum(const LogicalType& type);
/// Returns whether a type is `used` or contains it.
bool UsesType(const LogicalType& type, const LogicalType& used);
/// Returns whether a column of a table or view has a type that is `used` or contains it.
template <typename Columns>
bool AnyColumnUses(const Columns& columns, const LogicalType& used) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const auto& column) { return UsesType(column.type, used); });
}
/// Returns the type with `to` in the place of `from`, also within it.
LogicalType ExchangedType(const LogicalType& type, const LogicalType& from, const LogicalType& to);
/// Returns whether all labels of an enum have the positions that they had before a change, perhaps under
/// other names.
bool KeepsLabelPlaces(const LogicalType& old, const LogicalType& type);

}  // namespace scaup
