// Join trees: an order of joining the relations of a graph, and its cost.
#pragma once

#include <memory>

#include "common/tree_deletion.hpp"
#include "optimizer/join_order/join_graph.hpp"

namespace scaup {

/// A tree over relations of a graph.
struct JoinTree : TreeDeletion<JoinTree> {
  RelationSet set = 0;
  double rows = 0;
  double cost = 0;  ///< sum over all joins: their rows, and those of the smaller input, which is hashed
  std::unique_ptr<JoinTree> left;  ///< null for a single relation
  std::unique_ptr<JoinTree> right;
};

using JoinTreePtr = std::unique_ptr<JoinTree>;

/// Makes the tree of a single relation.
JoinTreePtr MakeLeaf(const JoinGraph& graph, size_t relation);
/// Joins two trees over disjoint relations.
JoinTreePtr JoinTrees(const JoinGraph& graph, JoinTreePtr left, JoinTreePtr right);

/// The part of a join's cost that its inputs contribute, besides its own rows.
inline double InputCost(double left_cost, double left_rows, double right_cost, double right_rows) {
  return left_cost + right_cost + std::min(left_rows, right_rows);
}

}  // namespace scaup
