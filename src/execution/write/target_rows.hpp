// Target rows: the rows that a statement changes, with the numbers of the table's rows in their first column.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "execution/rows/shared_rows.hpp"
#include "storage/version/row_number.hpp"

namespace scaup {

/// Whether all rows have numbers, each a greater one than the row before.
bool AreNumbersAscending(QueryContext& context, const std::shared_ptr<const MaterializedRows>& rows);
/// Returns those of the rows that select(rows, selected) selects, in the order of their numbers; rows without
/// a number are last, and equal ones keep their order. It is called for sorted rows, chunk by chunk, and
/// returns how many it selects. The rows are spilled when memory is short.
std::shared_ptr<const MaterializedRows> SortByNumber(
    QueryContext& context, std::shared_ptr<const MaterializedRows> rows,
    const std::vector<LogicalType>& types,
    const std::function<size_t(DataChunk& rows, sel_t* selected)>& select);
/// Calls visit(chunk) for all rows, with all columns. Nothing of a chunk stays valid behind the call.
void ForEachTargetChunk(QueryContext& context, const std::shared_ptr<const MaterializedRows>& rows,
                        const std::vector<LogicalType>& types,
                        const std::function<void(DataChunk& chunk)>& visit);
/// Writes the numbers of a chunk to `numbers`, which has space for 1024, and returns them.
std::span<const RowNumber> NumbersOf(DataChunk& chunk, RowNumber* numbers);

}  // namespace scaup
