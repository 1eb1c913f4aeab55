// Pass: lets a TopN read a table in the order of an index until it has enough rows.
#include "optimizer/passes/index_order.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "optimizer/statistics/cardinality_estimator.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/get.hpp"
#include "planner/node/project.hpp"
#include "planner/node/top_n.hpp"
#include "planner/planner.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_sampler.hpp"
#include "storage/table_index/index_lookup.hpp"

namespace scaup {
namespace {

const LogicalGet& GetOf(const LogicalOperator& input) {
  const bool is_filter = input.kind() == LogicalKind::kFilter;
  return (is_filter ? *input.children[0] : input).As<LogicalGet>();
}

bool AreDeterministic(const std::vector<ExpressionPtr>& expressions) {
  return std::all_of(expressions.begin(), expressions.end(),
                     [](const ExpressionPtr& expression) { return IsDeterministic(*expression); });
}

/// Returns the scan below, or a filter of it; null if there is another node. Skips projections, provided that
/// it does not matter how often they are computed.
const LogicalOperator* FindInput(const LogicalTopN& top_n) {
  const LogicalOperator* node = top_n.children[0].get();
  for (; node->kind() == LogicalKind::kProject; node = node->children[0].get()) {
    if (!AreDeterministic(node->As<LogicalProject>().expressions)) return nullptr;
  }
  if (node->kind() == LogicalKind::kGet) return node;
  const bool is_filtered_get = node->kind() == LogicalKind::kFilter &&
                               node->children[0]->kind() == LogicalKind::kGet &&
                               AreDeterministic(node->As<LogicalFilter>().predicates);
  return is_filtered_get ? node : nullptr;
}

/// The sort keys as expressions over the columns of the scan, without order-preserving casts.
std::vector<ExpressionPtr> KeysBelowProjections(const LogicalTopN& top_n) {
  std::vector<ExpressionPtr> keys;
  for (const SortKey& key : top_n.keys) keys.push_back(key.expression->Clone());
  const LogicalOperator* node = top_n.children[0].get();
  for (; node->kind() == LogicalKind::kProject; node = node->children[0].get()) {
    const auto& project = node->As<LogicalProject>();
    for (ExpressionPtr& key : keys) SubstituteColumns(key, project.table_index, project.expressions);
  }
  for (ExpressionPtr& key : keys) {
    while (ExpressionPtr* operand = ExactCastOperand(*key)) key = ExpressionPtr(std::move(*operand));
  }
  return keys;
}

/// Matches the columns of an index with the keys of a sort.
class KeyMatch {
 public:
  KeyMatch(const TableIndex& index, const LogicalGet& get, const std::vector<SortKey>& orders,
           const std::vector<size_t>& columns)
      : index_(index), get_(get), orders_(orders), columns_(columns) {}

  /// Whether reading the index, forwards or backwards, yields rows in the order of the keys.
  bool Try() {
    for (const size_t column : index_.columns()) {
      PassSettledKeys();
      if (next_ == columns_.size()) return true;
      if (!IsFixed(column) && !Take(column)) return false;
    }
    PassSettledKeys();
    // No two rows are equal in all columns of a unique index.
    return next_ == columns_.size() ||
           (IsAlwaysUnique(index_) && std::none_of(index_.columns().begin(), index_.columns().end(),
                                                   [&](size_t column) { return MayBeNull(column); }));
  }
  bool descending() const { return descending_.value_or(false); }
  std::optional<size_t> first_column() const {
    return taken_.empty() ? std::nullopt : std::optional(taken_[0]);
  }

 private:
  using Op = ScanFilter::Op;
  template <typename Test>
  bool AnyFilter(size_t column, Test test) const {
    return std::any_of(get_.predicate.filters.begin(), get_.predicate.filters.end(),
                       [&](const ScanFilter& filter) { return filter.column == column && test(filter.op); });
  }
  bool IsFixed(size_t column) const {
    return AnyFilter(column, [](Op op) { return op == Op::kEqual || op == Op::kIsNull; });
  }
  bool MayBeNull(size_t column) const {
    return !get_.table->columns[column].not_null &&
           !AnyFilter(column, [](Op op) { return op != Op::kIsNull; });
  }
  /// Skips keys that do not affect the order: columns that are equal in all rows, or that occur earlier.
  void PassSettledKeys() {
    while (next_ < columns_.size() &&
           (IsFixed(columns_[next_]) ||
            std::find(taken_.begin(), taken_.end(), columns_[next_]) != taken_.end()))
      next_++;
  }
  bool Take(size_t column) {
    const SortKey& order = orders_[next_];
    if (columns_[next_] != column || order.descending != descending_.value_or(order.descending)) return false;
    // An index has NULLs last.
    if (order.nulls_first != order.descending && MayBeNull(column)) return false;
    descending_ = order.descending;
    taken_.push_back(column);
    next_++;
    return true;
  }

  const TableIndex& index_;
  const LogicalGet& get_;
  const std::vector<SortKey>& orders_;
  const std::vector<size_t>& columns_;  // of the keys
  size_t next_ = 0;
  std::vector<size_t> taken_;  // columns of the index by which rows are ordered
  std::optional<bool> descending_;
};

}  // namespace

LogicalOperatorPtr IndexOrder::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  return plan->kind() == LogicalKind::kTopN ? RewriteTopN(std::move(plan)) : std::move(plan);
}

LogicalOperatorPtr IndexOrder::RewriteTopN(LogicalOperatorPtr plan) {
  auto& top_n = plan->As<LogicalTopN>();
  const LogicalOperator* input = FindInput(top_n);
  if (input == nullptr) return plan;
  std::vector<ExpressionPtr> keys = KeysBelowProjections(top_n);
  top_n.by_index = Choose(top_n, *input, keys);
  if (!top_n.by_index) return plan;
  for (size_t i = 0; i < keys.size(); i++) top_n.keys[i].expression = std::move(keys[i]);
  if (top_n.children[0].get() == input) return plan;
  LogicalOperatorPtr root = std::move(top_n.children[0]);
  LogicalOperator* last = root.get();
  while (last->children[0].get() != input) last = last->children[0].get();
  top_n.children[0] = std::move(last->children[0]);
  last->children[0] = std::move(plan);
  return root;
}

std::optional<TopNByIndex> IndexOrder::Choose(const LogicalTopN& top_n, const LogicalOperator& input,
                                              const std::vector<ExpressionPtr>& keys) const {
  const LogicalGet& get = GetOf(input);
  const TableIndexList indexes = get.table->storage ? get.table->storage->indexes().List() : TableIndexList();
  if (indexes.empty()) return std::nullopt;
  std::vector<size_t> columns;
  for (const ExpressionPtr& key : keys) {
    if (key->kind() != ExpressionKind::kColumnRef) return std::nullopt;
    columns.push_back(key->As<ColumnRefExpression>().binding.column_index);
  }
  const Transaction& transaction = context_.optimizer.transaction.In(get.table->storage->transactions());
  std::optional<TopNByIndex> best;
  IndexUse best_use;
  for (const TableIndexRef& index : indexes) {
    // An index made later does not cover the rows of this snapshot.
    if (index->is_text() || !index->IsWholeFor(transaction.view())) continue;
    KeyMatch match(*index, get, top_n.keys, columns);
    if (!match.Try()) continue;
    IndexUse use = UseOf(*index, get.predicate.filters);
    if (best && use.Weight() <= best_use.Weight()) continue;
    best = TopNByIndex{index, match.descending(), match.first_column(), std::nullopt};
    best_use = std::move(use);
  }
  if (!best) return std::nullopt;
  const uint64_t wanted = top_n.limit + top_n.offset;
  const uint64_t most = MostRowsByIndex(get.table->storage->sampler().EstimateRowCount(transaction));
  if (wanted > most) return std::nullopt;
  const bool counts_every_row =
      input.kind() == LogicalKind::kGet && std::all_of(best_use.is_covered.begin(), best_use.is_covered.end(),
                                                       [](bool is_covered) { return is_covered; });
  if (counts_every_row) return best;
  if (EstimateEntries(input, get, best_use.is_covered, static_cast<double>(wanted)) >
      static_cast<double>(most))
    return std::nullopt;
  best->most_entries = most;
  return best;
}

/// The expected number of index entries to read until `wanted` rows pass the filters that the index does not
/// cover, assuming that these rows are evenly distributed.
double IndexOrder::EstimateEntries(const LogicalOperator& input, const LogicalGet& get,
                                   const std::vector<bool>& is_covered, double wanted) const {
  LogicalGet entries(get.table_index, get.table);
  for (size_t i = 0; i < get.predicate.filters.size(); i++) {
    if (is_covered[i]) entries.predicate.filters.push_back(get.predicate.filters[i]);
  }
  CardinalityEstimator estimator(context_);
  const double entry_count = estimator.Estimate(entries).rows;
  const double row_count = estimator.Estimate(*ClonePlan(input)).rows;
  return entry_count * std::min(1.0, wanted / std::max(row_count, 1.0));
}

}  // namespace scaup
