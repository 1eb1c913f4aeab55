// Hands batches to threads, and reads their columns.
#include "format/arrow/file/arrow_file_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_reader.hpp"
#include "format/arrow/ipc/flat_table.hpp"
#include "format/files/unit_scan.hpp"
#include "function/cast_function.hpp"

namespace scaup {

namespace {

/// A batch of a file.
struct ArrowBatchTask {
  uint64_t sequence = 0;
  size_t file_index = 0;
  size_t batch = 0;
  uint64_t first_vector = 0;  ///< in the whole scan
};

struct ArrowFileError {
  uint64_t sequence = 0;
  size_t file_index = 0;
  std::optional<Error> error;
};

std::vector<ArrowBatchTask> ListBatches(const BoundArrowFiles& bound) {
  std::vector<ArrowBatchTask> tasks;
  uint64_t vector = 0;
  for (size_t i = 0; i < bound.files.size(); i++) {
    const ArrowFile& file = *bound.files[i];
    for (size_t batch = 0; batch < file.batch_count(); batch++) {
      tasks.push_back({tasks.size(), i, batch, vector});
      const uint64_t end = batch + 1 < file.batch_count() ? file.first_row(batch + 1) : file.row_count();
      vector += (end - file.first_row(batch)) / kVectorSize + 1;
    }
  }
  return tasks;
}

using ArrowFileScanBase = ChunkScan<UnitSource<ArrowBatchTask>, ArrowBatchTask, ArrowFileError>;

class ArrowFileScan final : public ArrowFileScanBase {
 public:
  explicit ArrowFileScan(const BoundArrowFiles& bound)
      : ChunkScan(
            [&bound](const ArrowFileError& failure) {
              const Error& error = *failure.error;
              ThrowError(error.kind(), error.sqlstate(),
                         fmt::format("could not read \"{}\": {}", bound.files[failure.file_index]->path(),
                                     error.message()));
            },
            ListBatches(bound)) {}
};

class ArrowFileLocal final : public UnitReader<ArrowFileScanBase> {
 public:
  ArrowFileLocal(const TableFunctionCall& call, ArrowFileScan& scan)
      : UnitReader(call.context, scan),
        bound_(static_cast<const BoundArrowFiles&>(call.bound)),
        columns_(call.columns) {}

 private:
  /// Returns whether an error tells of what a file has.
  static bool IsOfFile(const Error& error) {
    return error.kind() == ErrorKind::kConversion || error.kind() == ErrorKind::kNotSupported ||
           error.kind() == ErrorKind::kOutOfRange || error.kind() == ErrorKind::kIo;
  }

  void EndUnit() override { rows_ = nullptr; }

  std::optional<ArrowFileError> FaultOfFile() override {
    try {
      throw;
    } catch (const Error& error) {
      if (!IsOfFile(error)) return std::nullopt;
      return ArrowFileError{.error = error};
    } catch (...) {
      return std::nullopt;
    }
  }

  bool Fill(DataChunk& output) override {
    if (rows_ == nullptr) BeginTask();
    const size_t length = static_cast<size_t>(rows_->length);
    if (row_ == length) return false;
    const size_t count = std::min(kVectorSize, length - row_);
    output.Release();
    for (size_t i = 0; i < columns_.size(); i++) ReadColumn(columns_[i], i, count, output.column(i));
    output.SetSize(count);
    output.batch_index = next_vector_++;
    row_ += count;
    return true;
  }

  void BeginTask() {
    const ArrowFile& file = *bound_.files[unit().file_index];
    const std::vector<FileColumn>& sources = bound_.sources[unit().file_index];
    if (file_ == nullptr || file_index_ != unit().file_index) {
      file_ = nullptr;
      file_ = file.Open(context_);
      file_index_ = unit().file_index;
    }
    if (file_->Size() != file.size_bytes())
      ThrowMalformedIpc("its size has changed since the statement began");
    std::vector<size_t> stored;
    places_.clear();
    for (const size_t column : columns_) {
      places_.push_back(stored.size());
      if (sources[column].source == FileColumn::Source::kStored) stored.push_back(sources[column].column);
    }
    rows_ = file.ReadBatch(*file_, unit().batch, stored, context_.memory);
    for (size_t i = 0; i < stored.size(); i++)
      CheckArrowArray(file.type().children[stored[i]], *rows_->children[i]);
    row_ = 0;
    first_row_ = file.first_row(unit().batch);
    next_vector_ = unit().first_vector;
  }

  void ReadColumn(size_t column, size_t output_index, size_t count, Vector& output) const {
    const FileColumn& source = bound_.sources[file_index_][column];
    switch (source.source) {
      case FileColumn::Source::kConstant: return output.ReferenceValue(source.constant);
      case FileColumn::Source::kRowNumber:
        return output.MakeSequence(static_cast<int64_t>(first_row_ + row_), 1);
      case FileColumn::Source::kStored: break;
    }
    const ArrowType& type = bound_.files[file_index_]->type().children[source.column];
    const ArrowArray& array = *rows_->children[places_[output_index]];
    const LogicalType& wanted = bound_.column_types[column];
    if (type.type == wanted) return ReadArrowColumn(type, array, row_, count, rows_, output);
    Vector stored(type.type);
    ReadArrowColumn(type, array, row_, count, rows_, stored);
    const auto cast = FindCast(type.type, wanted);
    SCAUP_CHECK(cast.has_value());
    output.Reset();
    cast->kernel({context_, type.type, wanted}, stored, count, output);
  }

  const BoundArrowFiles& bound_;
  const std::vector<size_t> columns_;
  std::unique_ptr<File> file_;
  size_t file_index_ = 0;
  std::shared_ptr<const ArrowArray> rows_;  // of the batch: the stored ones of columns_
  std::vector<size_t> places_;              // in `rows_`, by output column
  size_t row_ = 0;                          // in the batch
  uint64_t first_row_ = 0;                  // of the batch, in its file
  uint64_t next_vector_ = 0;
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateArrowFileShared(const TableFunctionCall& call) {
  return std::make_unique<ArrowFileScan>(static_cast<const BoundArrowFiles&>(call.bound));
}

std::unique_ptr<TableFunctionLocal> CreateArrowFileLocal(const TableFunctionCall& call,
                                                         TableFunctionShared& shared) {
  return std::make_unique<ArrowFileLocal>(call, static_cast<ArrowFileScan&>(shared));
}

void NextArrowFileChunk(const TableFunctionCall&, TableFunctionShared&, TableFunctionLocal& local,
                        DataChunk& output) {
  static_cast<ArrowFileLocal&>(local).Next(output);
}

}  // namespace scaup
