// Join orders for graphs with too many orders to enumerate.
#include "optimizer/join_order/linearized_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/stack_bound.hpp"

namespace scaup {
namespace {

/// A part of a linear order that stays together, and its effect on the cost when appended to others: it
/// multiplies their rows by `factor` and adds `cost` per row.
struct Stretch {
  std::vector<size_t> relations;
  double factor = 1;
  double cost = 0;

  double Rank() const { return (factor - 1) / cost; }

  void Append(const Stretch& next) {
    relations.insert(relations.end(), next.relations.begin(), next.relations.end());
    cost += factor * next.cost;
    factor *= next.factor;
  }
};

/// The spanning tree of one connected part, built from its most selective edges (Prim).
class SpanningTree {
 public:
  SpanningTree(const JoinGraph& graph, RelationSet part) : graph_(graph), neighbors_(graph.relation_count()) {
    RelationSet reached = part & (~part + 1);
    while (reached != part) {
      double least = std::numeric_limits<double>::infinity();
      size_t from = 0, to = 0;
      for (RelationSet rest = reached; rest != 0; rest &= rest - 1) {
        const auto a = static_cast<size_t>(std::countr_zero(rest));
        for (RelationSet fresh = graph.Neighbors(SetOf(a)) & part & ~reached; fresh != 0;
             fresh &= fresh - 1) {
          const auto b = static_cast<size_t>(std::countr_zero(fresh));
          const double selectivity = Selectivity(a, b);
          if (selectivity >= least) continue;
          least = selectivity;
          from = a;
          to = b;
        }
      }
      neighbors_[from].push_back(to);
      neighbors_[to].push_back(from);
      reached |= SetOf(to);
    }
  }

  /// The cheapest left-deep order that begins with `root` and joins every relation after its parent.
  Stretch Linearize(size_t root) const {
    Stretch whole{{root}, graph_.Rows(SetOf(root)), 0};
    for (const Stretch& stretch : Below(root, root)) whole.Append(stretch);
    return whole;
  }

 private:
  double Selectivity(size_t a, size_t b) const {
    return graph_.Rows(SetOf(a) | SetOf(b)) / (graph_.Rows(SetOf(a)) * graph_.Rows(SetOf(b)));
  }

  /// The parts below a relation, by ascending rank.
  std::vector<Stretch> Below(size_t relation, size_t parent) const {
    std::vector<Stretch> merged;
    for (const size_t child : neighbors_[relation]) {
      if (child == parent) continue;
      std::vector<Stretch> chain = WithBelow(child, relation), both;
      std::merge(merged.begin(), merged.end(), chain.begin(), chain.end(), std::back_inserter(both),
                 [](const Stretch& a, const Stretch& b) { return a.Rank() < b.Rank(); });
      merged = std::move(both);
    }
    return merged;
  }

  /// A relation and its subtree. If the relation itself has the higher rank, it must still come first, so it
  /// is merged with the parts that follow.
  std::vector<Stretch> WithBelow(size_t relation, size_t parent) const {
    const double factor = Selectivity(parent, relation) * graph_.Rows(SetOf(relation));
    Stretch head{{relation}, factor, factor};
    const std::vector<Stretch> below = Below(relation, parent);
    size_t next = 0;
    while (next < below.size() && below[next].Rank() < head.Rank()) head.Append(below[next++]);
    std::vector<Stretch> chain{std::move(head)};
    chain.insert(chain.end(), below.begin() + static_cast<ptrdiff_t>(next), below.end());
    return chain;
  }

  const JoinGraph& graph_;
  std::vector<std::vector<size_t>> neighbors_;
};

/// The best tree over each range [first, last] of a linear order, computed from those of shorter ranges.
class StretchTable {
 public:
  StretchTable(const JoinGraph& graph, const std::vector<size_t>& order)
      : graph_(graph), order_(order), cells_(order.size() * order.size()) {
    for (size_t i = 0; i < order.size(); i++) At(i, i) = {SetOf(order[i]), graph.Rows(SetOf(order[i])), 0, i};
    for (size_t length = 2; length <= order.size(); length++) {
      for (size_t first = 0; first + length <= order.size(); first++) Fill(first, first + length - 1);
    }
  }

  JoinTreePtr BuildTree(size_t first, size_t last) const {
    CheckStack();
    if (first == last) return MakeLeaf(graph_, order_[first]);
    const size_t split = At(first, last).split;
    return JoinTrees(graph_, BuildTree(first, split), BuildTree(split + 1, last));
  }

 private:
  struct Cell {
    RelationSet set = 0;
    double rows = 0;
    double cost = -1;  // negative if predicates do not connect the range
    size_t split = 0;
  };

  Cell& At(size_t first, size_t last) { return cells_[first * order_.size() + last]; }
  const Cell& At(size_t first, size_t last) const { return cells_[first * order_.size() + last]; }

  void Fill(size_t first, size_t last) {
    Cell& cell = At(first, last);
    cell.set = At(first, first).set | At(first + 1, last).set;
    for (size_t split = first; split < last; split++) {
      const Cell &left = At(first, split), &right = At(split + 1, last);
      if (left.cost < 0 || right.cost < 0 || !graph_.AreConnected(left.set, right.set)) continue;
      if (cell.cost < 0) cell.rows = graph_.Rows(cell.set);
      const double cost = InputCost(left.cost, left.rows, right.cost, right.rows) + cell.rows;
      if (cell.cost >= 0 && cost >= cell.cost) continue;
      cell.cost = cost;
      cell.split = split;
    }
  }

  const JoinGraph& graph_;
  const std::vector<size_t>& order_;
  std::vector<Cell> cells_;
};

RelationSet PartOf(const JoinGraph& graph, size_t relation) {
  RelationSet part = SetOf(relation);
  for (RelationSet before = 0; before != part;) {
    before = part;
    part |= graph.Neighbors(part);
  }
  return part;
}

}  // namespace

std::vector<JoinTreePtr> FindLinearizedOrders(const JoinGraph& graph) {
  std::vector<JoinTreePtr> trees;
  for (RelationSet rest = graph.AllRelations(); rest != 0;) {
    const RelationSet part = PartOf(graph, static_cast<size_t>(std::countr_zero(rest)));
    rest &= ~part;
    const SpanningTree spanning_tree(graph, part);
    Stretch best;
    for (RelationSet roots = part; roots != 0; roots &= roots - 1) {
      Stretch order = spanning_tree.Linearize(static_cast<size_t>(std::countr_zero(roots)));
      if (best.relations.empty() || order.cost < best.cost) best = std::move(order);
    }
    const StretchTable table(graph, best.relations);
    trees.push_back(table.BuildTree(0, best.relations.size() - 1));
  }
  return trees;
}

}  // namespace scaup
