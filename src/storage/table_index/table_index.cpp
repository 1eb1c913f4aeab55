// An index of a table: its tree, and the meaning of its keys.
#include "storage/table_index/table_index.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/index/ordered_index.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> TypesOf(const std::vector<size_t>& columns,
                                 const std::vector<LogicalType>& table_types) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table_types[column]);
  return types;
}

std::unique_ptr<const TextKeyReader> MakeTextReader(IndexDefinition& definition) {
  if (!definition.text) return nullptr;
  SCAUP_CHECK(!definition.is_unique);
  return std::make_unique<const TextKeyReader>(std::move(*definition.text));
}

}  // namespace

bool RowKeys::Has(size_t row, KeyBytes key) const {
  size_t first = begin(row), last = end(row);
  // Binary search, as the words of a text index ascend within a row and may be many.
  while (first < last) {
    const size_t middle = (first + last) / 2;
    if (KeyIsLess(keys_[middle], key)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first < end(row) && std::equal(key.begin(), key.end(), keys_[first].begin(), keys_[first].end());
}

TableIndex::TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
                       std::shared_ptr<BlockStore> store, MemoryTracker& memory,
                       std::shared_ptr<const CommitStamp> made_by)
    : columns_(std::move(definition.columns)),
      row_types_(TypesOf(columns_, table_types)),
      text_(MakeTextReader(definition)),
      is_unique_(definition.is_unique),
      is_deferrable_(definition.is_deferrable),
      encoder_(is_text() ? std::vector<LogicalType>{TypeId::kVarchar} : row_types_),
      made_by_(std::move(made_by)),
      store_(std::move(store)),
      is_open_(true),
      tree_(std::make_unique<OrderedIndex>(store_, memory)),
      names_(std::move(definition.name), std::move(definition.column_names),
             std::move(definition.column_types)) {}

TableIndex::TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
                       std::shared_ptr<BlockStore> store, IndexPlace place)
    : columns_(std::move(definition.columns)),
      row_types_(TypesOf(columns_, table_types)),
      text_(MakeTextReader(definition)),
      is_unique_(definition.is_unique),
      is_deferrable_(definition.is_deferrable),
      encoder_(is_text() ? std::vector<LogicalType>{TypeId::kVarchar} : row_types_),
      store_(std::move(store)),
      stored_place_(std::move(place)),
      names_(std::move(definition.name), std::move(definition.column_names),
             std::move(definition.column_types)) {}

TableIndex::~TableIndex() = default;

OrderedIndex& TableIndex::tree() const {
  // Opened on first use, so that opening a database does not read its indexes. The flag spares later calls
  // the mutex.
  if (!is_open_.load(std::memory_order_acquire)) {
    MutexLock lock(open_mutex_);
    if (!tree_) tree_ = std::make_unique<OrderedIndex>(store_, stored_place_);
    is_open_.store(true, std::memory_order_release);
  }
  return *tree_;
}

bool TableIndex::HasChanges() const {
  // A tree that was not opened cannot have changed.
  return is_open_.load(std::memory_order_acquire) && tree_->HasChanges();
}

IndexPlace TableIndex::place() const {
  return is_open_.load(std::memory_order_acquire) ? tree_->place() : stored_place_;
}

bool TableIndex::IsOver(const std::vector<size_t>& columns) const {
  return std::find_first_of(columns_.begin(), columns_.end(), columns.begin(), columns.end()) !=
         columns_.end();
}

bool TableIndex::HasValue(KeyBytes key, size_t place, const ValueList& values, size_t i) const {
  DataChunk chunk({key_types()[place]});
  chunk.ResetForWriting();
  values.CopyTo(i, chunk.column(0), 0);
  MemoryTracker unlimited(SIZE_MAX);  // for one value
  IndexKeys encoded(unlimited);
  IndexKeyEncoder({key_types()[place]}).Encode(chunk, 1, encoded);
  const KeyBytes wanted = encoder_.ColumnOf(key, place);
  return std::equal(wanted.begin(), wanted.end(), encoded[0].begin(), encoded[0].end());
}

void TableIndex::EncodeRows(DataChunk& columns, size_t count, RowKeys& keys) const {
  SCAUP_ASSERT(columns.column_count() == row_types_.size());
  if (!is_text()) return encoder_.Encode(columns, count, keys.keys_);
  RowWords words;
  text_->Read(columns.column(0), count, words);
  encoder_.Encode(words.words, keys.keys_);
  keys.begins_ = std::move(words.begins);
}

void TableIndex::AppendKeys(const ValueList& values, size_t i, std::vector<IndexKey>& keys) const {
  DataChunk chunk(row_types_);
  chunk.ResetForWriting();
  values.CopyTo(i, chunk.column(0), 0);
  MemoryTracker unlimited(SIZE_MAX);  // for one value
  RowKeys encoded(unlimited);
  EncodeRows(chunk, 1, encoded);
  for (size_t k = encoded.begin(0); k < encoded.end(0); k++)
    keys.emplace_back(encoded[k].begin(), encoded[k].end());
}

}  // namespace scaup
