// Statistics of attributes: what they say holds for all documents, however these are kept, and takes little.
#include "storage/shredded/attribute_statistics.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "../../document/document_fixture.hpp"
#include "../../vector/random_values.hpp"
#include "document/document_record.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "type/number/int128.hpp"

namespace scaup::test {

namespace {

Vector RecordsOf(const std::vector<std::string>& records, size_t begin, size_t count) {
  Vector vector(TypeId::kBlob);
  vector.Reset();
  for (size_t i = 0; i < count; i++)
    vector.MutableData<StringRef>()[i] = vector.AddString(records[begin + i]);
  return vector;
}

AttributeStatistics OfRecords(const std::vector<std::string>& records,
                              const AttributeDictionary& dictionary) {
  AttributeStatistics statistics;
  for (size_t begin = 0; begin < records.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, records.size() - begin);
    Vector vector = RecordsOf(records, begin, count);
    statistics.AddRecords(vector, count, dictionary);
  }
  return statistics;
}

/// As a load gathers them while it takes the documents apart.
AttributeStatistics OfShredded(const std::vector<std::string>& records,
                               const AttributeDictionary& dictionary) {
  SimulatedFileSystem files;
  MemoryTracker memory(size_t{1} << 31);
  const auto store = std::make_shared<BlockStore>(DatabaseFile::Create(files, "x.scaup"), memory);
  const std::vector<LogicalType> types{TypeId::kBlob};
  RowGroupBuilder builder(types, memory);
  for (size_t begin = 0; begin < records.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, records.size() - begin);
    DataChunk chunk(types);
    chunk.column(0) = RecordsOf(records, begin, count);
    chunk.SetSize(count);
    builder.Append(chunk);
  }
  builder.Finish();
  AttributeStatistics statistics;
  RowGroupWriter writer(store, 0, std::nullopt);
  for (const auto& row_group : builder.TakeFinished())
    writer.Add(*row_group, {types, &dictionary}, false, &statistics);
  writer.Finish();
  return statistics;
}

AttributeStatistics Reread(const AttributeStatistics& statistics, const AttributeDictionary& dictionary) {
  ByteWriter writer;
  statistics.Write(dictionary, writer);
  ByteReader reader(writer.bytes(), "test");
  AttributeStatistics read = AttributeStatistics::Read(dictionary, reader);
  reader.ExpectEnd("statistics");
  return read;
}

std::string RandomText(Random& random, size_t path) {
  const auto text = [&](uint64_t most) { return std::to_string(Below(random, most)); };
  switch (Below(random, path % 3 == 0 ? 1 : 10)) {
    case 0: return text(5000);
    case 1: return "-1" + text(1000) + "9" + text(uint64_t{1} << 60) + "123";
    case 2: return text(300) + ".5";
    case 3: return text(100) + ".10e" + text(20);
    case 4: return "\"" + text(50) + "\"";
    case 5: return "\"a longer string that ends in " + text(2000) + "\"";
    case 6: return Below(random, 2) == 0 ? "true" : "false";
    case 7: return "[" + text(9) + "," + text(9) + "]";
    case 8: return "null";
    default: return Below(random, 2) == 0 ? "{}" : "[]";
  }
}

/// What values an attribute really has: texts of them, and the bounds of numbers.
struct Truth {
  uint64_t documents = 0;
  std::set<std::string> values;
};

/// That bounds have a value between them.
bool Contains(const ColumnStatistics& statistics, AttributeType type, std::string_view value) {
  const ZoneMap& zone = statistics.zone;
  switch (type) {
    case AttributeType::kNull:
    case AttributeType::kEmptyObject:
    case AttributeType::kEmptyArray: return !zone.has_bounds;
    case AttributeType::kInteger:
      return zone.has_bounds && zone.minimum.integer <= LoadInteger(value) &&
             zone.maximum.integer >= LoadInteger(value);
    case AttributeType::kHugeInteger:
      return zone.has_bounds && zone.minimum.integer <= LoadFixed<int128_t>(value) &&
             zone.maximum.integer >= LoadFixed<int128_t>(value);
    case AttributeType::kDouble:
    case AttributeType::kNumber:
      return zone.has_bounds && zone.minimum.real <= LoadDouble(type, value) &&
             zone.maximum.real >= LoadDouble(type, value);
    case AttributeType::kBoolean:
      return zone.has_bounds && zone.minimum.integer <= value[0] && zone.maximum.integer >= value[0];
    default: {
      const StringRef string(value);
      const ZoneMap one =
          ComputeZoneMap(PhysicalType::kString, reinterpret_cast<const std::byte*>(&string), nullptr, 1);
      return zone.has_bounds && zone.minimum.integer <= one.minimum.integer &&
             zone.maximum.integer >= one.maximum.integer;
    }
  }
}

void CheckStatistics(const AttributeStatistics& statistics, const std::vector<std::string>& records,
                     const AttributeDictionary& dictionary) {
  std::map<AttributeId, Truth> truths;
  size_t outside = 0;
  for (const std::string& bytes : records) {
    const DocumentRecord record(bytes, dictionary.attribute_count());
    for (size_t i = 0; i < record.size(); i++) {
      Truth& truth = truths[record.id(i)];
      truth.documents++;
      truth.values.emplace(record.value(i));
      const ColumnStatistics* known = statistics.Find(record.id(i));
      REQUIRE(known != nullptr);
      outside += !Contains(*known, dictionary.attribute(record.id(i)).type, record.value(i));
    }
  }
  CHECK(outside == 0);
  CHECK(statistics.documents() == records.size());
  for (AttributeId id = 0; id < dictionary.attribute_count(); id++) {
    const ColumnStatistics* known = statistics.Find(id);
    REQUIRE((known == nullptr) == !truths.contains(id));
    if (known == nullptr) continue;
    CHECK(known->row_count == truths[id].documents);
    CHECK(known->sampled_rows <= known->row_count);
    const auto distinct = static_cast<double>(truths[id].values.size());
    INFO(distinct << " estimated as " << known->EstimateDistinct());
    // All of them were looked at, or a part: of that is scaled up.
    const double factor = known->sampled_rows == known->row_count ? 1.12 : 3.5;
    CHECK(known->EstimateDistinct() <= distinct * factor + 0.5);
    CHECK(known->EstimateDistinct() >= distinct / factor - 0.5);
  }
}

}  // namespace

TEST_CASE("Statistics of attributes hold for all documents", "[storage]") {
  const uint64_t seed = GENERATE(range(0, 6));
  Random random(seed);
  DocumentFixture fixture;
  std::vector<std::string> records;
  const size_t count = seed == 0 ? 20 : 1000 + Below(random, 12000);
  for (size_t i = 0; i < count; i++) {
    std::string text = "{\"id\":" + std::to_string(i);
    for (size_t path = 0; path < 12; path++) {
      if (Below(random, path + 1) == 0)
        text += ",\"p" + std::to_string(path) + "\":" + RandomText(random, path);
    }
    if (Below(random, 50) == 0) text += ",\"rare " + std::to_string(Below(random, 40)) + "\":{\"x\":1}";
    records.push_back(fixture.Parse(text + "}"));
  }
  const AttributeDictionary& dictionary = *fixture.dictionary;
  const AttributeStatistics of_records = OfRecords(records, dictionary);
  CheckStatistics(of_records, records, dictionary);
  CheckStatistics(OfShredded(records, dictionary), records, dictionary);
  CheckStatistics(Reread(of_records, dictionary), records, dictionary);
  AttributeStatistics merged;
  const size_t middle = records.size() / 3;
  merged.Merge(OfRecords({records.begin() + static_cast<ptrdiff_t>(middle), records.end()}, dictionary),
               dictionary);
  merged.Merge(OfShredded({records.begin(), records.begin() + static_cast<ptrdiff_t>(middle)}, dictionary),
               dictionary);
  CheckStatistics(merged, records, dictionary);
  CheckStatistics(Reread(merged, dictionary), records, dictionary);
}

TEST_CASE("Statistics of a hundred thousand keys take little memory", "[storage]") {
  DocumentFixture fixture;
  std::vector<std::string> records;
  for (size_t i = 0; i < 25000; i++) {
    std::string text;
    for (size_t k = 0; k < 4; k++)
      text += (k == 0 ? "{\"" : ",\"") + std::to_string(4 * i + k) + "\":\"" + std::to_string(k) + "\"";
    records.push_back(fixture.Parse(text + "}"));
  }
  const AttributeStatistics statistics = OfRecords(records, *fixture.dictionary);
  CHECK(statistics.size_bytes() < size_t{20} << 20);
  ByteWriter writer;
  statistics.Write(*fixture.dictionary, writer);
  CHECK(writer.size() < size_t{4} << 20);
  for (AttributeId id = 0; id < 100000; id += 999) {
    REQUIRE(statistics.Find(id) != nullptr);
    CHECK(std::abs(statistics.Find(id)->EstimateDistinct() - 1) < 0.01);
  }
  // One document does not make a copy of all that.
  AttributeStatistics one;
  Vector last = RecordsOf(records, records.size() - 1, 1);
  one.AddRecords(last, 1, *fixture.dictionary);
  CHECK(one.size_bytes() < size_t{100} << 10);
}

TEST_CASE("Statistics of projections are those of their attributes", "[storage]") {
  DocumentFixture fixture;
  std::vector<std::string> records;
  for (const char* text :
       {R"({"n":5,"s":"b","o":{"x":1}})", R"({"n":-7,"s":"abcdefgh and more","o":{"y":2}})",
        R"({"n":170141183460469231731687303715884105727,"s":"c","o":{"x":2}})", R"({"n":2.5,"s":"b"})"})
    records.push_back(fixture.Parse(text));
  const AttributeDictionary& dictionary = *fixture.dictionary;
  const AttributeStatistics statistics = OfRecords(records, dictionary);
  const AttributeStatistics* parts[] = {&statistics};
  const auto of = [&](const char* path, const LogicalType& type) {
    const DocumentProjection projection{*dictionary.FindPath(path), type};
    return StatisticsOf(type, AttributesOf(dictionary, projection), parts);
  };
  const ColumnStatistics integers = of("n", TypeId::kBigInt);
  CHECK(integers.null_count == 2);
  CHECK(integers.zone.minimum.integer == -7);
  CHECK(integers.zone.maximum.integer == 5);
  CHECK(std::abs(integers.EstimateDistinct() - 2) < 0.1);
  const ColumnStatistics huge = of("n", TypeId::kHugeInt);
  CHECK(huge.null_count == 1);
  CHECK(huge.zone.minimum.integer == -7);
  CHECK(huge.zone.maximum.integer == kInt128Max);
  const ColumnStatistics numbers = of("n", TypeId::kDouble);
  CHECK(numbers.null_count == 0);
  CHECK(numbers.zone.minimum.real == -7);
  CHECK(numbers.zone.maximum.real > 1e38);
  CHECK(std::abs(numbers.EstimateDistinct() - 4) < 0.1);
  const ColumnStatistics strings = of("s", TypeId::kVarchar);
  CHECK(strings.null_count == 0);
  CHECK(strings.zone.has_bounds);
  CHECK(std::abs(strings.EstimateDistinct() - 3) < 0.1);
  CHECK(of("n", TypeId::kVarchar).null_count == 4);
  CHECK_FALSE(of("s", TypeId::kJson).zone.has_bounds);
  // At least two documents have the object, so at most two have not.
  const ColumnStatistics objects = of("o", TypeId::kJson);
  CHECK(objects.null_count == 2);
  CHECK(objects.sampled_rows == 0);
  const auto string_id = *dictionary.FindAttribute(*dictionary.FindPath("s"), AttributeType::kString);
  CHECK(BoundText(AttributeType::kString, *statistics.Find(string_id), false) == "abcdefgh...");
  CHECK(BoundText(AttributeType::kString, *statistics.Find(string_id), true) == "c");
}

}  // namespace scaup::test
