// The order in which indexes are tried.
#include "storage/table_index/access_path.hpp"

#include <algorithm>
#include <utility>

#include "storage/table_index/text_lookup.hpp"

namespace scaup {

std::vector<AccessPath> AccessPathsOf(const TableIndexList& indexes, const ScanPredicate& predicate) {
  std::vector<AccessPath> paths;
  if (indexes.empty()) return paths;
  // A list of values first: its keys are logged alone, which conflicts with fewer commits than a range.
  if (auto values = ChooseIndexForValues(indexes, predicate.filters)) {
    TableIndexRef index = values->index;
    paths.push_back({AccessPath::Kind::kValues, std::move(index), std::move(values), {}, {}});
  }
  if (auto range = ChooseIndex(indexes, predicate.filters)) {
    TableIndexRef index = range->index;
    paths.push_back({AccessPath::Kind::kRange, std::move(index), {}, std::move(range), {}});
  }
  std::vector<TableIndexRef> text_indexes;
  for (const TextSearch& search : predicate.text_searches) {
    if (TableIndexRef index = ChooseTextIndex(indexes, search)) text_indexes.push_back(std::move(index));
  }
  if (!text_indexes.empty())
    paths.push_back({AccessPath::Kind::kTexts, text_indexes[0], {}, {}, std::move(text_indexes)});
  return paths;
}

std::optional<FoundRows> FindRows(const AccessPath& path, const ScanPredicate& predicate,
                                  const SeenIndexes& seen, uint64_t row_count) {
  switch (path.kind) {
    case AccessPath::Kind::kValues: return FindRowsOfValues(*path.values, seen, MostRowsByIndex(row_count));
    case AccessPath::Kind::kRange: return FindRowsInRange(*path.range, seen, MostRowsByIndex(row_count));
    case AccessPath::Kind::kTexts: break;
  }
  auto rows = FindRowsOfTexts(seen, predicate.text_searches, MostRowsByText(row_count));
  if (!rows) return std::nullopt;
  return FoundRows{std::move(*rows)};
}

}  // namespace scaup
