// Tests rows against a sorted set of index keys.
#include "storage/table_index/key_search.hpp"

#include <algorithm>

#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/row_group_reader.hpp"

namespace scaup {

namespace {

template <typename T>
std::vector<T> First(const std::vector<T>& all, size_t count) {
  return {all.begin(), all.begin() + static_cast<ptrdiff_t>(count)};
}

}  // namespace

KeySearch::KeySearch(TableColumns table_columns, const IndexEntryList& keys, size_t begin, size_t end,
                     size_t key_count, MemoryTracker& memory)
    : table_columns_(std::move(table_columns)),
      index_(*keys.index()),
      columns_(First(index_.columns(), key_count)),
      types_(First(index_.key_types(), key_count)),
      encoded_(memory) {
  for (size_t i = begin; i < end; i++) keys_.push_back(keys.key(i));
  // Sorted once, then each row needs a binary search.
  std::sort(keys_.begin(), keys_.end(), KeyIsLess);
}

bool KeySearch::HasAny(const RowGroup& row_group) {
  RowGroupReader reader(table_columns_, columns_, row_group, KernelsOf(BestKernelLevel()));
  DataChunk columns(types_);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    columns.Release();
    // Inserted rows are new, so no version can differ from the row group.
    reader.Read(block, columns);
    if (HasAny(columns, columns.size())) return true;
  }
  return false;
}

bool KeySearch::HasAny(const TableView& view, const std::vector<RowNumber>& rows) {
  if (rows.empty()) return false;
  RowFetcher fetcher(view, table_columns_, columns_, KernelsOf(BestKernelLevel()));
  DataChunk columns(types_);
  for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, rows.size() - begin);
    fetcher.Fetch({rows.data() + begin, count}, columns);
    if (HasAny(columns, count)) return true;
  }
  return false;
}

bool KeySearch::HasAny(DataChunk& columns, size_t count) {
  // The encoder writes only the first columns, as the chunk has no more.
  index_.encoder().Encode(columns, count, encoded_);
  for (size_t i = 0; i < count; i++) {
    if (std::binary_search(keys_.begin(), keys_.end(), encoded_[i], KeyIsLess)) return true;
  }
  return false;
}

}  // namespace scaup
