// Finds the cheapest order to join the relations of a graph.
#pragma once

#include "optimizer/join_order/join_tree.hpp"

namespace scaup {

/// So many pairs of connected sets are compared at most: all orders of twelve relations that are all joined
/// with one another, of sixteen in a star, and of as many as a graph can have in a chain. It takes about 20
/// ms.
inline constexpr size_t kMostJoinPairs = 300'000;

/// The cheapest of all bushy orders if they are few enough; otherwise the cheaper one of a linearized order
/// and a greedy one. Cross products appear only between parts of the graph that no predicate connects.
JoinTreePtr FindJoinOrder(const JoinGraph& graph, size_t most_pairs = kMostJoinPairs);
/// Exposed for tests: joins the pair that gives the fewest rows, again and again (greedy operator ordering,
/// Fegaras 1998).
JoinTreePtr FindGreedyOrder(const JoinGraph& graph);

}  // namespace scaup
