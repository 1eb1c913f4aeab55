// Descriptions of columns for the C interface.
#pragma once

#include "scaup.h"
#include "scaup/result.hpp"

namespace scaup::c {

/// Returns the handle of a type, which is valid as long as the type.
inline const scaup_type* HandleOf(const LogicalType& type) {
  return reinterpret_cast<const scaup_type*>(&type);
}

/// Describes column number `index` of several. Throws Error(kUsage) if there is none or `out` is null.
void DescribeColumn(const std::vector<ResultColumn>& columns, size_t index, scaup_column* out);

}  // namespace scaup::c
