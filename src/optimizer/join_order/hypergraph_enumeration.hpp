// All orders of joins that predicates allow, by dynamic programming over a hypergraph.
#pragma once

#include <optional>

#include "optimizer/join_order/join_tree.hpp"

namespace scaup {

/// The cheapest tree for each part of the graph that predicates connect, largest parts first (more than one
/// for a connected graph only when predicates over three and more relations keep parts from being joined).
/// nullopt when more than `most_pairs` pairs of connected sets would have to be compared. DPhyp: Moerkotte,
/// Neumann, Dynamic Programming Strikes Back, SIGMOD 2008.
std::optional<std::vector<JoinTreePtr>> EnumerateHypergraph(const JoinGraph& graph, size_t most_pairs);

}  // namespace scaup
