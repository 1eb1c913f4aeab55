// Directories of blocks of documents: what is asked for is found, in any order, and damage is found out.
#include "storage/shredded/reservoir_directory.hpp"

#include <catch2/catch.hpp>

#include <map>

#include "../../vector/random_values.hpp"
#include "common/byte_stream.hpp"
#include "scaup/error.hpp"

namespace scaup::test {

namespace {

struct Made {
  std::string bytes;
  std::map<AttributeId, ReservoirDirectory::Entry> entries;
  uint64_t first_text = 0;
  uint64_t end = 0;
};

/// `longest`: steps and counts are below it.
Made Make(Random& random, size_t count, uint64_t longest) {
  Made made;
  ByteWriter writer;
  made.first_text = Below(random, 1000);
  const uint64_t text_count = Below(random, 3);
  writer.WriteVarint(made.first_text);
  writer.WriteVarint(text_count);
  writer.WriteVarint(count);
  made.end = made.first_text + text_count;
  uint64_t id = UINT64_MAX;
  for (size_t i = 0; i < count; i++) {
    // A long one now and then, among short ones.
    const bool is_long = Below(random, 20) == 0;
    const uint64_t step = 1 + Below(random, is_long ? longest : 3),
                   values = Below(random, is_long ? longest : 20);
    writer.WriteVarint(step);
    writer.WriteVarint(values);
    id += step;
    made.entries[static_cast<AttributeId>(id)] = {static_cast<uint32_t>(made.end),
                                                  static_cast<uint32_t>(values)};
    made.end += values;
  }
  const auto bytes = writer.bytes();
  made.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return made;
}

}  // namespace

TEST_CASE("attributes are found in the directory of a block", "[storage][document]") {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    INFO("seed " << seed);
    Random random(seed);
    const Made made = Make(random, Below(random, 200), seed % 2 == 0 ? 100 : 100000);
    ReservoirDirectory directory;
    directory.Open(made.bytes, made.end);
    CHECK(directory.first_text() == made.first_text);
    const uint64_t ids = made.entries.empty() ? 5 : made.entries.rbegin()->first + uint64_t{5};
    uint64_t asked = 0;
    for (int i = 0; i < 300; i++) {
      // Mostly ascending, as readers ask.
      asked = Below(random, 4) == 0 ? Below(random, ids) : std::min(asked + Below(random, 4), ids);
      const auto id = static_cast<AttributeId>(asked);
      const auto found = directory.Find(id);
      const auto expected = made.entries.find(id);
      REQUIRE(found.has_value() == (expected != made.entries.end()));
      if (!found) continue;
      CHECK(found->first_value == expected->second.first_value);
      CHECK(found->count == expected->second.count);
    }
    CHECK(directory.FindEnd() == made.end);
  }
}

TEST_CASE("damage in the directory of a block is found out", "[storage][document]") {
  Random random(3);
  for (int i = 0; i < 2000; i++) {
    Made made = Make(random, 50, 1000);
    if (Below(random, 2) == 0) {
      made.bytes.resize(Below(random, made.bytes.size()));
    } else {
      made.bytes[Below(random, made.bytes.size())] ^= static_cast<char>(1 + Below(random, 255));
    }
    try {
      ReservoirDirectory directory;
      directory.Open(made.bytes, made.end);
      for (AttributeId id = 0; id < 100; id += 7) {
        if (const auto found = directory.Find(id)) CHECK(found->first_value + found->count <= made.end);
      }
      const uint32_t end = directory.FindEnd();
      CHECK(end <= made.end);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kIo);
    }
  }
}

}  // namespace scaup::test
