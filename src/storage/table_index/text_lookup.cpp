// Finds rows whose texts may match, through a text index.
#include "storage/table_index/text_lookup.hpp"

#include <algorithm>

#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/table_index/index_lookup.hpp"
#include "storage/table_index/keyed_fetcher.hpp"
#include "text/text_query.hpp"

namespace scaup {

namespace {

/// Row numbers, ascending and distinct; nullopt if the rows are all rows or too many to list.
using Rows = std::optional<std::vector<RowNumber>>;

void Intersect(Rows& rows, Rows others) {
  if (!others) return;
  if (!rows) {
    rows = std::move(others);
    return;
  }
  std::vector<RowNumber> both;
  std::set_intersection(rows->begin(), rows->end(), others->begin(), others->end(), std::back_inserter(both));
  rows = std::move(both);
}

void Unite(Rows& rows, const Rows& others) {
  if (!rows || !others) return rows.reset();
  std::vector<RowNumber> either;
  std::set_union(rows->begin(), rows->end(), others->begin(), others->end(), std::back_inserter(either));
  rows = std::move(either);
}

/// Looks up the words of a query in one index.
class WordLookup {
 public:
  WordLookup(const TableIndex& index, std::optional<uint32_t> writer, size_t most_entries)
      : index_(index), writer_(writer), most_entries_(most_entries) {}

  Rows Find(const TextQueryNode& node) const {
    Rows rows;
    switch (node.kind) {
      case TextQueryNode::Kind::kPhrase:
        // The index does not know word positions, so a phrase is looked up as a conjunction of its words.
        for (const TextTerm& term : node.terms) Intersect(rows, Find(term));
        break;
      case TextQueryNode::Kind::kAnd:
        for (const TextQueryNode& child : node.children) Intersect(rows, Find(child));
        break;
      case TextQueryNode::Kind::kOr:
        rows.emplace();
        for (const TextQueryNode& child : node.children) {
          Unite(rows, Find(child));
          if (!rows) break;
        }
        break;
      // The index cannot list the rows without a word.
      case TextQueryNode::Kind::kNot: break;
    }
    return rows;
  }

 private:
  Rows Find(const TextTerm& term) const {
    const std::string_view part = IndexedPart(term.word);
    // The index stores only this part of longer words.
    const bool is_prefix = term.is_prefix && IndexedPart(term.word + "x").size() > part.size();
    OrderedIndexScan scan(index_.tree(), index_.encoder().TextRange(part, is_prefix), false);
    std::vector<RowNumber> rows;
    IndexBatch batch;
    while (scan.Next(kVectorSize, false, batch)) {
      // A word that too many rows have does not restrict the result; other words may.
      if (rows.size() + batch.values.size() > most_entries_) return std::nullopt;
      for (const uint64_t value : batch.values) {
        if (const auto row = RowOfValue(value, writer_)) rows.push_back(*row);
      }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

  const TableIndex& index_;
  std::optional<uint32_t> writer_;
  size_t most_entries_;
};

}  // namespace

TableIndexRef ChooseTextIndex(const TableIndexList& indexes, const TextSearch& search) {
  for (const TableIndexRef& index : indexes) {
    if (index->HasTextsAt(search.column, search.path)) return index;
  }
  return nullptr;
}

uint64_t MostRowsByText(uint64_t row_count) {
  // Searching a text takes far longer than comparing a number.
  constexpr uint64_t kTimesMore = 8;
  return kTimesMore * MostRowsByIndex(row_count);
}

std::optional<std::vector<RowNumber>> FindRowsOfTexts(const SeenIndexes& seen,
                                                      const std::vector<TextSearch>& searches,
                                                      uint64_t most_rows) {
  if (searches.empty()) return std::nullopt;
  // Words that many rows have may still leave few rows in combination with others.
  constexpr uint64_t kEntriesPerRow = 16, kMostEntries = uint64_t{1} << 20;
  const uint64_t most_entries = std::min(kEntriesPerRow * most_rows, kMostEntries);
  Rows rows;
  for (const TextSearch& search : searches) {
    const TableIndexRef index = ChooseTextIndex(seen.indexes, search);
    if (index != nullptr)
      Intersect(rows, WordLookup(*index, seen.writer, most_entries).Find(search.query->root()));
  }
  return rows && rows->size() <= most_rows ? std::move(rows) : std::nullopt;
}

}  // namespace scaup
