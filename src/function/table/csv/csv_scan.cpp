// Each thread takes a chunk, finds its fields, and converts those of the wanted columns, 1024 rows at a time.
#include "function/table/csv/csv_scan.hpp"

#include <algorithm>
#include <optional>

#include "common/settings.hpp"
#include "common/throw.hpp"
#include "function/table/csv/csv_error.hpp"
#include "function/table/csv/csv_tokenizer.hpp"
#include "function/table/earliest_error.hpp"

namespace scaup {
namespace {

/// Large enough that a chunk of usual rows fills a row group of the table that it is copied into.
constexpr size_t kLargestChunk = 16 << 20;
constexpr size_t kSmallestChunk = 256 << 10;

size_t ChunkBytes(const BoundCsv& bound, size_t threads) {
  if (bound.chunk_bytes != 0) return bound.chunk_bytes;
  uint64_t total = 0;
  for (const TextFile& file : bound.files) total += file.size_bytes;
  return std::clamp<uint64_t>(total / (8 * threads), kSmallestChunk, kLargestChunk);
}

class CsvShared : public TableFunctionShared {
 public:
  CsvShared(const FunctionContext& context, const BoundCsv& bound)
      : context_(context),
        bound_(bound),
        source_(context, bound.files, bound.conversion.dialect, ChunkBytes(bound, context.settings.threads)) {
  }

  double Progress() const override { return source_.Progress(); }

  bool Begin(CsvChunk& chunk) {
    if (!errors_.BeginTaking()) return false;
    const bool found = source_.Next(chunk);
    errors_.EndTaking(found ? std::optional(chunk.sequence) : std::nullopt);
    return found;
  }
  void Abandon(uint64_t sequence) { errors_.Release(sequence); }
  void Report(CsvError error) {
    source_.Stop();
    errors_.Report(std::move(error));
  }
  bool IsBehindError(uint64_t sequence) { return errors_.IsBehind(sequence); }
  void ThrowIfDue() {
    if (const std::optional<CsvError> due = errors_.Due()) ThrowCsvError(context_, bound_, *due);
  }

 private:
  const FunctionContext& context_;
  const BoundCsv& bound_;
  CsvSource source_;
  EarliestError<CsvError> errors_;
};

class CsvLocal : public TableFunctionLocal {
 public:
  CsvLocal(const TableFunctionCall& call, CsvShared& shared)
      : bound_(static_cast<const BoundCsv&>(call.bound)), shared_(shared), memory_(call.context.memory) {}
  ~CsvLocal() override {
    if (has_chunk_) shared_.Abandon(chunk_.sequence);
  }

  void Next(const TableFunctionCall& call, DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      call.context.CheckInterrupt();
      CsvBatch batch;
      if (!has_chunk_ && !BeginChunk()) break;
      if (shared_.IsBehindError(chunk_.sequence)) {
        EndChunk();
        break;
      }
      if (!tokenizer_.Next(batch)) {
        if (tokenizer_.has_unfinished_row()) {
          ReportUnfinished();
          break;
        }
        EndChunk();
        shared_.ThrowIfDue();
        continue;
      }
      memory_.Resize(tokenizer_.memory_bytes());
      const std::optional<CsvError> row_error = KeepGoodRows(batch);
      if (!Convert(call, batch, output)) break;
      if (row_error) {
        Fail(*row_error);
        break;
      }
      if (output.size() != 0) return;
    }
    at_end_ = true;
    output.Release();
    shared_.ThrowIfDue();
  }

 private:
  bool BeginChunk() {
    chunk_ = CsvChunk();  // Lets go of the old text first.
    if (!shared_.Begin(chunk_)) return false;
    has_chunk_ = true;
    tokenizer_.Start(bound_.conversion.dialect, chunk_.buffer->data(), chunk_.begin, chunk_.end);
    return true;
  }

  void EndChunk() {
    shared_.Abandon(chunk_.sequence);
    has_chunk_ = false;
  }

  void Fail(CsvError error) {
    shared_.Report(std::move(error));
    EndChunk();
  }

  CsvError ErrorAt(CsvErrorKind kind, size_t buffer_position) const {
    CsvError error{kind};
    error.sequence = chunk_.sequence;
    error.file_index = chunk_.file_index;
    error.offset = chunk_.file_offset + buffer_position;
    return error;
  }

  void ReportUnfinished() {
    Fail(ErrorAt(CsvErrorKind::kUnterminatedQuote, tokenizer_.unfinished_row_begin()));
  }

  /// Leaves out empty lines and, when errors are ignored, rows with a wrong number of fields. Otherwise the
  /// batch ends before the first such row, whose error is returned.
  std::optional<CsvError> KeepGoodRows(CsvBatch& batch) {
    const size_t columns = bound_.column_names.size();
    size_t regular = 0;
    while (regular < batch.row_count && batch.field_counts[regular] == columns) regular++;
    if (regular == batch.row_count) return std::nullopt;
    size_t kept = 0;
    std::optional<CsvError> error;
    for (size_t row = 0; row < batch.row_count; row++) {
      if (HasAllFields(batch, row, columns)) {
        kept_rows_[kept++] = batch.rows[row];
      } else if (!IsBlank(batch, row) && !bound_.ignore_errors) {
        error = ErrorAt(CsvErrorKind::kFieldCount, batch.FieldBegin(row, 0));
        error->field_count = batch.field_counts[row];
        break;
      }
    }
    batch.rows = kept_rows_;
    batch.row_count = kept;
    return error;
  }

  bool HasAllFields(const CsvBatch& batch, size_t row, size_t columns) const {
    const size_t fields = batch.field_counts[row];
    if (fields == columns) return true;
    return bound_.conversion.dialect.trailing_delimiter && fields == columns + 1 &&
           IsEmptyField(batch, row, columns);
  }
  bool IsBlank(const CsvBatch& batch, size_t row) const {
    return batch.field_counts[row] == 1 && IsEmptyField(batch, row, 0);
  }
  /// Of a row's last field.
  bool IsEmptyField(const CsvBatch& batch, size_t row, size_t field) const {
    const uint32_t begin = batch.FieldBegin(row, field), end = batch.FieldEnd(row, field);
    return begin == end ||
           (begin + 1 == end && batch.data[begin] == '\r' && bound_.conversion.dialect.strip_cr);
  }

  /// False after an error was reported.
  bool Convert(const TableFunctionCall& call, const CsvBatch& batch, DataChunk& output) {
    const size_t columns = bound_.column_names.size();
    if (bound_.ignore_errors) bad_rows_.assign(batch.row_count, false);
    CsvFault first;
    size_t first_field = 0;
    for (size_t i = 0; i < call.columns.size(); i++) {
      const size_t field = call.columns[i];
      Vector& result = output.column(i);
      result.Reset();
      const bool is_last = field + 1 == columns;  // Behind a trailing delimiter stands no '\r' to strip.
      const CsvFault fault = ConvertCsvColumn(bound_.conversion, batch, field, is_last, chunk_.buffer,
                                              bound_.ignore_errors ? &bad_rows_ : nullptr, result);
      if (fault.kind == CsvFieldFault::kNone) continue;
      const bool is_earlier = first.kind == CsvFieldFault::kNone || fault.row < first.row ||
                              (fault.row == first.row && field < first_field);
      if (!is_earlier) continue;
      first = fault;
      first_field = field;
    }
    if (first.kind != CsvFieldFault::kNone) {
      ReportFault(batch, first, first_field);
      return false;
    }
    output.SetSize(batch.row_count);
    output.batch_index = chunk_.sequence;
    if (bound_.ignore_errors) DropBadRows(output);
    return true;
  }

  void ReportFault(const CsvBatch& batch, const CsvFault& fault, size_t field) {
    CsvErrorKind kind = CsvErrorKind::kBadValue;
    if (fault.kind == CsvFieldFault::kBadUtf8) kind = CsvErrorKind::kBadUtf8;
    if (fault.kind == CsvFieldFault::kTextAfterQuote) kind = CsvErrorKind::kTextAfterQuote;
    CsvError error = ErrorAt(kind, batch.FieldBegin(fault.row, field));
    error.field = field;
    error.text =
        CsvFieldText(bound_.conversion, batch, fault.row, field, field + 1 == bound_.column_names.size());
    Fail(std::move(error));
  }

  void DropBadRows(DataChunk& output) {
    if (std::find(bad_rows_.begin(), bad_rows_.end(), true) == bad_rows_.end()) return;
    auto selection = std::make_shared<SelectionVector>();
    size_t kept = 0;
    for (size_t row = 0; row < bad_rows_.size(); row++) {
      if (!bad_rows_[row]) selection->rows[kept++] = static_cast<sel_t>(row);
    }
    output.Slice(selection, kept);
  }

  const BoundCsv& bound_;
  CsvShared& shared_;
  MemoryReservation memory_;
  CsvTokenizer tokenizer_;
  CsvChunk chunk_;
  bool has_chunk_ = false;
  bool at_end_ = false;
  CsvBadRows bad_rows_;
  uint32_t kept_rows_[kVectorSize];
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateCsvShared(const TableFunctionCall& call) {
  return std::make_unique<CsvShared>(call.context, static_cast<const BoundCsv&>(call.bound));
}

std::unique_ptr<TableFunctionLocal> CreateCsvLocal(const TableFunctionCall& call,
                                                   TableFunctionShared& shared) {
  return std::make_unique<CsvLocal>(call, static_cast<CsvShared&>(shared));
}

void NextCsvChunk(const TableFunctionCall& call, TableFunctionShared&, TableFunctionLocal& local,
                  DataChunk& output) {
  static_cast<CsvLocal&>(local).Next(call, output);
}

}  // namespace scaup
