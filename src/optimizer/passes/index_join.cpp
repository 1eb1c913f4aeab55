// Pass: lets joins look up keys in an index where that reads less than a scan.
#include "optimizer/passes/index_join.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/statistics/cardinality_estimator.hpp"
#include "planner/indexed_scan.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_sampler.hpp"
#include "storage/table_index/index_lookup.hpp"

namespace scaup {
namespace {

/// Whether a join may look up the rows of its left child, or of its right one. Joins that emit right rows are
/// checked as their mirror image.
bool MayLookUp(const LogicalJoin& join, bool looks_up_left) {
  switch (join.join_type) {
    case LogicalJoinType::kInner: return true;
    case LogicalJoinType::kRight: return looks_up_left;
    case LogicalJoinType::kLeft:
    case LogicalJoinType::kAnti: return !looks_up_left;
    case LogicalJoinType::kRightSemi:
    case LogicalJoinType::kRightAnti: return true;
    case LogicalJoinType::kSemi:
      // Only the distinct keys of the other side are looked up, so there can be no further condition on it.
      return !looks_up_left ||
             (join.residual.empty() &&
              std::all_of(join.conditions.begin(), join.conditions.end(), [](const JoinCondition& condition) {
                return condition.op == ComparisonOp::kEqual;
              }));
    case LogicalJoinType::kFull:
    case LogicalJoinType::kMark:
    case LogicalJoinType::kPositional:
    case LogicalJoinType::kAsof:
    case LogicalJoinType::kAsofLeft:
    case LogicalJoinType::kSingle: return false;
  }
  return false;
}

/// Finds the index with the longest key that the join's conditions cover.
std::optional<JoinByIndex> FindIndex(const LogicalJoin& join, bool looks_up_left,
                                     const Transaction& transaction) {
  const auto scan = AsIndexedScan(*join.children[looks_up_left ? 0 : 1]);
  if (!scan || !scan->get->table->storage) return std::nullopt;
  const ReadView& view = transaction.In(scan->get->table->storage->transactions()).view();
  std::optional<JoinByIndex> best;
  for (const TableIndexRef& index : scan->get->table->storage->indexes().List()) {
    // An index made later does not cover the rows of this snapshot.
    if (index->is_text() || !index->IsWholeFor(view)) continue;
    const std::vector<LookupKey> keys = LookupKeysOf(join, *scan, looks_up_left, index->columns());
    const bool has_condition =
        std::any_of(keys.begin(), keys.end(), [](const LookupKey& key) { return key.condition.has_value(); });
    if (has_condition && (!best || keys.size() > best->key_count))
      best = JoinByIndex{index, keys.size(), looks_up_left};
  }
  return best;
}

bool HasCandidate(const LogicalOperator& node, const Transaction& transaction) {
  CheckStack();
  if (node.kind() == LogicalKind::kJoin) {
    const auto& join = node.As<LogicalJoin>();
    for (const bool looks_up_left : {false, true}) {
      if (MayLookUp(join, looks_up_left) && FindIndex(join, looks_up_left, transaction)) return true;
    }
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const LogicalOperatorPtr& child) { return HasCandidate(*child, transaction); });
}

}  // namespace

LogicalOperatorPtr IndexJoinChoice::Rewrite(LogicalOperatorPtr plan) {
  // Skipped without a candidate, because estimates cost more than a lookup of one row.
  if (!HasCandidate(*plan, context_.optimizer.transaction)) return plan;
  CardinalityEstimator(context_).Estimate(*plan);
  RewriteJoins(*plan);
  return plan;
}

void IndexJoinChoice::RewriteJoins(LogicalOperator& node) {
  CheckStack();
  for (const LogicalOperatorPtr& child : node.children) RewriteJoins(*child);
  if (node.kind() == LogicalKind::kJoin) ChooseFor(node.As<LogicalJoin>());
}

void IndexJoinChoice::ChooseFor(LogicalJoin& join) {
  const bool is_swapped = !EmitsLeft(join.join_type);
  if (is_swapped) join.SwapChildren();
  for (const bool looks_up_left : {false, true}) {
    if (join.by_index || !MayLookUp(join, looks_up_left)) continue;
    join.by_index = Choose(join, looks_up_left);
  }
  if (is_swapped && !join.by_index) join.SwapChildren();
}

std::optional<JoinByIndex> IndexJoinChoice::Choose(const LogicalJoin& join, bool looks_up_left) const {
  const Transaction& transaction = context_.optimizer.transaction;
  const auto choice = FindIndex(join, looks_up_left, transaction);
  if (!choice) return std::nullopt;
  const LogicalOperator& input = *join.children[looks_up_left ? 1 : 0];
  const LogicalOperator& inner = *join.children[looks_up_left ? 0 : 1];
  const LogicalGet& get = *AsIndexedScan(*join.children[looks_up_left ? 0 : 1])->get;
  const double lookups = std::max(input.estimated_rows, 1.0);
  const double read = lookups * (1 + EstimateMatches(get, *choice->index, choice->key_count));
  const uint64_t row_count = get.table->storage->sampler().EstimateRowCount(transaction);
  // The bound is that of scans. With 1,000,000 rows in memory, a hash join takes as long from some 30,000
  // lookups on. Compressed rows take longer to fetch, and estimates are worse where a key has many rows.
  if (read > static_cast<double>(MostRowsByIndex(row_count))) return std::nullopt;
  // The scan may find its few rows by an index, too.
  const bool finds_fewer =
      inner.estimated_rows >= 0 && inner.estimated_rows < read &&
      ChooseIndex(get.table->storage->indexes().List(), get.predicate.filters).has_value();
  return finds_fewer ? std::nullopt : choice;
}

/// The expected number of the table's rows per key.
double IndexJoinChoice::EstimateMatches(const LogicalGet& get, const TableIndex& index,
                                        size_t key_count) const {
  if (index.is_unique() && key_count == index.columns().size()) return 1;
  LogicalGet all(get.table_index, get.table);
  const RelationEstimate estimate = CardinalityEstimator(context_).Estimate(all);
  double keys = 1;
  for (size_t i = 0; i < key_count; i++) {
    const auto column = estimate.columns.find({get.table_index, index.columns()[i]});
    if (column != estimate.columns.end()) keys *= std::max(column->second.distinct, 1.0);
  }
  return std::max(estimate.rows / std::min(keys, std::max(estimate.rows, 1.0)), 1.0);
}

}  // namespace scaup
