// Tells the statement what writes do to the foreign keys of a table, and to those that refer to it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "execution/run/query_context.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Notes of one table, for one task of an operator that writes to it. Nothing is noted where the context has
/// no place for it.
class ForeignKeyNotes {
 public:
  ForeignKeyNotes(QueryContext& context, TableEntryRef table);
  /// Rows of all columns that are inserted.
  void Inserted(DataChunk& rows);
  /// Before rows, at most 1024, are deleted; their numbers ascend.
  void Deleted(std::span<const RowNumber> rows);
  /// Before `columns` of rows are changed, in the same way.
  void Updated(std::span<const RowNumber> rows, std::span<const size_t> columns, DataChunk& values);

 private:
  struct Outgoing {
    size_t foreign_key;
    std::vector<size_t> columns;
  };
  struct Incoming {
    Catalog::Reference reference;
    std::vector<size_t> columns;
  };
  /// Finds those that refer to the table, when that is first asked.
  const std::vector<Incoming>& incoming();
  /// Some columns of rows, as they are before the statement.
  void Fetch(std::span<const RowNumber> rows, const std::vector<size_t>& columns, DataChunk& output);
  bool IsReferenced(std::span<const size_t> columns) const;

  QueryContext& context_;
  TableEntryRef table_;
  std::vector<Outgoing> outgoing_;
  std::optional<std::vector<Incoming>> incoming_;
  std::optional<TableView> view_;
};

}  // namespace scaup
