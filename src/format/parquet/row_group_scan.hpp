// Reads the rows of one row group that pass the filters, filter columns first.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "format/parquet/column_reader.hpp"
#include "format/parquet/parquet_scan.hpp"
#include "function/cast_function.hpp"

namespace scaup {

/// The wishes of a scan for all row groups. Complete before the first row is read; then read by all threads.
struct ParquetWish {
  std::vector<size_t> columns;  ///< of the relation, in output order
  std::vector<ScanFilter> filters;
  std::vector<std::pair<size_t, RowTest>> tests;  ///< by column of the relation
};

/// Whether tests of rows reject enough to pay off; remembered by a thread from one row group to the next.
class ParquetTestTrial {
 public:
  void Add(size_t tried, size_t passed) {
    tried_rows_ += tried;
    passed_rows_ += passed;
  }
  /// Whether the tests are still on trial, or reject at least one row in `in`.
  bool PaysOff(size_t in) const {
    constexpr size_t kTrialRows = 16 * kVectorSize;
    return tried_rows_ < kTrialRows || passed_rows_ <= tried_rows_ / in * (in - 1);
  }

 private:
  size_t tried_rows_ = 0;
  size_t passed_rows_ = 0;
};

/// A thread's test of rows by several columns, and whether it rejects enough to pay off.
struct ParquetRowFilter {
  std::unique_ptr<RowFilter> filter;
  DataChunk rows;  ///< its columns
  ParquetTestTrial trial = {};
};

/// Rows of a row group, from `begin` to before `end`.
struct ParquetRows {
  size_t begin, end;
};

/// A cursor over a row group. Borrows all it gets. Functions throw ParquetDamage, and the errors of reading
/// and of casts. One thread at a time.
class RowGroupScan {
 public:
  /// `part`: the rows of the group that are wanted.
  RowGroupScan(const FunctionContext& context, const BoundParquet& bound, size_t file_index,
               size_t group_index, ParquetRows part, int64_t first_row, const ParquetWish& wish,
               ParquetTestTrial& trial, const ParquetReading& reading);

  /// Adds a test, which may be given up if it rejects few rows. Borrows it.
  void SetRowFilter(ParquetRowFilter& filter);
  /// Whether statistics, Bloom filters, dictionaries and page indexes leave any row. Ask first.
  bool MayHaveRows();
  /// Reads the next rows that pass; returns false at the end. `output` is after Release().
  bool Next(DataChunk& output);

 private:
  struct Column {
    size_t index;  ///< of the relation
    const FileColumn* source;
    const ParquetLeaf* leaf = nullptr;  ///< of a flat column
    const ParquetColumnChunk* chunk = nullptr;
    std::unique_ptr<ColumnReader> reader;
    LogicalType stored_type;
    std::optional<CastFunction> cast;
    std::vector<const ScanFilter*> filters;
    std::vector<const RowTest*> tests;
    std::optional<Vector> values;  ///< of the current rows, of a filter column
    std::optional<Vector> stored;  ///< before the cast
    const std::byte* tested_dictionary = nullptr;
    size_t tested_size = 0;
    std::vector<uint8_t> passes;  ///< by entry of that dictionary
    size_t lag = 0;               ///< rows that this column is behind; SIZE_MAX: it has read the current ones
  };
  Column& Need(size_t index);
  void ExpectIndexes();
  void ExpectColumns(bool is_whole);
  void OpenReader(Column& column);
  void NarrowByPageIndex(const Column& column, const ScanFilter& filter);
  bool ConstantPasses(const Column& column) const;
  bool DictionaryPasses(Column& column);
  bool BloomPasses(const Column& column);
  Vector& ValuesOf(Column& column);
  void ReadColumn(Column& column, size_t count, bool as_codes, Vector& output);
  void Mask(Column& column, size_t count);
  void MaskByDictionary(Column& column, size_t count);
  bool ChooseRows(size_t count);
  void ApplyRowFilter(size_t count, SelectionRef& selection);
  void Emit(size_t count, DataChunk& output);
  void Compact(const Vector& values, size_t count, Vector& output);
  void CompactFixed(const Vector& values, Vector& output);

  const FunctionContext& context_;
  const ParquetFile& file_;
  const std::vector<FileColumn>& sources_;
  const BoundParquet& bound_;
  const ParquetRowGroup& group_;
  const ParquetWish& wish_;
  ParquetTestTrial& trial_;
  ParquetReading reading_;
  ParquetRowFilter* row_filter_ = nullptr;
  std::vector<Column*> row_filter_columns_;
  int64_t first_row_;
  std::vector<std::unique_ptr<Column>> columns_;
  std::vector<Column*> filter_columns_;
  std::vector<Column*> outputs_;
  std::vector<ParquetRows> ranges_;  // of rows that may pass, by page indexes
  size_t range_ = 0;
  size_t row_ = 0;
  uint8_t mask_[kVectorSize];
  SelectionRef selection_;  // of the current rows; null for all
  size_t selected_ = 0;
};

}  // namespace scaup
