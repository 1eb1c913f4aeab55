// Finds rows whose texts may match a search, through a text index.
#pragma once

#include <optional>
#include <vector>

#include "storage/table_index/table_index.hpp"
#include "type/scan_predicate.hpp"

namespace scaup {

/// Returns an index with the words of all texts that are searched; null if there is none.
TableIndexRef ChooseTextIndex(const TableIndexList& indexes, const TextSearch& search);

/// Returns up to how many rows a text index lookup with single reads is cheaper than searching all texts.
uint64_t MostRowsByText(uint64_t row_count);

/// Returns the candidate rows of a scan with all of `searches`, ascending, local rows last. They include all
/// rows that the reader sees and that match, and others. Returns nullopt if there is no index, if it does not
/// narrow down the rows (as a query with NOT alone), or if there are more than `most_rows`.
std::optional<std::vector<RowNumber>> FindRowsOfTexts(const SeenIndexes& seen,
                                                      const std::vector<TextSearch>& searches,
                                                      uint64_t most_rows);

}  // namespace scaup
