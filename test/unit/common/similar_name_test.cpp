// Names of functions, tables and columns that are nearly right.
#include "common/similar_name.hpp"

#include <catch2/catch.hpp>

namespace scaup {

TEST_CASE("the most similar name", "[common]") {
  CHECK(MostSimilar("custmer", {"orders", "customer", "lineitem"}) == "customer");
  CHECK(MostSimilar("zzz", {"orders", "customer"}).empty());
  CHECK(MostSimilar("", {"a"}) == "a");
  CHECK(MostSimilar("x", {}).empty());
}

TEST_CASE("names that nobody types are like none", "[common]") {
  const std::string name(1'000'000, 'n');  // Comparing two of them would take an hour.
  CHECK(MostSimilar(name, {name + "x", "n"}).empty());
}

}  // namespace scaup
