// Evaluates a scan's plain filter over the values of one block or dictionary.
#pragma once

#include "type/scan_filter.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// mask[i] = 1 where values[i] passes the filter, else 0, for `count` flat values (any number of them).
void EvaluateScanFilter(const KernelTable& kernels, const ScanFilter& filter, PhysicalType type,
                        const std::byte* values, const ValidityWord* validity, size_t count, uint8_t* mask);

}  // namespace scaup
