// A database in memory whose queries are planned and optimized, for tests of the optimizer.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "optimizer/optimizer.hpp"
#include "scaup/value.hpp"

namespace scaup::test {

struct PlannedColumn {
  std::string name;
  LogicalType type;
  /// The value of row i.
  std::function<Value(size_t row)> value;
};

/// Owns catalog, tables and services. One thread.
class PlanFixture {
 public:
  PlanFixture();
  ~PlanFixture();

  void CreateTable(const std::string& name, size_t row_count, const std::vector<PlannedColumn>& columns);
  /// region, nation, supplier, customer, part, partsupp, orders, lineitem with TPC-H's ratios and value
  /// ranges.
  void CreateTpch(size_t orders);

  /// Parsed, bound and planned, not optimized.
  LogicalOperatorPtr Plan(const std::string& sql);
  /// Optimized pass by pass, each result verified, with the given passes switched off.
  LogicalOperatorPtr Optimize(const std::string& sql, const std::set<std::string>& disabled = {});
  /// Optimized by the given passes alone.
  LogicalOperatorPtr OptimizeBy(const std::string& sql, const std::vector<std::string>& passes);
  /// As a statement is: by Optimizer, under settings().
  LogicalOperatorPtr OptimizeWhole(const std::string& sql);

  Settings& settings();
  RewriteContext MakeContext(LogicalOperator& plan);

 private:
  LogicalOperatorPtr Run(const std::string& sql, const std::function<bool(const std::string&)>& wanted);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The plan as text, a node a line, indented: "Join Inner [a.x = b.y]", "Scan t(a, b) [a > 1]".
std::string Dump(LogicalOperator& plan);
/// How many lines of Dump contain `text`.
size_t Count(const std::string& dump, const std::string& text);
bool Has(const std::string& dump, const std::string& text);

}  // namespace scaup::test
