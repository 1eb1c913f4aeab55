// TableSnapshot and TableView: a table's row groups at one moment, and what one transaction sees of them.
#pragma once

#include <memory>
#include <vector>

#include "storage/row_group/row_group.hpp"
#include "storage/version/table_versions.hpp"

namespace scaup {

class AttributeCensus;

/// The row groups of a table after one commit, in row number order. Immutable; keeps the row groups alive.
struct TableSnapshot {
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  std::vector<RowNumber> first_rows;  ///< by row group: its first row number
  RowNumber next_row = 0;             ///< number of the next inserted row
  uint64_t row_count = 0;             ///< rows in the row groups, deleted ones included
  uint64_t deleted_count = 0;         ///< deleted rows among them
  /// Statistics by column of all values ever written. Bounds hold for all rows; counts are estimates.
  std::vector<ColumnStatistics> statistics;
  /// For a collection: how many documents have each attribute, exactly. Null for other tables.
  std::shared_ptr<const AttributeCensus> attributes;

  uint64_t live_row_count() const { return row_count - std::min(deleted_count, row_count); }
  /// Adds rows that are numbered from next_row on.
  void Append(std::shared_ptr<const RowGroup> row_group);
  /// Returns the index of the row group with row `row`. REQUIRES: there is one.
  size_t FindRowGroup(RowNumber row) const;
};

/// The part of a table that one reader sees: row groups, and in-place changes to them. A value type that
/// shares its contents.
struct TableView {
  /// Makes a view of the row groups without versions.
  static TableView Of(std::shared_ptr<const TableSnapshot> snapshot) {
    return {{}, {{std::move(snapshot), nullptr}}};
  }
  struct Part {
    std::shared_ptr<const TableSnapshot> snapshot;
    std::shared_ptr<const TableVersions> versions;  ///< null if there are none
  };
  ReadView reader;
  std::vector<Part> parts;  ///< committed rows; then the reader's own inserted rows, if any

  /// Returns an estimate of the number of rows.
  uint64_t row_count() const;
  /// Returns the exact number of rows that the reader sees. Reads versions where there are any, but no rows.
  uint64_t CountVisibleRows() const;
  size_t row_group_count() const;
};

}  // namespace scaup
