// Foreign key notes: records what writes do to the foreign keys of a table, and to those that reference it;
// which tables have unique constraints to be checked later; and the rows that triggers want to know.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "catalog/catalog_dependencies.hpp"
#include "execution/run/query_context.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Records key changes of one table, and changed rows for its triggers, for one task of an operator that
/// writes to it. All writes of statements pass it. Records nothing that the context does not collect.
class ForeignKeyNotes {
 public:
  ForeignKeyNotes(QueryContext& context, TableEntryRef table);
  /// Records inserted rows, which have all columns.
  void Inserted(DataChunk& rows);
  /// Called before rows, at most 1024, are deleted; their numbers ascend.
  void Deleted(std::span<const RowNumber> rows);
  /// Called before `columns` of rows are changed, likewise.
  void Updated(std::span<const RowNumber> rows, std::span<const size_t> columns, DataChunk& values);

 private:
  /// A foreign key of the table.
  struct Outgoing {
    size_t foreign_key;
    std::vector<size_t> columns;
  };
  /// A foreign key that references the table.
  struct Incoming {
    ForeignKeyReference reference;
    std::vector<size_t> columns;
  };
  /// Finds the foreign keys that reference the table, at the first call.
  const std::vector<Incoming>& incoming();
  /// Reads some columns of rows, as they were before the statement.
  void Fetch(std::span<const RowNumber> rows, const std::vector<size_t>& columns, DataChunk& output);
  bool IsReferenced(std::span<const size_t> columns) const;
  /// Records rows for triggers: the columns of `old_rows` and `new_rows`, which have all that are not hidden
  /// and may be null.
  void NoteRows(uint8_t event, DataChunk* old_rows, DataChunk* new_rows, size_t count);

  QueryContext& context_;
  TableEntryRef table_;
  std::vector<Outgoing> outgoing_;
  std::optional<std::vector<Incoming>> incoming_;
  std::optional<TableView> view_;
  /// The columns whose values triggers get; none if no trigger wants rows.
  std::vector<size_t> trigger_columns_;
};

}  // namespace scaup
