// Table count: recognizes count(*) of a whole table, and answers it from row counts and versions.
#include "execution/scan/table_count.hpp"

#include <algorithm>

#include "catalog/table_reading.hpp"
#include "common/throw.hpp"
#include "execution/run/query_context.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/get.hpp"

namespace scaup {

namespace {

class TableCountShared final : public SharedState {
 public:
  explicit TableCountShared(uint64_t count_in) : count(count_in) {}
  uint64_t count;
  bool is_done = false;
};

}  // namespace

bool CountsTable(const LogicalAggregate& aggregate) {
  if (!aggregate.groups.empty() || aggregate.children[0]->kind() != LogicalKind::kGet) return false;
  const auto& get = aggregate.children[0]->As<LogicalGet>();
  const bool has_all_rows = get.table->storage != nullptr && get.predicate.is_true();
  return has_all_rows && std::all_of(aggregate.aggregates.begin(), aggregate.aggregates.end(),
                                     [](const ExpressionPtr& expression) {
                                       const auto& call = expression->As<AggregateExpression>();
                                       return call.function.name == "count_star" && !call.filter;
                                     });
}

TableCountOperator::TableCountOperator(TableEntryRef table, std::vector<LogicalType> types)
    : PhysicalOperator("TableCount", std::move(types)), table_(std::move(table)) {
  SCAUP_ASSERT(std::ranges::all_of(this->types(),
                                   [](const LogicalType& type) { return type.id() == TypeId::kBigInt; }));
}

std::unique_ptr<SharedState> TableCountOperator::MakeShared(QueryContext& context) const {
  // No column is read, but every row that comes or goes changes the count.
  const TableRead read = context.ReadTable(
      this, [&] { return ReaderOf(context.transaction, *table_, table_->StorageColumns()).Read({}, {}); });
  return std::make_unique<TableCountShared>(read.view.CountVisibleRows());
}

void TableCountOperator::Produce(QueryContext&, SharedState& shared_state, LocalState&,
                                 DataChunk& output) const {
  auto& shared = static_cast<TableCountShared&>(shared_state);
  output.Release();
  output.SetSize(0);
  if (shared.is_done) return;
  shared.is_done = true;
  for (size_t i = 0; i < output.column_count(); i++) {
    output.column(i).Reset();
    output.column(i).MutableData<int64_t>()[0] = static_cast<int64_t>(shared.count);
  }
  output.SetSize(1);
}

}  // namespace scaup
