// TPC-H's queries with subqueries: all of them must be planned, nested and correlated as they are.
#include "catalog/catalog_changes.hpp"
#include "plan_text.hpp"

namespace scaup::test {

namespace {

struct TpchFixture : PlanFixture {
  TpchFixture() {
    for (const char* sql : {"CREATE TABLE part (p_partkey INTEGER, p_name VARCHAR, p_mfgr VARCHAR, p_brand "
                            "VARCHAR, p_type VARCHAR, p_size INTEGER, "
                            "p_container VARCHAR)",
                            "CREATE TABLE supplier (s_suppkey INTEGER, s_name VARCHAR, s_address VARCHAR, "
                            "s_nationkey INTEGER, s_phone VARCHAR, "
                            "s_acctbal DECIMAL(15,2), s_comment VARCHAR)",
                            "CREATE TABLE partsupp (ps_partkey INTEGER, ps_suppkey INTEGER, ps_availqty "
                            "INTEGER, ps_supplycost DECIMAL(15,2))",
                            "CREATE TABLE customer (c_custkey INTEGER, c_name VARCHAR, c_nationkey INTEGER, "
                            "c_phone VARCHAR, c_acctbal DECIMAL(15,2))",
                            "CREATE TABLE orders (o_orderkey INTEGER, o_custkey INTEGER, o_orderstatus "
                            "VARCHAR, o_totalprice DECIMAL(15,2), "
                            "o_orderdate DATE, o_orderpriority VARCHAR, o_comment VARCHAR)",
                            "CREATE TABLE lineitem (l_orderkey INTEGER, l_partkey INTEGER, l_suppkey "
                            "INTEGER, l_quantity DECIMAL(15,2), "
                            "l_extendedprice DECIMAL(15,2), l_discount DECIMAL(15,2), l_shipdate DATE, "
                            "l_commitdate DATE, l_receiptdate DATE)",
                            "CREATE TABLE nation (n_nationkey INTEGER, n_name VARCHAR, n_regionkey INTEGER)",
                            "CREATE TABLE region (r_regionkey INTEGER, r_name VARCHAR)"}) {
      const auto bound = Bind(sql);
      const auto& create = bound->As<BoundCreateTable>();
      CreateTable(catalog, *transaction,
                  std::make_shared<TableEntry>("main", create.table, create.columns, nullptr));
    }
  }
};

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

}  // namespace

TEST_CASE("TPC-H queries with subqueries become joins", "[planner]") {
  TpchFixture fixture;
  std::string plan = fixture.Text(  // Q2
      "SELECT s_acctbal, s_name, n_name, p_partkey FROM part, supplier, partsupp, nation, region WHERE "
      "p_partkey = ps_partkey "
      "AND s_suppkey = ps_suppkey AND p_size = 15 AND p_type LIKE '%BRASS' AND s_nationkey = n_nationkey AND "
      "n_regionkey = "
      "r_regionkey AND r_name = 'EUROPE' AND ps_supplycost = (SELECT min(ps_supplycost) FROM partsupp, "
      "supplier, nation, region "
      "WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey "
      "= r_regionkey AND "
      "r_name = 'EUROPE') ORDER BY s_acctbal DESC, n_name, s_name, p_partkey LIMIT 100");
  CHECK(CountOf(plan, "LeftJoin[p_partkey = ps_partkey]") == 1);
  plan = fixture.Text(  // Q4
      "SELECT o_orderpriority, count(*) AS order_count FROM orders WHERE o_orderdate >= date '1993-07-01' "
      "AND o_orderdate < date "
      "'1993-07-01' + interval '3' month AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey "
      "AND l_commitdate < "
      "l_receiptdate) GROUP BY o_orderpriority ORDER BY o_orderpriority");
  CHECK(CountOf(plan, "SemiJoin[o_orderkey = l_orderkey]") == 1);
  plan = fixture.Text(  // Q11
      "SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS value FROM partsupp, supplier WHERE ps_suppkey "
      "= s_suppkey GROUP BY "
      "ps_partkey HAVING sum(ps_supplycost * ps_availqty) > (SELECT sum(ps_supplycost * ps_availqty) * "
      "0.0001 FROM partsupp, "
      "supplier WHERE ps_suppkey = s_suppkey) ORDER BY value DESC");
  CHECK(CountOf(plan, "SingleJoin") == 1);
  plan = fixture.Text(  // Q13
      "SELECT c_count, count(*) AS custdist FROM (SELECT c_custkey, count(o_orderkey) FROM customer LEFT "
      "OUTER JOIN orders ON "
      "c_custkey = o_custkey AND o_comment NOT LIKE '%special%requests%' GROUP BY c_custkey) AS c_orders "
      "(c_custkey, c_count) "
      "GROUP BY c_count ORDER BY custdist DESC, c_count DESC");
  CHECK(CountOf(plan, "LeftJoin[c_custkey = o_custkey; residual: (o_comment !~~ '%special%requests%')]") ==
        1);
  plan = fixture.Text(  // Q15
      "WITH revenue (supplier_no, total_revenue) AS (SELECT l_suppkey, sum(l_extendedprice * (1 - "
      "l_discount)) FROM lineitem GROUP "
      "BY l_suppkey) SELECT s_suppkey, total_revenue FROM supplier, revenue WHERE s_suppkey = supplier_no "
      "AND total_revenue = "
      "(SELECT max(total_revenue) FROM revenue) ORDER BY s_suppkey");
  CHECK(CountOf(plan, "groups: l_suppkey") == 1);
  CHECK(CountOf(plan, "SharedScan") == 2);
  plan = fixture.Text(  // Q16
      "SELECT p_brand, count(DISTINCT ps_suppkey) AS supplier_cnt FROM partsupp, part WHERE p_partkey = "
      "ps_partkey AND p_brand <> "
      "'Brand#45' AND p_size IN (49, 14, 23) AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE "
      "s_comment LIKE "
      "'%Customer%Complaints%') GROUP BY p_brand ORDER BY supplier_cnt DESC, p_brand");
  CHECK(CountOf(plan, "Filter[NOT (mark)](MarkJoin[ps_suppkey = s_suppkey]") == 1);
  plan = fixture.Text(  // Q17
      "SELECT sum(l_extendedprice) / 7.0 AS avg_yearly FROM lineitem, part WHERE p_partkey = l_partkey AND "
      "p_brand = 'Brand#23' AND "
      "l_quantity < (SELECT 0.2 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey)");
  CHECK(CountOf(plan, "LeftJoin[p_partkey = l_partkey]") == 1);
  plan = fixture.Text(  // Q18
      "SELECT c_name, sum(l_quantity) FROM customer, orders, lineitem WHERE o_orderkey IN (SELECT l_orderkey "
      "FROM lineitem GROUP BY "
      "l_orderkey HAVING sum(l_quantity) > 300) AND c_custkey = o_custkey AND o_orderkey = l_orderkey GROUP "
      "BY c_name LIMIT 100");
  CHECK(CountOf(plan, "SemiJoin[o_orderkey = l_orderkey]") == 1);
}

TEST_CASE("TPC-H queries whose subqueries have subqueries", "[planner]") {
  TpchFixture fixture;
  std::string plan = fixture.Text(  // Q20
      "SELECT s_name FROM supplier, nation WHERE s_suppkey IN (SELECT ps_suppkey FROM partsupp WHERE "
      "ps_partkey IN (SELECT p_partkey "
      "FROM part WHERE p_name LIKE 'forest%') AND ps_availqty > (SELECT 0.5 * sum(l_quantity) FROM lineitem "
      "WHERE l_partkey = "
      "ps_partkey AND l_suppkey = ps_suppkey AND l_shipdate >= date '1994-01-01')) AND s_nationkey = "
      "n_nationkey ORDER BY s_name");
  CHECK(CountOf(plan, "LeftJoin[ps_partkey = l_partkey AND ps_suppkey = l_suppkey]") == 1);
  CHECK(CountOf(plan, "SemiJoin") == 2);
  plan = fixture.Text(  // Q21
      "SELECT s_name, count(*) AS numwait FROM supplier, lineitem l1, orders WHERE s_suppkey = l1.l_suppkey "
      "AND o_orderkey = "
      "l1.l_orderkey AND EXISTS (SELECT * FROM lineitem l2 WHERE l2.l_orderkey = l1.l_orderkey AND "
      "l2.l_suppkey <> l1.l_suppkey) AND "
      "NOT EXISTS (SELECT * FROM lineitem l3 WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> "
      "l1.l_suppkey AND "
      "l3.l_receiptdate > l3.l_commitdate) GROUP BY s_name ORDER BY numwait DESC, s_name LIMIT 100");
  CHECK(CountOf(plan, "AntiJoin[l_orderkey = l_orderkey AND l_suppkey <> l_suppkey]") == 1);
  plan = fixture.Text(  // Q22
      "SELECT cntrycode, count(*) AS numcust, sum(c_acctbal) FROM (SELECT substring(c_phone from 1 for 2) AS "
      "cntrycode, c_acctbal FROM "
      "customer WHERE substring(c_phone from 1 for 2) IN ('13', '31') AND c_acctbal > (SELECT avg(c_acctbal) "
      "FROM customer WHERE "
      "c_acctbal > 0.00) AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey)) AS custsale "
      "GROUP BY cntrycode");
  CHECK(CountOf(plan, "AntiJoin[c_custkey = o_custkey]") == 1);
}

}  // namespace scaup::test
