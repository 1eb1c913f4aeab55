// Each thread takes a chunk and makes rows of its documents, 1024 at a time.
#include "function/table/json/json_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/settings.hpp"
#include "common/throw.hpp"
#include "function/table/earliest_error.hpp"

namespace scaup {

namespace {

/// Large enough that a chunk of usual documents fills a row group of the table that it is copied into.
constexpr size_t kLargestChunk = 16 << 20;
constexpr size_t kSmallestChunk = 256 << 10;

size_t ChunkBytes(const BoundJson& bound, size_t threads) {
  if (bound.chunk_bytes != 0) return bound.chunk_bytes;
  uint64_t total = 0;
  for (const JsonFile& file : bound.files) total += file.text.size_bytes;
  return std::clamp<uint64_t>(total / (8 * threads), kSmallestChunk, kLargestChunk);
}

struct JsonError {
  uint64_t sequence = 0;  ///< of the chunk: orders errors
  size_t file_index = 0;
  uint64_t offset = 0;  ///< in the inflated file
  const char* sqlstate = "";
  std::string message;
};

[[noreturn]] void ThrowJsonFileError(const FunctionContext& context, const BoundJson& bound,
                                     const JsonError& error) {
  const TextFile& file = bound.files[error.file_index].text;
  const uint64_t line = LineNumberAt(context.files, file, error.offset, '\n');
  ThrowError(ErrorKind::kConversion, error.sqlstate,
             fmt::format("could not read \"{}\", line {}: {}", file.path, line, error.message));
}

class JsonShared : public TableFunctionShared {
 public:
  JsonShared(const FunctionContext& context, const BoundJson& bound)
      : context_(context),
        bound_(bound),
        source_(context, bound.files, ChunkBytes(bound, context.settings.threads)) {}

  double Progress() const override { return source_.Progress(); }

  bool Begin(JsonChunk& chunk) {
    if (!errors_.BeginTaking()) return false;
    const bool found = source_.Next(chunk);
    errors_.EndTaking(found ? std::optional(chunk.sequence) : std::nullopt);
    return found;
  }
  void Abandon(uint64_t sequence) { errors_.Release(sequence); }
  void Report(JsonError error) {
    source_.Stop();
    errors_.Report(std::move(error));
  }
  bool IsBehindError(uint64_t sequence) { return errors_.IsBehind(sequence); }
  void ThrowIfDue() {
    if (const std::optional<JsonError> due = errors_.Due()) ThrowJsonFileError(context_, bound_, *due);
  }

 private:
  const FunctionContext& context_;
  const BoundJson& bound_;
  JsonSource source_;
  EarliestError<JsonError> errors_;
};

class JsonLocal : public TableFunctionLocal {
 public:
  JsonLocal(const TableFunctionCall& call, JsonShared& shared)
      : ignore_errors_(static_cast<const BoundJson&>(call.bound).ignore_errors),
        shared_(shared),
        rows_(MakeJsonRows(call)) {}
  ~JsonLocal() override {
    if (has_chunk_) shared_.Abandon(chunk_.sequence);
  }

  void Next(const FunctionContext& context, DataChunk& output) {
    output.SetSize(0);
    while (!at_end_) {
      context.CheckInterrupt();
      if (!has_chunk_ && !BeginChunk()) break;
      if (shared_.IsBehindError(chunk_.sequence)) {
        EndChunk();
        break;
      }
      const bool is_good = Fill(output);
      if (!is_good && output.size() == 0) break;
      if (is_good && is_chunk_done_) {
        EndChunk();
        shared_.ThrowIfDue();
      }
      at_end_ = !is_good;  // What came before the error is still given.
      if (output.size() != 0) return;
    }
    at_end_ = true;
    output.Release();
    shared_.ThrowIfDue();
  }

 private:
  bool BeginChunk() {
    chunk_ = JsonChunk();  // Lets go of the old text first.
    if (!shared_.Begin(chunk_)) return false;
    has_chunk_ = true;
    is_chunk_done_ = false;
    return true;
  }
  void EndChunk() {
    shared_.Abandon(chunk_.sequence);
    has_chunk_ = false;
  }

  /// Up to kVectorSize rows. False after an error, which is reported.
  bool Fill(DataChunk& output) {
    rows_->Begin(output, chunk_.buffer);
    size_t count = 0;
    std::optional<JsonRowFault> fault;
    JsonSpan document;
    while (count < kVectorSize && !fault) {
      if (!chunk_.Next(document)) {
        is_chunk_done_ = true;
        break;
      }
      const std::string_view text(chunk_.buffer->data() + document.begin, document.end - document.begin);
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
    if (!fault && is_chunk_done_ && chunk_.fault != nullptr) {
      fault.emplace(JsonRowFault{0, 0, sqlstate::kBadCopyFileFormat, chunk_.fault});
      document.begin = static_cast<uint32_t>(chunk_.fault_position);
    }
    output.SetSize(count);
    output.batch_index = chunk_.sequence;
    if (fault) Fail(document.begin + fault->offset, *fault);
    DropBadRows(output);
    return !fault;
  }

  void Fail(size_t position, const JsonRowFault& fault) {
    JsonError error;
    error.sequence = chunk_.sequence;
    error.file_index = chunk_.file_index;
    error.offset = chunk_.file_offset + position;
    error.sqlstate = fault.sqlstate;
    error.message = fault.message;
    shared_.Report(std::move(error));
    EndChunk();
  }

  void DropBadRows(DataChunk& output) {
    if (!ignore_errors_ || std::find(bad_rows_.begin(), bad_rows_.end(), true) == bad_rows_.end()) return;
    auto selection = std::make_shared<SelectionVector>();
    size_t kept = 0;
    for (size_t row = 0; row < bad_rows_.size(); row++) {
      if (!bad_rows_[row]) selection->rows[kept++] = static_cast<sel_t>(row);
    }
    output.Slice(selection, kept);
  }

  const bool ignore_errors_;
  JsonShared& shared_;
  std::unique_ptr<JsonRows> rows_;
  JsonChunk chunk_;
  bool has_chunk_ = false;
  bool is_chunk_done_ = false;  // All its documents are taken.
  bool at_end_ = false;
  std::vector<bool> bad_rows_;
  uint32_t offsets_[kVectorSize];  // Of the rows' documents in the buffer.
};

}  // namespace

std::unique_ptr<TableFunctionShared> CreateJsonShared(const TableFunctionCall& call) {
  return std::make_unique<JsonShared>(call.context, static_cast<const BoundJson&>(call.bound));
}

std::unique_ptr<TableFunctionLocal> CreateJsonLocal(const TableFunctionCall& call,
                                                    TableFunctionShared& shared) {
  return std::make_unique<JsonLocal>(call, static_cast<JsonShared&>(shared));
}

void NextJsonChunk(const TableFunctionCall& call, TableFunctionShared&, TableFunctionLocal& local,
                   DataChunk& output) {
  static_cast<JsonLocal&>(local).Next(call.context, output);
}

}  // namespace scaup
