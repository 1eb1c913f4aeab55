// Puts what was updated in place over what a row group says.
#pragma once

#include "storage/version/table_versions.hpp"

namespace scaup {

/// Replaces values of a block of `row_count` rows by those of a patch; memory that others see stays as it is.
void ApplyPatch(const RowPatch& patch, size_t row_count, Vector& values);

}  // namespace scaup
