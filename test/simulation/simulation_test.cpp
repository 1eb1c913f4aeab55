// Scaup under crashes, failing calls, full disks and damage. SCAUP_SIMULATION_SEEDS=1000 looks longer, and
// SCAUP_SIMULATION_FIRST_SEED=n elsewhere.
#include <catch2/catch.hpp>
#include <random>

#include "simulation/scaup_database.hpp"
#include "simulation/simulation_checks.hpp"

using namespace scaup::test;

namespace {

constexpr WorkloadOptions kSmall{8, 300, true};
constexpr WorkloadOptions kMedium{20, 3000, true};

FaultKind AnyCrash(std::mt19937_64& random) {
  return random() % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside;
}

}  // namespace

TEST_CASE("a database in memory contains what the model says", "[memory]") {
  const SeedRange seeds = SeedsFromEnvironment(30);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    INFO("seed " << seed);
    CHECK(CheckUndisturbed(OpenScaupInMemory, MakeWorkload(seed, {20, 3000, false}), false) == "");
  }
}

TEST_CASE("a database in files contains what the model says, also after it was closed", "[undisturbed]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(30);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    INFO("seed " << seed);
    CHECK(CheckUndisturbed(OpenScaup, MakeWorkload(seed, kMedium), true) == "");
  }
}

TEST_CASE("a crash at any call loses nothing that was acknowledged", "[crash][every-call]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(2);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    const Workload workload = MakeWorkload(seed, kSmall);
    const uint64_t call_count = CountCalls(OpenScaup, workload);
    for (uint64_t call = 1; call <= call_count; call++) {
      const FaultKind fault = (seed + call) % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside;
      CHECK(CheckCrash(OpenScaup, workload, seed, call, fault) == "");
    }
  }
}

TEST_CASE("a crash anywhere in a longer run loses nothing that was acknowledged", "[crash][any-call]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(40);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    std::mt19937_64 random(seed);
    const Workload workload = MakeWorkload(seed, kMedium);
    const uint64_t call_count = CountCalls(OpenScaup, workload);
    for (int i = 0; i < 3; i++) {
      CHECK(CheckCrash(OpenScaup, workload, seed, 1 + random() % call_count, AnyCrash(random)) == "");
    }
  }
}

TEST_CASE("a call that fails makes a statement fail and no more", "[fault]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(40);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    std::mt19937_64 random(seed);
    const Workload workload = MakeWorkload(seed, kSmall);
    const uint64_t call_count = CountCalls(OpenScaup, workload);
    for (const FaultKind fault :
         {FaultKind::kError, FaultKind::kPartialError, FaultKind::kDiskFull, FaultKind::kSyncLost}) {
      CHECK(CheckFault(OpenScaup, workload, seed, 1 + random() % call_count, fault) == "");
    }
  }
}

TEST_CASE("a full disk makes a statement fail and no more", "[full-disk]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(40);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    std::mt19937_64 random(seed);
    const Workload workload = MakeWorkload(seed, kMedium);
    CHECK(CheckFullDisk(OpenScaup, workload, seed, random() % 4'000'000) == "");
  }
}

TEST_CASE("damage is found or does not matter", "[damage]") {
  if (!CanOpenFiles()) return;
  const SeedRange seeds = SeedsFromEnvironment(6);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    const DamageSubject subject = MakeDamageSubject(OpenScaup, MakeWorkload(seed, kMedium), seed % 2 == 0);
    for (uint64_t i = 0; i < 60; i++) CHECK(CheckDamage(OpenScaup, subject, seed * 1000 + i) == "");
  }
}
