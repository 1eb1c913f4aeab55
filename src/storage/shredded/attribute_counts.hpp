// How many documents of a collection have each attribute, and how it is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "storage/snapshot/table_layout.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

struct AttributeCounts {
  struct Count {
    uint64_t documents = 0;
    uint64_t physical = 0;   ///< of them, those whose row group has a column for it
    uint64_t reservoir = 0;  ///< of them, those whose row group keeps it in the reservoir
  };
  uint64_t documents = 0;
  std::vector<Count> attributes;  ///< by attribute; what is left of `documents` is in whole records
  std::vector<uint64_t> paths;    ///< by path: how many documents have it, or a path below it
};

/// Counts the attributes of the documents that a view sees. Documents that are stored attribute by attribute
/// are counted by their shapes, others are read. `check_interrupt` may throw.
AttributeCounts CountAttributes(const TableView& view, const TableLayout& layout, const KernelTable& kernels,
                                const std::function<void()>& check_interrupt);

}  // namespace scaup
