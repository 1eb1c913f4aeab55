// The CSV scan: each thread takes chunks, tokenizes them, and converts the wanted columns.
#include "format/csv/csv_scan.hpp"

#include <algorithm>
#include <optional>

#include "common/settings/settings.hpp"
#include "format/csv/csv_error.hpp"
#include "format/csv/csv_row_check.hpp"
#include "format/csv/csv_tokenizer.hpp"
#include "format/text/chunk_scan.hpp"

namespace scaup {
namespace {

uint64_t InputBytes(const BoundCsv& bound) {
  uint64_t total = 0;
  for (const TextFile& file : bound.files) total += file.size_bytes;
  return total;
}

using CsvScan = ChunkScan<CsvSource, CsvChunk, CsvError>;

class CsvLocal : public TableFunctionLocal {
 public:
  CsvLocal(const TableFunctionCall& call, CsvScan& scan)
      : bound_(static_cast<const BoundCsv&>(call.bound)), memory_(call.context.memory), chunk_(scan) {}

  void Next(const TableFunctionCall& call, DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      call.context.CheckInterrupt();
      CsvBatch batch;
      if (!chunk_.has_chunk() && !BeginChunk()) break;
      if (chunk_.IsBehindError()) {
        chunk_.End();
        break;
      }
      if (!tokenizer_.Next(batch)) {
        if (tokenizer_.has_unfinished_row()) {
          ReportUnfinished();
          break;
        }
        chunk_.End();
        chunk_.ThrowIfDue();
        continue;
      }
      memory_.Resize(tokenizer_.memory_bytes());
      const std::optional<CsvError> row_error = KeepGoodRows(batch);
      if (!Convert(call, batch, output)) break;
      if (row_error) {
        chunk_.Fail(*row_error);
        break;
      }
      if (output.size() != 0) return;
    }
    at_end_ = true;
    output.Release();
    chunk_.ThrowIfDue();
  }

 private:
  bool BeginChunk() {
    if (!chunk_.Begin()) return false;
    tokenizer_.Start(bound_.conversion.dialect, chunk_->buffer->data(), chunk_->begin, chunk_->end);
    return true;
  }

  CsvError ErrorAt(CsvErrorKind kind, size_t buffer_position) const {
    CsvError error{kind};
    error.offset = chunk_->file_offset + buffer_position;
    if (chunk_->first_line != 0) {
      const char* const text = chunk_->buffer->data();
      const auto lines = std::count(text, text + buffer_position, bound_.conversion.dialect.newline);
      error.line = chunk_->first_line + static_cast<uint64_t>(lines);
    }
    return error;
  }

  void ReportUnfinished() {
    chunk_.Fail(ErrorAt(CsvErrorKind::kUnterminatedQuote, tokenizer_.unfinished_row_begin()));
  }

  /// Skips what is no row and, if errors are ignored, rows with a wrong number of fields. Otherwise the batch
  /// is cut before the first such row, whose error is returned.
  std::optional<CsvError> KeepGoodRows(CsvBatch& batch) {
    const CsvRowCheck check(bound_, field_count());
    if (check.AreAllGood(batch)) return std::nullopt;
    size_t kept = 0;
    std::optional<CsvError> error;
    for (size_t row = 0; row < batch.row_count; row++) {
      const CsvRowKind kind = check.KindOf(batch, row);
      if (kind == CsvRowKind::kRow) {
        kept_counts_[kept] = batch.field_counts[row];
        kept_rows_[kept++] = batch.rows[row];
      } else if (kind == CsvRowKind::kBad && !bound_.ignore_errors) {
        error = ErrorAt(CsvErrorKind::kFieldCount, batch.FieldBegin(row, 0));
        error->field_count = batch.field_counts[row];
        break;
      }
    }
    batch.rows = kept_rows_;
    batch.field_counts = kept_counts_;
    batch.row_count = kept;
    batch.is_ragged = bound_.null_padding;
    return error;
  }

  size_t field_count() const { return bound_.field_counts[chunk_->file_index]; }

  /// Converts the wanted columns. Returns false after an error was reported.
  bool Convert(const TableFunctionCall& call, const CsvBatch& batch, DataChunk& output) {
    if (bound_.ignore_errors) bad_rows_.assign(batch.row_count, false);
    CsvFault first;
    size_t first_column = 0, first_field = 0;
    for (size_t i = 0; i < call.columns.size(); i++) {
      const FileColumn& source = bound_.sources[chunk_->file_index][call.columns[i]];
      Vector& result = output.column(i);
      if (source.source != FileColumn::Source::kStored) {
        result.ReferenceValue(source.constant);
        continue;
      }
      const size_t field = source.column;
      result.Reset();
      const bool is_last =
          field + 1 == field_count();  // before a trailing delimiter there is no '\r' to strip
      const CsvNulls nulls = NullsOf(bound_, call.columns[i]);
      const CsvFault fault = ConvertCsvColumn(bound_.conversion, batch, field, is_last, nulls, chunk_->buffer,
                                              bound_.ignore_errors ? &bad_rows_ : nullptr, result);
      if (fault.kind == CsvFieldFault::kNone) continue;
      const bool is_earlier = first.kind == CsvFieldFault::kNone || fault.row < first.row ||
                              (fault.row == first.row && field < first_field);
      if (!is_earlier) continue;
      first = fault;
      first_column = call.columns[i];
      first_field = field;
    }
    if (first.kind != CsvFieldFault::kNone) {
      ReportFault(batch, first, first_column, first_field);
      return false;
    }
    output.SetSize(batch.row_count);
    output.batch_index = chunk_->sequence;
    if (bound_.ignore_errors) DropRows(bad_rows_, output);
    return true;
  }

  void ReportFault(const CsvBatch& batch, const CsvFault& fault, size_t column, size_t field) {
    CsvErrorKind kind = CsvErrorKind::kBadValue;
    if (fault.kind == CsvFieldFault::kBadUtf8) kind = CsvErrorKind::kBadUtf8;
    if (fault.kind == CsvFieldFault::kTextAfterQuote) kind = CsvErrorKind::kTextAfterQuote;
    CsvError error = ErrorAt(kind, batch.FieldBegin(fault.row, field));
    error.column = column;
    error.field = field;
    error.text = CsvFieldText(bound_.conversion, batch, fault.row, field, field + 1 == field_count());
    chunk_.Fail(std::move(error));
  }

  const BoundCsv& bound_;
  MemoryReservation memory_;
  CsvTokenizer tokenizer_;
  ChunkInWork<CsvScan> chunk_;
  bool at_end_ = false;
  CsvBadRows bad_rows_;
  uint32_t kept_rows_[kVectorSize];
  uint32_t kept_counts_[kVectorSize];
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateCsvShared(const TableFunctionCall& call) {
  const auto& bound = static_cast<const BoundCsv&>(call.bound);
  const FunctionContext& context = call.context;
  return std::make_unique<CsvScan>([&](const CsvError& error) { ThrowCsvError(context, bound, error); },
                                   context, bound.files, bound.conversion.dialect,
                                   ScanChunkBytes(bound.chunk_bytes, InputBytes(bound), context));
}

std::unique_ptr<TableFunctionLocal> CreateCsvLocal(const TableFunctionCall& call,
                                                   TableFunctionShared& shared) {
  return std::make_unique<CsvLocal>(call, static_cast<CsvScan&>(shared));
}

void NextCsvChunk(const TableFunctionCall& call, TableFunctionShared&, TableFunctionLocal& local,
                  DataChunk& output) {
  static_cast<CsvLocal&>(local).Next(call, output);
}

}  // namespace scaup
