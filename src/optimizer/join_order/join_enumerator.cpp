// Finds the cheapest order to join the relations of a graph.
#include "optimizer/join_order/join_enumerator.hpp"

#include <algorithm>

namespace scaup {
namespace {

std::unique_ptr<JoinTree> MakeLeaf(const JoinGraph& graph, size_t relation) {
  auto leaf = std::make_unique<JoinTree>();
  leaf->set = RelationSet{1} << relation;
  leaf->rows = graph.Rows(leaf->set);
  return leaf;
}

std::unique_ptr<JoinTree> MakeTree(const JoinGraph& graph, std::unique_ptr<JoinTree> left,
                                   std::unique_ptr<JoinTree> right) {
  auto tree = std::make_unique<JoinTree>();
  tree->set = left->set | right->set;
  tree->rows = graph.Rows(tree->set);
  tree->cost = JoinCost(*left, *right, tree->rows);
  tree->left = std::move(left);
  tree->right = std::move(right);
  return tree;
}

/// The best way to join a set, by dynamic programming over its subsets (all of which have smaller numbers).
struct Best {
  double rows = 0;
  double cost = -1;  // Negative: no connected order exists.
  RelationSet left = 0;
};

void TrySplits(const JoinGraph& graph, RelationSet set, std::vector<Best>& best) {
  Best& found = best[set];
  const RelationSet lowest = set & (~set + 1);
  // Every split comes twice, mirrored; the half with the lowest relation is the left one.
  for (RelationSet left = (set - 1) & set; left != 0; left = (left - 1) & set) {
    if ((left & lowest) == 0) continue;
    const RelationSet right = set & ~left;
    if (best[left].cost < 0 || best[right].cost < 0) continue;
    const double inputs = best[left].cost + best[right].cost + std::min(best[left].rows, best[right].rows);
    if (found.cost >= 0 && inputs >= found.cost) continue;  // Already dearer, whatever the output.
    if (!graph.AreConnected(left, right)) continue;
    if (found.cost < 0) found.rows = graph.Rows(set);
    const double cost = inputs + found.rows;
    if (found.cost < 0 || cost < found.cost) {
      found.cost = cost;
      found.left = left;
    }
  }
}

std::unique_ptr<JoinTree> BuildTree(const JoinGraph& graph, RelationSet set, const std::vector<Best>& best) {
  if (std::has_single_bit(set)) return MakeLeaf(graph, static_cast<size_t>(std::countr_zero(set)));
  const RelationSet left = best[set].left;
  return MakeTree(graph, BuildTree(graph, left, best), BuildTree(graph, set & ~left, best));
}

/// The largest sets that have an order, taken apart from one another: one per connected part of the graph,
/// unless predicates over three and more relations keep parts from being joined.
std::vector<std::unique_ptr<JoinTree>> FindParts(const JoinGraph& graph) {
  const RelationSet all = graph.AllRelations();
  std::vector<Best> best(all + 1);
  for (size_t i = 0; i < graph.relation_count(); i++) {
    Best& single = best[RelationSet{1} << i];
    single.rows = graph.Rows(RelationSet{1} << i);
    single.cost = 0;
  }
  for (RelationSet set = 1; set <= all; set++) {
    if (!std::has_single_bit(set)) TrySplits(graph, set, best);
  }
  std::vector<std::unique_ptr<JoinTree>> parts;
  RelationSet rest = all;
  while (rest != 0) {
    RelationSet largest = rest & (~rest + 1);
    for (RelationSet set = rest; set != 0; set = (set - 1) & rest) {
      if (best[set].cost >= 0 && std::popcount(set) > std::popcount(largest)) largest = set;
    }
    parts.push_back(BuildTree(graph, largest, best));
    rest &= ~largest;
  }
  return parts;
}

/// Joins parts pairwise, connected ones first, the fewest resulting rows first.
std::unique_ptr<JoinTree> JoinGreedily(const JoinGraph& graph, std::vector<std::unique_ptr<JoinTree>> parts) {
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
    parts[best_a] = MakeTree(graph, std::move(parts[best_a]), std::move(parts[best_b]));
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(best_b));
  }
  return std::move(parts[0]);
}

}  // namespace

double JoinCost(const JoinTree& left, const JoinTree& right, double rows) {
  return left.cost + right.cost + rows + std::min(left.rows, right.rows);
}

std::unique_ptr<JoinTree> FindGreedyOrder(const JoinGraph& graph) {
  std::vector<std::unique_ptr<JoinTree>> parts;
  for (size_t i = 0; i < graph.relation_count(); i++) parts.push_back(MakeLeaf(graph, i));
  return JoinGreedily(graph, std::move(parts));
}

std::unique_ptr<JoinTree> FindJoinOrder(const JoinGraph& graph) {
  if (graph.relation_count() > kMostEnumerated) return FindGreedyOrder(graph);
  return JoinGreedily(graph, FindParts(graph));
}

}  // namespace scaup
