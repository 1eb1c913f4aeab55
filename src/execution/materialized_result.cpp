// Collecting results: one growing array per column and task; joined in the source's order at the end.
#include "execution/materialized_result.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Rows of one batch that a task collected one after the other.
struct ResultPart {
  uint64_t batch;
  size_t task;
  size_t first_row;
  size_t row_count;
};

class ResultSink final : public ChunkSink {
 public:
  ResultSink(const std::vector<LogicalType>& types, MemoryTracker& memory, size_t task) : appender(types, memory), task_(task) {}

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

template <size_t kBytes>
void CopySelected(const UnifiedView& view, size_t count, std::byte* out) {
  for (size_t i = 0; i < count; i++) std::memcpy(out + i * kBytes, view.data + view.selection[i] * kBytes, kBytes);
}

/// Joins one column of all tasks.
void JoinColumn(std::vector<MaterializedColumn*>& sources, const std::vector<ResultPart>& parts, size_t row_count, MaterializedColumn& target) {
  const size_t width = PhysicalSize(target.type);
  for (const MaterializedColumn* source : sources) target.has_nulls = target.has_nulls || source->has_nulls;
  target.values.Reserve(row_count * width);
  if (target.has_nulls) target.nulls.Reserve(row_count);
  size_t row = 0;
  for (const ResultPart& part : parts) {
    MaterializedColumn& source = *sources[part.task];
    std::memcpy(target.values.data() + row * width, source.values.data() + part.first_row * width, part.row_count * width);
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

ContiguousBuffer::~ContiguousBuffer() { std::free(data_); }

ContiguousBuffer::ContiguousBuffer(ContiguousBuffer&& other) noexcept
    : reservation_(std::move(other.reservation_)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

ContiguousBuffer& ContiguousBuffer::operator=(ContiguousBuffer&& other) noexcept {
  std::swap(reservation_, other.reservation_);
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void ContiguousBuffer::Reserve(size_t size_bytes) {
  if (size_bytes <= capacity_) return;
  const size_t wanted = std::max<size_t>({size_bytes, capacity_ + capacity_ / 2, 1024});
  reservation_.Resize(wanted);
  auto* grown = static_cast<std::byte*>(std::realloc(data_, wanted));
  if (grown == nullptr) {
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "the system has no memory left for the result");
  }
  data_ = grown;
  capacity_ = wanted;
}

ResultAppender::ResultAppender(const std::vector<LogicalType>& types, MemoryTracker& memory) : heap_(std::make_unique<Arena>(&memory)) {
  for (const LogicalType& type : types) columns_.emplace_back(type, memory);
}

void ResultAppender::Append(DataChunk& chunk) {
  for (size_t i = 0; i < columns_.size(); i++) AppendColumn(columns_[i], chunk.column(i), chunk.size());
  row_count_ += chunk.size();
}

void ResultAppender::AppendColumn(MaterializedColumn& column, Vector& vector, size_t count) {
  const PhysicalType type = PhysicalTypeOf(column.type);
  const size_t width = PhysicalSize(type);
  column.values.Reserve((row_count_ + count) * width);
  std::byte* out = column.values.data() + row_count_ * width;
  const UnifiedView view = vector.View(count);
  if (type == PhysicalType::kString) {
    auto* target = reinterpret_cast<StringRef*>(out);
    const auto strings = view.As<StringRef>();
    for (size_t i = 0; i < count; i++) {
      StringRef value = view.IsValid(i) ? strings[i] : StringRef();
      if (!value.is_inline()) {
        char* copy = reinterpret_cast<char*>(heap_->Allocate(value.size(), 1));
        std::memcpy(copy, value.data(), value.size());
        value = StringRef(copy, value.size());
      }
      target[i] = value;
    }
  } else if (vector.is_flat()) {
    std::memcpy(out, view.data, count * width);
  } else {
    switch (width) {
      case 1: CopySelected<1>(view, count, out); break;
      case 2: CopySelected<2>(view, count, out); break;
      case 4: CopySelected<4>(view, count, out); break;
      case 8: CopySelected<8>(view, count, out); break;
      default: CopySelected<16>(view, count, out); break;
    }
  }
  const bool is_unknown_type = column.type.id() == TypeId::kNull;
  uint8_t is_null[kVectorSize] = {};
  bool any_null = is_unknown_type;
  if (is_unknown_type) {
    std::memset(is_null, 1, count);
  } else if (view.validity != nullptr) {
    for (size_t i = 0; i < count; i++) any_null |= is_null[i] = !view.IsValid(i);
  }
  if (!any_null && !column.has_nulls) return;
  column.nulls.Reserve(row_count_ + count);
  if (!column.has_nulls) std::memset(column.nulls.data(), 0, row_count_);  // Once: the first NULL of the column.
  column.has_nulls = true;
  std::memcpy(column.nulls.data() + row_count_, is_null, count);
  if (!any_null) return;
  for (size_t i = 0; i < count; i++) {
    if (is_null[i] != 0) std::memset(out + i * width, 0, width);
  }
}

MaterializedResult CollectResult(QueryContext& context, const PhysicalOperator& root, SharedState& shared) {
  OperatorProfile profile;
  auto sinks = DrainParallel(context, root, shared, profile, [&](size_t task) {
    return std::make_unique<ResultSink>(root.types(), context.memory(), task);
  });
  std::vector<ResultPart> parts;
  MaterializedResult result;
  for (auto& sink : sinks) {
    auto& result_sink = static_cast<ResultSink&>(*sink);
    parts.insert(parts.end(), result_sink.parts.begin(), result_sink.parts.end());
    result.row_count += result_sink.appender.row_count();
    result.heaps.push_back(result_sink.appender.TakeHeap());
  }
  const bool in_order = std::is_sorted(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
  if (sinks.size() == 1 && in_order) {
    result.columns = std::move(static_cast<ResultSink&>(*sinks[0]).appender.columns());
    return result;
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
  for (const LogicalType& type : root.types()) result.columns.emplace_back(type, context.memory());
  context.scheduler().RunAll(result.columns.size(), [&](size_t column) {
    std::vector<MaterializedColumn*> sources;
    for (auto& sink : sinks) sources.push_back(&static_cast<ResultSink&>(*sink).appender.columns()[column]);
    JoinColumn(sources, parts, result.row_count, result.columns[column]);
  });
  return result;
}

}  // namespace scaup
