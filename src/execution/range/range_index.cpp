// Range index: sorting rows by the first key, with NULL keys last, and computing the codes of their keys.
#include "execution/range/range_index.hpp"

#include <algorithm>

#include "execution/sort/row_order.hpp"

namespace scaup {

namespace {

SortSchema OrderSchema(const RangeSchema& schema) {
  return {schema.types, {schema.key_columns[0]}, {{schema.types[schema.key_columns[0]]}}};
}

/// Moves rows with a NULL in one of the columns to the end. Returns the number of other rows.
size_t PutNullsLast(const std::vector<const ColumnCollection*>& collections,
                    const std::vector<size_t>& columns, LargeVector<uint64_t>& order,
                    const FunctionContext& context) {
  constexpr uint64_t kRowMask = CollectionRow(1, 0) - 1;
  const auto has_null = [&](uint64_t row) {
    const uint64_t position = row & kRowMask;
    const ColumnCollection& rows = *collections[row >> kCollectionRowBits];
    return std::any_of(columns.begin(), columns.end(), [&](size_t column) {
      return !rows.PieceView(column, position / kVectorSize).IsValid(position % kVectorSize);
    });
  };
  const auto is_free_of_nulls = [&](const ColumnCollection* rows) {
    for (const size_t column : columns) {
      for (size_t piece = 0; piece < rows->piece_count(); piece++)
        if (rows->PieceView(column, piece).validity != nullptr) return false;
    }
    return true;
  };
  if (std::all_of(collections.begin(), collections.end(), is_free_of_nulls)) return order.size();
  LargeVector<uint64_t> behind;
  size_t kept = 0;
  for (size_t i = 0; i < order.size(); i++) {
    if (i % kVectorSize == 0) context.CheckInterrupt();
    if (has_null(order[i])) {
      behind.push_back(order[i]);
    } else {
      order[kept++] = order[i];
    }
  }
  std::copy(behind.begin(), behind.end(), order.begin() + static_cast<std::ptrdiff_t>(kept));
  return kept;
}

}  // namespace

RangeIndex::RangeIndex(const RangeSchema& schema, const std::vector<const ColumnCollection*>& rows,
                       MemoryTracker& memory, const FunctionContext& context)
    : schema_(schema), memory_(memory), reservation_(memory), extremes_of_(schema.conditions.size()) {
  size_t row_count = 0;
  for (const ColumnCollection* collection : rows) row_count += collection->row_count();
  const SortSchema order_schema = OrderSchema(schema);
  MemoryReservation order_memory(memory);
  order_memory.Resize(row_count * (2 * sizeof(uint64_t) + OrderBytes(order_schema)));
  LargeVector<uint64_t> order = OrderRows(order_schema, rows, SIZE_MAX, context);
  // The sort's own memory is free again; only the order stays until the rows are copied.
  order_memory.Resize(row_count * 2 * sizeof(uint64_t));
  keyed_count_ = PutNullsLast(rows, schema.key_columns, order, context);
  CopyInOrder(rows, order, context);
}

void RangeIndex::LearnCodes(const FunctionContext& context) {
  for (size_t key = 0; key < schema_.key_columns.size(); key++) {
    codes_.emplace_back(schema_.types[schema_.key_columns[key]], memory_);
    reservation_.Resize(reservation_.size_bytes() + keyed_count_ * sizeof(uint64_t));
    auto codes = codes_.back().Learn(*rows_, schema_.key_columns[key], keyed_count_, key == 0, context);
    if (key == 0) {
      first_codes_ = std::move(codes);
    } else {
      AddTrees(std::move(codes), key);
    }
  }
}

size_t RangeIndex::MostBytes(const RangeSchema& schema, size_t row_count) {
  const size_t ordering = row_count * (2 * sizeof(uint64_t) + OrderBytes(OrderSchema(schema)));
  // Codes of all keys; greatest and least codes of all keys but the first.
  const size_t key_count = schema.key_columns.size();
  size_t learning = row_count * key_count * sizeof(uint64_t);
  for (size_t key = 0; key < key_count; key++)
    learning += OrderedCodes::MostBytes(schema.types[schema.key_columns[key]], row_count, key == 0);
  learning += (key_count - 1) * 2 * GreatestTree::Bytes(row_count);
  return std::max(ordering, learning);
}

void RangeIndex::CopyInOrder(const std::vector<const ColumnCollection*>& collections,
                             const LargeVector<uint64_t>& order, const FunctionContext& context) {
  rows_ = std::make_unique<ColumnCollection>(schema_.types, memory_);
  DataChunk chunk(schema_.types);
  for (size_t begin = 0; begin < order.size(); begin += kVectorSize) {
    context.CheckInterrupt();
    GatherFrom(collections, order.data() + begin, std::min(kVectorSize, order.size() - begin), chunk);
    rows_->Append(chunk);
  }
}

void RangeIndex::AddTrees(LargeVector<uint64_t> codes, size_t key) {
  for (const bool of_complements : {false, true}) {
    bool is_needed = false;
    for (size_t i = 0; i < schema_.conditions.size(); i++) {
      const RangeCondition& condition = schema_.conditions[i];
      if (condition.key != key || condition.is_lower_bound() == of_complements) continue;
      is_needed = true;
      extremes_of_[i] = extremes_.size();
    }
    if (!is_needed) continue;
    reservation_.Resize(reservation_.size_bytes() + GreatestTree::Bytes(codes.size()));
    LargeVector<uint64_t> numbers = codes;
    if (of_complements) {
      for (uint64_t& number : numbers) number = ~number;
    }
    extremes_.push_back({key, of_complements, GreatestTree(std::move(numbers))});
  }
  reservation_.Resize(reservation_.size_bytes() - codes.size() * sizeof(uint64_t));
}

RuntimeFilter RangeIndex::KeyRange(size_t key) const {
  const size_t column = schema_.key_columns[key];
  RuntimeFilter range(schema_.types[column]);
  for (size_t begin = 0; begin < keyed_count_; begin += kVectorSize)
    range.Add(rows_->PieceView(column, begin / kVectorSize), std::min(kVectorSize, keyed_count_ - begin));
  return range;
}

}  // namespace scaup
