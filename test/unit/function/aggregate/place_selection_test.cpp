// PlaceSelection: against values in order.
#include "function/aggregate/place_selection.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

namespace scaup {
namespace {

template <typename T>
bool IsSame(const T& a, const T& b) {
  return !OrderedBefore(a, b) && !OrderedBefore(b, a);
}

/// How many of the places were found. What is found must be right.
template <typename T>
size_t FoundPlaces(const std::vector<T>& values, const std::vector<uint64_t>& places) {
  std::vector<typename PlaceSelection<T>::Run> runs;
  for (size_t begin = 0, size = 1; begin < values.size(); begin += size, size = size % 9'000 * 3 + 1) {
    size = std::min(size, values.size() - begin);
    runs.push_back({values.data() + begin, size});
  }
  std::vector<T> ordered = values;
  std::sort(ordered.begin(), ordered.end(), [](const T& a, const T& b) { return OrderedBefore(a, b); });
  size_t found_count = 0;
  for (const uint64_t place : places) {
    Arena scratch;
    const auto found = PlaceSelection<T>(runs, values.size(), scratch).At(place);
    if (!found) continue;
    found_count++;
    REQUIRE(IsSame(found->value, ordered[place]));
    REQUIRE(found->next.has_value() == (place + 1 < ordered.size()));
    if (found->next) REQUIRE(IsSame(*found->next, ordered[place + 1]));
  }
  return found_count;
}

std::vector<uint64_t> PlacesOf(uint64_t count) {
  return {0, 1, count / 1000, count / 4, (count - 1) / 2, count / 2, count / 10 * 9, count - 2, count - 1};
}

}  // namespace

TEST_CASE("values at places are found among many", "[aggregate]") {
  std::mt19937_64 random(1);
  for (const size_t count : {PlaceSelection<double>::kLeastCount, uint64_t{50'001}, uint64_t{300'000}}) {
    const std::vector<uint64_t> places = PlacesOf(count);
    std::vector<double> values(count);
    for (double& value : values) value = std::uniform_real_distribution<double>(-1, 1)(random);
    CHECK(FoundPlaces(values, places) == places.size());
    std::sort(values.begin(), values.end());
    CHECK(FoundPlaces(values, places) == places.size());
    for (double& value : values) value = std::exp(std::normal_distribution<double>(0, 9)(random));
    CHECK(FoundPlaces(values, places) == places.size());
    for (size_t i = 0; i < count; i += 7) values[i] = i % 2 == 0 ? -INFINITY : INFINITY;
    CHECK(FoundPlaces(values, places) == places.size());
    std::vector<int32_t> integers(count);
    for (int32_t& value : integers) value = static_cast<int32_t>(random());
    CHECK(FoundPlaces(integers, places) == places.size());
  }
}

TEST_CASE("values at places are found among few different ones", "[aggregate]") {
  std::mt19937_64 random(2);
  const size_t count = 100'000;
  const std::vector<uint64_t> places = PlacesOf(count);
  for (const int distinct : {1, 2, 3, 10, 1000}) {
    std::vector<int64_t> values(count);
    for (int64_t& value : values) value = static_cast<int64_t>(random() % static_cast<uint64_t>(distinct));
    // At the end of a value's places the next one may be unknown.
    CHECK(FoundPlaces(values, places) + 2 >= places.size());
  }
  std::vector<int64_t> halves(count);
  for (size_t i = 0; i < count; i++) halves[i] = i % 2 == 0 ? INT64_MIN : INT64_MAX;
  FoundPlaces(halves, places);
}

TEST_CASE("what is no number is above all values that are looked for", "[aggregate]") {
  std::mt19937_64 random(3);
  const size_t count = 100'000;
  std::vector<double> values(count);
  for (double& value : values)
    value = random() % 3 == 0 ? std::nan("") : static_cast<double>(random() % 1'000'000);
  CHECK(FoundPlaces(values, {0, 100, count / 4, count / 2}) == 4);
  FoundPlaces(values, {count / 3 * 2, count / 10 * 9, count - 1});
}

TEST_CASE("a sample that misleads is noticed", "[aggregate]") {
  // Runs that alternate with the sample's steps: whatever is found is right.
  const size_t count = 200'000;
  for (const size_t period : {16, 17, 32, 256}) {
    std::vector<double> values(count);
    for (size_t i = 0; i < count; i++) values[i] = i / period % 2 == 0 ? 0.0 : static_cast<double>(i);
    FoundPlaces(values, PlacesOf(count));
  }
}

}  // namespace scaup
