// Window group: making the evaluators of a hash partition, and running them block by block.
#include "execution/window/window_group.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

std::vector<size_t> KeyColumns(const WindowSpecification& specification) {
  std::vector<size_t> columns = specification.partition_by;
  columns.insert(columns.end(), specification.order_by.begin(), specification.order_by.end());
  return columns;
}

/// Whether any function needs to know which rows are peers.
bool NeedsPeers(const WindowSpecification& specification) {
  const auto needs = [&](const WindowFunctionSpecification& function) {
    switch (function.kind) {
      case WindowFunctionKind::kRowNumber:
      case WindowFunctionKind::kNtile:
      case WindowFunctionKind::kLag:
      case WindowFunctionKind::kLead: return false;
      case WindowFunctionKind::kRank:
      case WindowFunctionKind::kDenseRank:
      case WindowFunctionKind::kPercentRank:
      case WindowFunctionKind::kCumeDist: return true;
      case WindowFunctionKind::kAggregate:
      case WindowFunctionKind::kFirstValue:
      case WindowFunctionKind::kLastValue:
      case WindowFunctionKind::kNthValue: break;
    }
    const FrameSpecification& frame = specification.frames[function.frame];
    return frame.unit != FrameUnit::kRows || frame.exclusion == FrameExclusion::kGroup ||
           frame.exclusion == FrameExclusion::kTies;
  };
  return std::any_of(specification.functions.begin(), specification.functions.end(), needs);
}

}  // namespace

std::unique_ptr<WindowEvaluator> MakeEvaluator(const WindowInput& input,
                                               const WindowFunctionSpecification& function) {
  switch (function.kind) {
    case WindowFunctionKind::kAggregate: return MakeAggregateEvaluator(input, function);
    case WindowFunctionKind::kRowNumber:
    case WindowFunctionKind::kRank:
    case WindowFunctionKind::kDenseRank:
    case WindowFunctionKind::kPercentRank:
    case WindowFunctionKind::kCumeDist:
    case WindowFunctionKind::kNtile: return MakeRankEvaluator(input, function);
    case WindowFunctionKind::kLag:
    case WindowFunctionKind::kLead:
    case WindowFunctionKind::kFirstValue:
    case WindowFunctionKind::kLastValue:
    case WindowFunctionKind::kNthValue: return MakeValueEvaluator(input, function);
  }
  ThrowInternal("unknown window function");
}

WindowGroup::WindowGroup(QueryContext& context, const WindowSpecification& specification, SortedRows rows)
    : specification_(specification),
      rows_(std::move(rows)),
      groups_(context, rows_, KeyColumns(specification), specification.orders,
              specification.partition_by.size(), NeedsPeers(specification)) {
  for (const FrameSpecification& frame : specification.frames) {
    CheckOffsets(context, frame, rows_);
    range_keys_.push_back(
        frame.has_limits() ? std::make_unique<RangeKeys>(context, rows_, frame, specification.orders.back())
                           : nullptr);
  }
  const WindowInput input{context, specification_, rows_, groups_};
  for (const WindowFunctionSpecification& function : specification.functions)
    evaluators_.push_back(MakeEvaluator(input, function));
}

void WindowGroup::Produce(size_t begin, size_t count, WindowScratch& scratch, DataChunk& output) const {
  scratch.block.Fill(groups_, begin, count);
  scratch.frames.resize(specification_.frames.size());
  scratch.has_frames.assign(specification_.frames.size(), false);
  output.ResetForWriting();
  const size_t passed = output.column_count() - evaluators_.size();
  for (size_t i = 0; i < passed; i++) rows_.Read(i, begin, count, output.column(i));
  for (size_t i = 0; i < evaluators_.size(); i++) {
    const size_t frame = specification_.functions[i].frame;
    if (evaluators_[i]->needs_frames() && !scratch.has_frames[frame]) {
      ComputeFrames(specification_.frames[frame], rows_, groups_, scratch.block, range_keys_[frame].get(),
                    scratch.frames[frame]);
      scratch.has_frames[frame] = true;
    }
    evaluators_[i]->Evaluate(scratch.block, scratch.frames[frame], output.column(passed + i));
  }
  output.SetSize(count);
}

}  // namespace scaup
