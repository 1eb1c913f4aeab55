// Tests of join ordering: the cost of the found order against all orders, and shapes of plans.
#include <catch2/catch.hpp>

#include <map>
#include <random>

#include "optimizer/join_order/hypergraph_enumeration.hpp"
#include "optimizer/join_order/join_enumerator.hpp"
#include "optimizer/join_order/linearized_order.hpp"
#include "plan_fixture.hpp"
#include "planner/node/values.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

/// Two relations have columns of `distinct` values that are equal.
struct Edge {
  size_t a, b;
  double distinct;
};

/// a.x + b.y = c.z
struct Sum {
  size_t a, b, c;
};

ExpressionPtr Column(size_t relation, size_t column) {
  return std::make_unique<ColumnRefExpression>(LogicalType(TypeId::kInteger), ColumnBinding{relation, column},
                                               "k");
}

ExpressionPtr Equal(ExpressionPtr left, ExpressionPtr right) {
  return std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, std::move(left), std::move(right));
}

/// Any expression over two columns that is not a column itself.
ExpressionPtr Combine(ExpressionPtr left, ExpressionPtr right) {
  return std::make_unique<ComparisonExpression>(ComparisonOp::kLess, std::move(left), std::move(right));
}

/// A graph over relations of given rows.
JoinGraph MakeGraph(const std::vector<double>& rows, const std::vector<Edge>& edges,
                    const std::vector<Sum>& sums = {}) {
  std::vector<LogicalOperatorPtr> relations;
  std::vector<RelationEstimate> estimates(rows.size());
  for (size_t i = 0; i < rows.size(); i++) {
    std::vector<LogicalType> types(edges.size() + 1, TypeId::kInteger);
    std::vector<std::string> names(edges.size() + 1, "k");
    relations.push_back(std::make_unique<LogicalValues>(i, types, names));
    estimates[i].rows = rows[i];
    for (size_t e = 0; e < edges.size(); e++) {
      estimates[i].columns[{i, e}] = {.distinct = std::min(edges[e].distinct, rows[i]), .base_rows = rows[i]};
    }
  }
  JoinGraph graph(std::move(relations), std::move(estimates));
  for (size_t e = 0; e < edges.size(); e++)
    graph.AddPredicate(Equal(Column(edges[e].a, e), Column(edges[e].b, e)));
  for (const Sum& sum : sums) {
    const size_t spare = edges.size();
    graph.AddPredicate(Equal(Combine(Column(sum.a, spare), Column(sum.b, spare)), Column(sum.c, spare)));
  }
  graph.Finish();
  return graph;
}

/// The least cost of all trees without cross products; negative if there is none.
double ExhaustiveCost(const JoinGraph& graph, RelationSet set, std::map<RelationSet, double>& known) {
  if (std::has_single_bit(set)) return 0;
  if (const auto found = known.find(set); found != known.end()) return found->second;
  double best = -1;
  for (RelationSet left = (set - 1) & set; left != 0; left = (left - 1) & set) {
    const RelationSet right = set & ~left;
    if (!graph.AreConnected(left, right)) continue;
    const double a = ExhaustiveCost(graph, left, known), b = ExhaustiveCost(graph, right, known);
    if (a < 0 || b < 0) continue;
    const double cost = InputCost(a, graph.Rows(left), b, graph.Rows(right)) + graph.Rows(set);
    if (best < 0 || cost < best) best = cost;
  }
  return known[set] = best;
}

double ExhaustiveCost(const JoinGraph& graph) {
  std::map<RelationSet, double> known;
  return ExhaustiveCost(graph, graph.AllRelations(), known);
}

/// Each relation once, and what the nodes say of themselves.
void CheckTree(const JoinGraph& graph, const JoinTree& tree) {
  if (!tree.left) {
    CHECK(std::has_single_bit(tree.set));
    CHECK(tree.cost == 0);
    return;
  }
  CHECK((tree.left->set & tree.right->set) == 0);
  CHECK(tree.set == (tree.left->set | tree.right->set));
  CHECK(tree.rows == Approx(graph.Rows(tree.set)));
  CheckTree(graph, *tree.left);
  CheckTree(graph, *tree.right);
}

void CheckAgainstExhaustive(const std::vector<double>& rows, const std::vector<Edge>& edges) {
  const JoinGraph graph = MakeGraph(rows, edges);
  const auto tree = FindJoinOrder(graph);
  CHECK(tree->set == graph.AllRelations());
  CheckTree(graph, *tree);
  CHECK(tree->cost == Approx(ExhaustiveCost(graph)));
  CHECK(FindGreedyOrder(graph)->cost >= tree->cost * 0.999);
}

/// A connected graph: a random tree and some further edges.
struct RandomGraph {
  std::vector<double> rows;
  std::vector<Edge> edges;
  std::vector<Sum> sums;
};

RandomGraph MakeRandom(std::mt19937& random, size_t relations, size_t further_edges, size_t sums) {
  const auto below = [&](size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
  };
  const auto size = [&] { return std::exp(std::uniform_real_distribution<double>(0, 14)(random)); };
  RandomGraph made;
  for (size_t i = 0; i < relations; i++) made.rows.push_back(std::ceil(size()));
  for (size_t i = 1; i < relations; i++) made.edges.push_back({below(i), i, std::ceil(size())});
  for (size_t i = 0; i < further_edges; i++) {
    const size_t a = below(relations - 1), b = a + 1 + below(relations - a - 1);
    made.edges.push_back({a, b, std::ceil(size())});
  }
  for (size_t i = 0; i < sums; i++) {
    const size_t a = below(relations), b = below(relations), c = below(relations);
    if (a != b && a != c && b != c) made.sums.push_back({a, b, c});
  }
  return made;
}

}  // namespace

TEST_CASE("chains, stars, circles and cliques are ordered at least cost") {
  CheckAgainstExhaustive({1000, 10, 100000, 50, 7}, {{0, 1, 10}, {1, 2, 10}, {2, 3, 50}, {3, 4, 7}});
  CheckAgainstExhaustive({1000000, 10, 200, 3000, 40, 5},
                         {{0, 1, 10}, {0, 2, 200}, {0, 3, 3000}, {0, 4, 40}, {0, 5, 5}});
  CheckAgainstExhaustive({100, 200, 300, 400}, {{0, 1, 50}, {1, 2, 20}, {2, 3, 300}, {3, 0, 10}});
  CheckAgainstExhaustive({10, 1000, 30, 500},
                         {{0, 1, 10}, {0, 2, 5}, {0, 3, 8}, {1, 2, 30}, {1, 3, 400}, {2, 3, 25}});
}

TEST_CASE("random graphs are ordered at least cost") {
  std::mt19937 random(7);
  for (size_t round = 0; round < 60; round++) {
    const RandomGraph made = MakeRandom(random, 3 + round % 6, round % 4, round % 3);
    const JoinGraph graph = MakeGraph(made.rows, made.edges, made.sums);
    const auto tree = FindJoinOrder(graph);
    REQUIRE(tree->set == graph.AllRelations());
    CheckTree(graph, *tree);
    CHECK(tree->cost == Approx(ExhaustiveCost(graph)));
  }
}

TEST_CASE("predicates over three relations join sets") {
  // Only c = a + b ties c to the others; only e = c + d ties d and e.
  const JoinGraph graph =
      MakeGraph({100, 200, 50, 10, 1000}, {{0, 1, 100}, {3, 4, 10}}, {{0, 1, 2}, {2, 3, 4}});
  CHECK(graph.hyperedges().size() == 2);
  CHECK(graph.AreConnected(0b00011, 0b00100));
  CHECK_FALSE(graph.AreConnected(0b00001, 0b00100));
  const auto tree = FindJoinOrder(graph);
  CHECK(tree->set == graph.AllRelations());
  CheckTree(graph, *tree);
  const auto parts = EnumerateHypergraph(graph, kMostJoinPairs);
  REQUIRE(parts);
  CHECK(std::popcount((*parts)[0]->set) == 3);
}

TEST_CASE("linearized orders of trees are close to the best ones") {
  std::mt19937 random(11);
  double worst = 1;
  for (size_t round = 0; round < 40; round++) {
    const RandomGraph made = MakeRandom(random, 4 + round % 7, 0, 0);
    const JoinGraph graph = MakeGraph(made.rows, made.edges);
    CHECK_FALSE(EnumerateHypergraph(graph, 2).has_value());
    const auto parts = FindLinearizedOrders(graph);
    REQUIRE(parts.size() == 1);
    REQUIRE(parts[0]->set == graph.AllRelations());
    CheckTree(graph, *parts[0]);
    const double best = ExhaustiveCost(graph);
    CHECK(parts[0]->cost >= best * 0.999);
    worst = std::max(worst, parts[0]->cost / best);
    CHECK(FindJoinOrder(graph, 2)->cost <= FindGreedyOrder(graph)->cost);
  }
  CHECK(worst < 2);
}

TEST_CASE("parts without a predicate between them are crossed last") {
  const JoinGraph graph = MakeGraph({100, 100, 100, 100}, {{0, 1, 100}, {2, 3, 100}});
  const auto tree = FindJoinOrder(graph);
  REQUIRE(tree->left);
  CHECK(std::popcount(tree->left->set) == 2);
  CHECK((tree->left->set == 0b0011 || tree->left->set == 0b1100));
}

TEST_CASE("large graphs have orders, too") {
  std::vector<double> rows(64);
  for (size_t i = 0; i < rows.size(); i++) rows[i] = 1000.0 + static_cast<double>(i);
  std::vector<Edge> chain, star, clique;
  for (size_t i = 1; i < rows.size(); i++) {
    chain.push_back({i - 1, i, 1000});
    star.push_back({0, i, 1000});
    for (size_t j = 0; j < i && i < 20; j++) clique.push_back({j, i, 100});
  }
  const JoinGraph of_chain = MakeGraph(rows, chain), of_star = MakeGraph(rows, star);
  CHECK(EnumerateHypergraph(of_chain, kMostJoinPairs).has_value());
  CHECK_FALSE(EnumerateHypergraph(of_star, kMostJoinPairs).has_value());
  const JoinGraph of_clique = MakeGraph(std::vector<double>(rows.begin(), rows.begin() + 20), clique);
  for (const JoinGraph* graph : {&of_chain, &of_star, &of_clique}) {
    const auto tree = FindJoinOrder(*graph);
    CHECK(tree->set == graph->AllRelations());
    CheckTree(*graph, *tree);
  }
}

TEST_CASE("a composite key has no more values than its table has rows") {
  const JoinGraph graph = MakeGraph({60000, 8000}, {{0, 1, 2000}, {0, 1, 100}});
  CHECK(graph.Rows(0b11) == Approx(60000));
}

TEST_CASE("plans of joins") {
  PlanFixture fixture;
  fixture.CreateTpch(1500);
  SECTION("Q5 has no cross product and starts from few rows") {
    const std::string dump =
        Dump(*fixture.Optimize("SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue FROM "
                               "customer, orders, lineitem, supplier, nation, region "
                               "WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = "
                               "s_suppkey AND c_nationkey = s_nationkey "
                               "AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = "
                               "'REGION1' GROUP BY n_name ORDER BY revenue DESC"));
    CHECK(Count(dump, "Join") == 5);
    CHECK(Count(dump, "InnerJoin | condition: ") == 5);
  }
  SECTION("the smaller side is on the right") {
    const std::string dump =
        Dump(*fixture.Optimize("SELECT count(*) FROM nation, customer WHERE n_nationkey = c_nationkey"));
    CHECK(dump.find("nation", dump.find("Scan")) > dump.find("customer", dump.find("Scan")));
    const std::string outer = Dump(
        *fixture.Optimize("SELECT count(*) FROM nation LEFT JOIN customer ON n_nationkey = c_nationkey"));
    CHECK(Has(outer, "Right"));
  }
  SECTION("SELECT * keeps the written order of columns") {
    const auto plan = fixture.Optimize(
        "SELECT * FROM lineitem, orders, nation WHERE l_orderkey = o_orderkey AND n_nationkey = 1");
    CHECK(plan->Names()[0] == "l_orderkey");
    CHECK(plan->Names().back() == "n_regionkey");
  }
  SECTION("all passes off leave a valid plan") {
    fixture.OptimizeBy("SELECT * FROM nation, region WHERE n_regionkey = r_regionkey", {});
    fixture.OptimizeBy("SELECT * FROM nation, region WHERE n_regionkey = r_regionkey",
                       {"join_order", "build_side", "cardinality_estimates"});
  }
}
