// Keys at the end of a statement and at the commit.
#include "main/key/key_enforcement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/table_reading.hpp"
#include "common/throw.hpp"
#include "function/scalar/collation/collation.hpp"
#include "storage/index/index_key.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// Keys per statement that searches for them, which bounds its size. A search for more than kMostKeyReads
/// keys is logged as a read of the whole table, as testing each key at the commit would take too long.
constexpr size_t kKeysPerStatement = 500;
constexpr size_t kMostKeyReads = 50;
/// Keys that are known to be there, which bounds the memory for them.
constexpr size_t kMostSeenKeys = 100'000;

std::string TextOf(KeyBytes key) { return {reinterpret_cast<const char*>(key.data()), key.size()}; }

std::vector<size_t> PositionsOf(const TableEntry& table, const std::vector<std::string>& names) {
  std::vector<size_t> positions;
  for (const std::string& name : names) positions.push_back(table.FindColumn(name).value());
  return positions;
}

/// Returns what an index over the column has for a value of it.
Value IndexedValue(const TableEntry& table, const std::string& column, const Value& value) {
  const ColumnDefinition& definition = table.columns[table.FindColumn(column).value()];
  if (value.is_null() || !HasCollationKey(definition)) return value;
  return Value::Varchar(EqualityKeyOfText(definition.collation, value.GetString()));
}

/// Returns the COLLATE that makes a column comparable with the one that it refers to; "" if none is needed.
std::string CollateLike(const TableEntry& table, const std::string& column, const TableEntry& referenced,
                        const std::string& referenced_column) {
  const std::string& from = table.columns[table.FindColumn(column).value()].collation;
  const std::string& to = referenced.columns[referenced.FindColumn(referenced_column).value()].collation;
  if (from == to) return "";
  return " COLLATE " + (to.empty() ? "\"default\"" : CollationText(to));
}

std::string NameOf(const TableEntry& table) {
  return QuotedIdentifier(table.schema) + "." + QuotedIdentifier(table.name);
}

/// Returns "(a, b)=(1, x)", as PostgreSQL describes keys.
std::string DescribeKey(const std::vector<std::string>& names, std::span<const Value> values) {
  std::string columns, texts;
  for (size_t i = 0; i < names.size(); i++) {
    columns += (i == 0 ? "" : ", ") + names[i];
    texts += (i == 0 ? "" : ", ") + values[i].ToString();
  }
  return fmt::format("({})=({})", columns, texts);
}

[[noreturn]] void ThrowMissing(const TableEntry& table, const ForeignKey& key,
                               const std::string& description) {
  ThrowError(ErrorKind::kConstraint, sqlstate::kForeignKeyViolation,
             fmt::format("insert or update on table \"{}\" violates foreign key constraint \"{}\": {}",
                         table.name, key.name, description));
}

/// The conditions and parameters of a statement about the rows of a table that have one of some keys. The
/// table is named c. A value; borrows the names of the columns.
class KeySearch {
 public:
  KeySearch(const TableEntry& table, const ForeignKey& key, std::span<const std::vector<Value>> keys)
      : columns_(key.columns) {
    for (const std::string& column : key.columns)
      types_.push_back(table.columns[table.FindColumn(column).value()].type.ToString());
    // One key becomes plain comparisons, which can use an index. Several become a join with VALUES.
    is_single_ = keys.size() == 1;
    for (const auto& values : keys) {
      rows_ += rows_.empty() ? "(" : ", (";
      for (size_t i = 0; i < values.size(); i++) rows_ += (i == 0 ? "" : ", ") + Parameter(i, values[i]);
      rows_ += ")";
    }
  }

  /// Returns the other relation of FROM, after `before`; "" for a single key.
  std::string From(const char* before) const {
    if (is_single_) return "";
    std::string names;
    for (size_t i = 0; i < parameters_.size() / RowCount(); i++)
      names += fmt::format("{}k{}", i == 0 ? "" : ", ", i);
    return fmt::format(" {} (VALUES {}) AS k ({})", before, rows_, names);
  }
  std::string Condition() const {
    std::string text;
    for (size_t i = 0; i < columns_.size(); i++)
      text += fmt::format("{}c.{} = {}", i == 0 ? "" : " AND ", QuotedIdentifier(columns_[i]), Column(i));
    return text;
  }
  /// Returns the expression for value i of the key.
  std::string Column(size_t i) const {
    return is_single_ ? fmt::format("CAST(${} AS {})", i + 1, types_[i % types_.size()])
                      : fmt::format("k.k{}", i);
  }
  const std::vector<Value>& parameters() const { return parameters_; }

 private:
  size_t RowCount() const { return row_count_; }
  std::string Parameter(size_t i, const Value& value) {
    if (i == 0) row_count_++;
    parameters_.push_back(value);
    return fmt::format("CAST(${} AS {})", parameters_.size(), types_[i % types_.size()]);
  }

  const std::vector<std::string>& columns_;
  std::vector<std::string> types_;
  std::string rows_;
  std::vector<Value> parameters_;
  size_t row_count_ = 0;
  bool is_single_ = false;
};

/// The unique index that a foreign key refers to, and for each of its columns the position in the key.
struct ReferencedIndex {
  TableEntryRef table;
  TableIndexRef index;
  std::vector<size_t> order;
};

ReferencedIndex FindIndex(const DatabaseView& database, const ForeignKey& key) {
  ReferencedIndex found;
  found.table =
      database.catalog->Find<TableEntry>(*database.transaction, key.referenced_schema, key.referenced_table);
  SCAUP_CHECK(found.table != nullptr);
  for (const UniqueConstraint& unique : found.table->constraints.uniques) {
    // A foreign key may name the columns in another order than the constraint.
    if (unique.columns.size() != key.referenced_columns.size() ||
        !std::is_permutation(unique.columns.begin(), unique.columns.end(), key.referenced_columns.begin()))
      continue;
    found.index = unique.index;
    for (const std::string& column : unique.columns) {
      const auto place = std::find(key.referenced_columns.begin(), key.referenced_columns.end(), column);
      found.order.push_back(static_cast<size_t>(place - key.referenced_columns.begin()));
    }
    return found;
  }
  ThrowInternal("a foreign key refers to what is not unique");
}

}  // namespace

void KeyEnforcement::Run(DeferredChecks* deferred, const std::shared_ptr<TemporaryStorage>& storage) {
  forgets_passed_ = deferred != nullptr && deferred->forgets_passed();
  // Actions come first: they may remove or change rows whose keys were written. NO ACTION is checked after
  // all actions, so that a statement may remove a row together with those that refer to it.
  std::vector<std::unique_ptr<KeyChanges::Written>> written;
  while (true) {
    for (auto& more : context_.key_changes->TakeWritten()) written.push_back(std::move(more));
    auto removed = context_.key_changes->TakeRemoved();
    if (removed.empty()) break;
    for (auto& keys : removed) Act(std::move(keys));
  }
  const auto check_or_put_off = [&](DeferredCheck check) {
    if (deferred != nullptr && deferred->IsDeferred(check.constraint, check.deferral))
      return deferred->AddKeys(context_, std::move(check));
    Check(check);
  };
  for (const TableEntryRef& table : context_.key_changes->TakeTables()) CheckUniques(table, deferred);
  for (auto& removed : std::exchange(to_check_, {})) {
    const ForeignKey& key = removed->reference.key();
    const TableEntry& from = *removed->reference.from;
    check_or_put_off({database_.catalog->Find<TableEntry>(*database_.transaction, key.referenced_schema,
                                                          key.referenced_table),
                      {from.schema, from.name, key.name},
                      key.deferral,
                      storage,
                      {},
                      {},
                      std::move(removed)});
  }
  for (auto& keys : written) {
    const TableEntry& table = *keys->table;
    const ForeignKey& key = table.constraints.foreign_keys[keys->foreign_key];
    check_or_put_off(
        {keys->table, {table.schema, table.name, key.name}, key.deferral, storage, {}, std::move(keys)});
  }
}

void KeyEnforcement::CheckUniques(const TableEntryRef& table, DeferredChecks* deferred) {
  for (const UniqueConstraint& unique : table->constraints.uniques) {
    if (!unique.deferral.is_deferrable) continue;
    DeferredCheck check{table, {table->schema, table->name, unique.name}, unique.deferral, {}, unique.index};
    if (deferred == nullptr || !deferred->IsDeferred(check.constraint, check.deferral)) {
      Check(check);
    } else if (table->storage->indexes().HasLateKeys(*database_.transaction, unique.index)) {
      deferred->AddUnique(std::move(check));
    }
  }
}

void KeyEnforcement::RunDeferred(DeferredChecks& deferred, bool with_deferred) {
  forgets_passed_ = deferred.forgets_passed();
  for (DeferredCheck* check : deferred.Pending(with_deferred)) {
    Check(*check);
    deferred.NotePassed(*check);
  }
  if (forgets_passed_) deferred.ForgetPassed();
}

void KeyEnforcement::Check(const DeferredCheck& check) {
  if (check.unique) {
    MaintainedIndexes& indexes = check.table->storage->indexes();
    indexes.CheckLateKeys({*database_.transaction, check.table->name}, check.unique);
    if (forgets_passed_) indexes.ForgetLateKeys(*database_.transaction, check.unique);
    return;
  }
  // A table that a deferred check is about may have got another name, or lost the key with the table that it
  // referred to.
  const TableEntryRef& noted = check.written ? check.written->table : check.removed->reference.from;
  const TableEntryRef table = Present(noted);
  if (!table) return;
  const auto& keys = table->constraints.foreign_keys;
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&](const ForeignKey& each) { return each.name == check.constraint.name; });
  if (key == keys.end()) return;
  const auto place = static_cast<size_t>(key - keys.begin());
  if (check.written) {
    CheckReferences(table, place, *check.written->keys);
  } else {
    CheckRemoved({table, place}, *check.removed);
  }
}

TableEntryRef KeyEnforcement::Present(const TableEntryRef& table) const {
  TableEntryRef present =
      database_.catalog->Find<TableEntry>(*database_.transaction, table->schema, table->name);
  if (present && present->storage == table->storage) return present;
  return FindTableOfStorage(*database_.catalog, *database_.transaction, table->storage->id());
}

void KeyEnforcement::CheckRemoved(const ForeignKeyReference& reference, const KeyChanges::Removed& removed) {
  ForEachRemoved(removed, [&](std::span<const KeyValues> keys) {
    // Another row may have got the key meanwhile; then nothing is missing.
    std::vector<KeyValues> gone;
    for (const KeyValues& key : keys)
      if (!IsThere(reference, key)) gone.push_back(key);
    CheckUnreferenced(reference, gone);
  });
}

template <typename Visit>
void KeyEnforcement::ForEachRemoved(const KeyChanges::Removed& removed, const Visit& visit) const {
  const size_t column_count = removed.reference.key().columns.size();
  const auto& types = removed.keys->types();
  const IndexKeyEncoder encoder({types.begin(), types.begin() + static_cast<ptrdiff_t>(column_count)});
  IndexKeys old_keys(context_.memory()), new_keys(context_.memory());
  DataChunk chunk(types), part(encoder.types());
  for (size_t piece = 0; piece < removed.keys->piece_count(); piece++) {
    context_.functions.CheckInterrupt();
    removed.keys->Read(piece, chunk);
    const auto encode = [&](size_t first, IndexKeys& into) {
      for (size_t i = 0; i < column_count; i++) part.column(i).Reference(chunk.column(first + i));
      part.SetSize(chunk.size());
      encoder.Encode(part, chunk.size(), into);
    };
    encode(0, old_keys);
    if (removed.is_update) encode(column_count, new_keys);
    std::vector<KeyValues> keys;
    for (size_t row = 0; row < chunk.size(); row++) {
      // A key with NULL is never referred to, and an update that leaves the key as it is removes nothing.
      if (old_keys.has_null(row)) continue;
      if (removed.is_update && std::ranges::equal(old_keys[row], new_keys[row])) continue;
      KeyValues& values = keys.emplace_back();
      for (size_t i = 0; i < chunk.column_count(); i++) values.push_back(chunk.column(i).GetValue(row));
    }
    if (!keys.empty()) visit(std::span<const KeyValues>(keys));
  }
}

void KeyEnforcement::Act(std::unique_ptr<KeyChanges::Removed> removed) {
  const ForeignKeyReference& reference = removed->reference;
  switch (removed->is_update ? reference.key().on_update : reference.key().on_delete) {
    // RESTRICT is checked at once, NO ACTION at the end: that is the difference between them.
    case ReferentialAction::kNoAction: to_check_.push_back(std::move(removed)); return;
    case ReferentialAction::kRestrict:
      ForEachRemoved(*removed, [&](std::span<const KeyValues> keys) { CheckUnreferenced(reference, keys); });
      return;
    case ReferentialAction::kCascade:
    case ReferentialAction::kSetNull:
    case ReferentialAction::kSetDefault: break;
  }
  ForEachRemoved(*removed, [&](std::span<const KeyValues> keys) {
    for (size_t begin = 0; begin < keys.size(); begin += kKeysPerStatement)
      RunAction(reference, removed->is_update,
                keys.subspan(begin, std::min(kKeysPerStatement, keys.size() - begin)));
  });
}

void KeyEnforcement::RunAction(const ForeignKeyReference& reference, bool is_update,
                               std::span<const KeyValues> keys) {
  const ForeignKey& key = reference.key();
  const ReferentialAction action = is_update ? key.on_update : key.on_delete;
  // The search is logged before it runs: rows that another transaction adds meanwhile would miss the action.
  LogSearch(reference, keys);
  const KeySearch search(*reference.from, key, keys);
  if (action == ReferentialAction::kCascade && !is_update) {
    run_(fmt::format("DELETE FROM {} AS c{} WHERE {}", NameOf(*reference.from), search.From("USING"),
                     search.Condition()),
         search.parameters());
    return;
  }
  std::string set;
  for (size_t i = 0; i < key.columns.size(); i++) {
    const std::string value = action == ReferentialAction::kSetNull ? "NULL"
                              : action == ReferentialAction::kSetDefault
                                  ? "DEFAULT"
                                  : search.Column(key.columns.size() + i);
    set += fmt::format("{}{} = {}", i == 0 ? "" : ", ", QuotedIdentifier(key.columns[i]), value);
  }
  run_(fmt::format("UPDATE {} AS c SET {}{} WHERE {}", NameOf(*reference.from), set, search.From("FROM"),
                   search.Condition()),
       search.parameters());
}

void KeyEnforcement::CheckUnreferenced(const ForeignKeyReference& reference,
                                       std::span<const KeyValues> keys) {
  const ForeignKey& key = reference.key();
  for (size_t begin = 0; begin < keys.size(); begin += kKeysPerStatement) {
    std::span<const KeyValues> some = keys.subspan(begin, std::min(kKeysPerStatement, keys.size() - begin));
    LogSearch(reference, some);
    if (!HasRows(*reference.from, key, some)) continue;
    // A binary search finds one of the keys for the message.
    while (some.size() > 1) {
      const auto half = some.first(some.size() / 2);
      some = HasRows(*reference.from, key, half) ? half : some.subspan(half.size());
    }
    ThrowError(ErrorKind::kConstraint, sqlstate::kForeignKeyViolation,
               fmt::format("update or delete on table \"{}\" violates foreign key constraint \"{}\" on table "
                           "\"{}\": key {} is still referenced from table \"{}\"",
                           key.referenced_table, key.name, reference.from->name,
                           DescribeKey(key.referenced_columns, some[0]), reference.from->name));
  }
}

bool KeyEnforcement::HasRows(const TableEntry& table, const ForeignKey& key,
                             std::span<const KeyValues> keys) {
  // For updated keys, `keys` has the old values followed by the new ones. Only the old ones are searched.
  std::vector<KeyValues> old;
  for (const KeyValues& values : keys)
    old.emplace_back(values.begin(), values.begin() + static_cast<ptrdiff_t>(key.columns.size()));
  const KeySearch search(table, key, old);
  return run_(fmt::format("SELECT 1 FROM {} AS c{} WHERE {} LIMIT 1", NameOf(table), search.From(","),
                          search.Condition()),
              search.parameters()) != 0;
}

bool KeyEnforcement::IsThere(const ForeignKeyReference& reference, const KeyValues& key) {
  const ReferencedIndex referenced = FindIndex(database_, reference.key());
  std::vector<Value> values;
  for (const size_t column : referenced.order) {
    values.push_back(
        IndexedValue(*referenced.table, reference.key().referenced_columns[column], key[column]));
  }
  IndexKey bytes;
  referenced.index->encoder().Append(values, bytes);
  return referenced.table->storage->indexes()
      .FindKey({*database_.transaction, referenced.table->name}, *referenced.index, bytes)
      .has_value();
}

void KeyEnforcement::CheckReferences(const TableEntryRef& table, size_t foreign_key,
                                     const SpillableRows& written) {
  const ForeignKey& key = table->constraints.foreign_keys[foreign_key];
  const ReferencedIndex referenced = FindIndex(database_, key);
  const TableWrite write{*database_.transaction, referenced.table->name};
  std::unordered_set<std::string> seen;
  std::vector<RowNumber> rows;
  IndexKeys keys(context_.memory());
  DataChunk chunk(written.types()), ordered(referenced.index->key_types());
  for (size_t piece = 0; piece < written.piece_count(); piece++) {
    context_.functions.CheckInterrupt();
    if (seen.size() > kMostSeenKeys) {
      // Keys that are forgotten are only looked up once more.
      seen.clear();
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    }
    written.Read(piece, chunk);
    for (size_t i = 0; i < referenced.order.size(); i++)
      ordered.column(i).Reference(chunk.column(referenced.order[i]));
    ordered.SetSize(chunk.size());
    referenced.index->encoder().Encode(ordered, chunk.size(), keys);
    for (size_t row = 0; row < chunk.size(); row++) {
      if (keys.has_null(row) || !seen.insert(TextOf(keys[row])).second) continue;
      if (const auto found =
              referenced.table->storage->indexes().FindKey(write, *referenced.index, keys[row])) {
        rows.push_back(*found);
        continue;
      }
      KeyValues values;
      for (size_t i = 0; i < chunk.column_count(); i++) values.push_back(chunk.column(i).GetValue(row));
      // An action may have deleted or changed the row that wrote the key. So it is an error only if a row
      // still has the key.
      const KeyValues looked_for[] = {values};
      if (!HasRows(*table, key, looked_for)) continue;
      ThrowMissing(*table, key,
                   fmt::format("key {} is not present in table \"{}\"", DescribeKey(key.columns, values),
                               key.referenced_table));
    }
  }
  // The rows that were found must still have their keys when this transaction commits.
  if (rows.empty()) return;
  ReaderOf(*database_.transaction, *referenced.table, referenced.table->StorageColumns(),
           TableReader::Purpose::kChecks)
      .ConcludeFrom(std::move(rows), referenced.index->columns());
}

void KeyEnforcement::LogSearch(const ForeignKeyReference& reference, std::span<const KeyValues> keys) {
  const std::vector<std::string>& names = reference.key().columns;
  const std::vector<size_t> columns = PositionsOf(*reference.from, reference.from->KeyColumns(names));
  const TableColumns table_columns = reference.from->StorageColumns();
  TableReader reader =
      ReaderOf(*database_.transaction, *reference.from, table_columns, TableReader::Purpose::kChecks);
  if (keys.size() > kMostKeyReads) {
    reader.Read(columns, {});
    return;
  }
  for (const KeyValues& key : keys) {
    ScanPredicate predicate;
    for (size_t i = 0; i < columns.size(); i++)
      predicate.filters.push_back(
          {columns[i], ScanFilter::Op::kEqual, IndexedValue(*reference.from, names[i], key[i])});
    reader.Read(columns, std::move(predicate));
  }
}

void KeyEnforcement::CheckAll(const TableEntry& table, const ForeignKey& key) {
  const TableEntryRef referenced = database_.catalog->Find<TableEntry>(
      *database_.transaction, key.referenced_schema, key.referenced_table);
  SCAUP_CHECK(referenced != nullptr);
  std::string filled, equal;
  for (size_t i = 0; i < key.columns.size(); i++) {
    const char* separator = i == 0 ? "" : " AND ";
    filled += fmt::format("{}c.{} IS NOT NULL", separator, QuotedIdentifier(key.columns[i]));
    equal += fmt::format("{}p.{} = c.{}{}", separator, QuotedIdentifier(key.referenced_columns[i]),
                         QuotedIdentifier(key.columns[i]),
                         CollateLike(table, key.columns[i], *referenced, key.referenced_columns[i]));
  }
  const std::string sql =
      fmt::format("SELECT 1 FROM {} AS c WHERE {} AND NOT EXISTS (SELECT 1 FROM {}.{} AS p WHERE {}) LIMIT 1",
                  NameOf(table), filled, QuotedIdentifier(key.referenced_schema),
                  QuotedIdentifier(key.referenced_table), equal);
  if (run_(sql, {}) == 0) return;
  ThrowMissing(table, key,
               fmt::format("a row has a key that is not present in table \"{}\"", key.referenced_table));
}

}  // namespace scaup
