// Collected rows: runs of rows that grow, and the gathering of their columns.
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
  for (Column& column : columns_) {
    column.offset = row_bytes_;
    row_bytes_ += column.width;
  }
  for (Column& column : columns_) {
    column.null_offset = row_bytes_;
    row_bytes_ += has_nulls ? 1 : 0;
  }
}

struct alignas(16) CollectedRows::Run {
  Run* previous;         ///< the previous run of these rows
  const Run* joined;     ///< the last run of joined rows, which come between the previous run and this one
  uint32_t joined_size;  ///< the rows of `joined`, to which its owner may have added others since
  uint32_t size;         ///< the rows, once this is not the last run any more
  uint32_t capacity;

  std::byte* rows() { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* rows() const { return reinterpret_cast<const std::byte*>(this + 1); }
};

CollectedRows::Run* CollectedRows::MakeRun(const CollectedLayout& layout, uint32_t capacity, Arena& arena) {
  std::byte* const memory = arena.Allocate(sizeof(Run) + capacity * layout.row_bytes(), 16);
  return new (memory) Run{nullptr, nullptr, 0, 0, capacity};
}

uint32_t CollectedRows::last_size() const { return last_ == nullptr ? 0 : last_->capacity - space_; }

void CollectedRows::NewRun(const CollectedLayout& layout, Arena& arena) {
  Run* run = free_;
  if (run != nullptr) {
    free_ = run->previous;
  } else {
    uint32_t capacity = kFirstCapacity;
    while (capacity < kLastCapacity && capacity < count_) capacity *= 2;
    run = MakeRun(layout, capacity, arena);
  }
  if (last_ != nullptr) last_->size = last_size();
  run->previous = last_;
  last_ = run;
  next_ = run->rows();
  space_ = run->capacity;
}

/// Writes the values of vectors to places of rows.
class CollectedRows::Writer {
 public:
  Writer(const CollectedLayout& layout, const SelectedRows& rows, Arena& arena)
      : layout_(layout), rows_(rows), arena_(arena) {}

  /// Writes `count` selected rows, from `first` on, row first + i to place_of(i).
  template <typename Place>
  void Write(size_t first, size_t count, Place&& place_of) {
    for (size_t c = 0; c < layout_.columns().size(); c++) {
      const CollectedLayout::Column& column = layout_.columns()[c];
      WriteColumn(rows_.columns[c], column, first, count, place_of);
      if (!layout_.has_nulls()) continue;
      const UnifiedView view = rows_.columns[c].View(rows_.size);
      for (size_t i = 0; i < count; i++)
        place_of(i)[column.null_offset] = std::byte{!view.IsValid(RowAt(first + i))};
    }
  }

  /// Writes `count` selected rows, from `first` on, one behind the other to `place`.
  void WriteTogether(size_t first, size_t count, std::byte* place) {
    const size_t row_bytes = layout_.row_bytes();
    Vector& column = rows_.columns[0];
    const bool is_same = rows_.rows == nullptr && layout_.columns().size() == 1 && !layout_.has_nulls() &&
                         column.is_flat() && layout_.columns()[0].physical != PhysicalType::kString;
    if (is_same) {
      std::memcpy(place, column.Data<std::byte>() + first * row_bytes, count * row_bytes);
    } else {
      Write(first, count, [=](size_t i) { return place + i * row_bytes; });
    }
  }

 private:
  size_t RowAt(size_t i) const { return rows_.rows == nullptr ? i : rows_.rows[i]; }

  template <typename Place>
  void WriteColumn(Vector& vector, const CollectedLayout::Column& column, size_t first, size_t count,
                   Place&& place_of) {
    const UnifiedView view = vector.View(rows_.size);
    const size_t offset = column.offset;
    if (column.physical == PhysicalType::kString) {
      const auto* const texts = reinterpret_cast<const StringRef*>(view.data);
      for (size_t i = 0; i < count; i++) {
        const size_t row = RowAt(first + i);
        StringRef text;
        if (view.IsValid(row)) text = texts[view.selection[row]];
        if (!text.is_inline())
          text = CopyText(text, reinterpret_cast<char*>(arena_.Allocate(text.size(), 1)));
        std::memcpy(place_of(i) + offset, &text, sizeof(text));
      }
      return;
    }
    VisitWidth(column.width, [&]<size_t kBytes>() {
      if (rows_.rows == nullptr && vector.is_flat() && view.validity == nullptr) {
        const std::byte* const values = view.data + first * kBytes;
        for (size_t i = 0; i < count; i++) std::memcpy(place_of(i) + offset, values + i * kBytes, kBytes);
        return;
      }
      constexpr std::byte kZeros[kBytes]{};
      for (size_t i = 0; i < count; i++) {
        const size_t row = RowAt(first + i);
        const std::byte* value = view.IsValid(row) ? view.data + view.selection[row] * kBytes : kZeros;
        std::memcpy(place_of(i) + offset, value, kBytes);
      }
    });
  }

  const CollectedLayout& layout_;
  const SelectedRows& rows_;
  Arena& arena_;
};

void CollectedRows::Add(const CollectedLayout& layout, const SelectedRows& rows,
                        CollectedRows* const* targets, Arena& arena) {
  std::byte* places[kVectorSize];
  for (size_t i = 0; i < rows.count; i++) {
    CollectedRows& target = *targets[i];
    if (target.space_ == 0) target.NewRun(layout, arena);
    places[i] = target.next_;
    __builtin_prefetch(places[i], 1);
    target.next_ += layout.row_bytes();
    target.space_--;
    target.count_++;
  }
  Writer(layout, rows, arena).Write(0, rows.count, [&](size_t i) { return places[i]; });
}

void CollectedRows::AddAll(const CollectedLayout& layout, const SelectedRows& rows, Arena& arena) {
  Writer writer(layout, rows, arena);
  for (size_t first = 0; first < rows.count;) {
    if (space_ == 0) NewRun(layout, arena);
    const size_t size = std::min<size_t>(rows.count - first, space_);
    writer.WriteTogether(first, size, next_);
    next_ += size * layout.row_bytes();
    space_ -= static_cast<uint32_t>(size);
    count_ += size;
    first += size;
  }
}

void CollectedRows::Join(const CollectedRows& other, Arena& arena) {
  if (other.count_ == 0) return;
  if (last_ != nullptr) last_->size = last_size();
  // A run of its own, so that rows added later do not end up in the other rows' run.
  last_ = new (arena.Allocate(sizeof(Run), alignof(Run))) Run{last_, other.last_, other.last_size(), 0, 0};
  next_ = nullptr;
  space_ = 0;
  count_ += other.count_;
}

void CollectedRows::Clear() {
  while (last_ != nullptr) {
    Run* const run = last_;
    last_ = run->previous;
    if (run->capacity == 0) continue;
    run->previous = free_;
    free_ = run;
  }
  next_ = nullptr;
  space_ = 0;
  count_ = 0;
}

/// Calls visit(rows, size) for all runs that have rows, the last one first.
template <typename Visit>
void CollectedRows::VisitBackwards(Visit&& visit) const {
  struct Part {
    const Run* run;
    uint32_t size;
  };
  std::vector<Part> later;  // Behind joined ones, of which most rows have none.
  Part part{last_, last_size()};
  while (true) {
    while (part.run != nullptr) {
      if (part.size != 0) visit(part.run->rows(), size_t{part.size});
      const Run* const previous = part.run->previous;
      const Part before{previous, previous == nullptr ? 0 : previous->size};
      if (part.run->joined == nullptr) {
        part = before;
      } else {
        later.push_back(before);
        part = {part.run->joined, part.run->joined_size};
      }
    }
    if (later.empty()) return;
    part = later.back();
    later.pop_back();
  }
}

void CollectedRows::TakeAll(const CollectedLayout& layout, std::byte* state, RetainedRowsOutput& output) {
  std::vector<std::span<const std::byte>> runs;
  VisitBackwards([&](const std::byte* rows, size_t size) {
    runs.push_back({rows, size * layout.row_bytes()});
  });
  for (; !runs.empty(); runs.pop_back()) {
    const std::span<const std::byte> run = runs.back();
    for (size_t place = 0; place < run.size(); place += layout.row_bytes()) {
      const std::byte* const values = run.data() + place;
      const size_t row = output.AddRow(state);
      for (size_t c = 0; c < output.rows().column_count(); c++) {
        // Columns behind those of the layout are of other rows of the state.
        if (c >= layout.columns().size()) {
          output.rows().column(c).SetNull(row);
          continue;
        }
        const CollectedLayout::Column& column = layout.columns()[c];
        Vector& target = output.rows().column(c);
        if (layout.has_nulls() && values[column.null_offset] != std::byte{0}) {
          target.SetNull(row);
        } else {
          std::memcpy(target.MutableData<std::byte>() + row * column.width, values + column.offset,
                      column.width);
        }
      }
    }
  }
  *this = CollectedRows();
}

namespace {

/// Rows of a run, and their place among gathered rows.
struct GatheredPart {
  const std::byte* rows;
  size_t size;
  uint64_t begin;
};

/// Copies the values at an offset in the rows of all parts to an array.
void GatherValues(const std::vector<GatheredPart>& parts, size_t row_bytes, size_t offset, size_t width,
                  std::byte* values) {
  VisitWidth(width, [&]<size_t kBytes>() {
    for (const GatheredPart& part : parts) {
      std::byte* const to = values + part.begin * kBytes;
      const std::byte* const from = part.rows + offset;
      if (row_bytes == kBytes) {
        std::memcpy(to, from, part.size * kBytes);
        continue;
      }
      for (size_t i = 0; i < part.size; i++) std::memcpy(to + i * kBytes, from + i * row_bytes, kBytes);
    }
  });
}

}  // namespace

void CollectedRows::Gather(const CollectedLayout& layout, std::span<const CollectedRows* const> groups,
                           std::vector<MaterializedColumn>& columns, ResultHeap& heap) {
  std::vector<GatheredPart> parts;
  uint64_t row_count = 0;
  // Groups and their runs are likely cache misses, so they are prefetched ahead.
  constexpr size_t kAhead = 16;
  for (size_t i = 0; i < groups.size(); i++) {
    if (i + kAhead < groups.size()) __builtin_prefetch(groups[i + kAhead]);
    if (i + kAhead / 2 < groups.size()) __builtin_prefetch(groups[i + kAhead / 2]->last_);
    row_count += groups[i]->count_;
    uint64_t begin = row_count;
    groups[i]->VisitBackwards([&](const std::byte* rows, size_t size) {
      begin -= size;
      parts.push_back({rows, size, begin});
    });
  }
  for (size_t c = 0; c < columns.size(); c++) {
    const CollectedLayout::Column& column = layout.columns()[c];
    MaterializedColumn& target = columns[c];
    target.values.Reserve(row_count * column.width);
    GatherValues(parts, layout.row_bytes(), column.offset, column.width, target.values.data());
    if (layout.has_nulls()) {
      target.nulls.Reserve(row_count);
      GatherValues(parts, layout.row_bytes(), column.null_offset, 1, target.nulls.data());
      target.has_nulls = row_count != 0 && std::memchr(target.nulls.data(), 1, row_count) != nullptr;
    }
    if (column.physical != PhysicalType::kString) continue;
    auto* const texts = reinterpret_cast<StringRef*>(target.values.data());
    for (uint64_t row = 0; row < row_count; row++) {
      if (!texts[row].is_inline()) texts[row] = CopyText(texts[row], heap.Allocate(texts[row].size()));
    }
  }
}

}  // namespace scaup
