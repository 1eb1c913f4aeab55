// Which attributes documents have that come to a table or go from it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "document/attribute_census.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// The attributes of documents that are inserted as `row_groups`. Those that `is_known` is false of are
/// listed in the order in which rows, and documents, have them, before all others. `statistics`: of exactly
/// these documents; null where none are that exact, and then they are counted. Throws Error(kIo).
AttributeDelta AttributesOfInserted(const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                                    const AttributeStatistics* statistics, size_t attribute_count,
                                    const std::function<bool(AttributeId)>& is_known);

/// The attributes of documents that a view sees and that are deleted: their numbers ascend. Throws
/// Error(kIo).
AttributeDelta AttributesOfDeleted(const TableView& view, std::span<const RowNumber> rows,
                                   size_t attribute_count);

/// The change of the attributes of `count` documents when their records change.
AttributeDelta AttributesOfChanged(Vector& old_records, Vector& new_records, size_t count,
                                   size_t attribute_count);

}  // namespace scaup
