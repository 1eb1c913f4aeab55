// The JSON scan: each thread takes a chunk and converts its documents to rows, 1024 at a time.
#include "format/json/json_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "format/text/chunk_scan.hpp"

namespace scaup {

namespace {

uint64_t InputBytes(const BoundJson& bound) {
  uint64_t total = 0;
  for (const JsonFile& file : bound.files) total += file.text.size_bytes;
  return total;
}

struct JsonError {
  uint64_t sequence = 0;  ///< of the chunk; orders errors
  size_t file_index = 0;
  uint64_t offset = 0;  ///< in the text
  uint64_t line = 0;    ///< of a pipe; otherwise 0
  const char* sqlstate = "";
  std::string message;
};

[[noreturn]] void ThrowJsonFileError(const FunctionContext& context, const BoundJson& bound,
                                     const JsonError& error) {
  const TextFile& file = bound.files[error.file_index].text;
  const uint64_t line = error.line != 0 ? error.line : LineNumberAt(context, file, error.offset, '\n');
  ThrowError(ErrorKind::kConversion, error.sqlstate,
             fmt::format("could not read \"{}\", line {}: {}", file.path, line, error.message));
}

using JsonScan = ChunkScan<JsonSource, JsonChunk, JsonError>;

class JsonLocal : public TableFunctionLocal {
 public:
  JsonLocal(const TableFunctionCall& call, JsonScan& scan)
      : bound_(static_cast<const BoundJson&>(call.bound)),
        columns_(call.columns),
        ignore_errors_(bound_.ignore_errors),
        rows_(MakeJsonRows(call)),
        chunk_(scan) {}

  void Next(const FunctionContext& context, DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      context.CheckInterrupt();
      if (!chunk_.has_chunk() && !BeginChunk()) break;
      if (chunk_.IsBehindError()) {
        chunk_.End();
        break;
      }
      const bool is_good = Fill(output);
      if (!is_good && output.size() == 0) break;
      if (is_good && is_chunk_done_) {
        chunk_.End();
        chunk_.ThrowIfDue();
      }
      at_end_ = !is_good;  // rows before the error are still returned
      if (output.size() != 0) return;
    }
    at_end_ = true;
    output.Release();
    chunk_.ThrowIfDue();
  }

 private:
  bool BeginChunk() {
    is_chunk_done_ = false;
    return chunk_.Begin();
  }

  /// Makes up to kVectorSize rows. Returns false after an error, which was reported.
  bool Fill(DataChunk& output) {
    rows_->Begin(output, chunk_->buffer);
    size_t count = 0;
    std::optional<JsonRowFault> fault;
    JsonSpan document;
    while (count < kVectorSize && !fault) {
      if (!chunk_->Next(document)) {
        is_chunk_done_ = true;
        break;
      }
      const std::string_view text(chunk_->buffer->data() + document.begin, document.end - document.begin);
      JsonRowFault found;
      if (rows_->Add(text, count, found)) {
        offsets_[count++] = document.begin;
      } else if (!ignore_errors_) {
        fault = std::move(found);
      }
    }
    if (ignore_errors_) bad_rows_.assign(count, false);
    if (auto value_fault = rows_->Finish(count, ignore_errors_ ? &bad_rows_ : nullptr)) {
      Fail(offsets_[value_fault->row] + value_fault->offset, *value_fault);
      return false;
    }
    if (!fault && is_chunk_done_ && chunk_->fault != nullptr) {
      fault.emplace(JsonRowFault{0, 0, sqlstate::kBadCopyFileFormat, chunk_->fault});
      document.begin = static_cast<uint32_t>(chunk_->fault_position);
    }
    FillConstants(output);
    output.SetSize(count);
    output.batch_index = chunk_->sequence;
    if (fault) Fail(document.begin + fault->offset, *fault);
    if (ignore_errors_) DropRows(bad_rows_, output);
    return !fault;
  }

  /// Sets the columns that the file's name has.
  void FillConstants(DataChunk& output) {
    for (size_t i = 0; i < columns_.size(); i++) {
      const FileColumn source = JsonSourceOf(bound_, chunk_->file_index, columns_[i]);
      if (source.source != FileColumn::Source::kStored) output.column(i).ReferenceValue(source.constant);
    }
  }

  /// The line ends of the buffer before a position.
  uint64_t CountLines(size_t position) const {
    const char* const text = chunk_->buffer->data();
    return static_cast<uint64_t>(std::count(text, text + position, '\n'));
  }

  void Fail(size_t position, const JsonRowFault& fault) {
    JsonError error;
    error.offset = chunk_->file_offset + position;
    if (chunk_->first_line != 0) error.line = chunk_->first_line + CountLines(position);
    error.sqlstate = fault.sqlstate;
    error.message = fault.message;
    chunk_.Fail(std::move(error));
  }

  const BoundJson& bound_;
  const std::vector<size_t> columns_;
  const bool ignore_errors_;
  std::unique_ptr<JsonRows> rows_;
  ChunkInWork<JsonScan> chunk_;
  bool is_chunk_done_ = false;  // all its documents were taken
  bool at_end_ = false;
  std::vector<bool> bad_rows_;
  uint32_t offsets_[kVectorSize];  // of the rows' documents in the buffer
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateJsonShared(const TableFunctionCall& call) {
  const auto& bound = static_cast<const BoundJson&>(call.bound);
  const FunctionContext& context = call.context;
  return std::make_unique<JsonScan>(
      [&](const JsonError& error) { ThrowJsonFileError(context, bound, error); }, context, bound.files,
      ScanChunkBytes(bound.chunk_bytes, InputBytes(bound), context));
}

std::unique_ptr<TableFunctionLocal> CreateJsonLocal(const TableFunctionCall& call,
                                                    TableFunctionShared& shared) {
  return std::make_unique<JsonLocal>(call, static_cast<JsonScan&>(shared));
}

void NextJsonChunk(const TableFunctionCall& call, TableFunctionShared&, TableFunctionLocal& local,
                   DataChunk& output) {
  static_cast<JsonLocal&>(local).Next(call.context, output);
}

}  // namespace scaup
