// Unnest: walks through the lists of each input row, and repeats the row beside each of their elements.
#include "execution/scan/unnest_operator.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "expression/expression_executor.hpp"
#include "type/packed_value.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

namespace {

/// A thread's input chunk and its position in it.
class UnnestLocal final : public LocalState {
 public:
  UnnestLocal(ExpressionExecutor executor_in, const std::vector<LogicalType>& input_types,
              const std::vector<LogicalType>& list_types)
      : executor(std::move(executor_in)), input(input_types), lists(list_types), rest(list_types.size()) {
    for (const LogicalType& type : list_types) {
      elements.push_back(type.element());
      loaders.push_back(FindSlotLoader(type.element()));
    }
  }
  ExpressionExecutor executor;
  DataChunk input;
  DataChunk lists;
  std::vector<LogicalType> elements;
  std::vector<SlotLoader> loaders;
  std::vector<UnifiedView> views;
  size_t next_row = 0;                 // row of `input` that follows the present one
  std::vector<std::string_view> rest;  // by list: the slots of the present row's remaining elements
  int64_t ordinal = 0;

  bool HasElements() const {
    return std::any_of(rest.begin(), rest.end(), [](std::string_view slots) { return !slots.empty(); });
  }
  void BeginRow() {
    ordinal = 0;
    for (size_t i = 0; i < rest.size(); i++) {
      const bool is_valid = views[i].IsValid(next_row);
      rest[i] = is_valid ? views[i].As<StringRef>()[next_row].view() : std::string_view();
    }
    next_row++;
  }
  void BeginChunk() {
    lists.Release();
    executor.Execute(input, lists);
    views.clear();
    for (Vector& list : lists.columns()) views.push_back(list.View(input.size()));
    next_row = 0;
  }
};

/// Writes the next element of each list into row `row` of the output's columns. Shorter lists are padded with
/// NULLs.
void PutElements(UnnestLocal& local, DataChunk& output, size_t first_column, size_t row) {
  for (size_t i = 0; i < local.rest.size(); i++) {
    Vector& column = output.column(first_column + i);
    const LogicalType& type = local.elements[i];
    if (local.rest[i].empty()) {
      PutValue(nullptr, column, row);
    } else {
      local.loaders[i](type, TakeSlot(type, local.rest[i]), column, row);
    }
  }
}

}  // namespace

UnnestOperator::UnnestOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> lists,
                               bool has_ordinality, bool is_outer, std::vector<LogicalType> types)
    : PhysicalOperator("Unnest", std::move(types)),
      lists_(std::move(lists)),
      has_ordinality_(has_ordinality),
      is_outer_(is_outer) {
  children.push_back(std::move(child));
}

std::unique_ptr<LocalState> UnnestOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<UnnestLocal>(ExpressionExecutor(context.functions, lists_),
                                             children[0]->types(), TypesOf(lists_));
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void UnnestOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                             DataChunk& output) const {
  auto& local = static_cast<UnnestLocal&>(local_state);
  const size_t child_columns = children[0]->types().size();
  const size_t ordinality_column = child_columns + lists_.size();
  for (size_t i = child_columns; i < output.column_count(); i++) output.column(i).Reset();
  auto selection = std::make_shared<SelectionVector>();
  size_t count = 0;
  while (count < kVectorSize) {
    if (!local.HasElements()) {
      if (local.next_row == local.input.size()) {
        // The output's columns refer to one input chunk, so the output ends with it.
        if (count > 0) break;
        children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
        if (local.input.size() == 0) return;
        local.BeginChunk();
      }
      local.BeginRow();
      if (!local.HasElements() && !is_outer_) continue;
    }
    selection->rows[count] = static_cast<sel_t>(local.next_row - 1);
    const bool is_empty = !local.HasElements();
    PutElements(local, output, child_columns, count);
    if (has_ordinality_) {
      output.column(ordinality_column).MutableData<int64_t>()[count] = ++local.ordinal;
      // An outer unnest emits one row for empty lists, whose ordinality is NULL.
      if (is_empty) output.column(ordinality_column).SetNull(count);
    }
    count++;
  }
  for (size_t i = 0; i < child_columns; i++)
    output.column(i).Slice(local.input.column(i), local.input.size(), selection, count);
  output.SetSize(count);
  output.batch_index = local.input.batch_index;
}

}  // namespace scaup
