// Join graph: the relations of a region of inner joins, and the predicates between them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

/// A set of relations of one region: bit i stands for relation i.
using RelationSet = uint64_t;
inline constexpr size_t kMostRelations = 64;

/// Columns of different relations that `=` predicates make equal. One condition per class joins two sets that
/// both have members, as equality within each set holds already; so implied equalities come for free.
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

/// Any other predicate. Where it is a comparison whose sides use disjoint relations, it can join them.
struct GraphPredicate {
  ExpressionPtr expression;
  RelationSet relations = 0;
  RelationSet left = 0;  ///< of the comparison's sides; 0 when it cannot join
  RelationSet right = 0;
  double selectivity = 1;
};

/// A predicate that joins a set which holds `left` with one that holds `right`, of which one has several
/// relations.
struct HyperEdge {
  RelationSet left;
  RelationSet right;
};

/// Owned by the join_order pass for the time of one region.
class JoinGraph {
 public:
  /// Takes the relations with their estimates. REQUIRES: at most kMostRelations.
  JoinGraph(std::vector<LogicalOperatorPtr> relations, std::vector<RelationEstimate> estimates);

  /// Adds a predicate over columns of the relations. One without columns is kept for the top.
  void AddPredicate(ExpressionPtr predicate);
  /// After the last predicate.
  void Finish();

  size_t relation_count() const { return relations_.size(); }
  RelationSet AllRelations() const {
    return relations_.size() == kMostRelations ? ~RelationSet{0} : (RelationSet{1} << relations_.size()) - 1;
  }
  /// Rows of the join of a set, however it is made.
  double Rows(RelationSet set) const;
  /// Relations that a predicate joins with a single one of the set; those of the set may be among them.
  RelationSet Neighbors(RelationSet set) const;
  const std::vector<HyperEdge>& hyperedges() const { return hyperedges_; }
  /// True when a predicate joins the two disjoint sets.
  bool AreConnected(RelationSet a, RelationSet b) const;

  /// Gives relation i away, filtered by what its own columns must satisfy.
  LogicalOperatorPtr TakeRelation(size_t index);
  /// Joins two plans that cover the sets, with all predicates that become possible.
  LogicalOperatorPtr MakeJoin(LogicalOperatorPtr left, RelationSet left_set, LogicalOperatorPtr right,
                              RelationSet right_set);
  /// Predicates without columns.
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
  std::vector<std::vector<ExpressionPtr>> local_;  // By relation.
  std::vector<ExpressionPtr> constants_;
  std::vector<RelationSet> neighbors_;  // By relation.
  std::vector<HyperEdge> hyperedges_;
  /// Pairs of relations that several classes join: together those are one key of at most so many values.
  struct Composite {
    RelationSet pair;
    double correction;
  };
  std::vector<Composite> composites_;
};

}  // namespace scaup
