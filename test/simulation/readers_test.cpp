// Readers in other processes while one writes. SCAUP_SIMULATION_SEEDS=1000 looks longer, and
// SCAUP_SIMULATION_FIRST_SEED=n elsewhere.
#include <catch2/catch.hpp>

#include "simulation/reader_check.hpp"
#include "simulation/simulation_checks.hpp"

using namespace scaup::test;

namespace {

void CheckSeeds(uint64_t usual, ReaderDisturbance disturbance) {
  const SeedRange seeds = SeedsFromEnvironment(usual);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
    CHECK(CheckReaders(seed, 120, disturbance) == "");
}

}  // namespace

TEST_CASE("readers see committed states, one after the other", "[readers]") {
  CheckSeeds(20, ReaderDisturbance::kNone);
}

TEST_CASE("readers see committed states while processes die", "[readers][kill]") {
  CheckSeeds(20, ReaderDisturbance::kKills);
}

TEST_CASE("readers see committed states before and after power failures", "[readers][crash]") {
  CheckSeeds(20, ReaderDisturbance::kCrashes);
}

TEST_CASE("readers see committed states while calls fail", "[readers][fault]") {
  CheckSeeds(20, ReaderDisturbance::kFaults);
}
