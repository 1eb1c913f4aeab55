// Collected rows: runs of columns that grow, and the gathering of their rows.
#include "execution/foreign/collected_rows.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "common/check.hpp"
#include "type/text/string_ref.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

constexpr uint32_t kFirstCapacity = 4, kLastCapacity = 4096;

StringRef CopyText(const StringRef& text, char* bytes) {
  std::memcpy(bytes, text.data(), text.size());
  return StringRef(bytes, text.size());
}

}  // namespace

CollectedLayout::CollectedLayout(const std::vector<LogicalType>& types, bool has_nulls)
    : has_nulls_(has_nulls) {
  for (const LogicalType& type : types) {
    const PhysicalType physical = PhysicalTypeOf(type);
    columns_.push_back({type, physical, PhysicalSize(physical), 0, 0});
  }
  // Wide values come first, so that all columns are aligned: a run has space for a multiple of four rows.
  for (const size_t width : {16, 8, 4, 2, 1}) {
    for (Column& column : columns_) {
      if (column.width != width) continue;
      column.offset = row_bytes_;
      row_bytes_ += width;
    }
  }
  for (Column& column : columns_) {
    column.null_offset = row_bytes_;
    row_bytes_ += has_nulls ? 1 : 0;
  }
}

struct alignas(16) CollectedRows::Run {
  Run* previous;      ///< the previous run of these rows
  const Run* joined;  ///< the last run of joined rows, which come between the previous run and this one
  uint32_t size;
  uint32_t capacity;

  std::byte* bytes() { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(this + 1); }
  std::byte* Values(const CollectedLayout::Column& column) { return bytes() + capacity * column.offset; }
  const std::byte* Values(const CollectedLayout::Column& column) const {
    return bytes() + capacity * column.offset;
  }
  std::byte* Nulls(const CollectedLayout::Column& column) { return bytes() + capacity * column.null_offset; }
  const std::byte* Nulls(const CollectedLayout::Column& column) const {
    return bytes() + capacity * column.null_offset;
  }
};

CollectedRows::Run* CollectedRows::MakeRun(const CollectedLayout& layout, uint32_t capacity, Arena& arena) {
  std::byte* const memory = arena.Allocate(sizeof(Run) + capacity * layout.row_bytes(), 16);
  return new (memory) Run{nullptr, nullptr, 0, capacity};
}

void CollectedRows::NewRun(const CollectedLayout& layout, Arena& arena) {
  Run* run = free_;
  if (run != nullptr) {
    free_ = run->previous;
  } else {
    uint32_t capacity = kFirstCapacity;
    while (capacity < kLastCapacity && capacity < count_) capacity *= 2;
    run = MakeRun(layout, capacity, arena);
  }
  run->previous = last_;
  last_ = run;
}

/// Writes the values of vectors to places in runs.
class CollectedRows::Writer {
 public:
  Writer(const CollectedLayout& layout, const SelectedRows& rows, Arena& arena)
      : layout_(layout), rows_(rows), arena_(arena) {}

  /// Writes row i of the selected ones to place places[i] of runs[i].
  void Scatter(Run* const* runs, const uint32_t* places) {
    const size_t count = rows_.count;
    for (size_t c = 0; c < layout_.columns().size(); c++) {
      const CollectedLayout::Column& column = layout_.columns()[c];
      Write(rows_.columns[c], column, count,
            [&](size_t i) { return runs[i]->Values(column) + places[i] * column.width; });
      if (!layout_.has_nulls()) continue;
      const UnifiedView view = rows_.columns[c].View(rows_.size);
      for (size_t i = 0; i < count; i++)
        runs[i]->Nulls(column)[places[i]] = std::byte{!view.IsValid(RowAt(i))};
    }
  }

  /// Writes the selected rows [first, first + count) behind those of a run, which has space for them.
  void Append(Run* run, size_t first, size_t count) {
    for (size_t c = 0; c < layout_.columns().size(); c++) {
      const CollectedLayout::Column& column = layout_.columns()[c];
      std::byte* const values = run->Values(column) + run->size * column.width;
      if (rows_.rows == nullptr && rows_.columns[c].is_flat() && column.physical != PhysicalType::kString) {
        std::memcpy(values, rows_.columns[c].Data<std::byte>() + first * column.width, count * column.width);
      } else {
        Write(
            rows_.columns[c], column, count, [&](size_t i) { return values + i * column.width; }, first);
      }
      if (!layout_.has_nulls()) continue;
      const UnifiedView view = rows_.columns[c].View(rows_.size);
      for (size_t i = 0; i < count; i++)
        run->Nulls(column)[run->size + i] = std::byte{!view.IsValid(RowAt(first + i))};
    }
    run->size += static_cast<uint32_t>(count);
  }

 private:
  size_t RowAt(size_t i) const { return rows_.rows == nullptr ? i : rows_.rows[i]; }

  template <typename Place>
  void Write(Vector& vector, const CollectedLayout::Column& column, size_t count, Place&& place_of,
             size_t first = 0) {
    const UnifiedView view = vector.View(rows_.size);
    if (column.physical == PhysicalType::kString) {
      const auto* const texts = reinterpret_cast<const StringRef*>(view.data);
      for (size_t i = 0; i < count; i++) {
        const size_t row = RowAt(first + i);
        StringRef text;
        if (view.IsValid(row)) text = texts[view.selection[row]];
        if (!text.is_inline())
          text = CopyText(text, reinterpret_cast<char*>(arena_.Allocate(text.size(), 1)));
        std::memcpy(place_of(i), &text, sizeof(text));
      }
      return;
    }
    VisitWidth(column.width, [&]<size_t kBytes>() {
      constexpr std::byte kZeros[kBytes]{};
      for (size_t i = 0; i < count; i++) {
        const size_t row = RowAt(first + i);
        const std::byte* value = view.IsValid(row) ? view.data + view.selection[row] * kBytes : kZeros;
        std::memcpy(place_of(i), value, kBytes);
      }
    });
  }

  const CollectedLayout& layout_;
  const SelectedRows& rows_;
  Arena& arena_;
};

void CollectedRows::Add(const CollectedLayout& layout, const SelectedRows& rows,
                        CollectedRows* const* targets, Arena& arena) {
  Run* runs[kVectorSize];
  uint32_t places[kVectorSize];
  for (size_t i = 0; i < rows.count; i++) {
    CollectedRows& target = *targets[i];
    if (target.last_ == nullptr || target.last_->size == target.last_->capacity) target.NewRun(layout, arena);
    runs[i] = target.last_;
    places[i] = target.last_->size++;
    target.count_++;
  }
  Writer(layout, rows, arena).Scatter(runs, places);
}

void CollectedRows::AddAll(const CollectedLayout& layout, const SelectedRows& rows, Arena& arena) {
  Writer writer(layout, rows, arena);
  for (size_t first = 0; first < rows.count;) {
    if (last_ == nullptr || last_->size == last_->capacity) NewRun(layout, arena);
    const size_t size = std::min<size_t>(rows.count - first, last_->capacity - last_->size);
    writer.Append(last_, first, size);
    count_ += size;
    first += size;
  }
}

void CollectedRows::Join(const CollectedRows& other, Arena& arena) {
  if (other.count_ == 0) return;
  // A run of its own, so that rows added later do not end up in the other rows' run.
  auto* const run = new (arena.Allocate(sizeof(Run), alignof(Run))) Run{last_, other.last_, 0, 0};
  last_ = run;
  count_ += other.count_;
}

void CollectedRows::Clear() {
  while (last_ != nullptr) {
    Run* const run = last_;
    last_ = run->previous;
    if (run->capacity == 0) continue;
    run->size = 0;
    run->previous = free_;
    free_ = run;
  }
  count_ = 0;
}

template <typename Visit>
void CollectedRows::VisitBackwards(Visit&& visit) const {
  // Most rows have one run, which needs no list.
  if (last_ != nullptr && last_->previous == nullptr && last_->joined == nullptr) return visit(*last_);
  std::vector<const Run*> pending = {last_};
  while (!pending.empty()) {
    const Run* const run = pending.back();
    pending.pop_back();
    if (run == nullptr) continue;
    if (run->size != 0) visit(*run);
    pending.push_back(run->previous);
    pending.push_back(run->joined);
  }
}

void CollectedRows::TakeAll(const CollectedLayout& layout, std::byte* state, RetainedRowsOutput& output) {
  std::vector<const Run*> runs;
  VisitBackwards([&](const Run& run) { runs.push_back(&run); });
  for (; !runs.empty(); runs.pop_back()) {
    const Run& run = *runs.back();
    for (uint32_t i = 0; i < run.size; i++) {
      const size_t row = output.AddRow(state);
      for (size_t c = 0; c < output.rows().column_count(); c++) {
        // Columns behind those of the layout are of other rows of the state.
        if (c >= layout.columns().size()) {
          output.rows().column(c).SetNull(row);
          continue;
        }
        const CollectedLayout::Column& column = layout.columns()[c];
        Vector& target = output.rows().column(c);
        if (layout.has_nulls() && run.Nulls(column)[i] != std::byte{0}) {
          target.SetNull(row);
        } else {
          std::memcpy(target.MutableData<std::byte>() + row * column.width,
                      run.Values(column) + i * column.width, column.width);
        }
      }
    }
  }
  *this = CollectedRows();
}

void CollectedRows::Gather(const CollectedLayout& layout, std::span<const CollectedRows> groups,
                           std::vector<MaterializedColumn>& columns, ResultHeap& heap) {
  uint64_t row_count = 0;
  for (const CollectedRows& group : groups) row_count += group.count_;
  for (size_t c = 0; c < columns.size(); c++) {
    columns[c].values.Reserve(row_count * layout.columns()[c].width);
    if (layout.has_nulls()) columns[c].nulls.Reserve(row_count);
  }
  uint64_t end = 0;
  for (const CollectedRows& group : groups) {
    end += group.count_;
    uint64_t begin = end;
    group.VisitBackwards([&](const Run& run) {
      begin -= run.size;
      for (size_t c = 0; c < columns.size(); c++) {
        const CollectedLayout::Column& column = layout.columns()[c];
        MaterializedColumn& target = columns[c];
        std::memcpy(target.values.data() + begin * column.width, run.Values(column), run.size * column.width);
        if (!layout.has_nulls()) continue;
        std::memcpy(target.nulls.data() + begin, run.Nulls(column), run.size);
        target.has_nulls = target.has_nulls || std::memchr(run.Nulls(column), 1, run.size) != nullptr;
      }
    });
  }
  for (size_t c = 0; c < columns.size(); c++) {
    if (layout.columns()[c].physical != PhysicalType::kString) continue;
    auto* const texts = reinterpret_cast<StringRef*>(columns[c].values.data());
    for (uint64_t row = 0; row < row_count; row++) {
      if (!texts[row].is_inline()) texts[row] = CopyText(texts[row], heap.Allocate(texts[row].size()));
    }
  }
}

}  // namespace scaup
