// Foreign key notes: recording key changes.
#include "execution/write/foreign_key_notes.hpp"

#include <algorithm>

#include "catalog/catalog_dependencies.hpp"
#include "execution/write/key_changes.hpp"
#include "execution/write/row_changes.hpp"

namespace scaup {

namespace {

std::vector<size_t> PositionsOf(const TableEntry& table, const std::vector<std::string>& names) {
  std::vector<size_t> positions;
  for (const std::string& name : names) positions.push_back(table.FindColumn(name).value());
  return positions;
}

std::vector<LogicalType> TypesOf(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table.columns[column].type);
  return types;
}

bool HaveCommon(std::span<const size_t> a, std::span<const size_t> b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

}  // namespace

ForeignKeyNotes::ForeignKeyNotes(QueryContext& context, TableEntryRef table)
    : context_(context), table_(std::move(table)) {
  if (context.row_changes != nullptr && !table_->constraints.triggers.empty())
    trigger_columns_ = table_->VisibleColumns();
  if (context.key_changes == nullptr) return;
  const auto& uniques = table_->constraints.uniques;
  if (std::any_of(uniques.begin(), uniques.end(),
                  [](const UniqueConstraint& unique) { return unique.deferral.is_deferrable; }))
    context.key_changes->AddTable(table_);
  const auto& keys = table_->constraints.foreign_keys;
  // An index of another table holds what texts have in common that are equal though they differ.
  for (size_t i = 0; i < keys.size(); i++)
    outgoing_.push_back({i, PositionsOf(*table_, table_->KeyColumns(keys[i].columns))});
}

void ForeignKeyNotes::NoteRows(uint8_t event, DataChunk* old_rows, DataChunk* new_rows, size_t count) {
  DataChunk rows(ChangedRowTypes(*table_, event));
  size_t column = 0;
  for (DataChunk* part : {old_rows, new_rows}) {
    if (part == nullptr) continue;
    for (size_t i = 0; i < trigger_columns_.size(); i++) rows.column(column++).Reference(part->column(i));
  }
  rows.SetSize(count);
  context_.row_changes->AddRows(context_, table_, event, rows);
}

void ForeignKeyNotes::Inserted(DataChunk& rows) {
  if (!trigger_columns_.empty() && RowChanges::WantsRows(*table_, kOnInsert, {})) {
    DataChunk inserted(TypesOf(*table_, trigger_columns_));
    for (size_t i = 0; i < trigger_columns_.size(); i++)
      inserted.column(i).Reference(rows.column(trigger_columns_[i]));
    NoteRows(kOnInsert, nullptr, &inserted, rows.size());
  }
  for (const Outgoing& outgoing : outgoing_) {
    DataChunk keys(TypesOf(*table_, outgoing.columns));
    for (size_t i = 0; i < outgoing.columns.size(); i++)
      keys.column(i).Reference(rows.column(outgoing.columns[i]));
    keys.SetSize(rows.size());
    context_.key_changes->AddWritten(context_, table_, outgoing.foreign_key, keys);
  }
}

void ForeignKeyNotes::Deleted(std::span<const RowNumber> rows) {
  if (!rows.empty() && !trigger_columns_.empty() && RowChanges::WantsRows(*table_, kOnDelete, {})) {
    DataChunk old(TypesOf(*table_, trigger_columns_));
    Fetch(rows, trigger_columns_, old);
    NoteRows(kOnDelete, &old, nullptr, rows.size());
  }
  for (const Incoming& incoming : incoming()) {
    DataChunk keys(TypesOf(*table_, incoming.columns));
    Fetch(rows, incoming.columns, keys);
    context_.key_changes->AddRemoved(context_, incoming.reference, false, keys);
  }
}

void ForeignKeyNotes::Updated(std::span<const RowNumber> rows, std::span<const size_t> columns,
                              DataChunk& values) {
  /// Columns of the rows after the update; columns that are not written are read from the table.
  const auto take_new = [&](const std::vector<size_t>& wanted, DataChunk& output, size_t first) {
    DataChunk old(TypesOf(*table_, wanted));
    Fetch(rows, wanted, old);
    for (size_t i = 0; i < wanted.size(); i++) {
      const auto place = std::find(columns.begin(), columns.end(), wanted[i]);
      output.column(first + i).Reference(place == columns.end()
                                             ? old.column(i)
                                             : values.column(static_cast<size_t>(place - columns.begin())));
    }
  };
  // Which columns the statement has set, the target of the changes knows, not `columns`.
  if (!rows.empty() && !trigger_columns_.empty() &&
      RowChanges::WantsRows(*table_, kOnUpdate, table_->AllColumns())) {
    DataChunk old(TypesOf(*table_, trigger_columns_)), changed(TypesOf(*table_, trigger_columns_));
    Fetch(rows, trigger_columns_, old);
    take_new(trigger_columns_, changed, 0);
    NoteRows(kOnUpdate, &old, &changed, rows.size());
  }
  for (const Outgoing& outgoing : outgoing_) {
    if (!HaveCommon(outgoing.columns, columns)) continue;
    DataChunk keys(TypesOf(*table_, outgoing.columns));
    take_new(outgoing.columns, keys, 0);
    keys.SetSize(rows.size());
    context_.key_changes->AddWritten(context_, table_, outgoing.foreign_key, keys);
  }
  if (!IsReferenced(columns)) return;
  for (const Incoming& incoming : incoming()) {
    if (!HaveCommon(incoming.columns, columns)) continue;
    const size_t count = incoming.columns.size();
    std::vector<LogicalType> types = TypesOf(*table_, incoming.columns);
    DataChunk old(types);
    Fetch(rows, incoming.columns, old);
    types.insert(types.end(), types.begin(), types.begin() + static_cast<ptrdiff_t>(count));
    DataChunk keys(types);
    for (size_t i = 0; i < count; i++) keys.column(i).Reference(old.column(i));
    take_new(incoming.columns, keys, count);
    keys.SetSize(rows.size());
    context_.key_changes->AddRemoved(context_, incoming.reference, true, keys);
  }
}

bool ForeignKeyNotes::IsReferenced(std::span<const size_t> columns) const {
  const auto& uniques = table_->constraints.uniques;
  return context_.key_changes != nullptr &&
         std::any_of(uniques.begin(), uniques.end(), [&](const UniqueConstraint& unique) {
           return HaveCommon(PositionsOf(*table_, unique.columns), columns);
         });
}

const std::vector<ForeignKeyNotes::Incoming>& ForeignKeyNotes::incoming() {
  if (incoming_) return *incoming_;
  incoming_.emplace();
  // Only unique columns can be referenced.
  if (context_.key_changes == nullptr || table_->constraints.uniques.empty()) return *incoming_;
  const QueryContext::Database database = context_.DatabaseOf(*table_->storage);
  for (const auto& reference : ReferencesTo(database.catalog, database.transaction, *table_))
    incoming_->push_back({reference, PositionsOf(*table_, reference.key().referenced_columns)});
  return *incoming_;
}

void ForeignKeyNotes::Fetch(std::span<const RowNumber> rows, const std::vector<size_t>& columns,
                            DataChunk& output) {
  const Table& table = *table_->storage;
  if (!view_) view_ = table.UnloggedView(context_.transaction);
  RowFetcher(*view_, table.types(), columns, context_.functions.kernels).Fetch(rows, output);
}

}  // namespace scaup
