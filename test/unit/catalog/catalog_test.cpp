// The catalog: visibility of versions, conflicts, rollback, freeing.
#include "catalog/catalog.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "scaup/error.hpp"

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
  f.catalog.CreateTable(*creator, f.MakeTable("t"));
  CHECK(f.catalog.FindTable(*creator, "", "t"));
  CHECK_FALSE(f.catalog.FindTable(*before, "", "t"));
  f.transactions.Commit(*creator);
  const auto after = f.transactions.Begin();
  CHECK_FALSE(f.catalog.FindTable(*before, "main", "t"));
  const auto found = f.catalog.FindTable(*after, "main", "t");
  REQUIRE(found);
  CHECK(found->FindColumn("b") == 1u);
  CHECK_FALSE(found->FindColumn("B"));
  f.Commit([&](Transaction& t) { f.catalog.DropTable(t, "main", "t"); });
  CHECK(f.catalog.FindTable(*after, "main", "t") == found);
  CHECK(f.catalog.Tables(*after, *f.catalog.FindSchema(*after, "")).size() == 1);
  const auto last = f.transactions.Begin();
  CHECK_FALSE(f.catalog.FindTable(*last, "main", "t"));
  CHECK(f.catalog.Tables(*last, *f.catalog.FindSchema(*last, "")).empty());
  for (const auto& transaction : {before, after, last}) f.transactions.Rollback(*transaction);
}

TEST_CASE("Errors name what is missing or there already", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) {
    f.catalog.CreateSchema(t, "s");
    f.catalog.CreateTable(t, f.MakeTable("t", "s"));
  });
  const auto t = f.transactions.Begin();
  CHECK(f.SqlstateOf([&] { f.catalog.CreateSchema(*t, "s"); }) == "42P06");
  CHECK(f.SqlstateOf([&] { f.catalog.CreateTable(*t, f.MakeTable("t", "s")); }) == "42P07");
  CHECK(f.SqlstateOf([&] { f.catalog.CreateTable(*t, f.MakeTable("t", "no")); }) == "3F000");
  CHECK(f.SqlstateOf([&] { f.catalog.DropTable(*t, "s", "no"); }) == "42P01");
  CHECK(f.SqlstateOf([&] { f.catalog.DropSchema(*t, "no", false); }) == "3F000");
  CHECK(f.SqlstateOf([&] { f.catalog.DropSchema(*t, "s", false); }) == "2BP01");
  f.catalog.DropSchema(*t, "s", true);
  CHECK_FALSE(f.catalog.FindSchema(*t, "s"));
  f.transactions.Commit(*t);
}

TEST_CASE("Two transactions cannot change the same name at once", "[catalog]") {
  Fixture f;
  const auto a = f.transactions.Begin(), b = f.transactions.Begin();
  f.catalog.CreateTable(*a, f.MakeTable("t"));
  CHECK(f.SqlstateOf([&] { f.catalog.CreateTable(*b, f.MakeTable("t")); }) == "40001");
  f.catalog.CreateTable(*b, f.MakeTable("u"));
  f.transactions.Commit(*a);
  CHECK(f.SqlstateOf([&] { f.catalog.CreateTable(*b, f.MakeTable("t")); }) ==
        "40001");  // Committed, but not seen.
  f.transactions.Rollback(*b);
  // After a rollback the name is free.
  f.Commit([&](Transaction& t) { f.catalog.CreateTable(t, f.MakeTable("u")); });
}

TEST_CASE("Rollback restores drops and undoes creations", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) { f.catalog.CreateTable(t, f.MakeTable("t")); });
  const auto t = f.transactions.Begin();
  const auto original = f.catalog.FindTable(*t, "", "t");
  f.catalog.DropTable(*t, "main", "t");
  f.catalog.CreateTable(*t, f.MakeTable("t"));
  f.catalog.DropTable(*t, "main", "t");
  f.catalog.CreateTable(*t, f.MakeTable("other"));
  f.transactions.Rollback(*t);
  const auto after = f.transactions.Begin();
  CHECK(f.catalog.FindTable(*after, "", "t") == original);
  CHECK_FALSE(f.catalog.FindTable(*after, "", "other"));
  f.transactions.Rollback(*after);
}

TEST_CASE("Dropped and replaced tables are freed when nobody sees them", "[catalog]") {
  Fixture f;
  std::weak_ptr<const TableEntry> first, second, third;
  const auto create = [&](Transaction& t) {
    auto table = f.MakeTable("t");
    f.catalog.CreateTable(t, table);
    return table;
  };
  f.Commit([&](Transaction& t) { first = create(t); });
  CHECK_FALSE(first.expired());
  // Drop and create in one transaction: only the last version remains.
  f.Commit([&](Transaction& t) {
    f.catalog.DropTable(t, "main", "t");
    second = create(t);
    f.catalog.DropTable(t, "main", "t");
    third = create(t);
  });
  CHECK(first.expired());
  CHECK(second.expired());
  const auto reader = f.transactions.Begin();
  f.Commit([&](Transaction& t) { f.catalog.DropTable(t, "main", "t"); });
  CHECK(f.catalog.FindTable(*reader, "", "t") == third.lock());
  f.transactions.Commit(*reader);
  CHECK(third.expired());  // Although nothing touched that name since.
}

TEST_CASE("The version goes up at the commit, before anybody can see the change", "[catalog]") {
  Fixture f;
  const uint64_t begin = f.catalog.version();
  const auto t = f.transactions.Begin();
  f.catalog.CreateTable(*t, f.MakeTable("t"));
  CHECK(f.catalog.version() == begin);
  f.transactions.Commit(*t);
  CHECK(f.catalog.version() > begin);
  const uint64_t committed = f.catalog.version();
  const auto rolled_back = f.transactions.Begin();
  f.catalog.DropTable(*rolled_back, "main", "t");
  f.transactions.Rollback(*rolled_back);
  CHECK(f.catalog.version() == committed);
}

TEST_CASE("A schema is not dropped from under a table that is being made", "[catalog]") {
  Fixture f;
  f.Commit([&](Transaction& t) { f.catalog.CreateSchema(t, "s"); });
  {
    const auto maker = f.transactions.Begin(), dropper = f.transactions.Begin();
    f.catalog.CreateTable(*maker, f.MakeTable("t", "s"));
    CHECK(f.SqlstateOf([&] { f.catalog.DropSchema(*dropper, "s", true); }) == "40001");
    f.transactions.Rollback(*dropper);
    f.transactions.Rollback(*maker);
  }
  {
    const auto maker = f.transactions.Begin(), dropper = f.transactions.Begin();
    f.catalog.DropSchema(*dropper, "s", false);
    CHECK(f.SqlstateOf([&] { f.catalog.CreateTable(*maker, f.MakeTable("t", "s")); }) == "40001");
    f.transactions.Rollback(*dropper);
    f.catalog.CreateTable(*maker, f.MakeTable("t", "s"));  // Open again.
    f.transactions.Commit(*maker);
  }
  f.Commit([&](Transaction& t) { f.catalog.DropSchema(t, "s", true); });
  f.Commit([&](Transaction& t) {
    f.catalog.CreateSchema(t, "s");
    f.catalog.CreateTable(t, f.MakeTable("t", "s"));
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
          if (f.catalog.FindTable(*transaction, "", name)) {
            f.catalog.DropTable(*transaction, "main", name);
          } else {
            f.catalog.CreateTable(*transaction, f.MakeTable(name));
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
  for (const auto& table : f.catalog.Tables(*last, *f.catalog.FindSchema(*last, "")))
    CHECK((table->name == "shared" || table->name.starts_with("own")));
  f.transactions.Rollback(*last);
}

}  // namespace scaup
