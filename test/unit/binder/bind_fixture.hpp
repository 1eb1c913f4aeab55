// An empty database with a few tables, for tests that bind and plan statements.
#pragma once

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "binder/statement/binder.hpp"
#include "catalog/catalog_changes.hpp"
#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/database_listing.hpp"
#include "parser/parser.hpp"
#include "scaup/error.hpp"
#include "transaction/transaction_manager.hpp"
#include "vector/kernel_table.hpp"

namespace scaup::test {

class NoListing final : public DatabaseListing {
 public:
  std::vector<std::string> Schemas() const override { return {}; }
  std::vector<TableListing> Tables() const override { return {}; }
};

/// Tables without storage: t(a, b, c, d), u(x, y, a), n(small, big, f, r, ts, flag), k(id, v, w with
/// defaults).
struct BindFixture {
  BindFixture() {
    auto change = transactions.Begin();
    const auto add = [&](const char* name, std::vector<ColumnDefinition> columns) {
      CreateTable(catalog, *change, std::make_shared<TableEntry>("main", name, std::move(columns), nullptr));
    };
    add("t", {{"a", TypeId::kInteger},
              {"b", TypeId::kVarchar},
              {"c", LogicalType::Decimal(15, 2)},
              {"d", TypeId::kDate}});
    add("u", {{"x", TypeId::kInteger}, {"y", TypeId::kVarchar}, {"a", TypeId::kInteger}});
    add("n", {{"small", TypeId::kSmallInt},
              {"big", TypeId::kBigInt},
              {"f", TypeId::kDouble},
              {"r", TypeId::kReal},
              {"ts", TypeId::kTimestamp},
              {"flag", TypeId::kBoolean}});
    add("k", {{"id", TypeId::kBigInt, true, ""},
              {"v", TypeId::kVarchar, false, "'none'"},
              {"w", LogicalType::Decimal(9, 2), false, "1 + 1"}});
    transactions.Commit(*change);
    transaction = transactions.Begin();
  }

  BoundStatementPtr Bind(const std::string& sql) {
    const auto statements = Parser().Parse(sql);
    REQUIRE(statements.size() == 1);
    const BinderContext context{catalog, *transaction, functions, FunctionRegistry::Builtin(), settings};
    Binder binder(context);
    BoundStatementPtr bound = binder.Bind(*statements[0]);
    parameter_types = binder.parameter_types();
    return bound;
  }

  /// "names and types": "a INTEGER, b VARCHAR".
  std::string Columns(const std::string& sql) {
    const auto bound = Bind(sql);
    REQUIRE(bound->kind == BoundStatementKind::kQuery);
    const BoundQuery& query = *bound->As<BoundQueryStatement>().query;
    std::string text;
    for (size_t i = 0; i < query.names.size(); i++) {
      text += (i == 0 ? "" : ", ") + query.names[i] + " " + query.types[i].ToString();
    }
    return text;
  }

  /// "sqlstate@position message", or "" when nothing was thrown.
  std::string ErrorOf(const std::string& sql) {
    try {
      Bind(sql);
      return "";
    } catch (const Error& error) {
      const std::string at = error.position() ? std::to_string(*error.position()) : "-";
      return std::string(error.sqlstate()) + "@" + at + " " + error.message();
    }
  }

  NoListing listing;
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{1} << 30};
  TaskScheduler scheduler{1};
  Settings settings = DefaultSettings();
  std::atomic<bool> interrupted{false};
  FunctionContext functions{*files,      memory, scheduler, settings, KernelsOf(KernelLevel::kPlain),
                            interrupted, listing};
  TransactionManager transactions;
  Catalog catalog{transactions};
  std::shared_ptr<Transaction> transaction;
  std::vector<LogicalType> parameter_types;
};

}  // namespace scaup::test
