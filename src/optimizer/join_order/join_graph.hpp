// The join graph: the relations of a region of inner joins, and the predicates between them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

/// A set of relations of one region; bit i stands for relation i.
using RelationSet = uint64_t;
inline constexpr size_t kMostRelations = 64;
constexpr RelationSet SetOf(size_t relation) { return RelationSet{1} << relation; }

/// Columns of different relations that `=` predicates make equal. Equality within each of two sets holds
/// already, so a single condition per class joins them; implied equalities thus cost nothing.
struct EqualityClass {
  struct Member {
    size_t relation;
    ExpressionPtr column;
    double distinct;
    double base_rows;
    double null_fraction;
  };
  std::vector<Member> members;  ///< one per relation
  RelationSet relations = 0;
};

/// Any other predicate. A comparison whose sides use disjoint relations can join them.
struct GraphPredicate {
  ExpressionPtr expression;
  RelationSet relations = 0;
  RelationSet left = 0;  ///< relations of the comparison's left side; 0 if it cannot join
  RelationSet right = 0;
  double selectivity = 1;
};

/// A predicate that joins a set containing `left` with one containing `right`, where one of the two has
/// several relations.
struct HyperEdge {
  RelationSet left;
  RelationSet right;
};

/// The graph of one region; owned by the join_order pass while it processes the region.
class JoinGraph {
 public:
  /// Takes the relations with their estimates. REQUIRES: at most kMostRelations.
  JoinGraph(std::vector<LogicalOperatorPtr> relations, std::vector<RelationEstimate> estimates);

  /// Adds a predicate on columns of the relations. One without columns is retained for TakeConstants.
  void AddPredicate(ExpressionPtr predicate);
  /// Completes the graph after the last predicate.
  void Finish();

  size_t relation_count() const { return relations_.size(); }
  RelationSet AllRelations() const {
    return relations_.size() == kMostRelations ? ~RelationSet{0} : (RelationSet{1} << relations_.size()) - 1;
  }
  /// The estimated rows of the join of a set, which do not depend on the order.
  double Rows(RelationSet set) const;
  /// The relations that a predicate joins with a single relation of the set; they may include members of the
  /// set.
  RelationSet Neighbors(RelationSet set) const;
  const std::vector<HyperEdge>& hyperedges() const { return hyperedges_; }
  /// Whether a predicate joins the two disjoint sets.
  bool AreConnected(RelationSet a, RelationSet b) const;

  /// Moves relation i out, filtered by the predicates on its own columns.
  LogicalOperatorPtr TakeRelation(size_t index);
  /// Joins two plans that cover the sets, with all predicates that become applicable.
  LogicalOperatorPtr MakeJoin(LogicalOperatorPtr left, RelationSet left_set, LogicalOperatorPtr right,
                              RelationSet right_set);
  /// Moves out the predicates without columns.
  std::vector<ExpressionPtr> TakeConstants() { return std::move(constants_); }

 private:
  RelationSet RelationsOf(const Expression& expression) const;
  void AddEquality(ExpressionPtr left, ExpressionPtr right);
  size_t ClassOf(ExpressionPtr column);
  void FindEdges();
  void FindComposites();
  double CompositeCorrection(RelationSet set) const;

  std::vector<LogicalOperatorPtr> relations_;
  std::vector<RelationEstimate> estimates_;
  std::map<ColumnBinding, size_t> relation_of_;
  std::vector<EqualityClass> classes_;
  std::vector<GraphPredicate> predicates_;
  std::vector<std::vector<ExpressionPtr>> local_;  // by relation
  std::vector<ExpressionPtr> constants_;
  std::vector<RelationSet> neighbors_;  // by relation
  std::vector<HyperEdge> hyperedges_;
  /// Pairs of relations that several classes join. Their columns form a composite key with a limited number
  /// of values.
  struct Composite {
    RelationSet pair;
    double correction;
  };
  std::vector<Composite> composites_;
};

}  // namespace scaup
