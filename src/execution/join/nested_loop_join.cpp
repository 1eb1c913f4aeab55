// Nested-loop join: pairs one left row with a piece of right rows, or several left rows with few right rows.
#include "execution/join/nested_loop_join.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "common/stack_bound.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/rows/spillable_rows.hpp"
#include "expression/expression_executor.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// From this many rows on, a right piece is not copied but paired with one left row at a time.
constexpr size_t kLeastStretch = 64;

struct NestedLoopJoin::Shared final : SharedState {
  explicit Shared(QueryContext& context) : right_matched(context.memory()) {}

  std::unique_ptr<SpillableRows> right;
  std::exception_ptr late_error;       // Thrown for the first left row.
  std::atomic<bool> has_right{false};  // `right` and `late_error` are set.
  Mutex running_right;                 // Held while the right side runs on demand.
  MatchedRows right_matched;
  std::atomic<size_t> probing{0};
};

struct NestedLoopJoin::Local final : LocalState {
  Local(const NestedLoopJoin& join, QueryContext& context) : input(join.children[0]->types()) {
    std::vector<LogicalType> pair_types = join.children[0]->types();
    const auto& right_types = join.children[1]->types();
    pair_types.insert(pair_types.end(), right_types.begin(), right_types.end());
    pairs.Initialize(pair_types);
    if (join.condition_) executor = std::make_unique<ExpressionExecutor>(context.functions, *join.condition_);
    if (join.needed_) needed = std::make_unique<ExpressionExecutor>(context.functions, *join.needed_);
  }
  DataChunk input;
  DataChunk pairs;
  std::unique_ptr<ExpressionExecutor> executor;
  std::unique_ptr<ExpressionExecutor> needed;
  Vector truth{TypeId::kBoolean};
  ProbeMatches matches;
  // Pairs are formed of left rows [left_begin, left_end) and one right piece, left row by left row; then of
  // the same left rows and the next piece; then of the next left rows.
  size_t left_begin = 0;
  size_t left_end = 0;
  size_t next_piece = 0;
  RowsPiece piece;  // The piece before next_piece.
  size_t next_left = 0;
  size_t next_right = 0;
  // The pairs to be tested: one left row with the whole piece, or arbitrary pairs.
  bool is_stretch = false;
  size_t pair_count = 0;
  SelectionRef left_rows;
  sel_t right_rows[kVectorSize];
  enum class Phase : uint8_t { kInput, kPairs, kRight, kEnd } phase = Phase::kInput;
};

NestedLoopJoin::NestedLoopJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                               ExpressionPtr condition, std::vector<LogicalType> types)
    : PhysicalOperator("NestedLoopJoin", std::move(types)),
      join_type_(join_type),
      condition_(std::move(condition)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

void NestedLoopJoin::RunRightOnDemand(ExpressionPtr needed) {
  SCAUP_CHECK(!condition_ &&
              (join_type_ == LogicalJoinType::kSingle || join_type_ == LogicalJoinType::kInner));
  runs_right_on_demand_ = true;
  needed_ = std::move(needed);
}

std::unique_ptr<SharedState> NestedLoopJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(context);
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void NestedLoopJoin::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                        const RuntimeFilter& range) const {
  CheckStack();
  if (IsMadeOfLeftRows(join_type_) && column < children[0]->types().size())
    children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void NestedLoopJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  if (!runs_right_on_demand_) {
    shared.late_error = CollectRightSide(right_is_scalar, [&] { CollectRight(context, shared); });
    shared.has_right = true;
  }
  children[0]->Prepare(context, *shared.children[0]);
}

void NestedLoopJoin::CollectRight(QueryContext& context, Shared& shared) const {
  children[1]->Prepare(context, *shared.children[1]);
  // A single task, so that pairs come in the order of the right input.
  auto sinks = DrainParallel(
      context, *children[1], *shared.children[1], shared.profile,
      [&](size_t) { return std::make_unique<SpillableRowsSink>(context, children[1]->types()); }, 1);
  shared.right = std::move(static_cast<SpillableRowsSink&>(*sinks[0]).rows);
  if (KeepsRight(join_type_)) shared.right_matched.Begin(shared.right->row_count());
}

bool NestedLoopJoin::HasRight(QueryContext& context, Shared& shared, Local& local) const {
  if (shared.has_right.load(std::memory_order_acquire)) return true;
  SelectionVector needing;
  if (local.needed && local.needed->Select(0, local.input, needing) == 0) return false;
  const MutexLock lock(shared.running_right);
  if (shared.has_right.load(std::memory_order_relaxed)) return true;
  try {
    CollectRight(context, shared);
  } catch (...) {
    shared.late_error = std::current_exception();  // Other threads must not run it again.
  }
  shared.has_right.store(true, std::memory_order_release);
  return true;
}

std::unique_ptr<LocalState> NestedLoopJoin::MakeLocal(QueryContext& context,
                                                      SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(*this, context);
  // Register this task before the joins below do. The last task to end below must find it registered here;
  // otherwise unmatched rows would be emitted while the join below still has rows to emit.
  shared.probing.fetch_add(1);
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

bool NestedLoopJoin::BeginPairs(const Shared& shared, Local& local) const {
  const size_t piece_count = shared.right->piece_count(), left_rows = local.input.size();
  if (piece_count == 0) return false;
  const bool* matched = local.matches.matched;
  const auto is_matched = [](bool each) { return each; };
  const bool is_decided =
      IsExistence() && std::all_of(matched + local.left_begin, matched + local.left_end, is_matched);
  if (local.next_piece == piece_count || is_decided) {
    local.left_begin = local.left_end;
    local.next_piece = 0;
  }
  if (local.left_begin == left_rows) return false;
  // Row by row, so that pairs come in the order of the left rows. Pieces that must be read from storage are
  // instead read once for all left rows of the chunk.
  if (local.next_piece == 0) {
    const bool is_by_row = piece_count > 1 && shared.right->is_in_memory();
    local.left_end = is_by_row ? local.left_begin + 1 : left_rows;
  }
  const size_t piece = local.next_piece++;
  local.next_left = local.left_begin;
  local.next_right = 0;
  if (piece_count == 1 && !local.piece.is_empty()) return true;  // It is pinned.
  // Unpin the old piece before the new one needs memory.
  local.piece = RowsPiece();
  local.piece = shared.right->Piece(piece);
  return true;
}

bool NestedLoopJoin::FindPairs(Local& local) const {
  const size_t right_rows = local.piece.row_count();
  local.is_stretch = right_rows >= kLeastStretch;
  local.pair_count = 0;
  local.left_rows = std::make_shared<SelectionVector>();
  while (local.next_left < local.left_end && local.pair_count < kVectorSize) {
    const size_t left = local.next_left;
    if (IsExistence() && local.matches.matched[left]) {
      local.next_left++;
      local.next_right = 0;
      continue;
    }
    // A whole piece fills the batch.
    const size_t most = local.is_stretch ? right_rows : kVectorSize - local.pair_count;
    const size_t count = std::min(right_rows - local.next_right, most);
    std::fill_n(local.left_rows->rows + local.pair_count, local.is_stretch ? 1 : count,
                static_cast<sel_t>(left));
    if (!local.is_stretch)
      std::iota(local.right_rows + local.pair_count, local.right_rows + local.pair_count + count,
                static_cast<sel_t>(local.next_right));
    local.pair_count += count;
    local.next_right += count;
    if (local.next_right == right_rows) {
      local.next_left++;
      local.next_right = 0;
    }
    if (local.is_stretch) break;
  }
  return local.pair_count != 0;
}

void NestedLoopJoin::MakePairs(Local& local) const {
  const size_t left_columns = local.input.column_count(), count = local.pair_count;
  local.pairs.Release();
  local.pairs.SetSize(count);
  local.pairs.batch_index = local.input.batch_index;
  if (local.is_stretch) {
    SetLeftConstant(local.input, local.left_rows->rows[0], local.pairs);
    for (size_t i = left_columns; i < local.pairs.column_count(); i++)
      local.piece.ReadColumn(i - left_columns, local.pairs.column(i));
    return;
  }
  const bool has_all_left = local.piece.row_count() == 1 && count == local.input.size();
  for (size_t i = 0; i < left_columns; i++) {
    if (has_all_left) {
      local.pairs.column(i).Reference(local.input.column(i));
    } else {
      local.pairs.column(i).Slice(local.input.column(i), local.input.size(), local.left_rows, count);
    }
  }
  for (size_t i = left_columns; i < local.pairs.column_count(); i++) {
    Vector& column = local.pairs.column(i);
    column.Reset();
    local.piece.Gather(i - left_columns, local.right_rows, count, column);
    if (column.physical_type() == PhysicalType::kString) column.KeepAlive(local.piece.memory());
    if (local.piece.row_count() == 1) column.SetConstant();
  }
}

bool NestedLoopJoin::TestPairs(Shared& shared, Local& local, DataChunk& output) const {
  MakePairs(local);
  const size_t count = local.pair_count;
  const auto left_of = [&](size_t pair) { return local.left_rows->rows[local.is_stretch ? 0 : pair]; };
  SelectionRef passed;
  size_t kept = count;
  if (local.executor) {
    passed = std::make_shared<SelectionVector>();
    kept = 0;
    local.executor->Execute(0, local.pairs, local.truth);
    const auto truth = local.truth.ViewAs<uint8_t>(count);
    for (size_t i = 0; i < count; i++) {
      passed->rows[kept] = static_cast<sel_t>(i);
      if (!truth.IsValid(i)) {
        local.matches.unknown[left_of(i)] = true;
      } else {
        kept += truth[i] != 0;
      }
    }
  }
  const auto pair_of = [&](size_t i) { return passed ? passed->rows[i] : i; };
  // For a single left row, two matches suffice to detect the forbidden second one.
  const size_t noted = local.is_stretch ? std::min<size_t>(kept, 2) : kept;
  for (size_t i = 0; i < noted; i++) NoteMatch(join_type_, local.matches, left_of(pair_of(i)));
  const uint64_t first_right_row = (local.next_piece - 1) * kVectorSize;
  for (size_t i = 0; KeepsRight(join_type_) && i < kept; i++) {
    const size_t pair = pair_of(i);
    shared.right_matched.Add(first_right_row + (local.is_stretch ? pair : local.right_rows[pair]));
  }
  if (kept == 0 || IsExistence()) return false;
  if (kept == count) {
    output.Reference(local.pairs);
  } else {
    output.Slice(local.pairs, passed, kept);
  }
  return true;
}

bool NestedLoopJoin::EmitUnmatchedRight(Shared& shared, DataChunk& output) const {
  MatchedRows::Unmatched unmatched;
  if (!shared.right_matched.NextUnmatched(unmatched)) return false;
  const RowsPiece piece = shared.right->Piece(unmatched.piece);
  const size_t left_columns = children[0]->types().size();
  SetLeftNull(output, left_columns);
  for (size_t i = left_columns; i < output.column_count(); i++) {
    Vector& column = output.column(i);
    column.Reset();
    piece.Gather(i - left_columns, unmatched.rows, unmatched.count, column);
    if (column.physical_type() == PhysicalType::kString) column.KeepAlive(piece.memory());
  }
  output.SetSize(unmatched.count);
  output.batch_index = UINT64_MAX;
  return true;
}

void NestedLoopJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                             DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  while (true) {
    switch (local.phase) {
      case Local::Phase::kInput:
        children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
        if (local.input.size() == 0) {
          local.pairs.Release();
          local.piece = RowsPiece();
          const bool is_last = shared.probing.fetch_sub(1) == 1;
          local.phase = is_last && KeepsRight(join_type_) ? Local::Phase::kRight : Local::Phase::kEnd;
          break;
        }
        local.matches.Reset(local.input.size());
        if (!HasRight(context, shared, local)) {
          if (EmitAfterProbe(join_type_, local.input, local.matches, output)) return;
          break;
        }
        if (shared.late_error) std::rethrow_exception(shared.late_error);
        local.left_begin = local.left_end = local.next_left = 0;
        local.next_piece = shared.right->piece_count();
        local.phase = Local::Phase::kPairs;
        break;
      case Local::Phase::kPairs:
        do {
          while (FindPairs(local)) {
            context.functions.CheckInterrupt();
            if (TestPairs(shared, local, output)) return;
          }
        } while (BeginPairs(shared, local));
        // A single piece stays pinned for the next left rows.
        if (shared.right->piece_count() > 1) local.piece = RowsPiece();
        local.phase = Local::Phase::kInput;
        if (EmitAfterProbe(join_type_, local.input, local.matches, output)) return;
        break;
      case Local::Phase::kRight:
        if (EmitUnmatchedRight(shared, output)) return;
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd: return;
    }
  }
}

}  // namespace scaup
