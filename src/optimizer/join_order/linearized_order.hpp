// Join orders for graphs with too many orders to enumerate.
#pragma once

#include "optimizer/join_order/join_tree.hpp"

namespace scaup {

/// Returns a tree for each part of the graph that predicates between two relations connect: the best bushy
/// tree over contiguous ranges of a linear order. That order is the best left-deep order along the most
/// selective spanning tree. Cubic in the number of relations. Linearized dynamic programming: Neumann, Radke,
/// Adaptive Optimization of Very Large Join Queries, SIGMOD 2018; the linear order is by Ibaraki and Kameda
/// 1984, Krishnamurthy, Boral and Zaniolo 1986.
std::vector<JoinTreePtr> FindLinearizedOrders(const JoinGraph& graph);

}  // namespace scaup
