// Reads CSV files in order, by one thread, and keeps what does not fit instead of what does.
#include "format/csv/csv_rejects.hpp"

#include <algorithm>
#include <deque>

#include "common/lock/mutex.hpp"
#include "common/settings/settings.hpp"
#include "format/csv/csv_error.hpp"
#include "format/csv/csv_row_check.hpp"
#include "format/csv/read_csv.hpp"
#include "format/text/chunk_scan.hpp"
#include "type/text/utf8_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

enum RejectColumn : size_t { kFile, kLine, kColumn, kError, kText };

struct BoundCsvRejects final : BoundTableFunction {
  std::shared_ptr<const BoundCsv> csv;
};

/// A row that does not fit, or a value of one.
struct CsvReject {
  size_t file_index = 0;
  uint64_t line = 0;
  std::optional<size_t> column = std::nullopt;  ///< of the relation
  std::string error;
  std::string text;  ///< of the row
};

/// Bytes of a file as text; others than UTF-8 in hexadecimal.
std::string ShownBytes(std::string_view bytes) {
  return IsText(bytes) ? std::string(bytes) : BlobToString(bytes);
}

/// Finds what does not fit, in the order of the files. One thread at a time.
class CsvRejectReader {
 public:
  CsvRejectReader(const FunctionContext& context, const BoundCsv& csv)
      : context_(context),
        csv_(csv),
        source_(context, csv.files, csv.conversion.dialect,
                ScanChunkBytes(csv.chunk_bytes, TotalBytes(csv), context)) {
    for (const LogicalType& type : csv.column_types) values_.emplace_back(type);
  }

  /// Returns false at the end.
  bool Next(CsvReject& reject) {
    while (found_.empty()) {
      context_.CheckInterrupt();
      if (!ReadBatch()) return false;
    }
    reject = std::move(found_.front());
    found_.pop_front();
    return true;
  }
  double Progress() const { return source_.Progress(); }

 private:
  static uint64_t TotalBytes(const BoundCsv& csv) {
    uint64_t total = 0;
    for (const TextFile& file : csv.files) total += file.size_bytes;
    return total;
  }

  bool ReadBatch() {
    if (!has_chunk_ && !BeginChunk()) return false;
    CsvBatch batch;
    if (tokenizer_.Next(batch)) {
      Examine(batch);
      return true;
    }
    if (tokenizer_.has_unfinished_row()) {
      const size_t begin = tokenizer_.unfinished_row_begin();
      Add({CsvErrorKind::kUnterminatedQuote}, begin, std::nullopt, {});
    }
    LineAt(std::min(chunk_.end, chunk_.buffer->size));
    has_chunk_ = false;
    return true;
  }

  bool BeginChunk() {
    const bool is_first = chunk_.buffer == nullptr;
    const size_t file_before = chunk_.file_index;
    chunk_ = CsvChunk();
    if (!source_.Next(chunk_)) return false;
    if (is_first || chunk_.file_index != file_before) line_ = FirstLine(csv_.files[chunk_.file_index]);
    counted_ = chunk_.begin;
    tokenizer_.Start(csv_.conversion.dialect, chunk_.buffer->data(), chunk_.begin, chunk_.end);
    has_chunk_ = true;
    return true;
  }

  /// The number of the line where the rows of a file begin.
  uint64_t FirstLine(const TextFile& file) const {
    if (file.pipe != nullptr) return chunk_.first_line;
    return LineNumberAt(context_, file, file.data_begin, csv_.conversion.dialect.newline);
  }

  /// The number of the line of a position, which is not before the last one.
  uint64_t LineAt(size_t position) {
    const char* const text = chunk_.buffer->data();
    line_ += static_cast<uint64_t>(
        std::count(text + counted_, text + std::max(position, counted_), csv_.conversion.dialect.newline));
    counted_ = std::max(position, counted_);
    return line_;
  }

  void Add(CsvError error, size_t row_begin, std::optional<size_t> column, std::string_view row_text) {
    error.file_index = chunk_.file_index;
    found_.push_back(
        {chunk_.file_index, LineAt(row_begin), column, DescribeCsvError(csv_, error), ShownBytes(row_text)});
  }

  /// Collects the rows of a batch that are none, and the values of the others that do not fit.
  void Examine(const CsvBatch& batch) {
    const size_t field_count = csv_.field_counts[chunk_.file_index];
    const CsvRowCheck check(csv_, field_count);
    std::vector<CsvRowKind> kinds;
    CsvBatch rows = batch;
    rows.rows = rows_;
    rows.field_counts = counts_;
    rows.row_count = 0;
    rows.is_ragged = csv_.null_padding;
    for (size_t row = 0; row < batch.row_count; row++) {
      kinds.push_back(check.KindOf(batch, row));
      if (kinds.back() != CsvRowKind::kRow) continue;
      counts_[rows.row_count] = batch.field_counts[row];
      rows_[rows.row_count++] = batch.rows[row];
    }
    const std::vector<CsvBadRows> bad = BadValues(rows, field_count);
    size_t good = 0;  // in `rows`
    for (size_t row = 0; row < batch.row_count; row++) {
      if (kinds[row] == CsvRowKind::kBad) AddBadRow(batch, row);
      if (kinds[row] == CsvRowKind::kRow) AddBadValues(rows, good++, bad, field_count);
    }
  }

  /// Marks for each column the rows whose values do not fit.
  std::vector<CsvBadRows> BadValues(const CsvBatch& rows, size_t field_count) {
    std::vector<CsvBadRows> bad(values_.size(), CsvBadRows(rows.row_count, false));
    for (size_t column = 0; column < values_.size(); column++) {
      const FileColumn& source = csv_.sources[chunk_.file_index][column];
      if (source.source != FileColumn::Source::kStored) continue;
      values_[column].Reset();
      ConvertCsvColumn(csv_.conversion, rows, source.column, source.column + 1 == field_count,
                       NullsOf(csv_, column), chunk_.buffer, &bad[column], values_[column]);
    }
    return bad;
  }

  void AddBadRow(const CsvBatch& batch, size_t row) {
    CsvError error{CsvErrorKind::kFieldCount};
    error.field_count = batch.field_counts[row];
    Add(error, batch.FieldBegin(row, 0), std::nullopt, RowText(batch, row));
  }

  void AddBadValues(const CsvBatch& rows, size_t row, const std::vector<CsvBadRows>& bad,
                    size_t field_count) {
    for (size_t column = 0; column < bad.size(); column++) {
      if (!bad[column][row]) continue;
      const size_t field = csv_.sources[chunk_.file_index][column].column;
      const bool is_last = field + 1 == field_count;
      CsvError error{KindOf(rows, row, column, field, is_last)};
      error.column = column;
      error.field = field;
      error.text = CsvFieldText(csv_.conversion, rows, row, field, is_last);
      Add(error, rows.FieldBegin(row, 0), column, RowText(rows, row));
    }
  }

  /// Converts a value once more, by itself, to learn what is wrong with it.
  CsvErrorKind KindOf(const CsvBatch& rows, size_t row, size_t column, size_t field, bool is_last) {
    CsvBatch single = rows;
    single.rows = rows.rows + row;
    single.field_counts = rows.field_counts + row;
    single.row_count = 1;
    Vector value(csv_.column_types[column]);
    value.Reset();
    const CsvFault fault = ConvertCsvColumn(csv_.conversion, single, field, is_last, NullsOf(csv_, column),
                                            chunk_.buffer, nullptr, value);
    if (fault.kind == CsvFieldFault::kBadUtf8) return CsvErrorKind::kBadUtf8;
    return fault.kind == CsvFieldFault::kTextAfterQuote ? CsvErrorKind::kTextAfterQuote
                                                        : CsvErrorKind::kBadValue;
  }

  static std::string_view RowText(const CsvBatch& batch, size_t row) {
    const uint32_t begin = batch.FieldBegin(row, 0);
    const uint32_t end = batch.FieldEnd(row, batch.field_counts[row] - 1);
    const std::string_view text(batch.data + begin, end - begin);
    return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
  }

  const FunctionContext& context_;
  const BoundCsv& csv_;
  CsvSource source_;
  CsvTokenizer tokenizer_;
  CsvChunk chunk_;
  bool has_chunk_ = false;
  uint64_t line_ = 1;
  size_t counted_ = 0;  ///< the position in the chunk whose line is `line_`
  std::vector<Vector> values_;
  std::deque<CsvReject> found_;
  uint32_t rows_[kVectorSize];
  uint32_t counts_[kVectorSize];
};

/// The reader that all threads share; the first one that comes reads everything.
class CsvRejectScan final : public TableFunctionShared {
 public:
  CsvRejectScan(const FunctionContext& context, const BoundCsv& csv) : reader_(context, csv) {}
  double Progress() const override { return -1; }

  void Next(const TableFunctionCall& call, const BoundCsv& csv, DataChunk& output) {
    const MutexLock lock(mutex_);
    CsvReject reject;
    size_t count = 0;
    for (size_t i = 0; i < call.columns.size(); i++) output.column(i).Reset();
    for (; count < kVectorSize && reader_.Next(reject); count++) {
      for (size_t i = 0; i < call.columns.size(); i++)
        output.column(i).SetValue(count, ValueOf(reject, csv, static_cast<RejectColumn>(call.columns[i])));
    }
    output.SetSize(count);
    output.batch_index = next_batch_++;
  }

 private:
  static Value ValueOf(const CsvReject& reject, const BoundCsv& csv, RejectColumn column) {
    switch (column) {
      case kFile: return Value::Varchar(csv.files[reject.file_index].path);
      case kLine: return Value::BigInt(static_cast<int64_t>(reject.line));
      case kColumn:
        return reject.column ? Value::Varchar(csv.column_names[*reject.column]) : Value(TypeId::kVarchar);
      case kError: return Value::Varchar(reject.error);
      case kText: return Value::Varchar(reject.text);
    }
    return Value(TypeId::kVarchar);
  }

  Mutex mutex_;
  CsvRejectReader reader_ SCAUP_GUARDED_BY(mutex_);
  uint64_t next_batch_ SCAUP_GUARDED_BY(mutex_) = 0;
};

std::unique_ptr<BoundTableFunction> BindCsvRejects(const FunctionContext& context,
                                                   const TableFunctionArguments& arguments) {
  FileRelationOptions relation;
  const CsvOptions options = ParseCsvOptions(TakeRelationOptions(arguments, relation), CsvUse::kRead);
  auto bound = std::make_unique<BoundCsvRejects>();
  std::shared_ptr<const BoundTableFunction> csv =
      BindCsv(context, FindFiles(context, "read_csv_rejects", arguments.positional.at(0)), options, relation);
  bound->csv = std::static_pointer_cast<const BoundCsv>(std::move(csv));
  bound->column_names = {"filename", "line", "column_name", "error", "csv_line"};
  bound->column_types = {TypeId::kVarchar, TypeId::kBigInt, TypeId::kVarchar, TypeId::kVarchar,
                         TypeId::kVarchar};
  return bound;
}

std::unique_ptr<TableFunctionShared> CreateRejectsShared(const TableFunctionCall& call) {
  return std::make_unique<CsvRejectScan>(call.context, *static_cast<const BoundCsvRejects&>(call.bound).csv);
}

std::unique_ptr<TableFunctionLocal> CreateRejectsLocal(const TableFunctionCall&, TableFunctionShared&) {
  return std::make_unique<TableFunctionLocal>();
}

void NextRejects(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal&,
                 DataChunk& output) {
  static_cast<CsvRejectScan&>(shared).Next(call, *static_cast<const BoundCsvRejects&>(call.bound).csv,
                                           output);
}

}  // namespace

TableFunction MakeReadCsvRejects() {
  TableFunction function;
  function.name = "read_csv_rejects";
  function.argument_types = {TypeId::kNull};
  function.named_arguments = TextRelationArguments();
  for (const auto& [name, type] : CsvReadOptionTypes()) function.named_arguments.emplace(name, type);
  function.description =
      "What read_csv leaves out of CSV files when it ignores errors: file, line, column, error and text.";
  function.example = "SELECT line, column_name, error FROM read_csv_rejects('data.csv')";
  function.bind = BindCsvRejects;
  function.create_shared = CreateRejectsShared;
  function.create_local = CreateRejectsLocal;
  function.next = NextRejects;
  return function;
}

}  // namespace scaup
