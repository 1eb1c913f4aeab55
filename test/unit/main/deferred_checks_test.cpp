// Deferred checks: the modes of SET CONSTRAINTS, and what ROLLBACK TO a savepoint brings back.
#include "main/key/deferred_checks.hpp"

#include <catch2/catch.hpp>

using namespace scaup;

namespace {

constexpr Deferral kImmediate{true, false};
constexpr Deferral kDeferred{true, true};

TableEntryRef MakeTable(const std::string& name) {
  return std::make_shared<TableEntry>("main", name, std::vector<ColumnDefinition>(), nullptr);
}

DeferredCheck CheckOf(const TableEntryRef& table, const std::string& constraint) {
  return {table, {table->schema, table->name, constraint}, kDeferred};
}

}  // namespace

TEST_CASE("SET CONSTRAINTS chooses when deferrable constraints are checked", "[constraint]") {
  DeferredChecks checks;
  const ConstraintPlace a{"main", "t", "a"}, b{"main", "t", "b"};
  CHECK_FALSE(checks.IsDeferred(a, Deferral{}));
  CHECK_FALSE(checks.IsDeferred(a, kImmediate));
  CHECK(checks.IsDeferred(a, kDeferred));
  checks.Set(a, true);
  checks.Set(b, false);
  CHECK(checks.IsDeferred(a, kImmediate));
  CHECK_FALSE(checks.IsDeferred(b, kDeferred));
  const DeferredChecks::Mark mark = checks.mark();
  // ALL takes back what single names got.
  checks.SetAll(false);
  CHECK_FALSE(checks.IsDeferred(a, kDeferred));
  checks.SetAll(true);
  CHECK(checks.IsDeferred(b, kImmediate));
  CHECK_FALSE(checks.IsDeferred(b, Deferral{}));
  checks.RollBackTo(mark);
  CHECK(checks.IsDeferred(a, kImmediate));
  CHECK_FALSE(checks.IsDeferred(b, kDeferred));
  checks.Clear();
  CHECK_FALSE(checks.IsDeferred(a, kImmediate));
}

TEST_CASE("a rollback to a savepoint makes checks pending again", "[constraint]") {
  DeferredChecks checks;
  const TableEntryRef t = MakeTable("t");
  checks.AddUnique(CheckOf(t, "a"));
  CHECK(checks.has_pending());
  CHECK(checks.Pending(false).empty());
  REQUIRE(checks.Pending(true).size() == 1);
  // One pending check of an index is enough.
  checks.AddUnique(CheckOf(t, "a"));
  CHECK(checks.Pending(true).size() == 1);

  checks.SetSavepoints(1);
  CHECK_FALSE(checks.forgets_passed());
  const DeferredChecks::Mark savepoint = checks.mark();
  checks.NotePassed(*checks.Pending(true)[0]);
  CHECK_FALSE(checks.has_pending());
  checks.AddUnique(CheckOf(t, "b"));
  CHECK(checks.Pending(true).size() == 1);
  // The first check is pending again, and the second one was never made.
  checks.RollBackTo(savepoint);
  REQUIRE(checks.Pending(true).size() == 1);
  CHECK(checks.Pending(true)[0]->constraint.name == "a");

  checks.SetSavepoints(0);
  CHECK(checks.forgets_passed());
  checks.NotePassed(*checks.Pending(true)[0]);
  checks.ForgetPassed();
  checks.RollBackTo(savepoint);
  CHECK_FALSE(checks.has_pending());
}

TEST_CASE("checks of inner statements are kept until these have ended", "[constraint]") {
  DeferredChecks checks;
  checks.EnterInner();
  CHECK_FALSE(checks.forgets_passed());
  checks.LeaveInner();
  CHECK(checks.forgets_passed());
}
