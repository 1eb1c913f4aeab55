// Finds the cheapest order to join the relations of a graph.
#pragma once

#include <memory>

#include "optimizer/join_order/join_graph.hpp"

namespace scaup {

/// A tree over relations of a graph.
struct JoinTree {
  RelationSet set = 0;
  double rows = 0;
  double cost = 0;  ///< rows of all joins in the tree, and of the smaller input of each, which is hashed
  std::unique_ptr<JoinTree> left;  ///< null for a single relation
  std::unique_ptr<JoinTree> right;
};

/// Up to this many relations all connected orders are tried; beyond, greedy ordering takes over.
inline constexpr size_t kMostEnumerated = 12;

/// Cross products appear only between parts of the graph that no predicate connects.
std::unique_ptr<JoinTree> FindJoinOrder(const JoinGraph& graph);
/// Exposed for tests: joins the pair that gives the fewest rows, again and again (greedy operator ordering).
std::unique_ptr<JoinTree> FindGreedyOrder(const JoinGraph& graph);
/// The cost of joining two trees into one of `rows` rows.
double JoinCost(const JoinTree& left, const JoinTree& right, double rows);

}  // namespace scaup
