// Tells rows from empty lines, comments, and rows with a wrong number of fields.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/csv/csv_scan.hpp"
#include "format/csv/csv_tokenizer.hpp"

namespace scaup {

enum class CsvRowKind : uint8_t { kRow, kNothing, kBad };

/// The rows of one file of a scan. Borrows what was bound.
class CsvRowCheck {
 public:
  CsvRowCheck(const BoundCsv& bound, size_t field_count)
      : dialect_(bound.conversion.dialect), may_lack_fields_(bound.null_padding), field_count_(field_count) {}

  /// Whether nothing in the batch needs a look at single rows.
  bool AreAllGood(const CsvBatch& batch) const {
    if (dialect_.comment != '\0') return false;
    size_t row = 0;
    while (row < batch.row_count && batch.field_counts[row] == field_count_) row++;
    return row == batch.row_count;
  }

  CsvRowKind KindOf(const CsvBatch& batch, size_t row) const {
    if (dialect_.comment != '\0' && batch.data[batch.FieldBegin(row, 0)] == dialect_.comment)
      return CsvRowKind::kNothing;
    const size_t fields = batch.field_counts[row];
    if (fields == field_count_) return CsvRowKind::kRow;
    const bool ends_with_delimiter = dialect_.trailing_delimiter && fields == field_count_ + 1;
    if (ends_with_delimiter && IsEmptyField(batch, row, field_count_)) return CsvRowKind::kRow;
    if (fields == 1 && IsEmptyField(batch, row, 0)) return CsvRowKind::kNothing;
    return may_lack_fields_ && fields < field_count_ ? CsvRowKind::kRow : CsvRowKind::kBad;
  }

 private:
  bool IsEmptyField(const CsvBatch& batch, size_t row, size_t field) const {
    const uint32_t begin = batch.FieldBegin(row, field), end = batch.FieldEnd(row, field);
    return begin == end || (begin + 1 == end && batch.data[begin] == '\r' && dialect_.strip_cr);
  }

  const CsvDialect& dialect_;
  const bool may_lack_fields_;
  const size_t field_count_;
};

/// Which texts of a column of the relation are NULL.
inline CsvNulls NullsOf(const BoundCsv& bound, size_t column) {
  return bound.conversion.nulls.empty() ? CsvNulls::kUnquoted : bound.conversion.nulls[column];
}

}  // namespace scaup
