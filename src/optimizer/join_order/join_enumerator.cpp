// Finds the cheapest order in which to join the relations of a graph.
#include "optimizer/join_order/join_enumerator.hpp"

#include "optimizer/join_order/hypergraph_enumeration.hpp"
#include "optimizer/join_order/linearized_order.hpp"

namespace scaup {
namespace {

/// Joins parts pairwise: connected ones first, and those with the fewest resulting rows first.
JoinTreePtr JoinGreedily(const JoinGraph& graph, std::vector<JoinTreePtr> parts) {
  while (parts.size() > 1) {
    size_t best_a = 0, best_b = 1;
    bool best_connected = false;
    double best_rows = -1;
    for (size_t a = 0; a < parts.size(); a++) {
      for (size_t b = a + 1; b < parts.size(); b++) {
        const bool connected = graph.AreConnected(parts[a]->set, parts[b]->set);
        if (best_connected && !connected) continue;
        const double rows = graph.Rows(parts[a]->set | parts[b]->set);
        if (best_rows >= 0 && connected == best_connected && rows >= best_rows) continue;
        best_a = a;
        best_b = b;
        best_connected = connected;
        best_rows = rows;
      }
    }
    parts[best_a] = JoinTrees(graph, std::move(parts[best_a]), std::move(parts[best_b]));
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(best_b));
  }
  return std::move(parts[0]);
}

}  // namespace

JoinTreePtr MakeLeaf(const JoinGraph& graph, size_t relation) {
  auto leaf = std::make_unique<JoinTree>();
  leaf->set = SetOf(relation);
  leaf->rows = graph.Rows(leaf->set);
  return leaf;
}

JoinTreePtr JoinTrees(const JoinGraph& graph, JoinTreePtr left, JoinTreePtr right) {
  auto tree = std::make_unique<JoinTree>();
  tree->set = left->set | right->set;
  tree->rows = graph.Rows(tree->set);
  tree->cost = InputCost(left->cost, left->rows, right->cost, right->rows) + tree->rows;
  tree->left = std::move(left);
  tree->right = std::move(right);
  return tree;
}

JoinTreePtr FindGreedyOrder(const JoinGraph& graph) {
  std::vector<JoinTreePtr> parts;
  for (size_t i = 0; i < graph.relation_count(); i++) parts.push_back(MakeLeaf(graph, i));
  return JoinGreedily(graph, std::move(parts));
}

JoinTreePtr FindJoinOrder(const JoinGraph& graph, size_t most_pairs) {
  if (auto parts = EnumerateHypergraph(graph, most_pairs)) return JoinGreedily(graph, std::move(*parts));
  JoinTreePtr linearized = JoinGreedily(graph, FindLinearizedOrders(graph));
  JoinTreePtr greedy = FindGreedyOrder(graph);
  return greedy->cost < linearized->cost ? std::move(greedy) : std::move(linearized);
}

}  // namespace scaup
