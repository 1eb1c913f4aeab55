// Recursion operator: WITH RECURSIVE, in rounds over the rows of the previous round.
#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "common/stack_bound.hpp"
#include "execution/rows/distinct_rows.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution/run/sole_reader.hpp"
#include "execution/stream/share_operators.hpp"

namespace scaup {

namespace {

/// Returns the rows that no earlier round had, each once.
std::shared_ptr<const MaterializedRows> TakeNew(QueryContext& context, DistinctRows& seen,
                                                std::shared_ptr<const MaterializedRows> rows,
                                                const std::vector<size_t>& columns,
                                                const std::vector<LogicalType>& types) {
  auto fresh = std::make_unique<SpillableRows>(context, types);
  DataChunk chunk(types), none;
  KeptRowsReader reader(rows);
  for (size_t piece = 0; piece < rows->piece_count(); piece++) {
    context.functions.CheckInterrupt();
    chunk.Release();
    reader.Read(piece, columns, chunk);
    none.SetSize(chunk.size());
    auto selection = std::make_shared<SelectionVector>();
    const size_t count = seen.SelectNew(chunk, none, selection->rows);
    if (count == 0) continue;
    chunk.Slice(selection, count);
    fresh->Append(chunk);
  }
  while (seen.NextDeferred(chunk)) fresh->Append(chunk);
  fresh->Finish();
  return std::make_shared<const MaterializedRows>(context, std::move(fresh));
}

/// Increments a counter during its lifetime.
class CountedScope {
 public:
  explicit CountedScope(std::atomic<size_t>& count) : count_(count) { count_++; }
  ~CountedScope() { count_--; }
  CountedScope(const CountedScope&) = delete;
  CountedScope& operator=(const CountedScope&) = delete;

 private:
  std::atomic<size_t>& count_;
};

/// Adds the measurements of one run of a subplan to those of the next run.
void AddProfiles(const SharedState& from, SharedState& to) {
  CheckStack();
  to.profile.rows += from.profile.rows.load();
  to.profile.own_nanoseconds += from.profile.own_nanoseconds.load();
  for (size_t i = 0; i < from.children.size() && i < to.children.size(); i++) {
    if (from.children[i] && to.children[i]) AddProfiles(*from.children[i], *to.children[i]);
  }
}

}  // namespace

struct RecursionOperator::Shared final : SharedState {
  Shared() : source(std::shared_ptr<const MaterializedRows>()) {}
  // The children's states refer to the rows, so they are destroyed first.
  ~Shared() override { children.clear(); }
  SharedRows source;
  std::optional<DistinctRows> seen;
  SoleReader sole_reader;
  KeptRowsReader reader;  // Reads the last round's rows.
  size_t next_piece = 0;
  uint64_t batch = 0;
  size_t rounds = 0;
};

RecursionOperator::RecursionOperator(size_t share, bool is_distinct, PhysicalOperatorPtr first,
                                     PhysicalOperatorPtr next)
    : PhysicalOperator("Recursion", first->types()),
      share_(share),
      is_distinct_(is_distinct),
      columns_(types().size()) {
  std::iota(columns_.begin(), columns_.end(), size_t{0});
  children.push_back(std::move(first));
  children.push_back(std::move(next));
}

std::unique_ptr<SharedState> RecursionOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>();
  shared->children.push_back(children[0]->MakeShared(context));
  // Set before the second child's states are made, as these look it up.
  context.shared_rows.Set(share_, &shared->source);
  const CountedScope recursion(context.recursions);
  shared->children.push_back(children[1]->MakeShared(context));
  return shared;
}

void RecursionOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  if (is_distinct_) shared.seen.emplace(context, types(), std::vector<LogicalType>(), &shared.profile.memory);
  children[0]->Prepare(context, *shared.children[0]);
  KeepRows(context, shared, 0);
}

void RecursionOperator::KeepRows(QueryContext& context, Shared& shared, size_t child) const {
  auto rows = MaterializedRows::Collect(context, *children[child], *shared.children[child], shared.profile);
  if (shared.seen) rows = TakeNew(context, *shared.seen, std::move(rows), columns_, types());
  shared.reader = KeptRowsReader(std::move(rows));
}

std::unique_ptr<LocalState> RecursionOperator::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

void RecursionOperator::RunRound(QueryContext& context, Shared& shared) const {
  shared.source.Replace(shared.reader.shared_rows());
  // States are used once: each further round needs new ones.
  if (shared.rounds++ > 0) {
    const CountedScope repetition(context.repetitions);
    context.shared_rows.Set(share_, &shared.source);
    std::unique_ptr<SharedState> next = children[1]->MakeShared(context);
    AddProfiles(*shared.children[1], *next);
    shared.children[1] = std::move(next);
  }
  children[1]->Prepare(context, *shared.children[1]);
  KeepRows(context, shared, 1);
  shared.next_piece = 0;
}

void RecursionOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState& local,
                                DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  if (!shared.sole_reader.IsTask(local)) return;
  if (shared.next_piece == shared.reader.rows().piece_count()) {
    if (shared.reader.rows().row_count() == 0) return;
    RunRound(context, shared);
    if (shared.reader.rows().row_count() == 0) return;
  }
  shared.reader.Read(shared.next_piece++, columns_, output);
  output.batch_index = shared.batch++;
}

std::vector<std::string> RecursionOperator::RunDetails(const SharedState& shared) const {
  return {fmt::format("rounds: {}", static_cast<const Shared&>(shared).rounds)};
}

}  // namespace scaup
