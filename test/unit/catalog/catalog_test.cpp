// The catalog: visibility of versions, conflicts, rollback, freeing.
#include "catalog/catalog.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "catalog/catalog_changes.hpp"
#include "scaup/error.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

struct Fixture {
  MemoryTracker memory{size_t{1} << 30};
  TransactionManager transactions;
  Catalog catalog{transactions};

  TableEntryRef MakeTable(const std::string& name, const std::string& schema = "main") {
    std::vector<ColumnDefinition> columns{{"a", TypeId::kInteger}, {"b", TypeId::kVarchar}};
    return std::make_shared<const TableEntry>(
        schema, name, columns,
        std::make_shared<Table>(std::vector<LogicalType>{TypeId::kInteger, TypeId::kVarchar}, memory));
  }
  template <typename F>
  void Commit(F&& change) {
    const auto transaction = transactions.Begin();
    change(*transaction);
    transactions.Commit(*transaction);
  }
  template <typename F>
  std::string SqlstateOf(F&& change) {
    try {
      change();
    } catch (const Error& error) {
      return error.sqlstate();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("Tables come and go with commits", "[catalog]") {
  Fixture f;
  const auto before = f.transactions.Begin();
  const auto creator = f.transactions.Begin();
  CreateTable(f.catalog, *creator, f.MakeTable("t"));
  CHECK(f.catalog.Find<TableEntry>(*creator, "", "t"));
  CHECK_FALSE(f.catalog.Find<TableEntry>(*before, "", "t"));
  f.transactions.Commit(*creator);
  const auto after = f.transactions.Begin();
  CHECK_FALSE(f.catalog.Find<TableEntry>(*before, "main", "t"));
  const auto found = f.catalog.Find<TableEntry>(*after, "main", "t");
  REQUIRE(found);
  CHECK(found->FindColumn("b") == 1u);
  CHECK_FALSE(found->FindColumn("B"));
  f.Commit([&](Transaction& t) { DropTable(f.catalog, t, "main", "t"); });
  CHECK(f.catalog.Find<TableEntry>(*after, "main", "t") == found);
  CHECK(f.catalog.List<TableEntry>(*after, *f.catalog.FindSchema(*after, "")).size() == 1);
  const auto last = f.transactions.Begin();
  CHECK_FALSE(f.catalog.Find<TableEntry>(*last, "main", "t"));
  CHECK(f.catalog.List<TableEntry>(*last, *f.catalog.FindSchema(*last, "")).empty());
  for (const auto& transaction : {before, after, last}) f.transactions.Rollback(*transaction);
}

TEST_CASE("Errors name what is missing or there already", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) {
    CreateSchema(f.catalog, t, "s");
    CreateTable(f.catalog, t, f.MakeTable("t", "s"));
  });
  const auto t = f.transactions.Begin();
  CHECK(f.SqlstateOf([&] { CreateSchema(f.catalog, *t, "s"); }) == "42P06");
  CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *t, f.MakeTable("t", "s")); }) == "42P07");
  CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *t, f.MakeTable("t", "no")); }) == "3F000");
  CHECK(f.SqlstateOf([&] { DropTable(f.catalog, *t, "s", "no"); }) == "42P01");
  CHECK(f.SqlstateOf([&] { DropSchema(f.catalog, *t, "no", false); }) == "3F000");
  CHECK(f.SqlstateOf([&] { DropSchema(f.catalog, *t, "s", false); }) == "2BP01");
  DropSchema(f.catalog, *t, "s", true);
  CHECK_FALSE(f.catalog.FindSchema(*t, "s"));
  f.transactions.Commit(*t);
}

TEST_CASE("Two transactions cannot change the same name at once", "[catalog]") {
  Fixture f;
  const auto a = f.transactions.Begin(), b = f.transactions.Begin();
  CreateTable(f.catalog, *a, f.MakeTable("t"));
  CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *b, f.MakeTable("t")); }) == "40001");
  CreateTable(f.catalog, *b, f.MakeTable("u"));
  f.transactions.Commit(*a);
  CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *b, f.MakeTable("t")); }) ==
        "40001");  // Committed, but not seen.
  f.transactions.Rollback(*b);
  // After a rollback the name is free.
  f.Commit([&](Transaction& t) { CreateTable(f.catalog, t, f.MakeTable("u")); });
}

TEST_CASE("Rollback restores drops and undoes creations", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) { CreateTable(f.catalog, t, f.MakeTable("t")); });
  const auto t = f.transactions.Begin();
  const auto original = f.catalog.Find<TableEntry>(*t, "", "t");
  DropTable(f.catalog, *t, "main", "t");
  CreateTable(f.catalog, *t, f.MakeTable("t"));
  DropTable(f.catalog, *t, "main", "t");
  CreateTable(f.catalog, *t, f.MakeTable("other"));
  f.transactions.Rollback(*t);
  const auto after = f.transactions.Begin();
  CHECK(f.catalog.Find<TableEntry>(*after, "", "t") == original);
  CHECK_FALSE(f.catalog.Find<TableEntry>(*after, "", "other"));
  f.transactions.Rollback(*after);
}

TEST_CASE("Dropped and replaced tables are freed when nobody sees them", "[catalog]") {
  Fixture f;
  std::weak_ptr<const TableEntry> first, second, third;
  const auto create = [&](Transaction& t) {
    auto table = f.MakeTable("t");
    CreateTable(f.catalog, t, table);
    return table;
  };
  f.Commit([&](Transaction& t) { first = create(t); });
  CHECK_FALSE(first.expired());
  // Drop and create in one transaction: only the last version remains.
  f.Commit([&](Transaction& t) {
    DropTable(f.catalog, t, "main", "t");
    second = create(t);
    DropTable(f.catalog, t, "main", "t");
    third = create(t);
  });
  CHECK(first.expired());
  CHECK(second.expired());
  const auto reader = f.transactions.Begin();
  f.Commit([&](Transaction& t) { DropTable(f.catalog, t, "main", "t"); });
  CHECK(f.catalog.Find<TableEntry>(*reader, "", "t") == third.lock());
  f.transactions.Commit(*reader);
  CHECK(third.expired());  // Although nothing touched that name since.
}

TEST_CASE("The version goes up at the commit, before anybody can see the change", "[catalog]") {
  Fixture f;
  const uint64_t begin = f.catalog.version();
  const auto t = f.transactions.Begin();
  CreateTable(f.catalog, *t, f.MakeTable("t"));
  CHECK(f.catalog.version() == begin);
  f.transactions.Commit(*t);
  CHECK(f.catalog.version() > begin);
  const uint64_t committed = f.catalog.version();
  const auto rolled_back = f.transactions.Begin();
  DropTable(f.catalog, *rolled_back, "main", "t");
  f.transactions.Rollback(*rolled_back);
  CHECK(f.catalog.version() == committed);
}

TEST_CASE("A schema is not dropped from under a table that is being made", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) { CreateSchema(f.catalog, t, "s"); });
  {
    const auto maker = f.transactions.Begin(), dropper = f.transactions.Begin();
    CreateTable(f.catalog, *maker, f.MakeTable("t", "s"));
    CHECK(f.SqlstateOf([&] { DropSchema(f.catalog, *dropper, "s", true); }) == "40001");
    f.transactions.Rollback(*dropper);
    f.transactions.Rollback(*maker);
  }
  {
    const auto maker = f.transactions.Begin(), dropper = f.transactions.Begin();
    DropSchema(f.catalog, *dropper, "s", false);
    CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *maker, f.MakeTable("t", "s")); }) == "40001");
    f.transactions.Rollback(*dropper);
    CreateTable(f.catalog, *maker, f.MakeTable("t", "s"));  // Open again.
    f.transactions.Commit(*maker);
  }
  f.Commit([&](Transaction& t) { DropSchema(f.catalog, t, "s", true); });
  f.Commit([&](Transaction& t) {
    CreateSchema(f.catalog, t, "s");
    CreateTable(f.catalog, t, f.MakeTable("t", "s"));
  });
}

TEST_CASE("Many threads create and drop tables", "[catalog]") {
  Fixture f;
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (size_t n = 0; n < 4; n++) {
    threads.emplace_back([&, n] {
      for (size_t i = 0; i < 200; i++) {
        const auto transaction = f.transactions.Begin();
        try {
          const std::string name = i % 2 == 0 ? "shared" : "own" + std::to_string(n);
          if (f.catalog.Find<TableEntry>(*transaction, "", name)) {
            DropTable(f.catalog, *transaction, "main", name);
          } else {
            CreateTable(f.catalog, *transaction, f.MakeTable(name));
          }
          f.transactions.Commit(*transaction);
        } catch (const Error& error) {
          wrong += std::string(error.sqlstate()) != "40001";
          f.transactions.Rollback(*transaction);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  const auto last = f.transactions.Begin();
  for (const auto& table : f.catalog.List<TableEntry>(*last, *f.catalog.FindSchema(*last, "")))
    CHECK((table->name == "shared" || table->name.starts_with("own")));
  f.transactions.Rollback(*last);
}

}  // namespace scaup
