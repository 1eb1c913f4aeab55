// The documents of one block of a scan, and what is read out of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/table/table_columns.hpp"

namespace scaup {

/// Reads projections of one block after the other. Projections that are wanted of the same rows are read in
/// one pass over the records: those of filters of all rows, the others of the rows that passed. One thread.
class DocumentBlock {
 public:
  /// `filtered`: projections that are read of whole blocks; `chosen`: those that are read of chosen rows.
  DocumentBlock(const TableColumns& columns, std::vector<size_t> filtered, std::span<const size_t> chosen);

  /// Lets go of the block.
  void Clear();
  /// The records, as the reader of the table sees them, are put in here, after Clear.
  Vector& records() { return records_; }
  void SetHasRecords() { has_records_ = true; }
  bool has_records() const { return has_records_; }

  // REQUIRES: there are records.
  /// One of the projections of filters, flat, of all `row_count` rows.
  Vector& Filtered(size_t column, size_t row_count);
  /// Makes `outputs` the chosen projections of rows selection[0 .. count) of `row_count`; null: of all.
  void ReadChosen(size_t row_count, const SelectionRef& selection, size_t count,
                  std::span<Vector* const> outputs);

 private:
  std::vector<size_t> filtered_;
  std::unique_ptr<DocumentReader> filtered_reader_, chosen_reader_;
  Vector records_;
  bool has_records_ = false;
  std::vector<Vector> values_;  // Of filtered_.
  bool has_values_ = false;
};

}  // namespace scaup
