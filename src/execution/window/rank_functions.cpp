// Window functions of a row's position: row_number, rank, dense_rank, percent_rank, cume_dist, ntile.
#include "common/throw.hpp"
#include "execution/window/window_evaluator.hpp"

namespace scaup {

namespace {

/// row_number, rank, dense_rank, percent_rank and cume_dist.
class RankEvaluator final : public WindowEvaluator {
 public:
  RankEvaluator(const WindowInput& input, WindowFunctionKind kind) : groups_(input.groups), kind_(kind) {}

  void Evaluate(const BlockGroups& block, const BlockFrames&, Vector& result) const override {
    if (kind_ == WindowFunctionKind::kPercentRank || kind_ == WindowFunctionKind::kCumeDist)
      return Fractions(block, result.MutableData<double>());
    auto* numbers = result.MutableData<int64_t>();
    if (kind_ == WindowFunctionKind::kRowNumber) {
      for (size_t i = 0; i < block.count; i++)
        numbers[i] = static_cast<int64_t>(block.begin + i - block.partition_begin[i] + 1);
    } else if (kind_ == WindowFunctionKind::kRank) {
      for (size_t i = 0; i < block.count; i++)
        numbers[i] = static_cast<int64_t>(block.peer_begin[i] - block.partition_begin[i] + 1);
    } else {
      for (size_t i = 0; i < block.count; i++) {
        numbers[i] =
            static_cast<int64_t>(block.peer_group[i] - groups_.partition_peers[block.partition[i]] + 1);
      }
    }
  }

 private:
  void Fractions(const BlockGroups& block, double* results) const {
    for (size_t i = 0; i < block.count; i++) {
      const uint64_t first = block.partition_begin[i];
      const uint64_t row_count = block.partition_end[i] - first;
      if (kind_ == WindowFunctionKind::kCumeDist) {
        results[i] = static_cast<double>(block.peer_end[i] - first) / static_cast<double>(row_count);
      } else {
        results[i] = row_count == 1 ? 0
                                    : static_cast<double>(block.peer_begin[i] - first) /
                                          static_cast<double>(row_count - 1);
      }
    }
  }

  const RowGroups& groups_;
  const WindowFunctionKind kind_;
};

/// ntile. The number of buckets is the argument of the partition's first row.
class NtileEvaluator final : public WindowEvaluator {
 public:
  NtileEvaluator(const WindowInput& input, size_t column) : rows_(input.rows), column_(column) {}

  void Evaluate(const BlockGroups& block, const BlockFrames&, Vector& result) const override {
    auto* tiles = result.MutableData<int32_t>();
    Vector counts(TypeId::kBigInt);
    rows_.Gather(column_, block.partition_begin.data(), block.count, counts);
    for (size_t i = 0; i < block.count; i++) {
      if (counts.Validity() != nullptr && !TestValid(counts.Validity(), i)) {
        result.SetNull(i);
        continue;
      }
      const int64_t count = counts.Data<int64_t>()[i];
      if (count <= 0) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidNtileArgument,
                   "argument of ntile must be greater than zero");
      }
      const auto parts = static_cast<uint64_t>(count);
      const uint64_t rows = block.partition_end[i] - block.partition_begin[i];
      const uint64_t row = block.begin + i - block.partition_begin[i];
      // The first buckets have one more row.
      const uint64_t size = rows / parts, larger = rows % parts;
      const uint64_t in_larger = larger * (size + 1);
      tiles[i] =
          static_cast<int32_t>(row < in_larger ? row / (size + 1) : larger + (row - in_larger) / size) + 1;
    }
  }

 private:
  const SortedRows& rows_;
  const size_t column_;
};

}  // namespace

std::unique_ptr<WindowEvaluator> MakeRankEvaluator(const WindowInput& input,
                                                   const WindowFunctionSpecification& function) {
  if (function.kind == WindowFunctionKind::kNtile)
    return std::make_unique<NtileEvaluator>(input, function.arguments[0]);
  return std::make_unique<RankEvaluator>(input, function.kind);
}

}  // namespace scaup
