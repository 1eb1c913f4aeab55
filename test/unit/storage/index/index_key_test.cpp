// Index keys: their order is that of the rows, for every type; ranges; memory.
#include "storage/index/index_key.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

#include "../../vector/random_values.hpp"
#include "../filter_reference.hpp"
#include "scaup/error.hpp"

namespace scaup::test {
namespace {

constexpr size_t kPlenty = size_t{1} << 30;

// NULLs last, and equal to each other.
int OrderOfKeys(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return int{a.is_null()} - int{b.is_null()};
  return OrderOf(a, b);
}

int OrderOfRows(const Row& a, const Row& b) {
  for (size_t i = 0; i < a.size(); i++) {
    if (const int order = OrderOfKeys(a[i], b[i]); order != 0) return order;
  }
  return 0;
}

int OrderOfBytes(KeyBytes a, KeyBytes b) {
  if (std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end())) return -1;
  return std::equal(a.begin(), a.end(), b.begin(), b.end()) ? 0 : 1;
}

IndexKey CopyOf(KeyBytes bytes) { return {bytes.begin(), bytes.end()}; }

bool BeginsWith(KeyBytes key, KeyBytes beginning) {
  return key.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), key.begin());
}

std::vector<Row> RandomRows(Random& random, const std::vector<LogicalType>& types, size_t count) {
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    for (const LogicalType& type : types) row.push_back(RandomValue(random, type, 10, 12));
  }
  return rows;
}

DataChunk ChunkOf(Random& random, const std::vector<LogicalType>& types, const std::vector<Row>& rows) {
  DataChunk chunk(types);
  for (size_t i = 0; i < types.size(); i++) {
    Row values;
    for (const Row& row : rows) values.push_back(row[i]);
    chunk.columns()[i] = MakeVector(random, types[i], values, static_cast<Form>(Below(random, 4)));
  }
  chunk.SetSize(rows.size());
  return chunk;
}

TEST_CASE("index keys are in the order of their rows, for every type", "[index_key]") {
  Random random(11);
  MemoryTracker memory(kPlenty);
  for (const LogicalType& first : SampleTypes()) {
    for (const LogicalType& second : {LogicalType(TypeId::kInteger), LogicalType(TypeId::kVarchar)}) {
      const std::vector<LogicalType> types{first, second};
      const IndexKeyEncoder encoder(types);
      const std::vector<Row> rows = RandomRows(random, types, 150);
      DataChunk chunk = ChunkOf(random, types, rows);
      IndexKeys keys(memory);
      encoder.Encode(chunk, rows.size(), keys);
      REQUIRE(keys.size() == rows.size());
      for (size_t i = 0; i < rows.size(); i++) {
        REQUIRE(keys.has_null(i) == (rows[i][0].is_null() || rows[i][1].is_null()));
        IndexKey key;
        encoder.Append(rows[i], key);
        REQUIRE(CopyOf(keys[i]) == key);
        IndexKey beginning;
        encoder.Append({rows[i].data(), 1}, beginning);
        REQUIRE(BeginsWith(key, beginning));
        for (size_t j = 0; j < i; j++) {
          const int order = OrderOfRows(rows[i], rows[j]);
          INFO(rows[i][0].ToString() << " | " << rows[j][0].ToString());
          REQUIRE(OrderOfBytes(keys[i], keys[j]) == order);
          if (order != 0) REQUIRE_FALSE(BeginsWith(keys[i], keys[j]));
        }
      }
    }
  }
}

TEST_CASE("keys of the first columns", "[index_key]") {
  Random random(2);
  MemoryTracker memory(kPlenty);
  const std::vector<LogicalType> types{TypeId::kVarchar, TypeId::kDouble, TypeId::kInteger};
  const std::vector<LogicalType> first{TypeId::kVarchar, TypeId::kDouble};
  const std::vector<Row> rows = RandomRows(random, first, 50);
  DataChunk chunk = ChunkOf(random, first, rows);
  const IndexKeyEncoder encoder(types);
  IndexKeys keys(memory);
  encoder.Encode(chunk, rows.size(), keys);
  for (size_t i = 0; i < rows.size(); i++) {
    IndexKey key;
    encoder.Append(rows[i], key);
    CHECK(CopyOf(keys[i]) == key);
  }
}

TEST_CASE("one zero and one NaN", "[index_key]") {
  const IndexKeyEncoder encoder({TypeId::kDouble});
  const auto key_of = [&](double value) {
    IndexKey key;
    const Value values[] = {Value::Double(value)};
    encoder.Append(values, key);
    return key;
  };
  CHECK(key_of(0.0) == key_of(-0.0));
  CHECK(key_of(std::nan("1")) == key_of(-std::nan("2")));
  CHECK(key_of(std::nan("1")) > key_of(std::numeric_limits<double>::infinity()));
}

TEST_CASE("ranges of keys have the rows that the conditions have", "[index_key]") {
  Random random(29);
  for (const LogicalType& type : SampleTypes()) {
    const std::vector<LogicalType> types{TypeId::kInteger, type, TypeId::kVarchar};
    const IndexKeyEncoder encoder(types);
    const std::vector<Row> rows = RandomRows(random, types, 200);
    for (int i = 0; i < 60; i++) {
      const Row& sample = rows[Below(random, rows.size())];
      const size_t equal_count = Below(random, 3);
      const Row equal(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(equal_count));
      std::optional<ValueBound> lower, upper;
      const LogicalType& bounded = types[equal_count];
      if (Chance(random, 50)) lower = ValueBound{RandomValue(random, bounded, 0, 12), Chance(random, 50)};
      if (Chance(random, 50)) upper = ValueBound{RandomValue(random, bounded, 0, 12), Chance(random, 50)};
      const KeyRange range = encoder.Range(equal, lower, upper);
      for (const Row& row : rows) {
        bool expected = OrderOfRows(equal, row) == 0;
        const Value& value = row[equal_count];
        if (lower || upper) expected = expected && !value.is_null();
        if (expected && lower) {
          const int order = OrderOf(value, lower->value);
          expected = order > 0 || (order == 0 && lower->is_inclusive);
        }
        if (expected && upper) {
          const int order = OrderOf(value, upper->value);
          expected = order < 0 || (order == 0 && upper->is_inclusive);
        }
        IndexKey key;
        encoder.Append(row, key);
        REQUIRE((key >= range.lower && (!range.upper || key < *range.upper)) == expected);
      }
    }
  }
}

TEST_CASE("the least bytes above all that begin alike", "[index_key]") {
  IndexKey key{std::byte{1}, std::byte{0xff}, std::byte{0xff}};
  CHECK(MakePrefixSuccessor(key));
  CHECK(key == IndexKey{std::byte{2}});
  key = {std::byte{0xff}};
  CHECK_FALSE(MakePrefixSuccessor(key));
  CHECK(key.empty());
  CHECK_FALSE(MakePrefixSuccessor(key));
}

TEST_CASE("memory of keys is accounted", "[index_key]") {
  MemoryTracker memory(100'000);
  const IndexKeyEncoder encoder({TypeId::kVarchar});
  {
    IndexKeys keys(memory);
    DataChunk chunk({LogicalType(TypeId::kVarchar)});
    chunk.columns()[0].ReferenceValue(Value::Varchar(std::string(1000, 'x')));
    encoder.Encode(chunk, 50, keys);
    CHECK(memory.used_bytes() >= 50'000);
    CHECK_THROWS_AS(encoder.Encode(chunk, 200, keys), Error);
    encoder.Encode(chunk, 10, keys);
    CHECK(keys.size() == 10);
    CHECK(keys[9].size() == 1002);
  }
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("keys of texts are those of a column of texts, and ranges find them by their beginning",
          "[index_key]") {
  Random random(29);
  MemoryTracker memory(kPlenty);
  const std::vector<LogicalType> types{LogicalType(TypeId::kVarchar)};
  const IndexKeyEncoder encoder(types);
  const std::vector<std::string> texts = {"",      "a",    "ab", "abc", "b", std::string("a\0b", 3),
                                          "a\x01", "\xff", "é"};
  std::vector<Row> rows;
  for (const std::string& text : texts) rows.push_back({Value::Varchar(text)});
  DataChunk chunk = ChunkOf(random, types, rows);
  IndexKeys of_column(memory), of_texts(memory);
  encoder.Encode(chunk, rows.size(), of_column);
  encoder.Encode(std::vector<std::string_view>(texts.begin(), texts.end()), of_texts);
  REQUIRE(of_texts.size() == texts.size());
  for (size_t i = 0; i < texts.size(); i++) {
    CHECK(OrderOfBytes(of_column[i], of_texts[i]) == 0);
    for (const std::string& wanted : texts) {
      for (const bool is_prefix : {false, true}) {
        const KeyRange range = encoder.TextRange(wanted, is_prefix);
        const bool is_within =
            !KeyIsLess(of_texts[i], range.lower) && (!range.upper || KeyIsLess(of_texts[i], *range.upper));
        CHECK(is_within == (is_prefix ? texts[i].starts_with(wanted) : texts[i] == wanted));
      }
    }
  }
}

}  // namespace
}  // namespace scaup::test
