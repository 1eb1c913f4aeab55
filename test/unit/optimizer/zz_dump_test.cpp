#include <catch2/catch.hpp>
#include "plan_fixture.hpp"
using namespace scaup; using namespace scaup::test;
TEST_CASE("dump", "[.dump]") {
  PlanFixture f; f.CreateTpch(15000);
  for (const char* q : {"SELECT 1 FROM nation WHERE n_nationkey = 5 AND EXISTS (SELECT 1 FROM supplier WHERE s_nationkey = n_nationkey)",
   "SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue FROM customer, orders, lineitem, supplier, nation, region WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'REGION1' AND o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01' GROUP BY n_name ORDER BY revenue DESC",
   "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_discount), count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus",
   "SELECT sum(l_extendedprice * (1 - l_discount)) FROM lineitem, part WHERE (p_partkey = l_partkey AND p_brand = 'Brand#1' AND l_quantity <= 11 AND p_size BETWEEN 1 AND 5) OR (p_partkey = l_partkey AND p_brand = 'Brand#2' AND l_quantity >= 10 AND p_size < 10)",
   "SELECT n_name, o_year, sum(amount) FROM (SELECT n_name, date_part('year', o_orderdate) AS o_year, l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity AS amount FROM part, supplier, lineitem, partsupp, orders, nation WHERE s_suppkey = l_suppkey AND ps_suppkey = l_suppkey AND ps_partkey = l_partkey AND p_partkey = l_partkey AND o_orderkey = l_orderkey AND s_nationkey = n_nationkey AND p_type LIKE '%1%') p GROUP BY n_name, o_year ORDER BY 1, 2 DESC",
   "SELECT c_custkey, count(*) FROM customer LEFT JOIN orders ON c_custkey = o_custkey AND o_orderdate > DATE '1995-01-01' GROUP BY c_custkey ORDER BY 2 DESC LIMIT 10",
   "SELECT sum(l_extendedprice) / 7.0 FROM lineitem, part WHERE p_partkey = l_partkey AND p_brand = 'Brand#3' AND l_quantity < (SELECT 0.2 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey)"}) {
    auto p = f.Optimize(q); 
    std::function<void(LogicalOperator&, int)> show = [&](LogicalOperator& n, int d) { printf("%*s%s rows=%.0f", d*2, "", n.Name().c_str(), n.estimated_rows); for (auto& x : n.Details()) printf(" | %s", x.c_str()); printf("\n"); for (auto& c : n.children) show(*c, d+1); };
    show(*p, 0); printf("\n");
  }
}
