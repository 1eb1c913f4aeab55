// Dense join table: filling it with several threads, and reading it.
#include "execution/join/dense_join_table.hpp"

#include <algorithm>
#include <cstring>

#include "common/memory/memory_tracker.hpp"
#include "common/task_scheduler.hpp"
#include "common/throw.hpp"
#include "scaup/error.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

/// With up to this many slots per row the table is still smaller than a hash table.
constexpr uint64_t kSlotsPerRow = 8;
constexpr uint64_t kMostJoinSlots = uint64_t{1} << 31;

/// Sets a bit and returns its old value. Thread-safe: other threads may set other bits of the word.
bool SetBit(std::vector<uint64_t>& words, size_t bit) {
  const uint64_t mask = uint64_t{1} << (bit % 64);
  return (std::atomic_ref<uint64_t>(words[bit / 64]).fetch_or(mask, std::memory_order_relaxed) & mask) != 0;
}
bool TestBit(const std::vector<uint64_t>& words, size_t bit) { return words[bit / 64] >> (bit % 64) & 1; }

/// The number of values in the range, minus one.
uint64_t SpanOf(const RuntimeFilter& range) {
  return static_cast<uint64_t>(range.greatest()) - static_cast<uint64_t>(range.least());
}

template <typename Visit>
auto VisitKeyType(PhysicalType type, Visit&& visit) {
  switch (type) {
    case PhysicalType::kInt16: return visit.template operator()<int16_t>();
    case PhysicalType::kInt32: return visit.template operator()<int32_t>();
    case PhysicalType::kInt64: return visit.template operator()<int64_t>();
    case PhysicalType::kUInt16: return visit.template operator()<uint16_t>();
    case PhysicalType::kUInt32: return visit.template operator()<uint32_t>();
    default: ThrowInternal("keys of this type are not dense");
  }
}

}  // namespace

DenseJoinTable::DenseJoinTable(const RowLayout& layout, const RuntimeFilter& range,
                               const FunctionContext& context, size_t slot_count)
    : layout_(layout), memory_(context.memory), least_(range.least()), slot_count_(slot_count) {
  const size_t words = slot_count / 64 + 1;
  size_t size_bytes = words * sizeof(uint64_t);
  for (size_t i = 1; i < layout.column_count(); i++)
    size_bytes += words * sizeof(uint64_t) + slot_count * PhysicalSize(layout.physical_type(i));
  memory_.Resize(size_bytes);
  is_taken_.resize(words);
  for (size_t i = 1; i < layout.column_count(); i++)
    columns_.push_back(std::make_unique<Column>(slot_count * PhysicalSize(layout.physical_type(i)), words));
}

bool DenseJoinTable::IsDense(const RuntimeFilter& range, uint64_t row_count) {
  return range.has_keys() && SpanOf(range) < std::min(kMostJoinSlots, row_count * kSlotsPerRow);
}

std::unique_ptr<DenseJoinTable> DenseJoinTable::TryMake(const RowLayout& layout,
                                                        std::span<const RowCollection* const> collections,
                                                        const RuntimeFilter& range,
                                                        const FunctionContext& context) {
  struct Block {
    const std::byte* first;
    size_t count;
  };
  std::vector<Block> blocks;
  uint64_t row_count = 0;
  for (const RowCollection* rows : collections) {
    row_count += rows->row_count();
    rows->ForEachBlock([&](const std::byte* first, size_t count) { blocks.push_back({first, count}); });
  }
  // More rows than values: some key must be repeated.
  if (!IsDense(range, row_count) || row_count > SpanOf(range) + 1) return nullptr;
  std::unique_ptr<DenseJoinTable> table;
  try {
    table.reset(new DenseJoinTable(layout, range, context, SpanOf(range) + 1));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
  std::atomic<size_t> next{0};
  // Relaxed order suffices: RunAll synchronizes the tasks before the table is read.
  std::atomic<bool> is_unique{true};
  const size_t task_count = row_count < 4 * kVectorSize ? 1 : context.scheduler.thread_count();
  context.scheduler.RunAll(task_count, [&](size_t) {
    for (size_t i = next++; i < blocks.size() && is_unique; i = next++) {
      context.CheckInterrupt();
      if (!table->Insert(blocks[i].first, blocks[i].count)) is_unique = false;
    }
  });
  if (!is_unique) return nullptr;
  return table;
}

template <typename T>
bool DenseJoinTable::InsertKeys(const std::byte* first, size_t count, uint32_t* slots) {
  bool is_unique = true;
  for (size_t i = 0; i < count; i++) {
    T key;
    std::memcpy(&key, first + i * layout_.row_bytes() + layout_.offset(0), sizeof(key));
    slots[i] = static_cast<uint32_t>(static_cast<uint64_t>(key) - static_cast<uint64_t>(least_));
    is_unique &= !SetBit(is_taken_, slots[i]);
  }
  return is_unique;
}

bool DenseJoinTable::Insert(const std::byte* first, size_t count) {
  for (size_t begin = 0; begin < count; begin += kVectorSize, first += kVectorSize * layout_.row_bytes()) {
    const size_t size = std::min(kVectorSize, count - begin);
    uint32_t slots[kVectorSize];
    const bool is_unique = VisitKeyType(layout_.physical_type(0),
                                        [&]<typename T>() { return InsertKeys<T>(first, size, slots); });
    if (!is_unique) return false;
    for (size_t column = 1; column < layout_.column_count(); column++) {
      Column& target = *columns_[column - 1];
      VisitBits(layout_.physical_type(column), [&]<typename T>() {
        auto* values = reinterpret_cast<T*>(target.values.data());
        const std::byte* source = first + layout_.offset(column);
        for (size_t i = 0; i < size; i++)
          std::memcpy(values + slots[i], source + i * layout_.row_bytes(), sizeof(T));
      });
      for (size_t i = 0; i < size; i++) {
        if (layout_.IsValid(first + i * layout_.row_bytes(), column)) continue;
        SetBit(target.is_null, slots[i]);
        target.has_null.store(true, std::memory_order_relaxed);
      }
    }
  }
  return true;
}

size_t DenseJoinTable::Find(const UnifiedView& keys, size_t count, sel_t* found, uint32_t* slots) const {
  return VisitKeyType(layout_.physical_type(0), [&]<typename T>() {
    const auto values = keys.As<T>();
    size_t found_count = 0;
    for (size_t row = 0; row < count; row++) {
      const uint64_t slot = static_cast<uint64_t>(values[row]) - static_cast<uint64_t>(least_);
      const bool is_inside = slot < slot_count_;
      slots[row] = static_cast<uint32_t>(is_inside ? slot : 0);
      found[found_count] = static_cast<sel_t>(row);
      found_count += is_inside && TestBit(is_taken_, slots[row]);
    }
    if (keys.validity == nullptr) return found_count;
    size_t kept = 0;
    for (size_t i = 0; i < found_count; i++) {
      found[kept] = found[i];
      kept += keys.IsValid(found[i]);
    }
    return kept;
  });
}

void DenseJoinTable::Gather(size_t column, const sel_t* rows, size_t count, const uint32_t* slots,
                            Vector& result) const {
  if (column == 0) {
    VisitKeyType(layout_.physical_type(0), [&]<typename T>() {
      T* keys = result.MutableData<T>();
      for (size_t i = 0; i < count; i++)
        keys[i] = static_cast<T>(static_cast<uint64_t>(least_) + slots[rows[i]]);
    });
    return;
  }
  const Column& source = *columns_[column - 1];
  VisitBits(layout_.physical_type(column), [&]<typename T>() {
    const auto* values = reinterpret_cast<const T*>(source.values.data());
    T* out = result.MutableData<T>();
    for (size_t i = 0; i < count; i++) out[i] = values[slots[rows[i]]];
  });
  if (!source.has_null.load(std::memory_order_relaxed)) return;
  for (size_t i = 0; i < count; i++) {
    if (TestBit(source.is_null, slots[rows[i]])) result.SetNull(i);
  }
}

}  // namespace scaup
