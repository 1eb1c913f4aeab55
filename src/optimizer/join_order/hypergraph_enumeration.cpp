// Enumerates all join orders that predicates allow, by dynamic programming over a hypergraph.
#include "optimizer/join_order/hypergraph_enumeration.hpp"

#include <algorithm>
#include <unordered_map>

#include "common/stack_bound.hpp"

namespace scaup {
namespace {

constexpr size_t kStepsPerPair = 8;
/// Beyond this, finding the sets takes longer than comparing their pairs. A star of sixteen relations has as
/// many.
constexpr size_t kMostSets = 1 << 15;

size_t Lowest(RelationSet set) { return static_cast<size_t>(std::countr_zero(set)); }
size_t Highest(RelationSet set) { return static_cast<size_t>(std::bit_width(set)) - 1; }
/// The relations up to and including `relation`.
RelationSet UpTo(size_t relation) { return SetOf(relation) | (SetOf(relation) - 1); }
/// The next larger subset of `all` in numeric order; 0 after the last one, which is `all`.
RelationSet NextSubset(RelationSet subset, RelationSet all) { return (subset - all) & all; }

/// Enumerates the pairs of connected sets that a predicate joins, each pair once, and in an order in which
/// the trees of both sets are known. Sets grow only by neighbours; `forbidden` prevents finding a set again
/// from another start.
class HypergraphEnumerator {
 public:
  HypergraphEnumerator(const JoinGraph& graph, size_t most_pairs)
      : graph_(graph), pairs_left_(most_pairs), steps_left_(most_pairs * kStepsPerPair) {}

  /// Runs the enumeration; false if there are too many pairs.
  bool Run() {
    for (size_t i = 0; i < graph_.relation_count(); i++) best_[SetOf(i)] = {graph_.Rows(SetOf(i)), 0, 0};
    // From the last relation to the first, each set grows only by later relations, so it is found from its
    // lowest relation alone.
    for (size_t i = graph_.relation_count(); i-- > 0 && !is_too_large_;) {
      EmitSet(SetOf(i));
      GrowSet(SetOf(i), UpTo(i));
    }
    return !is_too_large_;
  }

  std::vector<JoinTreePtr> TakeParts() const {
    std::vector<RelationSet> sets;
    for (const auto& [set, best] : best_) sets.push_back(set);
    std::sort(sets.begin(), sets.end(), [](RelationSet a, RelationSet b) {
      return std::make_pair(-std::popcount(a), a) < std::make_pair(-std::popcount(b), b);
    });
    std::vector<JoinTreePtr> parts;
    // Sets that overlap a larger one are parts of its tree.
    RelationSet taken = 0;
    for (const RelationSet set : sets) {
      if ((set & taken) != 0) continue;
      parts.push_back(BuildTree(set));
      taken |= set;
    }
    return parts;
  }

 private:
  /// The best plan found for a set. `left` is 0 for single relations.
  struct Best {
    double rows = 0;
    double cost = 0;
    RelationSet left = 0;
  };

  /// The relations by which a set can grow. The far end of a hyperedge is represented by its lowest relation;
  /// the grown set is connected only once it has the other ones.
  RelationSet Neighborhood(RelationSet set, RelationSet forbidden) const {
    const RelationSet excluded = set | forbidden;
    const RelationSet simple = graph_.Neighbors(set) & ~excluded;
    RelationSet found = simple;
    for (const HyperEdge& edge : graph_.hyperedges()) {
      for (const auto& [near, far] : {std::pair(edge.left, edge.right), std::pair(edge.right, edge.left)}) {
        const bool is_reached = (near & set) == near && (far & excluded) == 0;
        if (is_reached && (far & simple) == 0) found |= SetOf(Lowest(far));
      }
    }
    return found;
  }

  void GrowSet(RelationSet set, RelationSet forbidden) {
    CheckStack();
    const RelationSet neighbors = Neighborhood(set, forbidden);
    // Smaller sets first: when a pair is emitted, the trees of both sets must be known.
    for (RelationSet more = NextSubset(0, neighbors); more != 0; more = NextSubset(more, neighbors)) {
      if (!Step()) return;
      if (best_.count(set | more) != 0) EmitSet(set | more);
    }
    for (RelationSet more = NextSubset(0, neighbors); more != 0; more = NextSubset(more, neighbors)) {
      if (!Step()) return;
      GrowSet(set | more, forbidden | neighbors);
    }
  }

  /// Finds the connected sets that can be joined to a set.
  void EmitSet(RelationSet set) {
    const RelationSet forbidden = set | UpTo(Lowest(set));
    const RelationSet neighbors = Neighborhood(set, forbidden);
    for (RelationSet rest = neighbors; rest != 0 && !is_too_large_;) {
      const size_t start = Highest(rest);
      rest &= ~SetOf(start);
      if (graph_.AreConnected(set, SetOf(start))) EmitPair(set, SetOf(start));
      GrowComplement(set, SetOf(start), forbidden | (UpTo(start) & neighbors));
    }
  }

  void GrowComplement(RelationSet set, RelationSet complement, RelationSet forbidden) {
    CheckStack();
    const RelationSet neighbors = Neighborhood(complement, forbidden);
    for (RelationSet more = NextSubset(0, neighbors); more != 0; more = NextSubset(more, neighbors)) {
      if (!Step()) return;
      const RelationSet larger = complement | more;
      if (best_.count(larger) != 0 && graph_.AreConnected(set, larger)) EmitPair(set, larger);
    }
    for (RelationSet more = NextSubset(0, neighbors); more != 0; more = NextSubset(more, neighbors)) {
      if (!Step()) return;
      GrowComplement(set, complement | more, forbidden | neighbors);
    }
  }

  /// Counts steps, because hyperedges let sets grow that never become connected: the number of pairs alone
  /// does not bound the search.
  bool Step() {
    if (steps_left_ == 0) is_too_large_ = true;
    steps_left_ -= steps_left_ != 0;
    return !is_too_large_;
  }

  void EmitPair(RelationSet left, RelationSet right) {
    if (pairs_left_ == 0 || best_.size() > kMostSets) {
      is_too_large_ = true;
      return;
    }
    pairs_left_--;
    const Best &a = best_.at(left), &b = best_.at(right);
    const double inputs = InputCost(a.cost, a.rows, b.cost, b.rows);
    const auto [found, is_new] = best_.try_emplace(left | right);
    Best& best = found->second;
    if (is_new) best.rows = graph_.Rows(left | right);
    if (is_new || inputs + best.rows < best.cost) {
      best.cost = inputs + best.rows;
      best.left = left;
    }
  }

  JoinTreePtr BuildTree(RelationSet set) const {
    CheckStack();
    const Best& best = best_.at(set);
    if (best.left == 0) return MakeLeaf(graph_, Lowest(set));
    return JoinTrees(graph_, BuildTree(best.left), BuildTree(set & ~best.left));
  }

  const JoinGraph& graph_;
  size_t pairs_left_;
  size_t steps_left_;
  bool is_too_large_ = false;
  std::unordered_map<RelationSet, Best> best_;
};

}  // namespace

std::optional<std::vector<JoinTreePtr>> EnumerateHypergraph(const JoinGraph& graph, size_t most_pairs) {
  HypergraphEnumerator enumerator(graph, most_pairs);
  if (!enumerator.Run()) return std::nullopt;
  return enumerator.TakeParts();
}

}  // namespace scaup
