// Decides whether a key is taken, and whether the transaction can know that.
#include "storage/table_index/unique_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

KeyHolderTest::KeyHolderTest(TableView view, TableColumns table_columns, const TableIndex& index,
                             std::optional<uint32_t> writer, MemoryTracker& memory)
    : view_(std::move(view)),
      table_columns_(std::move(table_columns)),
      index_(index),
      writer_(writer),
      keys_(memory) {}

KeyHolderTest::Holder KeyHolderTest::Test(KeyBytes key, uint64_t value) {
  if (IndexValue::IsLocal(value)) {
    // Another transaction has reserved the key. Whether it commits is unknown.
    if (!writer_ || IndexValue::WriterOf(value) != *writer_) return Holder::kUnseen;
  } else {
    // The row was committed after the transaction began, or is about to be.
    if (value >= view_.parts[0].snapshot->next_row) return Holder::kUnseen;
    // Some change to the row that the transaction does not see may have given it the key, or taken it away.
    if (const auto block = view_.parts[0].versions->Find(value)) {
      MutexLock lock(block->mutex);
      if (block->HasUnseen(view_.reader, static_cast<sel_t>(value % kVectorSize), index_.columns()))
        return Holder::kUnseen;
    }
  }
  return IsVisibleWithKey(RowOf(value), key) ? Holder::kVisible : Holder::kNone;
}

bool KeyHolderTest::IsVisibleWithKey(RowNumber row, KeyBytes key) {
  if (!fetcher_) fetcher_.emplace(view_, table_columns_, index_.columns(), KernelsOf(BestKernelLevel()));
  uint8_t is_visible = 0;
  fetcher_->TestVisible({&row, 1}, &is_visible);
  // The row is read only if it is visible.
  if (is_visible == 0) return false;
  DataChunk columns(index_.key_types());
  fetcher_->Fetch({&row, 1}, columns);
  index_.encoder().Encode(columns, 1, keys_);
  return std::equal(key.begin(), key.end(), keys_[0].begin(), keys_[0].end());
}

void ThrowDuplicateKey(const TableIndex& index, DataChunk& key_columns, size_t row) {
  ThrowError(ErrorKind::kConstraint, sqlstate::kUniqueViolation,
             fmt::format("duplicate key value violates unique constraint \"{}\": Key {} already exists.",
                         index.name(), index.names().DescribeKey(key_columns, row)));
}

void ThrowKeyConflict(const TableIndex& index, std::string_view table_name) {
  ThrowError(
      ErrorKind::kTransaction, sqlstate::kSerializationFailure,
      fmt::format("could not serialize access: another transaction has written the same key of \"{}\", "
                  "an index of table \"{}\", meanwhile; run the transaction again",
                  index.name(), table_name));
}

}  // namespace scaup
