// Tests of join ordering: the cost of the found order against all orders, and shapes of plans.
#include <catch2/catch.hpp>

#include "optimizer/join_order/join_enumerator.hpp"
#include "plan_fixture.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

/// A graph over relations of given rows; an edge's two relations have columns of `distinct` values that are
/// equal.
struct Edge {
  size_t a, b;
  double distinct;
};

JoinGraph MakeGraph(const std::vector<double>& rows, const std::vector<Edge>& edges) {
  std::vector<LogicalOperatorPtr> relations;
  std::vector<RelationEstimate> estimates(rows.size());
  for (size_t i = 0; i < rows.size(); i++) {
    std::vector<LogicalType> types(edges.size(), TypeId::kInteger);
    std::vector<std::string> names(edges.size(), "k");
    relations.push_back(std::make_unique<LogicalValues>(i, types, names));
    estimates[i].rows = rows[i];
    for (size_t e = 0; e < edges.size(); e++) {
      estimates[i].columns[{i, e}] = {.distinct = std::min(edges[e].distinct, rows[i]), .base_rows = rows[i]};
    }
  }
  JoinGraph graph(std::move(relations), std::move(estimates));
  for (size_t e = 0; e < edges.size(); e++) {
    const auto column = [&](size_t relation) {
      return std::make_unique<ColumnRefExpression>(LogicalType(TypeId::kInteger), ColumnBinding{relation, e},
                                                   "k");
    };
    graph.AddPredicate(
        std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, column(edges[e].a), column(edges[e].b)));
  }
  graph.Finish();
  return graph;
}

/// The least cost of all trees without cross products, by plain recursion; negative if there is none.
double ExhaustiveCost(const JoinGraph& graph, RelationSet set) {
  if (std::has_single_bit(set)) return 0;
  double best = -1;
  for (RelationSet left = (set - 1) & set; left != 0; left = (left - 1) & set) {
    const RelationSet right = set & ~left;
    if (!graph.AreConnected(left, right)) continue;
    JoinTree a, b;
    a.cost = ExhaustiveCost(graph, left);
    b.cost = ExhaustiveCost(graph, right);
    if (a.cost < 0 || b.cost < 0) continue;
    a.rows = graph.Rows(left);
    b.rows = graph.Rows(right);
    const double cost = JoinCost(a, b, graph.Rows(set));
    if (best < 0 || cost < best) best = cost;
  }
  return best;
}

void CheckAgainstExhaustive(const std::vector<double>& rows, const std::vector<Edge>& edges) {
  const JoinGraph graph = MakeGraph(rows, edges);
  const auto tree = FindJoinOrder(graph);
  CHECK(tree->set == graph.AllRelations());
  CHECK(tree->cost == Approx(ExhaustiveCost(graph, graph.AllRelations())));
  CHECK(FindGreedyOrder(graph)->cost >= tree->cost * 0.999);
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

TEST_CASE("parts without a predicate between them are crossed last") {
  const JoinGraph graph = MakeGraph({100, 100, 100, 100}, {{0, 1, 100}, {2, 3, 100}});
  const auto tree = FindJoinOrder(graph);
  REQUIRE(tree->left);
  CHECK(std::popcount(tree->left->set) == 2);
  CHECK((tree->left->set == 0b0011 || tree->left->set == 0b1100));
}

TEST_CASE("more relations than can be enumerated are joined greedily") {
  std::vector<double> rows(20, 1000);
  std::vector<Edge> edges;
  for (size_t i = 1; i < rows.size(); i++) edges.push_back({i - 1, i, 1000});
  const JoinGraph graph = MakeGraph(rows, edges);
  const auto tree = FindJoinOrder(graph);
  CHECK(tree->set == graph.AllRelations());
  CHECK(tree->rows == Approx(1000));
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
