// Value ranks: sorting values, building the matrix bit by bit, and searching in it.
#include "execution/window/value_ranks.hpp"

#include <algorithm>
#include <bit>

#include "common/check.hpp"
#include "execution/sort/spillable_sort.hpp"

namespace scaup {

namespace {

/// The fewest ranks that are put in place at a time.
constexpr size_t kLeastPart = size_t{16} << 10;

/// Appends numbers to rows of one INTEGER column.
class NumberWriter {
 public:
  explicit NumberWriter(QueryContext& context)
      : rows_(std::make_unique<SpillableRows>(context, std::vector<LogicalType>{TypeId::kInteger})),
        chunk_(rows_->types()) {}
  /// At most 1024.
  void Append(const uint32_t* numbers, size_t count) {
    if (count == 0) return;
    chunk_.column(0).ReferenceFlat(reinterpret_cast<const std::byte*>(numbers), nullptr, nullptr);
    chunk_.SetSize(count);
    rows_->Append(chunk_);
  }
  std::unique_ptr<SpillableRows> Take() {
    rows_->Finish();
    return std::move(rows_);
  }

 private:
  std::unique_ptr<SpillableRows> rows_;
  DataChunk chunk_;
};

/// Calls visit(numbers, count) for pieces of up to 1024 numbers, in order.
template <typename F>
void ForEachPiece(QueryContext& context, const std::vector<std::unique_ptr<SpillableRows>>& numbers,
                  F&& visit) {
  Vector column(TypeId::kInteger);
  for (const auto& rows : numbers) {
    for (size_t index = 0; index < rows->piece_count(); index++) {
      if (index % 64 == 0) context.functions.CheckInterrupt();
      const RowsPiece piece = rows->Piece(index);
      piece.ReadColumn(0, column);
      visit(column.Data<uint32_t>(), piece.row_count());
    }
  }
}

}  // namespace

ValueRanks::ValueRanks(const WindowInput& input, size_t column, std::optional<size_t> filter) {
  SCAUP_ASSERT(input.rows.row_count() <= INT32_MAX);
  Numbers ranks = Invert(input.context, SortValues(input, column, filter));
  for (auto bit = static_cast<unsigned>(std::bit_width(ranked_count_ == 0 ? 0 : ranked_count_ - 1));
       bit-- > 0;)
    ranks = AddLevel(input.context, ranks, bit);
}

ValueRanks::Numbers ValueRanks::SortValues(const WindowInput& input, size_t column,
                                           std::optional<size_t> filter) {
  QueryContext& context = input.context;
  const LogicalType type = input.rows.types()[column];
  const SortSchema schema{{type, TypeId::kInteger}, {0}, {{type, false, false}}};
  SpillableSort sorter(context, schema, nullptr);
  auto is_ranked = std::make_unique<BitSequence>(context);
  Vector passes(TypeId::kBoolean);
  DataChunk rows(schema.types), ranked(schema.types);
  for (size_t begin = 0; begin < input.rows.row_count(); begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, input.rows.row_count() - begin);
    rows.Release();
    input.rows.Read(column, begin, count, rows.column(0));
    const ValidityWord* validity = rows.column(0).Validity();
    if (filter) input.rows.Read(*filter, begin, count, passes);
    auto selection = std::make_shared<SelectionVector>();
    size_t kept = 0;
    uint64_t bits = 0;
    rows.column(1).Reset();
    auto* numbers = rows.column(1).MutableData<int32_t>();
    for (size_t i = 0; i < count; i++) {
      const bool has_rank = (validity == nullptr || TestValid(validity, i)) &&
                            (!filter || ((passes.Validity() == nullptr || TestValid(passes.Validity(), i)) &&
                                         passes.Data<bool>()[i]));
      numbers[i] = static_cast<int32_t>(ranked_count_ + kept);
      selection->rows[kept] = static_cast<sel_t>(i);
      kept += has_rank;
      bits |= uint64_t{has_rank} << (i % 64);
      if (i % 64 != 63 && i + 1 != count) continue;
      is_ranked->Append(bits, i % 64 + 1);
      bits = 0;
    }
    ranked_count_ += kept;
    rows.SetSize(count);
    if (kept == 0) continue;
    ranked.Release();
    ranked.Slice(rows, selection, kept);
    sorter.Append(ranked);
  }
  if (ranked_count_ != input.rows.row_count()) {
    is_ranked->Finish();
    is_ranked_ = std::move(is_ranked);
  }
  auto values = std::make_unique<SpillableRows>(context, std::vector{type});
  NumberWriter order(context);
  DataChunk value({type});
  sorter.ForEachChunk([&](DataChunk& sorted) {
    value.column(0).Reference(sorted.column(0));
    value.SetSize(sorted.size());
    values->Append(value);
    sorted.column(1).Flatten(sorted.size());
    order.Append(sorted.column(1).Data<uint32_t>(), sorted.size());
  });
  value.Release();
  values->Finish();
  values_ = std::make_unique<RandomAccessRows>(std::move(values));
  Numbers result;
  result.push_back(order.Take());
  return result;
}

/// Writes the rank of each row, a part of the rows at a time: as many as there is memory for.
ValueRanks::Numbers ValueRanks::Invert(QueryContext& context, const Numbers& rows) const {
  NumberWriter ranks(context);
  MemoryReservation memory(context.memory());
  size_t part = std::max<size_t>(ranked_count_, 1);
  while (!memory.TryResize(part * sizeof(uint32_t), context.grants.margin_bytes()) && part > kLeastPart)
    part /= 2;
  memory.Resize(part * sizeof(uint32_t));
  LargeVector<uint32_t> placed(part);
  for (uint64_t begin = 0; begin < ranked_count_; begin += part) {
    uint32_t rank = 0;
    const uint64_t end = std::min<uint64_t>(ranked_count_, begin + part);
    ForEachPiece(context, rows, [&](const uint32_t* numbers, size_t count) {
      for (size_t i = 0; i < count; i++, rank++)
        if (numbers[i] >= begin && numbers[i] < end) placed[numbers[i] - begin] = rank;
    });
    for (size_t done = 0; done < end - begin; done += kVectorSize)
      ranks.Append(placed.data() + done, std::min<size_t>(kVectorSize, end - begin - done));
  }
  Numbers result;
  result.push_back(ranks.Take());
  return result;
}

/// Adds the bits of the ranks, and returns the ranks for the next level: those with a zero first.
ValueRanks::Numbers ValueRanks::AddLevel(QueryContext& context, const Numbers& ranks, unsigned bit) {
  auto level = std::make_unique<BitSequence>(context);
  NumberWriter zeros(context), ones(context);
  uint32_t with_zero[kVectorSize], with_one[kVectorSize];
  ForEachPiece(context, ranks, [&](const uint32_t* numbers, size_t count) {
    size_t zero_count = 0, one_count = 0;
    for (size_t begin = 0; begin < count; begin += 64) {
      const size_t end = std::min<size_t>(count, begin + 64);
      uint64_t bits = 0;
      for (size_t i = begin; i < end; i++) {
        const uint64_t one = (numbers[i] >> bit) & 1;
        with_zero[zero_count] = with_one[one_count] = numbers[i];
        one_count += one;
        zero_count += 1 - one;
        bits |= one << (i - begin);
      }
      level->Append(bits, end - begin);
    }
    if (bit == 0) return;  // No level follows.
    zeros.Append(with_zero, zero_count);
    ones.Append(with_one, one_count);
  });
  level->Finish();
  levels_.push_back(std::move(level));
  Numbers result;
  result.push_back(zeros.Take());
  result.push_back(ones.Take());
  return result;
}

void ValueRanks::CountRanked(std::vector<uint64_t>& rows) const {
  if (is_ranked_) is_ranked_->CountOnes(rows.data(), rows.size(), rows.data());
}

void ValueRanks::Find(std::vector<Range>& ranges, std::vector<uint64_t>& places) const {
  const size_t count = places.size();
  SCAUP_ASSERT(count <= kVectorSize);
  std::vector<uint64_t> ranks(count), zeros(count);
  std::vector<Range> ones(ranges);
  for (size_t level = 0; level < levels_.size(); level++) {
    const BitSequence& bits = *levels_[level];
    std::fill(zeros.begin(), zeros.end(), 0);
    for (size_t r = 0; r < ranges.size(); r++) {
      bits.CountOnes(ranges[r].begins.data(), count, ones[r].begins.data());
      bits.CountOnes(ranges[r].ends.data(), count, ones[r].ends.data());
      for (size_t i = 0; i < count; i++) {
        zeros[i] += (ranges[r].ends[i] - ones[r].ends[i]) - (ranges[r].begins[i] - ones[r].begins[i]);
      }
    }
    const uint64_t zero_count = bits.size() - bits.one_count();
    for (size_t i = 0; i < count; i++) {
      const bool goes_on_with_ones = places[i] >= zeros[i];
      ranks[i] = ranks[i] * 2 + goes_on_with_ones;
      if (goes_on_with_ones) places[i] -= zeros[i];
      for (size_t r = 0; r < ranges.size(); r++) {
        uint64_t &begin = ranges[r].begins[i], &end = ranges[r].ends[i];
        begin = goes_on_with_ones ? zero_count + ones[r].begins[i] : begin - ones[r].begins[i];
        end = goes_on_with_ones ? zero_count + ones[r].ends[i] : end - ones[r].ends[i];
      }
    }
  }
  places = std::move(ranks);
}

}  // namespace scaup
