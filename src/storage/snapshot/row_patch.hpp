// Applies in-place updates to values read from a row group.
#pragma once

#include "storage/version/table_versions.hpp"

namespace scaup {

/// Replaces values of a block of `row_count` rows by those of `patch`. Memory that `values` shares with
/// others stays unchanged.
void ApplyPatch(const RowPatch& patch, size_t row_count, Vector& values);

}  // namespace scaup
