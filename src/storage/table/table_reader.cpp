// TableReader: logs reads as predicates for precision locking, and hands out the views.
#include "storage/table/table_reader.hpp"

#include "storage/table/attribute_reads.hpp"
#include "storage/table/key_lookup.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/row_read.hpp"
#include "storage/table/table_read_predicate.hpp"
#include "storage/table_index/access_path.hpp"

namespace scaup {

void TableRead::LogKey(KeyBytes key) const {
  if (keys != nullptr) keys->Add(key);
}

void OrderedRead::EndAfter(const Value& last) {
  if (predicate_ == nullptr || !first_column_) return;
  const size_t column = *first_column_;
  if (last.is_null()) {
    // Upwards NULLs come last, so nothing lies behind them but other NULLs.
    if (descending_) predicate_->Narrow({column, ScanFilter::Op::kIsNull, {}});
    return;
  }
  if (last.type().id() == TypeId::kInterval) return;  // filters know no intervals
  predicate_->Narrow(
      {column, descending_ ? ScanFilter::Op::kGreaterEqual : ScanFilter::Op::kLessEqual, last});
}

TableReader::TableReader(Transaction& transaction, std::shared_ptr<const Table> table,
                         std::string_view table_name, const TableColumns& table_columns, Purpose purpose)
    : transaction_(transaction.In(table->transactions())),
      table_(std::move(table)),
      table_name_(table_name),
      table_columns_(table_columns),
      purpose_(purpose) {}

void TableReader::Log(std::unique_ptr<ReadPredicate> predicate) {
  transaction_.LogRead(std::move(predicate), logs());
}

std::unique_ptr<TableReadPredicate> TableReader::Predicate(const std::vector<size_t>& columns,
                                                           ScanPredicate predicate) const {
  return std::make_unique<TableReadPredicate>(table_, std::string(table_name_), table_columns_, columns,
                                              std::move(predicate));
}

TableRead TableReader::Read(const std::vector<size_t>& columns, ScanPredicate predicate) {
  if (logs()) Log(Predicate(columns, std::move(predicate)));
  return {table_->UnloggedView(transaction_)};
}

TableRead TableReader::ReadOrLookUp(const TableScanSpecification& scan) {
  TableRead read{table_->UnloggedView(transaction_)};
  const uint64_t row_count = read.view.row_count();
  const ScanPredicate& predicate = scan.predicate;
  const bool may_look_up = !predicate.filters.empty() || !predicate.text_searches.empty();
  const SeenIndexes seen = may_look_up ? table_->indexes().SeenBy(transaction_) : SeenIndexes();
  for (const AccessPath& path : AccessPathsOf(seen.indexes, predicate)) {
    // Single reads are cheaper than a scan with zone maps only up to a number of rows.
    auto found = FindRows(path, predicate, seen, row_count);
    if (!found) continue;
    read.rows = std::move(found->rows);
    if (found->keys.empty() || !logs()) break;
    auto keys = std::make_unique<KeyLookupPredicate>(table_, std::string(table_name_), table_columns_,
                                                     path.index, found->key_count, scan);
    for (const IndexKey& key : found->keys) keys->Add(key);
    Log(std::move(keys));
    return read;
  }
  if (logs()) Log(Predicate(scan.columns, predicate));
  return read;
}

TableRead TableReader::ReadByKeys(TableIndexRef index, size_t key_count, const TableScanSpecification& scan) {
  TableRead read{table_->UnloggedView(transaction_)};
  if (!logs()) return read;
  auto keys = std::make_unique<KeyLookupPredicate>(table_, std::string(table_name_), table_columns_,
                                                   std::move(index), key_count, scan);
  read.keys = keys.get();
  Log(std::move(keys));
  return read;
}

OrderedRead TableReader::ReadInOrder(const TableScanSpecification& scan, std::optional<size_t> first_column,
                                     bool is_nullable, bool descending) {
  OrderedRead read(table_->UnloggedView(transaction_), first_column, descending);
  if (!logs()) return read;
  // Everything that passes the filters counts as read until EndAfter tells how far the index was read.
  auto predicate = Predicate(scan.columns, scan.predicate);
  read.predicate_ = predicate.get();
  Log(std::move(predicate));
  // Downwards NULLs come first. They are a read of their own, as no filter says "NULL or above".
  if (!descending || !first_column || !is_nullable) return read;
  auto nulls = Predicate(scan.columns, scan.predicate);
  nulls->Narrow({*first_column, ScanFilter::Op::kIsNull, {}});
  Log(std::move(nulls));
  return read;
}

void TableReader::ConcludeFrom(std::vector<RowNumber> rows, std::vector<size_t> columns) {
  if (rows.empty() || !logs()) return;
  Log(std::make_unique<RowReadPredicate>(table_, std::string(table_name_), std::move(rows),
                                         std::move(columns)));
}

void TableReader::ConcludeFromStatistics(const std::vector<size_t>& columns, ScanPredicate predicate) {
  if (logs()) Log(Predicate(columns, std::move(predicate)));
}

void TableReader::ConcludeFromAttributes(std::shared_ptr<const std::set<PathId>> paths) {
  if (logs()) Log(std::make_unique<AttributeReadPredicate>(table_, std::move(paths)));
}

}  // namespace scaup
