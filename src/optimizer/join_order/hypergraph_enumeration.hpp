// Enumerates all join orders that predicates allow, by dynamic programming over a hypergraph.
#pragma once

#include <optional>

#include "optimizer/join_order/join_tree.hpp"

namespace scaup {

/// Returns the cheapest tree for each connected part of the graph, largest parts first. A connected graph has
/// several parts only if predicates over three or more relations keep them from being joined. Returns nullopt
/// if more than `most_pairs` pairs of connected sets would have to be compared. The algorithm is DPhyp:
/// Moerkotte, Neumann, Dynamic Programming Strikes Back, SIGMOD 2008.
std::optional<std::vector<JoinTreePtr>> EnumerateHypergraph(const JoinGraph& graph, size_t most_pairs);

}  // namespace scaup
