// Finding the rows whose texts may match, through a text index.
#pragma once

#include <optional>
#include <vector>

#include "storage/table_index/table_index.hpp"
#include "text/text_search.hpp"

namespace scaup {

/// The index that has the words of all texts that are searched; null if there is none.
TableIndexRef ChooseTextIndex(const TableIndexList& indexes, const TextSearch& search);

/// How many rows are found by words and read one by one with less work than a scan searches all texts.
uint64_t MostRowsByText(uint64_t row_count);

/// The rows that a scan for all of `searches` may give, ascending, local ones last: all that the
/// reader sees and that match, and others. None if there is no index for it, it does not narrow the rows down
/// (as nothing but NOT does not), or there are more than `most_rows`.
std::optional<std::vector<RowNumber>> FindRowsOfTexts(const SeenIndexes& seen,
                                                      const std::vector<TextSearch>& searches,
                                                      uint64_t most_rows);

}  // namespace scaup
