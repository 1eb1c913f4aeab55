// Vectors: forms, sharing, copy-on-write, conversion.
#include "vector/vector.hpp"
#include "common/memory/memory_tracker.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "random_values.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

constexpr Form kForms[] = {Form::kFlat, Form::kDictionary, Form::kDistinctDictionary, Form::kConstant};

void CheckValues(const Vector& vector, const Row& expected) {
  for (size_t row = 0; row < expected.size(); row++) {
    if (!SameValue(vector.GetValue(row), expected[row])) {
      FAIL("row " << row << ": " << vector.GetValue(row).ToString() << " instead of "
                  << expected[row].ToString());
    }
  }
}

Row RandomColumn(Random& random, const LogicalType& type, size_t count, Form form) {
  if (form == Form::kConstant) return Row(count, RandomValue(random, type, 20));
  Row values;
  for (size_t i = 0; i < count; i++) values.push_back(RandomValue(random, type));
  return values;
}

}  // namespace

TEST_CASE("Every form of every type reads, views and flattens alike", "[vector]") {
  Random random(1);
  for (const LogicalType& type : SampleTypes()) {
    for (const Form form : kForms) {
      for (const size_t count : {1, 63, 64, 65, 1023, 1024}) {
        const Row values = RandomColumn(random, type, count, form);
        Vector vector = MakeVector(random, type, values, form);
        CheckValues(vector, values);
        const UnifiedView view = vector.View(count);
        for (size_t row = 0; row < count; row++) REQUIRE(view.IsValid(row) == !values[row].is_null());
        Vector copy(type);
        copy.Reset();
        AppendVector(vector, count, copy, 0);
        CheckValues(copy, values);
        vector.Flatten(count);
        REQUIRE(vector.is_flat());
        CheckValues(vector, values);
      }
    }
  }
}

TEST_CASE("Slices of slices pick the rows that the selections say", "[vector]") {
  Random random(2);
  for (const LogicalType& type : SampleTypes()) {
    for (const Form form : kForms) {
      Row values = RandomColumn(random, type, 300, form);
      Vector vector = MakeVector(random, type, values, form);
      for (size_t depth = 0; depth < 4; depth++) {
        const size_t count = 1 + Below(random, 1024);
        auto selection = std::make_shared<SelectionVector>();
        Row chosen;
        for (size_t i = 0; i < count; i++) {
          selection->rows[i] = static_cast<sel_t>(Below(random, values.size()));
          chosen.push_back(values[selection->rows[i]]);
        }
        if (depth % 2 == 0) {
          Vector next(type);
          next.Slice(vector, values.size(), selection, count);
          vector = std::move(next);
        } else {
          vector.Slice(vector, values.size(), selection, count);  // Onto itself.
        }
        values = std::move(chosen);
        CheckValues(vector, values);
      }
    }
  }
}

TEST_CASE("Writing never changes what another vector refers to", "[vector]") {
  Random random(3);
  for (const LogicalType& type : SampleTypes()) {
    const Row first = RandomColumn(random, type, 100, Form::kFlat),
              second = RandomColumn(random, type, 100, Form::kFlat);
    Vector writer = FlatVector(type, first);
    Vector reader(type);
    reader.Reference(writer);
    Vector third(type);
    third.Reference(reader);
    writer.Reset();
    for (size_t row = 0; row < 100; row++) writer.SetValue(row, second[row]);
    CheckValues(reader, first);
    reader.Release();
    writer.Release();
    CheckValues(third, first);
  }
}

TEST_CASE("A buffer that nobody shares is written again", "[vector]") {
  Vector vector(TypeId::kInteger);
  vector.Reset();
  const void* memory = vector.MutableData<int32_t>();
  vector.Release();
  vector.Reset();
  CHECK(vector.MutableData<int32_t>() == memory);
  Vector reader(TypeId::kInteger);
  reader.Reference(vector);
  vector.Reset();
  CHECK(vector.MutableData<int32_t>() != memory);
}

TEST_CASE("Strings outlive the vectors that they came from", "[vector]") {
  const std::string text = "a string that does not fit into twelve bytes";
  Random random(4);
  for (const Form form : kForms) {
    Vector kept(TypeId::kVarchar);
    {
      Vector source = MakeVector(random, TypeId::kVarchar, Row(50, Value::Varchar(text)), form);
      source.Flatten(50);
      kept.Reference(source);
      source.Reset();
      source.SetValue(0, Value::Varchar(std::string(5000, 'x')));
    }
    CHECK(kept.GetValue(49).GetString() == text);
    kept.Flatten(50);
    CHECK(kept.GetValue(49).GetString() == text);
  }
}

TEST_CASE("KeepAlive holds memory beside the vector's own", "[vector]") {
  auto text = std::make_shared<std::string>("bytes that lie outside of the vector's heap");
  const std::string expected = *text;
  Vector writer(TypeId::kVarchar);
  writer.Reset();
  for (size_t row = 0; row < 10; row++) writer.MutableData<StringRef>()[row] = StringRef(*text);
  writer.KeepAlive(text);
  const std::weak_ptr<std::string> watched = text;
  text.reset();
  Vector reader(TypeId::kVarchar);
  reader.Reference(writer);
  writer.Reset();  // A new buffer: the reader still reads the array, too.
  for (size_t row = 0; row < 10; row++)
    writer.MutableData<StringRef>()[row] = StringRef(std::string_view("overwritten"));
  CHECK(reader.GetValue(7).GetString() == expected);
  Vector dictionary(TypeId::kVarchar);
  auto selection = std::make_shared<SelectionVector>();
  selection->rows[0] = 9;
  dictionary.Slice(reader, 10, selection, 1);
  reader.Release();
  CHECK(dictionary.GetValue(0).GetString() == expected);
  dictionary.Flatten(1);
  CHECK(dictionary.GetValue(0).GetString() == expected);
  dictionary.Release();
  writer.Release();
  CHECK(watched.expired());
}

TEST_CASE("A flattened vector can be written to", "[vector]") {
  Random random(5);
  for (const Form form : kForms) {
    Vector vector =
        MakeVector(random, TypeId::kVarchar, Row(5, Value::Varchar("long enough to lie on a heap")), form);
    vector.Flatten(5);
    if (form == Form::kFlat) continue;
    vector.SetNull(3);
    CHECK(vector.GetValue(3).is_null());
    CHECK(vector.GetValue(4).GetString() == "long enough to lie on a heap");
  }
}

TEST_CASE("Sequences count up, down and to the edges of their types", "[vector]") {
  struct Case {
    LogicalType type;
    int64_t start, increment;
    size_t count;
  };
  const Case cases[] = {{TypeId::kBigInt, INT64_MAX - 1023, 1, 1024},
                        {TypeId::kBigInt, INT64_MIN, 1, 1024},
                        {TypeId::kInteger, 5, -3, 1000},
                        {TypeId::kTinyInt, -128, 1, 256},
                        {TypeId::kHugeInt, -5, 7, 100},
                        {TypeId::kBigInt, INT64_MAX, INT64_MIN, 2}};
  for (const Case& item : cases) {
    Vector vector(item.type);
    vector.MakeSequence(item.start, item.increment);
    Row expected;
    for (size_t row = 0; row < item.count; row++) {
      expected.push_back(Value::FromInteger(
          item.type, static_cast<int128_t>(item.start) +
                         static_cast<int128_t>(item.increment) * static_cast<int128_t>(row)));
    }
    CheckValues(vector, expected);
    Vector reader(item.type);
    reader.Reference(vector);
    vector.Flatten(item.count);
    CheckValues(vector, expected);
    auto selection = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < item.count; i++) selection->rows[i] = static_cast<sel_t>(item.count - 1 - i);
    std::reverse(expected.begin(), expected.end());
    Vector sliced(item.type);
    sliced.Slice(reader, item.count, selection, item.count);
    CheckValues(sliced, expected);
    reader.Slice(reader, item.count, selection, item.count);
    CheckValues(reader, expected);
  }
}

TEST_CASE("Constants: values, NULLs, and one made by writing row 0", "[vector]") {
  for (const LogicalType& type : SampleTypes()) {
    Vector null(type);
    null.SetConstantNull();
    CHECK(null.is_null_constant());
    CHECK(null.GetValue(1000).is_null());
    Vector value(Number(type, 5));
    CHECK_FALSE(value.is_null_constant());
    CHECK(SameValue(value.GetValue(1000), Number(type, 5)));
    value.Reset();
    value.SetValue(0, Number(type, 7));
    value.SetConstant();
    CHECK(SameValue(value.GetValue(3), Number(type, 7)));
  }
}

TEST_CASE("A chunk's columns with one selection share the composed one", "[vector]") {
  Random random(6);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar, TypeId::kDouble,
                                          TypeId::kInteger};
  const auto rows = RandomRows(random, types, 1024);
  DataChunk source(types);
  for (size_t i = 0; i < 3; i++) {
    Row values;
    for (const Row& row : rows) values.push_back(row[i]);
    source.column(i) = FlatVector(types[i], values);
  }
  source.column(3).ReferenceValue(Value::Integer(9));
  source.SetSize(1024);
  source.batch_index = 77;
  std::vector<size_t> places(1024);
  std::iota(places.begin(), places.end(), size_t{0});
  DataChunk other(types);
  for (size_t round = 0; round < 3; round++) {
    auto selection = std::make_shared<SelectionVector>();
    const size_t count = source.size() / 2;
    std::vector<size_t> next;
    for (size_t i = 0; i < count; i++) {
      selection->rows[i] = static_cast<sel_t>(Below(random, source.size()));
      next.push_back(places[selection->rows[i]]);
    }
    places = next;
    if (round == 1) {
      other.Slice(source, selection, count);
      source.Reference(other);
    } else {
      source.Slice(selection, count);
    }
    REQUIRE(source.size() == count);
    CHECK(source.batch_index == 77);
    CHECK(source.column(0).selection() == source.column(1).selection());
    CHECK(source.column(3).is_constant());
    for (size_t row = 0; row < count; row++) {
      for (size_t i = 0; i < 3; i++) REQUIRE(SameValue(source.column(i).GetValue(row), rows[places[row]][i]));
    }
  }
  source.Flatten();
  for (size_t i = 0; i < 4; i++) CHECK(source.column(i).is_flat());
  CHECK(SameValue(source.column(1).GetValue(5), rows[places[5]][1]));
}

TEST_CASE("the bytes of strings are accounted where that is asked for", "[vector]") {
  MemoryTracker memory(size_t{1} << 20);
  {
    Vector vector(TypeId::kVarchar);
    vector.AccountStrings(&memory);
    vector.Reset();
    vector.AddString("short");
    CHECK(memory.used_bytes() == 0);
    vector.AddString(std::string(100'000, 'x'));
    CHECK(memory.used_bytes() >= 100'000);
    CHECK_THROWS_AS(vector.AddString(std::string(2'000'000, 'x')), Error);
    // Whoever shares the bytes keeps the account.
    Vector other(TypeId::kVarchar);
    other.Reference(vector);
    vector.AccountStrings(nullptr);
    vector.Reset();
    vector.AddString(std::string(1'000'000, 'x'));
    CHECK(memory.used_bytes() >= 100'000);
    CHECK(memory.used_bytes() < 200'000);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace scaup
