// Finds the cheapest order in which to join the relations of a graph.
#pragma once

#include "optimizer/join_order/join_tree.hpp"

namespace scaup {

/// The most pairs of connected sets that are compared, which takes about 20 ms. It suffices for all orders of
/// cliques of 12 relations, stars of 16, and chains of any size.
inline constexpr size_t kMostJoinPairs = 300'000;

/// Returns the cheapest of all bushy orders if they are few enough; otherwise the cheaper one of a linearized
/// order and a greedy one. Cross products appear only between parts of the graph that no predicate connects.
JoinTreePtr FindJoinOrder(const JoinGraph& graph, size_t most_pairs = kMostJoinPairs);
/// Exposed for tests: repeatedly joins the pair with the fewest resulting rows (greedy operator ordering,
/// Fegaras 1998).
JoinTreePtr FindGreedyOrder(const JoinGraph& graph);

}  // namespace scaup
