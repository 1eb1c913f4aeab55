// Tests of the remaining passes: ranges and widths, pruning, top-N, common subexpressions, estimates; each on
// and off.
#include <catch2/catch.hpp>

#include "optimizer/statistics/cardinality_estimator.hpp"
#include "plan_fixture.hpp"
#include "planner/node/get.hpp"
#include "type/physical_type.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

PlanFixture& Tpch() {
  static PlanFixture fixture;
  static const bool filled = [] {
    fixture.CreateTpch(1500);
    return true;
  }();
  (void)filled;
  return fixture;
}

const char* const kQ1 =
    "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - "
    "l_discount)), "
    "sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_discount), count(*) FROM lineitem "
    "WHERE l_shipdate <= DATE '1998-09-02' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, "
    "l_linestatus";

template <typename Visit>
void VisitNodes(LogicalOperator& plan, Visit visit) {
  visit(plan);
  for (auto& child : plan.children) VisitNodes(*child, visit);
}

/// Calls visit with every function call in the plan.
void VisitCalls(LogicalOperator& plan, const std::function<void(FunctionExpression&)>& visit) {
  const std::function<void(ExpressionPtr&)> walk = [&](ExpressionPtr& expression) {
    if (expression->kind() == ExpressionKind::kFunction) visit(expression->As<FunctionExpression>());
    expression->ForEachChild(walk);
  };
  VisitNodes(plan, [&](LogicalOperator& node) { node.ForEachExpression(walk); });
}

/// EXPLAIN has the rows of what it explains; nothing else has its rows estimated.
double RowsOf(const std::string& sql) { return Tpch().Optimize("EXPLAIN " + sql)->estimated_rows; }

}  // namespace

TEST_CASE("Q1's arithmetic needs 64 bits and no checks") {
  const auto plan = Tpch().Optimize(kQ1);
  size_t calls = 0;
  VisitCalls(*plan, [&](FunctionExpression& call) {
    calls++;
    INFO(call.ToString() << " is " << call.type().ToString());
    CHECK(PhysicalTypeOf(call.type()) <= PhysicalType::kInt64);
    CHECK_FALSE(call.function.can_fail);
  });
  CHECK(calls == 4);  // The repeated product is computed once.
  const auto wide = Tpch().Optimize(kQ1, {"statistics_propagation", "common_subexpressions"});
  bool has_wide = false;
  VisitCalls(*wide, [&](FunctionExpression& call) {
    has_wide = has_wide || PhysicalTypeOf(call.type()) == PhysicalType::kInt128;
  });
  CHECK(has_wide);
}

TEST_CASE("narrowed columns of subqueries reach aggregates, and the result keeps its types") {
  const auto plan = Tpch().Optimize(
      "SELECT sum(amount) FROM (SELECT l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity AS "
      "amount "
      "FROM lineitem, partsupp WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey) q");
  VisitCalls(*plan,
             [](FunctionExpression& call) { CHECK(PhysicalTypeOf(call.type()) <= PhysicalType::kInt64); });
  Tpch().Optimize("SELECT l_extendedprice * (1 - l_discount) * l_tax AS p FROM lineitem ORDER BY p LIMIT 3");
  Tpch().Optimize(
      "SELECT l_extendedprice * (1 - l_discount) FROM lineitem UNION ALL SELECT l_extendedprice * l_tax FROM "
      "lineitem");
  Tpch().Optimize(
      "SELECT sum(CASE WHEN l_shipmode = 'x' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) FROM "
      "lineitem");
}

TEST_CASE("filters that statistics settle go") {
  CHECK_FALSE(Has(Dump(*Tpch().Optimize("SELECT l_tax FROM lineitem WHERE l_orderkey > 0")), "> 0"));
  CHECK_FALSE(Has(Dump(*Tpch().Optimize("SELECT l_tax FROM lineitem WHERE l_orderkey IS NOT NULL")), "NULL"));
  CHECK_FALSE(Has(Dump(*Tpch().Optimize("SELECT l_tax FROM lineitem WHERE l_orderkey < 0")), "Scan"));
  CHECK_FALSE(Has(
      Dump(*Tpch().Optimize(
          "SELECT l_tax, o_custkey FROM lineitem, orders WHERE l_orderkey = o_orderkey AND o_orderkey < 0")),
      "Scan"));
  CHECK(Has(Dump(*Tpch().Optimize("SELECT count(*) FROM lineitem WHERE l_orderkey < 0")), "Aggregate"));
  CHECK(Count(Dump(*Tpch().Optimize(
                  "SELECT 1 FROM nation UNION ALL SELECT 2 FROM region WHERE r_regionkey < 0")),
              "Scan") == 1);
  CHECK(Has(
      Dump(*Tpch().Optimize(
          "SELECT * FROM nation LEFT JOIN region ON n_regionkey = r_regionkey WHERE r_regionkey IS NULL")),
      "NULL"));
}

TEST_CASE("unused columns are not read") {
  size_t columns = 0;
  const auto count_columns = [&](LogicalOperator& node) {
    if (node.kind() == LogicalKind::kGet) columns += node.As<LogicalGet>().columns.size();
  };
  VisitNodes(*Tpch().Optimize("SELECT l_tax FROM lineitem WHERE l_quantity < 24"), count_columns);
  CHECK(columns == 1);  // The filter's column is for the scan alone.
  columns = 0;
  VisitNodes(*Tpch().Optimize("SELECT count(*) FROM lineitem"), count_columns);
  CHECK(columns == 1);
  columns = 0;
  VisitNodes(*Tpch().Optimize("SELECT count(*) FROM lineitem", {"projection_pushdown"}), count_columns);
  CHECK(columns > 5);
  columns = 0;
  VisitNodes(*Tpch().Optimize("SELECT a FROM (SELECT l_tax AS a, l_discount + 1 AS b FROM lineitem UNION ALL "
                              "SELECT l_tax, l_quantity FROM lineitem) q"),
             count_columns);
  CHECK(columns == 2);
}

TEST_CASE("joins get no dead columns") {
  const auto plan = Tpch().Optimize(
      "SELECT sum(l_tax) FROM lineitem, orders, customer WHERE l_orderkey = o_orderkey AND o_custkey = "
      "c_custkey AND c_mktsegment || 'x' = 'SEGMENT1x'");
  VisitNodes(*plan, [](LogicalOperator& node) {
    if (node.kind() != LogicalKind::kJoin) return;
    for (const auto& child : node.children) CHECK(child->Types().size() <= 2);
  });
}

TEST_CASE("sort and limit become one") {
  CHECK(Has(Dump(*Tpch().Optimize("SELECT o_orderkey + 1 FROM orders ORDER BY o_custkey LIMIT 10")), "TopN"));
  CHECK(
      Has(Dump(*Tpch().Optimize("SELECT o_orderkey FROM orders ORDER BY o_custkey LIMIT 1000000")), "Sort"));
  CHECK(Has(Dump(*Tpch().Optimize("SELECT o_orderkey FROM orders ORDER BY o_custkey LIMIT 10", {"top_n"})),
            "Sort"));
}

TEST_CASE("repeated expressions are computed once, unless a branch guards them") {
  const auto calls_of = [](const std::string& sql, const std::set<std::string>& disabled = {}) {
    size_t calls = 0;
    VisitCalls(*Tpch().Optimize(sql, disabled), [&](FunctionExpression&) { calls++; });
    return calls;
  };
  CHECK(calls_of("SELECT o_orderkey + o_custkey, (o_orderkey + o_custkey) * 2 FROM orders") == 2);
  CHECK(calls_of("SELECT o_orderkey + o_custkey, (o_orderkey + o_custkey) * 2 FROM orders",
                 {"common_subexpressions"}) == 3);
  const char* guarded =
      "SELECT CASE WHEN o_custkey <> 0 THEN 7 / (o_custkey - 5) ELSE 0 END, CASE WHEN o_custkey <> 1 THEN 7 "
      "/ (o_custkey - 5) ELSE 1 END FROM orders";
  size_t divisions = 0;
  VisitCalls(*Tpch().Optimize(guarded),
             [&](FunctionExpression& call) { divisions += call.function.name == "/"; });
  CHECK(divisions == 2);
  Tpch().Optimize(
      "SELECT * FROM orders WHERE o_orderkey % 7 = 1 OR (o_orderkey % 7 = 3 AND o_custkey % 2 = 0)");
  Tpch().Optimize(
      "SELECT upper(l_shipmode) FROM lineitem WHERE length(upper(l_shipmode)) > 2 AND upper(l_shipmode) <> "
      "'A'");
}

TEST_CASE("estimates are near the truth") {
  CHECK(RowsOf("SELECT 1 FROM lineitem") == Approx(6000));
  CHECK(RowsOf("SELECT 1 FROM lineitem WHERE l_quantity < 25") == Approx(2930).epsilon(0.1));
  CHECK(RowsOf("SELECT 1 FROM lineitem WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE "
               "'1995-01-01'") == Approx(876).epsilon(0.1));
  CHECK(RowsOf("SELECT 1 FROM nation WHERE n_nationkey = 3") == Approx(1).epsilon(0.1));
  CHECK(RowsOf("SELECT 1 FROM lineitem WHERE l_shipmode IN ('MODE1', 'MODE2')") ==
        Approx(6000 * 2 / 7.0).epsilon(0.1));
  CHECK(RowsOf("SELECT 1 FROM lineitem, orders WHERE l_orderkey = o_orderkey") == Approx(6000).epsilon(0.15));
  CHECK(RowsOf("SELECT 1 FROM lineitem, partsupp WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey") <
        12000);
  CHECK(RowsOf("SELECT l_returnflag, l_linestatus, count(*) FROM lineitem GROUP BY 1, 2") ==
        Approx(6).epsilon(0.1));
  CHECK(RowsOf("SELECT 1 FROM orders LIMIT 7") == Approx(7));
}

TEST_CASE("the optimizer runs all passes but those that the settings switch off") {
  const std::string sql = "SELECT o_orderkey FROM orders ORDER BY o_custkey LIMIT 10";
  CHECK(Has(Dump(*Tpch().OptimizeWhole(sql)), "TopN"));
  const auto explained = Tpch().OptimizeWhole("EXPLAIN " + sql);
  CHECK(explained->estimated_rows == Approx(10));
  CHECK(explained->children[0]->estimated_rows == Approx(10));
  // Without a join nobody reads estimates: they would cost more than the lookup of a row.
  CHECK(Tpch().OptimizeWhole(sql)->estimated_rows < 0);
  CHECK(Tpch().OptimizeWhole("SELECT 1 FROM orders WHERE o_orderkey = 7")->estimated_rows < 0);
  Tpch().settings().disabled_optimizers = {"top_n"};
  CHECK_FALSE(Has(Dump(*Tpch().OptimizeWhole(sql)), "TopN"));
  Tpch().settings().disabled_optimizers.clear();
}

TEST_CASE("every pass may be off") {
  const std::vector<std::string> queries = {
      kQ1,
      "SELECT o_orderdate, count(*) FROM orders WHERE EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = "
      "o_orderkey AND l_tax > 0.02) GROUP BY o_orderdate",
      "SELECT c_custkey, n FROM customer LEFT JOIN (SELECT o_custkey, count(*) AS n FROM orders GROUP BY "
      "o_custkey) q ON c_custkey = o_custkey ORDER BY n LIMIT 5",
      "SELECT sum(l_extendedprice * (1 - l_discount)) FROM lineitem, part WHERE (p_partkey = l_partkey AND "
      "p_brand = 'Brand#1' AND "
      "l_quantity <= 11 AND p_size BETWEEN 1 AND 5) OR (p_partkey = l_partkey AND p_brand = 'Brand#2' AND "
      "l_quantity >= 10 AND p_size < 10)",
      "SELECT * FROM nation WHERE n_nationkey NOT IN (SELECT s_nationkey FROM supplier)"};
  for (const std::string& sql : queries) {
    Tpch().Optimize(sql);
    for (const OptimizerPass& pass : OptimizerPasses()) {
      Tpch().Optimize(sql, {pass.name});
      Tpch().OptimizeBy(sql, {pass.name});
    }
  }
  const std::string q19 = Dump(*Tpch().Optimize(queries[3]));
  CHECK(Has(q19, "InnerJoin | condition: l_partkey = p_partkey"));
}
