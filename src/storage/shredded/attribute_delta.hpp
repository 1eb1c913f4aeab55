// The change of attribute counts when documents are inserted, deleted or updated.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "document/attribute_census.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// Returns the attributes of documents that are inserted as `row_groups`. Attributes for which `is_known` is
/// false come first, in the order in which they first occur in the rows. `statistics` must cover exactly
/// these documents; if it is null, the documents are counted. Throws Error(kIo).
AttributeDelta AttributesOfInserted(const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                                    const AttributeStatistics* statistics, size_t attribute_count,
                                    const std::function<bool(AttributeId)>& is_known);

/// Returns the attributes of documents that a view sees and that are deleted; `rows` ascend. Throws
/// Error(kIo).
AttributeDelta AttributesOfDeleted(const TableView& view, std::span<const RowNumber> rows,
                                   size_t attribute_count);

/// Returns the change of attribute counts when the records of `count` documents change.
AttributeDelta AttributesOfChanged(Vector& old_records, Vector& new_records, size_t count,
                                   size_t attribute_count);

}  // namespace scaup
