// The simulation itself: it accepts a database that is right, and finds every way in which one can be wrong.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include <fmt/format.h>

#include "simulation/simulation_checks.hpp"
#include "simulation/statement_log_database.hpp"

using namespace scaup::test;

namespace {

constexpr WorkloadOptions kTiny{8, 20, true, 20};

OpenDatabase WithFlaw(Flaw flaw) {
  return [flaw](SimulatedFileSystem& files) { return OpenStatementLog(files, flaw); };
}

// The first complaint that crashes at every call bring up.
std::string CrashComplaint(Flaw flaw, uint64_t seed_count) {
  for (uint64_t seed = 1; seed <= seed_count; seed++) {
    const Workload workload = MakeWorkload(seed, kTiny);
    const uint64_t call_count = CountCalls(WithFlaw(flaw), workload);
    for (uint64_t call = 1; call <= call_count; call++) {
      for (const FaultKind fault : {FaultKind::kCrash, FaultKind::kCrashInside}) {
        std::string complaint = CheckCrash(WithFlaw(flaw), workload, seed, call, fault);
        if (!complaint.empty()) return complaint;
      }
    }
  }
  return "";
}

std::string FaultComplaint(Flaw flaw) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    const Workload workload = MakeWorkload(seed, kTiny);
    for (uint64_t call = 1; call <= CountCalls(WithFlaw(flaw), workload); call++) {
      for (const FaultKind fault :
           {FaultKind::kError, FaultKind::kPartialError, FaultKind::kDiskFull, FaultKind::kSyncLost}) {
        std::string complaint = CheckFault(WithFlaw(flaw), workload, seed, call, fault);
        if (!complaint.empty()) return complaint;
      }
    }
    std::string complaint = CheckFullDisk(WithFlaw(flaw), workload, seed, 200 * seed);
    if (!complaint.empty()) return complaint;
  }
  return "";
}

std::string DamageComplaint(Flaw flaw) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const DamageSubject subject = MakeDamageSubject(WithFlaw(flaw), MakeWorkload(seed, kTiny), true);
    for (uint64_t i = 0; i < 30; i++) {
      std::string complaint = CheckDamage(WithFlaw(flaw), subject, seed * 1000 + i);
      // The double has but one file, whose torn end the check takes for damage.
      if (!complaint.empty() && complaint.find("should not") != std::string::npos) return complaint;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("workloads repeat, and hold every kind of statement", "[checks]") {
  std::set<std::string> kinds;
  size_t breaking = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    const Workload workload = MakeWorkload(seed, {20, 50, true, 50});
    CHECK(workload.statements == MakeWorkload(seed, {20, 50, true, 50}).statements);
    REQUIRE(workload.states.size() == workload.statements.size() + 1);
    breaking += static_cast<size_t>(std::count(workload.breaks_key.begin(), workload.breaks_key.end(), true));
    for (const std::string& statement : workload.statements) {
      std::string kind = statement.substr(0, statement.find(' ', statement.find(' ') + 1));
      for (const char* named : {"UPDATE", "TRUNCATE", "BEGIN;"}) {
        if (kind.starts_with(named)) kind = named;
      }
      if (kind.starts_with("MATERIALIZE ") && statement != kMaterializerStep) kind = "MATERIALIZE";
      kinds.insert(kind);
    }
  }
  CHECK(fmt::format("{}", fmt::join(kinds, ", ")) ==
        "ANALYZE, BEGIN;, CHECKPOINT, COMMENT ON, CREATE COLLECTION, CREATE INDEX, CREATE SCHEMA, CREATE "
        "TABLE, "
        "CREATE UNIQUE, DELETE FROM, DROP COLLECTION, DROP INDEX, DROP SCHEMA, DROP TABLE, INSERT INTO, "
        "MATERIALIZE, MATERIALIZE one, SET document_cardinality, SET document_density, TRUNCATE, UPDATE, "
        "VACUUM, "
        "VACUUM (materialize)");
  CHECK(breaking > 0);
}

TEST_CASE("a database that is right passes", "[checks]") {
  CHECK(CheckUndisturbed(WithFlaw(Flaw::kNone), MakeWorkload(1, kTiny), true) == "");
  CHECK(CrashComplaint(Flaw::kNone, 3) == "");
  CHECK(FaultComplaint(Flaw::kNone) == "");
}

TEST_CASE("a database that does not sync is found out", "[checks]") {
  CHECK(CrashComplaint(Flaw::kNeverSyncs, 3) != "");
}

TEST_CASE("a database that trusts what it reads is found out", "[checks]") {
  CHECK(CrashComplaint(Flaw::kTrustsLog, 20) != "");
}

TEST_CASE("a database that keeps what failed is found out", "[checks]") {
  CHECK(FaultComplaint(Flaw::kForgetsToCut) != "");
}

TEST_CASE("a database that acknowledges what failed is found out", "[checks]") {
  CHECK(FaultComplaint(Flaw::kAcknowledgesFailures) != "");
}

TEST_CASE("a database that takes damage for the end is found out", "[checks]") {
  CHECK(DamageComplaint(Flaw::kStopsAtDamage) != "");
}
