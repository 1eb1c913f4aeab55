// Expression executor: AND, OR, CASE and COALESCE, each part evaluated only for the rows that still need it.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/expression_node.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

namespace {

/// The number of chunks after which an AND reorders its children.
constexpr size_t kReorderEvery = 32;

template <typename T>
void ScatterTyped(const UnifiedView& source, const sel_t* rows, size_t count, Vector& target) {
  const auto typed = source.As<T>();
  T* out = target.MutableData<T>();
  for (size_t i = 0; i < count; i++) {
    if (source.IsValid(i)) {
      if constexpr (std::is_same_v<T, StringRef>) {
        out[rows[i]] = target.AddString(typed[i].view());
      } else {
        out[rows[i]] = typed[i];
      }
    } else {
      target.SetNull(rows[i]);
    }
  }
}

/// target[rows[i]] = source[i]. Strings are copied, because their memory may be reused.
void Scatter(Vector& source, const sel_t* rows, size_t count, Vector& target) {
  const UnifiedView view = source.View(count);
  VisitBits(target.physical_type(), [&]<typename T>() { ScatterTyped<T>(view, rows, count, target); });
}

}  // namespace

void ExpressionExecutor::Node::EvaluateConjunction(DataChunk& input, Vector& result) {
  // A row is decided by its first false (AND) or true (OR). NULL stays open, as a later part may decide.
  const auto& conjunction = expression.As<ConjunctionExpression>();
  const uint8_t deciding = conjunction.is_and ? 0 : 1;
  const size_t count = input.size();
  result.Reset();
  uint8_t* out = result.MutableData<uint8_t>();
  std::memset(out, 1 - deciding, count);
  bool is_null[kVectorSize] = {};
  bool any_null = false;
  auto open = std::make_shared<SelectionVector>();
  std::memcpy(open->rows, IdentitySelection(), count * sizeof(sel_t));
  size_t open_count = count;
  for (size_t i = 0; i < children.size() && open_count != 0; i++) {
    DataChunk* rows = &input;
    if (open_count < count) {
      SliceInput(input, open, open_count, sliced);
      rows = &sliced;
    }
    Vector& part = arguments.column(i);
    children[i]->Evaluate(*rows, part);
    const auto view = part.ViewAs<uint8_t>(open_count);
    auto still_open = std::make_shared<SelectionVector>();
    size_t still_count = 0;
    for (size_t j = 0; j < open_count; j++) {
      const sel_t row = open->rows[j];
      if (!view.IsValid(j)) {
        is_null[row] = any_null = true;
      } else if ((view[j] != 0) == (deciding != 0)) {
        out[row] = deciding;
        is_null[row] = false;
        continue;
      }
      still_open->rows[still_count++] = row;
    }
    open = std::move(still_open);
    open_count = still_count;
  }
  if (!any_null) return;
  for (size_t row = 0; row < count; row++) {
    if (is_null[row]) result.SetNull(row);
  }
}

bool ExpressionExecutor::Node::CaseWays::NextBlends() {
  // Each way gets some trial calls; the faster one gets the rest of the round, as the data may change.
  constexpr size_t kTrials = 4, kRound = 512;
  const size_t call = calls++ % kRound;
  if (call == 0) least[0] = least[1] = std::numeric_limits<double>::infinity();
  if (call < 2 * kTrials) return call >= kTrials;
  return least[1] < least[0];
}

void ExpressionExecutor::Node::CaseWays::Note(bool blends, double nanoseconds_per_row) {
  least[blends] = std::min(least[blends], nanoseconds_per_row);
}

void ExpressionExecutor::Node::EvaluateCase(DataChunk& input, Vector& result) {
  if (!case_ways.may_blend) return EvaluateBranches(input, result);
  const bool blends = case_ways.NextBlends();
  const auto begin = std::chrono::steady_clock::now();
  if (!blends || !BlendBranches(input, result)) EvaluateBranches(input, result);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
  case_ways.Note(blends, elapsed.count() / static_cast<double>(input.size()));
}

/// Evaluates all conditions and results for all rows, and then blends in the result of the first true
/// condition, without branches in the processor. Returns false if a part failed, possibly for a row that does
/// not reach it.
bool ExpressionExecutor::Node::BlendBranches(DataChunk& input, Vector& result) {
  const size_t count = input.size();
  try {
    for (size_t i = 0; i < children.size(); i++) children[i]->Evaluate(input, arguments.column(i));
  } catch (const Error& error) {
    if (error.sqlstate() == std::string_view(sqlstate::kStatementTooComplex)) throw;
    case_ways.may_blend = false;
    return false;
  }
  Blend(count, result);
  return true;
}

void ExpressionExecutor::Node::Blend(size_t count, Vector& result) {
  result.Reset();
  const auto width = static_cast<size_t>(std::countr_zero(PhysicalSize(result.physical_type())));
  auto* out = result.MutableData<std::byte>();
  uint8_t mask[kVectorSize], is_valid[kVectorSize], part_is_valid[kVectorSize];
  bool any_null = false;
  std::memset(mask, 1, count);
  std::memset(is_valid, 1, count);
  // From the last result to the first, so that earlier ones overwrite later ones.
  const auto lay = [&](Vector& part) {
    if (!part.is_constant()) part.Flatten(count);
    context.kernels.blend[width](mask, part.Data<std::byte>(), part.is_constant(), out, count);
    if (!any_null && part.Validity() == nullptr) return;
    any_null = true;
    const UnifiedView view = part.View(count);
    for (size_t row = 0; row < count; row++) part_is_valid[row] = view.IsValid(row) ? 1 : 0;
    context.kernels.blend[0](mask, part_is_valid, false, is_valid, count);
  };
  lay(arguments.column(children.size() - 1));
  for (size_t i = children.size() - 1; i >= 2; i -= 2) {
    const auto condition = arguments.column(i - 2).ViewAs<uint8_t>(count);
    if (condition.all_valid()) {
      for (size_t row = 0; row < count; row++) mask[row] = condition[row];
    } else {
      for (size_t row = 0; row < count; row++) mask[row] = condition.IsValid(row) ? condition[row] : 0;
    }
    lay(arguments.column(i - 1));
  }
  if (!any_null) return;
  for (size_t row = 0; row < count; row++) {
    if (is_valid[row] == 0) result.SetNull(row);
  }
}

void ExpressionExecutor::Node::EvaluateBranches(DataChunk& input, Vector& result) {
  // The children are condition, result, condition, result, ..., otherwise.
  const size_t count = input.size();
  auto open = std::make_shared<SelectionVector>();
  std::memcpy(open->rows, IdentitySelection(), count * sizeof(sel_t));
  size_t open_count = count;
  bool is_written = false;
  for (size_t i = 0; i < children.size() && open_count != 0; i += 2) {
    const bool is_otherwise = i + 1 == children.size();
    DataChunk* rows = &input;
    if (open_count < count) {
      SliceInput(input, open, open_count, sliced);
      rows = &sliced;
    }
    auto taken = std::make_shared<SelectionVector>();  // Positions in `open`.
    size_t taken_count = open_count;
    if (is_otherwise) {
      std::memcpy(taken->rows, IdentitySelection(), open_count * sizeof(sel_t));
    } else {
      taken_count = children[i]->Select(*rows, taken->rows);
    }
    if (taken_count == 0) continue;
    Node& branch = is_otherwise ? *children[i] : *children[i + 1];
    Vector& value = arguments.column(is_otherwise ? i : i + 1);
    if (taken_count == count) {  // All rows take this branch.
      branch.Evaluate(input, result);
      return;
    }
    const auto chosen = std::make_shared<SelectionVector>();
    for (size_t j = 0; j < taken_count; j++) chosen->rows[j] = open->rows[taken->rows[j]];
    branch.SliceInput(input, chosen, taken_count, branch_input);
    branch.Evaluate(branch_input, value);
    if (!is_written) result.Reset();
    is_written = true;
    Scatter(value, chosen->rows, taken_count, result);
    size_t still_count = 0;
    size_t next_taken = 0;
    auto still_open = std::make_shared<SelectionVector>();
    for (size_t j = 0; j < open_count; j++) {
      if (next_taken < taken_count && taken->rows[next_taken] == j) {
        next_taken++;
      } else {
        still_open->rows[still_count++] = open->rows[j];
      }
    }
    open = std::move(still_open);
    open_count = still_count;
  }
}

void ExpressionExecutor::Node::EvaluateCoalesce(DataChunk& input, Vector& result) {
  const size_t count = input.size();
  // On the heap rather than on the stack, because branches may be nested.
  const auto open_rows = std::make_unique<SelectionVector>(), targets = std::make_unique<SelectionVector>();
  sel_t* const open = open_rows->rows;  // Rows that are NULL so far.
  sel_t* const target_rows = targets->rows;
  size_t open_count = count;
  std::memcpy(open, IdentitySelection(), count * sizeof(sel_t));
  result.Reset();
  for (size_t i = 0; i < children.size() && open_count != 0; i++) {
    Node& child = *children[i];
    Vector& value = arguments.column(i);
    DataChunk* rows = &input;
    if (open_count < count) {
      auto chosen = std::make_shared<SelectionVector>();
      std::memcpy(chosen->rows, open, open_count * sizeof(sel_t));
      child.SliceInput(input, chosen, open_count, sliced);
      rows = &sliced;
    }
    child.Evaluate(*rows, value);
    const UnifiedView view = value.View(open_count);
    if (view.validity == nullptr && open_count == count) {
      result.Reference(value);
      return;
    }
    auto filled = std::make_shared<SelectionVector>();  // Positions in `open`.
    size_t filled_count = 0, still_open = 0;
    for (size_t j = 0; j < open_count; j++) {
      if (view.IsValid(j)) {
        filled->rows[filled_count] = static_cast<sel_t>(j);
        target_rows[filled_count++] = open[j];
      } else {
        open[still_open++] = open[j];
      }
    }
    if (filled_count != 0) {
      Vector kept(value.type());
      kept.Slice(value, open_count, filled, filled_count);
      Scatter(kept, target_rows, filled_count, result);
    }
    open_count = still_open;
  }
  for (size_t i = 0; i < open_count; i++) result.SetNull(open[i]);
}

size_t ExpressionExecutor::Node::Select(DataChunk& input, sel_t* selection) {
  CheckStack(kRowStackReserve);
  if (input.size() == 0) return 0;
  if (expression.kind() == ExpressionKind::kConjunction && expression.As<ConjunctionExpression>().is_and) {
    return SelectAnd(input, selection);
  }
  if (!select_result) select_result = std::make_unique<Vector>(expression.type());
  Evaluate(input, *select_result);
  return SelectTrue(context.kernels, *select_result, input.size(), selection);
}

size_t ExpressionExecutor::Node::SelectAnd(DataChunk& input, sel_t* selection) {
  if (++select_calls % kReorderEvery == 0) Reorder();
  const size_t count = input.size();
  size_t open_count = count;
  std::memcpy(selection, IdentitySelection(), count * sizeof(sel_t));
  if (!selected) selected = std::make_unique<SelectionVector>();
  sel_t* const passed = selected->rows;
  DataChunk* rows = &input;
  for (Rank& rank : order) {
    const auto begin = std::chrono::steady_clock::now();
    const size_t passed_count = children[rank.child]->Select(*rows, passed);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    rank.rows_in += static_cast<double>(open_count);
    rank.rows_out += static_cast<double>(passed_count);
    rank.nanoseconds +=
        static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
    if (passed_count == 0) return 0;
    if (passed_count == open_count) continue;
    for (size_t i = 0; i < passed_count; i++) selection[i] = selection[passed[i]];
    open_count = passed_count;
    if (&rank == &order.back()) break;
    auto kept = std::make_shared<SelectionVector>();
    std::memcpy(kept->rows, selection, open_count * sizeof(sel_t));
    SliceInput(input, kept, open_count, sliced);
    rows = &sliced;
  }
  return open_count;
}

void ExpressionExecutor::Node::Reorder() {
  // A part that can fail keeps its place, as do all parts after it: an earlier part may guard it.
  const auto first_failing = std::find_if(order.begin(), order.end(),
                                          [&](const Rank& rank) { return children[rank.child]->can_fail; });
  // Order by time spent per dropped row, least first.
  const auto cost = [](const Rank& rank) {
    // Never zero: the counts of a part that no row reaches fade to zero.
    const double dropped = std::max({rank.rows_in - rank.rows_out, 0.001 * rank.rows_in, 1e-100});
    return rank.nanoseconds / dropped;
  };
  std::stable_sort(order.begin(), first_failing,
                   [&](const Rank& a, const Rank& b) { return cost(a) < cost(b); });
  for (Rank& rank : order) {  // Older measurements fade.
    rank.rows_in /= 2;
    rank.rows_out /= 2;
    rank.nanoseconds /= 2;
  }
}

}  // namespace scaup
