// Counts how many documents of a collection have each attribute, and how the attribute is stored.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "storage/snapshot/table_layout.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The number of documents per attribute and per path.
struct AttributeCounts {
  struct Count {
    uint64_t documents = 0;
    uint64_t physical = 0;   ///< of these, documents whose row group has a column for it
    uint64_t reservoir = 0;  ///< of these, documents whose row group has it in the reservoir
  };
  uint64_t documents = 0;
  std::vector<Count> attributes;  ///< by attribute; the remaining documents are whole records
  std::vector<uint64_t> paths;    ///< by path: documents that have it or a path below it
};

/// Counts the attributes of the documents that a view sees. Shredded documents are counted by their shapes,
/// others are read. `check_interrupt` may throw.
AttributeCounts CountAttributes(const TableView& view, const TableLayout& layout, const KernelTable& kernels,
                                const std::function<void()>& check_interrupt);

}  // namespace scaup
