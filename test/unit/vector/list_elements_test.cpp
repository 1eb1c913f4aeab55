// Elements of lists: what ListElements reads, and slots written in place.
#include "vector/list_elements.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "random_values.hpp"
#include "scaup/error.hpp"
#include "type/packed_value.hpp"

namespace scaup {

using namespace test;

namespace {

struct Element {
  sel_t row;
  Value value;
};

/// Makes lists of up to `most` random elements, a tenth of them NULL, and returns all elements in their
/// order.
std::vector<Element> FillLists(Random& random, const LogicalType& element, size_t most, size_t count,
                               Vector& lists) {
  std::vector<Element> elements;
  lists.Reset();
  for (size_t row = 0; row < count; row++) {
    if (Below(random, 10) == 0) {
      lists.SetValue(row, Value(lists.type()));
      continue;
    }
    std::vector<Value> values(Below(random, most + 1), Value(element));
    for (Value& value : values) {
      // Lists have one zero and one NaN.
      const bool is_unified = element.id() == TypeId::kReal || element.id() == TypeId::kDouble;
      value = RandomValue(random, element, 10, 50, !is_unified);
      elements.push_back({static_cast<sel_t>(row), value});
    }
    lists.SetValue(row, Value::List(element, std::move(values)));
  }
  return elements;
}

void CheckElements(const LogicalType& element, const std::vector<Element>& expected, Vector& lists,
                   size_t count) {
  ListElements elements(element);
  elements.Begin(lists.ViewAs<StringRef>(count), count);
  Vector values(element);
  std::vector<sel_t> rows(kVectorSize);
  size_t read = 0;
  while (true) {
    values.Reset();
    const size_t loaded = elements.Next(values, rows.data());
    if (loaded == 0) break;
    REQUIRE(loaded == std::min(kVectorSize, expected.size() - read));
    for (size_t i = 0; i < loaded; i++, read++) {
      REQUIRE(rows[i] == expected[read].row);
      REQUIRE(SameValue(values.GetValue(i), expected[read].value));
    }
  }
  REQUIRE(read == expected.size());
}

}  // namespace

TEST_CASE("Elements of lists come in their order, in full vectors", "[vector][list]") {
  Random random(3);
  for (const LogicalType& element : SampleTypes()) {
    for (const size_t most : {0, 1, 7, 3000}) {
      const size_t count = most == 3000 ? 5 : kVectorSize;
      Vector lists(LogicalType::List(element));
      CheckElements(element, FillLists(random, element, most, count, lists), lists, count);
    }
  }
}

TEST_CASE("Slots written in place are those of lists", "[vector][list]") {
  Random random(4);
  for (const LogicalType& element : SampleTypes()) {
    const SlotListWriter write = FindSlotListWriter(element);
    ListElements elements(element);
    CHECK((write != nullptr) == elements.has_fixed_slots());
    if (write == nullptr) continue;
    constexpr size_t kCount = 100;
    Vector lists(LogicalType::List(element)), values(element);
    FillLists(random, element, 8, kCount, lists);
    const auto view = lists.ViewAs<StringRef>(kCount);
    std::vector<std::string> written(kCount);
    std::vector<char*> places(kCount);
    for (size_t row = 0; row < kCount; row++) {
      if (view.IsValid(row)) written[row].resize(view[row].size());
      places[row] = written[row].data();
    }
    std::vector<sel_t> rows(kVectorSize);
    values.Reset();
    elements.Begin(view, kCount);
    const size_t loaded = elements.Next(values, rows.data());
    write(values.View(loaded), rows.data(), loaded, places.data());
    for (size_t row = 0; row < kCount; row++) {
      CHECK(places[row] == written[row].data() + written[row].size());
      if (view.IsValid(row)) CHECK(written[row] == view[row].view());
    }
  }
}

TEST_CASE("A list that ends within a slot is damaged", "[vector][list]") {
  for (const LogicalType& element : {LogicalType(TypeId::kInteger), LogicalType(TypeId::kVarchar)}) {
    Vector lists(LogicalType::List(element)), values(element);
    lists.Reset();
    std::string bytes(1, kSlotValue);
    bytes += "ab";
    lists.MutableData<StringRef>()[0] = lists.AddString(bytes);
    ListElements elements(element);
    elements.Begin(lists.ViewAs<StringRef>(1), 1);
    std::vector<sel_t> rows(kVectorSize);
    values.Reset();
    CHECK_THROWS_AS(elements.Next(values, rows.data()), Error);
  }
}

}  // namespace scaup
