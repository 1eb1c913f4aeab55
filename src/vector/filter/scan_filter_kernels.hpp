// Scan filter kernels: evaluate a scan filter over the values of one block or dictionary.
#pragma once

#include "type/scan_filter.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Sets mask[i] to 1 if values[i] passes the filter, else to 0, for any number of flat values. A null
/// `validity` means that none is NULL. A NULL passes only IS NULL, and tests with
/// `or_null`.
void EvaluateScanFilter(const KernelTable& kernels, const ScanFilter& filter, PhysicalType type,
                        const std::byte* values, const ValidityWord* validity, size_t count, uint8_t* mask);

}  // namespace scaup
