// DISTINCT ON operator: comparing neighbours, or all keys.
#include "execution/sort/distinct_on_operator.hpp"

#include <optional>

#include "common/stack_bound.hpp"
#include "execution/rows/distinct_rows.hpp"
#include "execution/run/sole_reader.hpp"
#include "execution/sort/neighbour_comparer.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

class DistinctOnOperator::Shared final : public SharedState {
 public:
  Shared(QueryContext& context, const std::vector<ExpressionPtr>& key_expressions,
         const std::vector<SortOrder>& orders, const std::vector<LogicalType>& input_types)
      : executor(context.functions, key_expressions),
        neighbours(orders),
        keys(TypesOf(key_expressions)),
        input(input_types),
        deferred(input_types) {
    std::vector<LogicalType> types = keys.types();
    types.insert(types.end(), input_types.begin(), input_types.end());
    deferred.Initialize(types);
  }
  ~Shared() override { input_local.reset(); }

  /// Selects the rows whose keys differ from the previous row's.
  size_t SelectChanged(sel_t* rows) {
    std::vector<Vector*> columns;
    for (Vector& column : keys.columns()) columns.push_back(&column);
    uint16_t steps[kVectorSize];
    neighbours.Compare(columns, input.size(), steps);
    size_t count = 0;
    for (size_t row = 0; row < input.size(); row++) {
      rows[count] = static_cast<sel_t>(row);
      count += steps[row] != columns.size();
    }
    return count;
  }
  /// Outputs rows whose keys had been spilled.
  void ProduceDeferred(DataChunk& output) {
    if (!seen || !seen->NextDeferred(deferred)) return;
    for (size_t i = 0; i < output.column_count(); i++)
      output.column(i).Reference(deferred.column(keys.column_count() + i));
    output.SetSize(deferred.size());
  }

  ExpressionExecutor executor;
  NeighbourComparer neighbours;
  std::optional<DistinctRows> seen;  // Unless the input is sorted by the keys.
  DataChunk keys;
  DataChunk input;
  DataChunk deferred;
  SoleReader reader;
  std::unique_ptr<LocalState> input_local;
  bool has_ended = false;
};

DistinctOnOperator::DistinctOnOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> keys,
                                       std::vector<SortOrder> orders)
    : PhysicalOperator("DistinctOn", child->types()), keys_(std::move(keys)), orders_(std::move(orders)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> DistinctOnOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(context, keys_, orders_, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void DistinctOnOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  if (orders_.empty()) shared.seen.emplace(context, TypesOf(keys_), types(), &shared.profile.memory);
}

std::unique_ptr<LocalState> DistinctOnOperator::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

void DistinctOnOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState& local,
                                 DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  if (!shared.reader.IsTask(local)) return;
  if (!shared.input_local) shared.input_local = children[0]->MakeLocal(context, *shared.children[0]);
  while (!shared.has_ended) {
    children[0]->Next(context, *shared.children[0], *shared.input_local, shared.input);
    const size_t count = shared.input.size();
    if (count == 0) {
      shared.has_ended = true;
      break;
    }
    shared.keys.Release();
    shared.executor.Execute(shared.input, shared.keys);
    shared.keys.SetSize(count);
    auto selection = std::make_shared<SelectionVector>();
    const size_t new_count = shared.seen ? shared.seen->SelectNew(shared.keys, shared.input, selection->rows)
                                         : shared.SelectChanged(selection->rows);
    if (new_count == 0) continue;
    if (new_count == count) {
      output.Reference(shared.input);
    } else {
      output.Slice(shared.input, selection, new_count);
    }
    return;
  }
  shared.ProduceDeferred(output);
}

}  // namespace scaup
