// A database in memory whose queries are planned and optimized, for tests of the optimizer.
#include "plan_fixture.hpp"

#include <catch2/catch.hpp>

#include "binder/statement/binder.hpp"
#include "catalog/catalog_changes.hpp"
#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/task_scheduler.hpp"
#include "function/database_listing.hpp"
#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/plan_verifier.hpp"
#include "parser/parser.hpp"
#include "planner/planner.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "transaction/transaction_manager.hpp"
#include "type/value_cast.hpp"

namespace scaup::test {
namespace {

class NoListing final : public DatabaseListing {
 public:
  std::vector<std::string> Schemas() const override { return {}; }
  std::vector<TableListing> Tables() const override { return {}; }
};

}  // namespace

struct PlanFixture::Impl {
  NoListing listing;
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{1} << 30};
  TaskScheduler scheduler{1};
  Settings settings = DefaultSettings();
  std::atomic<bool> interrupted{false};
  FunctionContext functions{*files,      memory, scheduler, settings, KernelsOf(BestKernelLevel()),
                            interrupted, listing};
  TransactionManager transactions;
  Catalog catalog{transactions};
  std::shared_ptr<Transaction> transaction = transactions.Begin();
  std::unique_ptr<OptimizerContext> current;

  const OptimizerContext& Context() {
    current = std::make_unique<OptimizerContext>(OptimizerContext{functions, *transaction, settings});
    return *current;
  }
};

PlanFixture::PlanFixture() : impl_(std::make_unique<Impl>()) {}
PlanFixture::~PlanFixture() = default;
Settings& PlanFixture::settings() { return impl_->settings; }

RewriteContext PlanFixture::MakeContext(LogicalOperator& plan) {
  return {impl_->Context(), FirstFreeTableIndex(plan)};
}

void PlanFixture::CreateTable(const std::string& name, size_t row_count,
                              const std::vector<PlannedColumn>& columns) {
  std::vector<LogicalType> types;
  std::vector<ColumnDefinition> definitions;
  for (const PlannedColumn& column : columns) {
    types.push_back(column.type);
    definitions.push_back({column.name, column.type});
  }
  auto storage = std::make_shared<Table>(types, impl_->memory);
  const auto transaction = impl_->transactions.Begin();
  scaup::CreateTable(impl_->catalog, *transaction,
                     std::make_shared<TableEntry>("main", name, definitions, storage));
  RowGroupBuilder builder(types, impl_->memory);
  DataChunk chunk(types);
  for (size_t begin = 0; begin < row_count; begin += kVectorSize) {
    const size_t count = std::min<size_t>(kVectorSize, row_count - begin);
    chunk.ResetForWriting();
    for (size_t i = 0; i < columns.size(); i++) {
      for (size_t row = 0; row < count; row++) {
        Value value;
        REQUIRE(CastValue(columns[i].value(begin + row), types[i], value));
        chunk.column(i).SetValue(row, value);
      }
    }
    chunk.SetSize(count);
    builder.Append(chunk);
  }
  builder.Finish();
  storage->Insert({*transaction, "t"}, builder.TakeFinished(), builder.statistics(), {});
  impl_->transactions.Commit(*transaction);
  impl_->transaction = impl_->transactions.Begin();
}

LogicalOperatorPtr PlanFixture::Plan(const std::string& sql) {
  const auto statements = Parser().Parse(sql);
  REQUIRE(statements.size() == 1);
  const BinderContext context{impl_->catalog, *impl_->transaction, impl_->functions,
                              FunctionRegistry::Builtin(), impl_->settings};
  Binder binder(context);
  LogicalOperatorPtr plan = Planner().Plan(binder.Bind(*statements[0])).root;
  VerifyPlan(*plan);
  return plan;
}

LogicalOperatorPtr PlanFixture::Run(const std::string& sql,
                                    const std::function<bool(const std::string&)>& wanted) {
  LogicalOperatorPtr plan = Plan(sql);
  const auto types = plan->Types();
  const auto names = plan->Names();
  RewriteContext context = MakeContext(*plan);
  plan = PinVisibleColumns(context, std::move(plan));
  for (const OptimizerPass& pass : OptimizerPasses()) {
    if (!wanted(pass.name)) continue;
    INFO(sql << "\nafter " << pass.name);
    plan = pass.rewrite(context, std::move(plan));
    const std::string text = Dump(*plan);
    INFO(text);
    REQUIRE_NOTHROW(VerifyPlan(*plan));
    REQUIRE(plan->Types() == types);
    REQUIRE(plan->Names() == names);
  }
  return plan;
}

LogicalOperatorPtr PlanFixture::Optimize(const std::string& sql, const std::set<std::string>& disabled) {
  return Run(sql, [&](const std::string& name) { return !disabled.contains(name); });
}

LogicalOperatorPtr PlanFixture::OptimizeBy(const std::string& sql, const std::vector<std::string>& passes) {
  return Run(sql, [&](const std::string& name) {
    return std::find(passes.begin(), passes.end(), name) != passes.end();
  });
}

LogicalOperatorPtr PlanFixture::OptimizeWhole(const std::string& sql) {
  return Optimizer(impl_->Context()).Optimize(Plan(sql));
}

namespace {

void DumpNode(LogicalOperator& node, size_t depth, std::string& out) {
  out += std::string(depth * 2, ' ') + node.Name();
  for (const std::string& detail : node.Details()) out += " | " + detail;
  out += "\n";
  for (const LogicalOperatorPtr& child : node.children) DumpNode(*child, depth + 1, out);
}

}  // namespace

std::string Dump(LogicalOperator& plan) {
  std::string out;
  DumpNode(plan, 0, out);
  return out;
}

size_t Count(const std::string& dump, const std::string& text) {
  size_t count = 0;
  for (size_t at = dump.find(text); at != std::string::npos; at = dump.find(text, at + 1)) count++;
  return count;
}

bool Has(const std::string& dump, const std::string& text) { return dump.find(text) != std::string::npos; }

void PlanFixture::CreateTpch(size_t orders) {
  const auto key = [](size_t row) { return Value::BigInt(static_cast<int64_t>(row + 1)); };
  const auto modulo = [](size_t count) {
    return [count](size_t row) { return Value::BigInt(static_cast<int64_t>(row * 7919 % count + 1)); };
  };
  const auto cents = [](int64_t low, int64_t high) {
    return [low, high](size_t row) {
      return Value::Decimal(low + static_cast<int64_t>(row * 104729 % static_cast<size_t>(high - low + 1)),
                            15, 2);
    };
  };
  const auto date = [](size_t row) {
    return Value::Date(8036 + static_cast<int32_t>(row * 31 % 2500));
  };  // 1992 to 1998
  const auto word = [](std::string prefix, size_t count) {
    return [=](size_t row) { return Value::Varchar(prefix + std::to_string(row % count)); };
  };
  const LogicalType money = LogicalType::Decimal(15, 2);
  const size_t customers = orders / 10, parts = orders * 2 / 15,
               suppliers = std::max<size_t>(orders / 150, 1);
  const TypeId integer = TypeId::kInteger, text = TypeId::kVarchar;
  CreateTable("region", 5,
              {{"r_regionkey", integer, [](size_t r) { return Value::BigInt(r); }},
               {"r_name", text, word("REGION", 5)}});
  CreateTable("nation", 25,
              {{"n_nationkey", integer, [](size_t r) { return Value::BigInt(r); }},
               {"n_name", text, word("NATION", 25)},
               {"n_regionkey", integer, [](size_t r) { return Value::BigInt(r % 5); }}});
  CreateTable("supplier", suppliers, {{"s_suppkey", integer, key}, {"s_nationkey", integer, [](size_t r) {
                                                                      return Value::BigInt(r % 25);
                                                                    }}});
  CreateTable("customer", customers,
              {{"c_custkey", integer, key},
               {"c_nationkey", integer, [](size_t r) { return Value::BigInt(r % 25); }},
               {"c_mktsegment", text, word("SEGMENT", 5)}});
  CreateTable("part", parts,
              {{"p_partkey", integer, key},
               {"p_brand", text, word("Brand#", 25)},
               {"p_type", text, word("TYPE", 150)},
               {"p_size", integer, modulo(50)}});
  CreateTable("partsupp", parts * 4,
              {{"ps_partkey", integer, [](size_t r) { return Value::BigInt(r / 4 + 1); }},
               {"ps_suppkey", integer, modulo(suppliers)},
               {"ps_supplycost", money, cents(100, 100000)}});
  CreateTable("orders", orders,
              {{"o_orderkey", integer, key},
               {"o_custkey", integer, modulo(customers)},
               {"o_orderdate", TypeId::kDate, date}});
  CreateTable("lineitem", orders * 4,
              {{"l_orderkey", integer, [](size_t r) { return Value::BigInt(r / 4 + 1); }},
               {"l_partkey", integer, modulo(parts)},
               {"l_suppkey", integer, modulo(suppliers)},
               {"l_quantity", money, cents(100, 5000)},
               {"l_extendedprice", money, cents(90100, 10494950)},
               {"l_discount", money, cents(0, 10)},
               {"l_tax", money, cents(0, 8)},
               {"l_returnflag", text, word("", 3)},
               {"l_linestatus", text, word("", 2)},
               {"l_shipdate", TypeId::kDate, date},
               {"l_shipmode", text, word("MODE", 7)}});
}

}  // namespace scaup::test
