// Materialized results. Where the source knows its batches' offsets, every task writes its rows to their
// place in the final arrays. Otherwise each task fills arrays of its own, which are concatenated in the
// source's order.
#include "execution/rows/materialized_result.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "common/throw.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

/// Consecutive rows of one batch, collected by one task.
struct ResultPart {
  uint64_t batch;
  size_t task;
  size_t first_row;
  size_t row_count;
};

/// Collects the rows of one task in arrays of its own.
class ResultSink final : public ChunkSink {
 public:
  ResultSink(const std::vector<LogicalType>& types, const ResultMemory& memory, size_t task)
      : appender(types, memory), task_(task) {}

  void Consume(DataChunk& chunk) override {
    if (parts.empty() || parts.back().batch != chunk.batch_index) {
      parts.push_back({chunk.batch_index, task_, appender.row_count(), 0});
    }
    parts.back().row_count += chunk.size();
    appender.Append(chunk);
  }

  ResultAppender appender;
  std::vector<ResultPart> parts;

 private:
  size_t task_;
};

/// Writes `count` values to `out`; strings that are not inline are copied to `heap`.
void WriteValues(PhysicalType type, Vector& vector, size_t count, std::byte* out, ResultHeap& heap) {
  const size_t width = PhysicalSize(type);
  const UnifiedView view = vector.View(count);
  if (type == PhysicalType::kString) {
    auto* target = reinterpret_cast<StringRef*>(out);
    const auto strings = view.As<StringRef>();
    for (size_t i = 0; i < count; i++) {
      StringRef value = view.IsValid(i) ? strings[i] : StringRef();
      if (!value.is_inline()) {
        char* copy = heap.Allocate(value.size());
        std::memcpy(copy, value.data(), value.size());
        value = StringRef(copy, value.size());
      }
      target[i] = value;
    }
    return;
  }
  if (vector.is_flat()) {
    std::memcpy(out, view.data, count * width);
    return;
  }
  VisitWidth(width, [&]<size_t kBytes>() {
    for (size_t i = 0; i < count; i++)
      std::memcpy(out + i * kBytes, view.data + view.selection[i] * kBytes, kBytes);
  });
}

/// False only if it is certain that no value is NULL.
bool MayHaveNulls(const LogicalType& type, const UnifiedView& view) {
  return view.validity != nullptr || type.id() == TypeId::kNull;
}

/// Writes the NULL flags of `count` values, and zeros over NULL values. Returns whether there is a NULL.
bool WriteNulls(const LogicalType& type, const UnifiedView& view, size_t count, std::byte* out,
                uint8_t* nulls) {
  const size_t width = PhysicalSize(type);
  const bool is_unknown_type = type.id() == TypeId::kNull;
  uint8_t any = 0;
  for (size_t i = 0; i < count; i++) {
    nulls[i] = is_unknown_type || !view.IsValid(i);
    any |= nulls[i];
    if (nulls[i] != 0) std::memset(out + i * width, 0, width);
  }
  return any != 0;
}

/// The final arrays. All tasks write to them at once, each to the places of its batches.
class PlacedColumns {
 public:
  PlacedColumns(const std::vector<LogicalType>& types, const ResultMemory& memory,
                std::vector<uint64_t> offsets)
      : offsets_(std::move(offsets)), nulls_(types.size()) {
    result.row_count = offsets_.back();
    for (const LogicalType& type : types) {
      result.columns.emplace_back(type, memory);
      result.columns.back().values.Reserve(result.row_count * PhysicalSize(type));
    }
  }

  uint64_t BatchBegin(uint64_t batch) const { return offsets_[batch]; }
  uint64_t BatchEnd(uint64_t batch) const { return offsets_[batch + 1]; }
  bool HasBatch(uint64_t batch) const { return batch + 1 < offsets_.size(); }

  /// Returns the NULL flags of a column. The first task that needs them allocates them; until then no value
  /// is NULL.
  uint8_t* Nulls(size_t column) {
    ResultBuffer& buffer = result.columns[column].nulls;
    std::call_once(nulls_[column].made, [&] {
      buffer.Reserve(result.row_count);
      std::memset(buffer.data(), 0, result.row_count);
      buffer.NoteWritten(result.row_count);
    });
    return reinterpret_cast<uint8_t*>(buffer.data());
  }
  void SetHasNulls(size_t column) { nulls_[column].any.store(true, std::memory_order_relaxed); }

  /// Moves the result out. Called by one thread, after all tasks have ended.
  MaterializedResult Finish() {
    for (size_t i = 0; i < nulls_.size(); i++)
      result.columns[i].has_nulls = nulls_[i].any.load(std::memory_order_relaxed);
    return std::move(result);
  }

  MaterializedResult result;

 private:
  struct ColumnNulls {
    std::once_flag made;
    std::atomic<bool> any{false};
  };
  std::vector<uint64_t> offsets_;
  std::vector<ColumnNulls> nulls_;
};

/// Writes the rows of one task to their places in the final arrays.
class PlacingSink final : public ChunkSink {
 public:
  PlacingSink(PlacedColumns& columns, const ResultMemory& memory) : columns_(columns), heap_(memory) {}

  void Consume(DataChunk& chunk) override {
    if (chunk.batch_index != batch_) {
      batch_ = chunk.batch_index;
      SCAUP_CHECK(columns_.HasBatch(batch_));
      row_ = columns_.BatchBegin(batch_);
    }
    SCAUP_CHECK(row_ + chunk.size() <= columns_.BatchEnd(batch_));
    for (size_t i = 0; i < chunk.column_count(); i++) Write(i, chunk.column(i), chunk.size());
    row_ += chunk.size();
    row_count += chunk.size();
  }

  ResultHeap TakeHeap() { return std::move(heap_); }
  uint64_t row_count = 0;

 private:
  void Write(size_t index, Vector& vector, size_t count) {
    MaterializedColumn& column = columns_.result.columns[index];
    std::byte* out = column.values.data() + row_ * PhysicalSize(column.type);
    WriteValues(PhysicalTypeOf(column.type), vector, count, out, heap_);
    column.values.NoteWritten(count * PhysicalSize(column.type));
    const UnifiedView view = vector.View(count);
    if (!MayHaveNulls(column.type, view)) return;
    if (WriteNulls(column.type, view, count, out, columns_.Nulls(index) + row_)) columns_.SetHasNulls(index);
  }

  PlacedColumns& columns_;
  ResultHeap heap_;
  uint64_t batch_ = UINT64_MAX;
  uint64_t row_ = 0;
};

MaterializedResult CollectInPlace(QueryContext& context, const PhysicalOperator& root, SharedState& shared,
                                  std::vector<uint64_t> offsets) {
  const ResultMemory memory(context);
  PlacedColumns columns(root.types(), memory, std::move(offsets));
  OperatorProfile profile;
  auto sinks = DrainParallel(context, root, shared, profile,
                             [&](size_t) { return std::make_unique<PlacingSink>(columns, memory); });
  uint64_t row_count = 0;
  for (auto& sink : sinks) {
    auto& placing = static_cast<PlacingSink&>(*sink);
    row_count += placing.row_count;
    columns.result.heaps.push_back(placing.TakeHeap());
  }
  SCAUP_CHECK(row_count == columns.result.row_count);
  return columns.Finish();
}

/// Concatenates one column of all tasks.
void JoinColumn(std::vector<MaterializedColumn*>& sources, const std::vector<ResultPart>& parts,
                size_t row_count, MaterializedColumn& target) {
  const size_t width = PhysicalSize(target.type);
  for (const MaterializedColumn* source : sources) target.has_nulls = target.has_nulls || source->has_nulls;
  target.values.Reserve(row_count * width);
  if (target.has_nulls) target.nulls.Reserve(row_count);
  size_t row = 0;
  for (const ResultPart& part : parts) {
    MaterializedColumn& source = *sources[part.task];
    std::memcpy(target.values.data() + row * width, source.values.data() + part.first_row * width,
                part.row_count * width);
    target.values.NoteWritten(part.row_count * width);
    if (target.has_nulls) {
      if (source.has_nulls) {
        std::memcpy(target.nulls.data() + row, source.nulls.data() + part.first_row, part.row_count);
      } else {
        std::memset(target.nulls.data() + row, 0, part.row_count);
      }
    }
    row += part.row_count;
  }
}

}  // namespace

ResultAppender::ResultAppender(const std::vector<LogicalType>& types, const ResultMemory& memory)
    : heap_(memory) {
  columns_.reserve(types.size());
  for (const LogicalType& type : types) columns_.emplace_back(type, memory);
}

void ResultAppender::Append(DataChunk& chunk) {
  for (size_t i = 0; i < columns_.size(); i++) AppendColumn(columns_[i], chunk.column(i), chunk.size());
  row_count_ += chunk.size();
}

void ResultAppender::AppendColumn(MaterializedColumn& column, Vector& vector, size_t count) {
  const size_t width = PhysicalSize(column.type);
  column.values.Reserve((row_count_ + count) * width);
  std::byte* out = column.values.data() + row_count_ * width;
  WriteValues(PhysicalTypeOf(column.type), vector, count, out, heap_);
  column.values.NoteWritten(count * width);
  const UnifiedView view = vector.View(count);
  if (!column.has_nulls && !MayHaveNulls(column.type, view)) return;
  column.nulls.Reserve(row_count_ + count);
  if (!column.has_nulls) std::memset(column.nulls.data(), 0, row_count_);
  auto* nulls = reinterpret_cast<uint8_t*>(column.nulls.data()) + row_count_;
  column.has_nulls |= WriteNulls(column.type, view, count, out, nulls);
}

template <typename T>
static const T& ValueAt(const MaterializedColumn& column, size_t row) {
  return reinterpret_cast<const T*>(column.values.data())[row];
}

Value ValueOf(const MaterializedColumn& column, size_t row) {
  if (column.has_nulls && column.nulls.data()[row] != std::byte{0}) return Value(column.type);
  switch (PhysicalTypeOf(column.type)) {
    case PhysicalType::kBool: return Value::FromInteger(column.type, ValueAt<uint8_t>(column, row));
    case PhysicalType::kInt8: return Value::FromInteger(column.type, ValueAt<int8_t>(column, row));
    case PhysicalType::kInt16: return Value::FromInteger(column.type, ValueAt<int16_t>(column, row));
    case PhysicalType::kInt32: return Value::FromInteger(column.type, ValueAt<int32_t>(column, row));
    case PhysicalType::kInt64: return Value::FromInteger(column.type, ValueAt<int64_t>(column, row));
    case PhysicalType::kInt128: return Value::FromInteger(column.type, ValueAt<int128_t>(column, row));
    case PhysicalType::kUInt8: return Value::FromInteger(column.type, ValueAt<uint8_t>(column, row));
    case PhysicalType::kUInt16: return Value::FromInteger(column.type, ValueAt<uint16_t>(column, row));
    case PhysicalType::kUInt32: return Value::FromInteger(column.type, ValueAt<uint32_t>(column, row));
    case PhysicalType::kUInt64: return Value::FromInteger(column.type, ValueAt<uint64_t>(column, row));
    case PhysicalType::kFloat: return Value::Real(ValueAt<float>(column, row));
    case PhysicalType::kDouble: return Value::Double(ValueAt<double>(column, row));
    case PhysicalType::kInterval: return Value::MakeInterval(ValueAt<Interval>(column, row));
    case PhysicalType::kString:
      return Value::FromBytes(column.type, ValueAt<StringRef>(column, row).ToString());
  }
  ThrowInternal("unknown physical type");
}

MaterializedResult CollectResult(QueryContext& context, const PhysicalOperator& root, SharedState& shared) {
  std::vector<uint64_t> offsets = root.BatchOffsets(context, shared);
  // A known row count of 0 leaves no array to write to, so it takes the general way.
  if (!offsets.empty() && offsets.back() != 0)
    return CollectInPlace(context, root, shared, std::move(offsets));
  OperatorProfile profile;
  const ResultMemory memory(context);
  auto sinks = DrainParallel(context, root, shared, profile, [&](size_t task) {
    return std::make_unique<ResultSink>(root.types(), memory, task);
  });
  std::vector<ResultPart> parts;
  MaterializedResult result;
  for (auto& sink : sinks) {
    auto& result_sink = static_cast<ResultSink&>(*sink);
    parts.insert(parts.end(), result_sink.parts.begin(), result_sink.parts.end());
    result.row_count += result_sink.appender.row_count();
    result.heaps.push_back(result_sink.appender.TakeHeap());
  }
  const bool in_order = std::is_sorted(parts.begin(), parts.end(),
                                       [](const auto& a, const auto& b) { return a.batch < b.batch; });
  if (sinks.size() == 1 && in_order) {
    result.columns = std::move(static_cast<ResultSink&>(*sinks[0]).appender.columns());
    return result;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.batch < b.batch; });
  for (const LogicalType& type : root.types()) result.columns.emplace_back(type, memory);
  context.scheduler().RunAll(result.columns.size(), [&](size_t column) {
    std::vector<MaterializedColumn*> sources;
    for (auto& sink : sinks) sources.push_back(&static_cast<ResultSink&>(*sink).appender.columns()[column]);
    JoinColumn(sources, parts, result.row_count, result.columns[column]);
    // Free the task's column at once, so that at most one column per thread exists twice.
    for (MaterializedColumn* source : sources) *source = MaterializedColumn(source->type, memory);
  });
  return result;
}

}  // namespace scaup
