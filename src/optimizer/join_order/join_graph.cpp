// The join graph: the relations of a region of inner joins, and the predicates between them.
#include "optimizer/join_order/join_graph.hpp"
#include "common/throw.hpp"
#include "planner/node/join.hpp"

#include <algorithm>

namespace scaup {

JoinGraph::JoinGraph(std::vector<LogicalOperatorPtr> relations, std::vector<RelationEstimate> estimates)
    : relations_(std::move(relations)), estimates_(std::move(estimates)), local_(relations_.size()) {
  SCAUP_ASSERT(relations_.size() <= kMostRelations);
  for (size_t i = 0; i < relations_.size(); i++) {
    for (const ColumnBinding& binding : relations_[i]->Bindings()) relation_of_[binding] = i;
  }
}

RelationSet JoinGraph::RelationsOf(const Expression& expression) const {
  RelationSet set = 0;
  ForEachColumnRef(expression,
                   [&](const ColumnRefExpression& ref) { set |= SetOf(relation_of_.at(ref.binding)); });
  return set;
}

void JoinGraph::AddPredicate(ExpressionPtr expression) {
  const RelationSet set = RelationsOf(*expression);
  if (set == 0) {
    constants_.push_back(std::move(expression));
    return;
  }
  if (std::has_single_bit(set)) {
    local_[std::countr_zero(set)].push_back(std::move(expression));
    return;
  }
  GraphPredicate predicate;
  predicate.relations = set;
  if (expression->kind() == ExpressionKind::kComparison && IsDeterministic(*expression)) {
    auto& comparison = expression->As<ComparisonExpression>();
    const bool are_columns = comparison.left->kind() == ExpressionKind::kColumnRef &&
                             comparison.right->kind() == ExpressionKind::kColumnRef;
    if (comparison.op == ComparisonOp::kEqual && are_columns) {
      AddEquality(std::move(comparison.left), std::move(comparison.right));
      return;
    }
    const RelationSet left = RelationsOf(*comparison.left), right = RelationsOf(*comparison.right);
    if (left != 0 && right != 0 && (left & right) == 0) {
      predicate.left = left;
      predicate.right = right;
    }
  }
  predicate.expression = std::move(expression);
  predicates_.push_back(std::move(predicate));
}

size_t JoinGraph::ClassOf(ExpressionPtr column) {
  for (size_t i = 0; i < classes_.size(); i++) {
    for (const auto& member : classes_[i].members) {
      if (member.column->Equals(*column)) return i;
    }
  }
  const size_t relation = relation_of_.at(column->As<ColumnRefExpression>().binding);
  const RelationEstimate& estimate = estimates_[relation];
  const double distinct = SelectivityEstimator(estimate).Distinct(*column);
  const auto known = estimate.columns.find(column->As<ColumnRefExpression>().binding);
  const bool is_known = known != estimate.columns.end();
  EqualityClass fresh;
  fresh.relations = SetOf(relation);
  fresh.members.push_back({relation, std::move(column), distinct,
                           is_known ? known->second.base_rows : estimate.rows,
                           is_known ? known->second.null_fraction : 0});
  classes_.push_back(std::move(fresh));
  return classes_.size() - 1;
}

void JoinGraph::AddEquality(ExpressionPtr left, ExpressionPtr right) {
  const size_t a = ClassOf(std::move(left)), b = ClassOf(std::move(right));
  if (a == b) return;
  EqualityClass& kept = classes_[std::min(a, b)];
  EqualityClass& merged = classes_[std::max(a, b)];
  for (auto& member : merged.members) {
    const auto same = std::find_if(kept.members.begin(), kept.members.end(),
                                   [&](const auto& m) { return m.relation == member.relation; });
    if (same == kept.members.end()) {
      kept.members.push_back(std::move(member));
      continue;
    }
    // Two columns of one relation are compared in the relation itself, so that either may represent the
    // class.
    local_[member.relation].push_back(std::make_unique<ComparisonExpression>(
        ComparisonOp::kEqual, same->column->Clone(), std::move(member.column)));
  }
  kept.relations |= merged.relations;
  classes_.erase(classes_.begin() + static_cast<ptrdiff_t>(std::max(a, b)));
}

void JoinGraph::Finish() {
  for (size_t i = 0; i < relations_.size(); i++) {
    std::vector<const Expression*> borrowed;
    for (const ExpressionPtr& predicate : local_[i]) borrowed.push_back(predicate.get());
    ApplyPredicates(estimates_[i], borrowed);
  }
  for (GraphPredicate& predicate : predicates_) {
    RelationEstimate all;
    for (size_t i = 0; i < relations_.size(); i++) {
      if ((predicate.relations >> i & 1) == 0) continue;
      all.rows = std::max(all.rows, estimates_[i].rows);
      all.columns.insert(estimates_[i].columns.begin(), estimates_[i].columns.end());
    }
    predicate.selectivity = SelectivityEstimator(all).Selectivity(*predicate.expression);
  }
  FindEdges();
  FindComposites();
}

void JoinGraph::FindEdges() {
  neighbors_.assign(relations_.size(), 0);
  for (const EqualityClass& group : classes_) {
    for (const auto& member : group.members)
      neighbors_[member.relation] |= group.relations & ~SetOf(member.relation);
  }
  for (const GraphPredicate& predicate : predicates_) {
    if (predicate.left == 0) continue;
    if (std::has_single_bit(predicate.left) && std::has_single_bit(predicate.right)) {
      neighbors_[std::countr_zero(predicate.left)] |= predicate.right;
      neighbors_[std::countr_zero(predicate.right)] |= predicate.left;
    } else {
      hyperedges_.push_back({predicate.left, predicate.right});
    }
  }
}

void JoinGraph::FindComposites() {
  for (size_t i = 0; i < relations_.size(); i++) {
    for (size_t j = i + 1; j < relations_.size(); j++) {
      double left_values = 1, right_values = 1, left_base = 0, right_base = 0, separate = 1, largest = 1;
      size_t shared = 0;
      for (const EqualityClass& group : classes_) {
        const EqualityClass::Member *left = nullptr, *right = nullptr;
        for (const auto& member : group.members) {
          if (member.relation == i) left = &member;
          if (member.relation == j) right = &member;
        }
        if (left == nullptr || right == nullptr) continue;
        shared++;
        left_values *= left->distinct;
        right_values *= right->distinct;
        left_base = std::max(left_base, left->base_rows);
        right_base = std::max(right_base, right->base_rows);
        separate *= std::max(left->distinct, right->distinct);
        largest = std::max({largest, left->distinct, right->distinct});
      }
      // Independent keys would divide the rows by `separate`. The composite key has fewer values, so the
      // estimate is corrected upwards.
      const double composite =
          CompositeDomain(std::min(left_values, left_base), std::min(right_values, right_base), largest);
      if (shared >= 2 && composite >= 1 && composite < separate) {
        composites_.push_back({SetOf(i) | SetOf(j), separate / composite});
      }
    }
  }
}

double JoinGraph::CompositeCorrection(RelationSet set) const {
  double correction = 1;
  for (const Composite& composite : composites_) {
    if ((composite.pair & set) == composite.pair) correction *= composite.correction;
  }
  return correction;
}

double JoinGraph::Rows(RelationSet set) const {
  double rows = 1;
  for (size_t i = 0; i < relations_.size(); i++) {
    if (set >> i & 1) rows *= std::max(estimates_[i].rows, 1e-3);
  }
  for (const EqualityClass& group : classes_) {
    if (std::popcount(group.relations & set) < 2) continue;
    // k equal columns are k - 1 equalities; all domains but the smallest divide the rows.
    double least = 0, product = 1;
    for (const auto& member : group.members) {
      if ((set >> member.relation & 1) == 0) continue;
      const double distinct = std::max(member.distinct, 1.0);
      product *= distinct / (1 - std::min(member.null_fraction, 0.999));
      least = least == 0 ? distinct : std::min(least, distinct);
    }
    rows *= least / product;
  }
  for (const GraphPredicate& predicate : predicates_) {
    if ((predicate.relations & set) == predicate.relations) rows *= predicate.selectivity;
  }
  return rows * CompositeCorrection(set);
}

RelationSet JoinGraph::Neighbors(RelationSet set) const {
  RelationSet found = 0;
  for (; set != 0; set &= set - 1) found |= neighbors_[std::countr_zero(set)];
  return found;
}

bool JoinGraph::AreConnected(RelationSet a, RelationSet b) const {
  if ((Neighbors(a) & b) != 0) return true;
  return std::any_of(hyperedges_.begin(), hyperedges_.end(), [&](const HyperEdge& edge) {
    const bool forward = (edge.left & a) == edge.left && (edge.right & b) == edge.right;
    const bool backward = (edge.left & b) == edge.left && (edge.right & a) == edge.right;
    return forward || backward;
  });
}

LogicalOperatorPtr JoinGraph::TakeRelation(size_t index) {
  return MakeFilter(std::move(relations_[index]), std::move(local_[index]));
}

LogicalOperatorPtr JoinGraph::MakeJoin(LogicalOperatorPtr left, RelationSet left_set,
                                       LogicalOperatorPtr right, RelationSet right_set) {
  auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kInner, std::move(left), std::move(right));
  for (const EqualityClass& group : classes_) {
    const EqualityClass::Member *a = nullptr, *b = nullptr;
    for (const auto& member : group.members) {
      if (a == nullptr && (left_set >> member.relation & 1)) a = &member;
      if (b == nullptr && (right_set >> member.relation & 1)) b = &member;
    }
    if (a != nullptr && b != nullptr)
      join->conditions.push_back({ComparisonOp::kEqual, a->column->Clone(), b->column->Clone()});
  }
  const RelationSet both = left_set | right_set;
  for (GraphPredicate& predicate : predicates_) {
    const RelationSet set = predicate.relations;
    if ((set & both) != set || (set & left_set) == set || (set & right_set) == set) continue;
    const bool forward = predicate.left != 0 && (predicate.left & left_set) == predicate.left &&
                         (predicate.right & right_set) == predicate.right;
    const bool backward = predicate.left != 0 && (predicate.left & right_set) == predicate.left &&
                          (predicate.right & left_set) == predicate.right;
    if (!forward && !backward) {
      join->residual.push_back(std::move(predicate.expression));
      continue;
    }
    auto& comparison = predicate.expression->As<ComparisonExpression>();
    if (backward) {
      std::swap(comparison.left, comparison.right);
      comparison.op = FlipComparison(comparison.op);
    }
    join->conditions.push_back({comparison.op, std::move(comparison.left), std::move(comparison.right)});
  }
  join->estimated_rows = Rows(both);
  return join;
}

}  // namespace scaup
