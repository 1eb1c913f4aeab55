// The row groups of a table at one moment, and how one transaction sees them.
#pragma once

#include <memory>
#include <vector>

#include "storage/row_group/row_group.hpp"
#include "storage/version/table_versions.hpp"

namespace scaup {

class AttributeCensus;

/// Row groups of a table after one commit, in the order of their rows' numbers. Immutable; keeps them alive.
struct TableSnapshot {
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  std::vector<RowNumber> first_rows;  ///< by row group: the number of its first row
  RowNumber next_row = 0;             ///< the number of the next row that is inserted
  uint64_t row_count = 0;             ///< of the row groups, deleted rows among them
  uint64_t deleted_count = 0;         ///< of them
  /// By column, of everything that was ever written: bounds hold, counts are estimates.
  std::vector<ColumnStatistics> statistics;
  /// The number of documents of a collection that have each attribute, exactly. Null for other tables.
  std::shared_ptr<const AttributeCensus> attributes;

  uint64_t live_row_count() const { return row_count - std::min(deleted_count, row_count); }
  /// Adds rows that are numbered from next_row on.
  void Append(std::shared_ptr<const RowGroup> row_group);
  /// Index of the row group with row `row`. REQUIRES: there is one.
  size_t FindRowGroup(RowNumber row) const;
};

/// The part of a table that one reader sees: row groups, and what was changed in place since. A value; shares
/// all of it.
struct TableView {
  /// The row groups as they are.
  static TableView Of(std::shared_ptr<const TableSnapshot> snapshot) {
    return {{}, {{std::move(snapshot), nullptr}}};
  }
  struct Part {
    std::shared_ptr<const TableSnapshot> snapshot;
    std::shared_ptr<const TableVersions> versions;  ///< null: none
  };
  ReadView reader;
  std::vector<Part> parts;  ///< the table; then, if the reader inserted something, that

  /// About how many rows there are: for estimates.
  uint64_t row_count() const;
  /// Exactly how many rows the reader sees. Looks at versions where there are any, at no rows.
  uint64_t CountVisibleRows() const;
  size_t row_group_count() const;
};

}  // namespace scaup
