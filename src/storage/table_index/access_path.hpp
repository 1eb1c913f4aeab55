// AccessPath: how a scan may find its rows without reading the whole table.
#pragma once

#include <optional>
#include <vector>

#include "storage/table_index/index_lookup.hpp"
#include "type/scan_predicate.hpp"

namespace scaup {

/// A way to the rows of a scan through an index. Made by AccessPathsOf alone, so that EXPLAIN shows what a
/// scan will do. Borrows the predicate.
struct AccessPath {
  enum class Kind : uint8_t {
    kValues,  ///< the keys with each value of an IN list
    kRange,   ///< a range of keys, perhaps of one
    kTexts    ///< the words of text searches
  };
  Kind kind;
  TableIndexRef index;                         ///< of kTexts: that of the first search that has one
  std::optional<IndexChoiceForValues> values;  ///< of kValues
  std::optional<IndexChoice> range;            ///< of kRange
  std::vector<TableIndexRef> text_indexes;     ///< of kTexts: one for each search that has one
};

/// Returns the ways that are worth a try, the best first. If all of them find too many rows, the table is
/// scanned. Returns none if there is no index for the predicate.
std::vector<AccessPath> AccessPathsOf(const TableIndexList& indexes, const ScanPredicate& predicate);

/// Finds rows. Returns nullopt, after little work, if they are more than single reads should fetch from a
/// table of `row_count` rows.
std::optional<FoundRows> FindRows(const AccessPath& path, const ScanPredicate& predicate,
                                  const SeenIndexes& seen, uint64_t row_count);

}  // namespace scaup
