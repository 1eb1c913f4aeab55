// Tests of how many documents have each attribute, by version and within a transaction.
#include "document/attribute_census.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "document/visible_attributes.hpp"

namespace scaup {

namespace {

using CensusRef = std::shared_ptr<const AttributeCensus>;

AttributeDelta DeltaOf(std::initializer_list<AttributeDelta::Entry> entries) {
  AttributeDelta delta;
  for (const auto& [id, documents] : entries) delta.Add(id, documents);
  return delta;
}

/// A collection of some paths, each with attributes of two types, without documents.
struct Collection {
  std::shared_ptr<AttributeDictionary> dictionary = std::make_shared<AttributeDictionary>();
  CensusRef census = std::make_shared<const AttributeCensus>();
  AttributeChanges changes;

  AttributeId Attribute(const char* key, AttributeType type) {
    return dictionary->AddAttribute(dictionary->AddPath(kRootPath, key), type);
  }
  void Add(const AttributeDelta& delta) { changes.Add(delta, *census, *dictionary); }
  void Commit() {
    census = census->After(changes, *dictionary);
    changes = {};
  }
  VisibleAttributes Visible() const { return {dictionary, census, &changes}; }
};

}  // namespace

TEST_CASE("Attributes are visible as long as documents have them", "[document][census]") {
  Collection c;
  const AttributeId number = c.Attribute("a", AttributeType::kInteger),
                    string = c.Attribute("a", AttributeType::kString),
                    other = c.Attribute("b", AttributeType::kString);
  const PathId a = *c.dictionary->FindPath("a"), b = *c.dictionary->FindPath("b");
  CHECK_FALSE(c.Visible().HasBelow(kRootPath));
  CHECK(c.Visible().epoch() == 0);

  const AttributeDelta first = DeltaOf({{other, 2}, {number, 3}});
  c.Add(first);
  CHECK(c.Visible().Paths() == std::vector<PathId>{b, a});
  CHECK(DefaultTypeOf(c.Visible(), a) == LogicalType(TypeId::kBigInt));
  const AttributeDelta second = DeltaOf({{string, 1}});
  const uint64_t before = c.Visible().epoch();
  c.Add(second);
  CHECK(c.Visible().epoch() != before);
  CHECK(DefaultTypeOf(c.Visible(), a) == LogicalType(TypeId::kJson));
  c.changes.TakeBack(second, *c.dictionary);
  CHECK(DefaultTypeOf(c.Visible(), a) == LogicalType(TypeId::kBigInt));
  c.Commit();
  CHECK(c.Visible().Paths() == std::vector<PathId>{b, a});

  // More documents with the same attributes change nothing about what is visible.
  const uint64_t committed = c.Visible().epoch();
  c.Add(DeltaOf({{number, 5}, {other, -1}}));
  CHECK(c.Visible().epoch() == committed);
  c.Commit();
  CHECK(c.Visible().epoch() == committed);
  CHECK((*c.census)[number].documents == 8);

  const CensusRef old = c.census;
  c.Add(DeltaOf({{other, -1}}));
  CHECK(c.Visible().Paths() == std::vector<PathId>{a});
  c.Commit();
  CHECK(c.Visible().Paths() == std::vector<PathId>{a});
  CHECK(old->Has(other));
  // What comes again was met again: behind what stayed.
  c.Add(DeltaOf({{other, 1}}));
  CHECK(c.Visible().Paths() == std::vector<PathId>{a, b});
  c.Commit();
  CHECK(c.Visible().Paths() == std::vector<PathId>{a, b});
}

TEST_CASE("Attributes that a statement expects are visible, and objects have members", "[document][census]") {
  Collection c;
  const PathId object = c.dictionary->AddPath(kRootPath, "o");
  const AttributeId member =
      c.dictionary->AddAttribute(c.dictionary->AddPath(object, "m"), AttributeType::kBoolean);
  const AttributeId empty = c.dictionary->AddAttribute(object, AttributeType::kEmptyObject);
  VisibleAttributes visible = c.Visible();
  visible.Expect(member);
  CHECK(visible.HasMembers(object));
  CHECK(visible.AttributesBelow(object) == std::vector<AttributeId>{member});
  CHECK(visible.AttributesOf(object).empty());
  CHECK_FALSE(visible.Has(object, AttributeType::kEmptyObject));
  CHECK(visible.InOrder() == std::vector<AttributeId>{member});
  CHECK(VisibleAttributes(c.dictionary).AttributesBelow(object) == std::vector<AttributeId>{member, empty});
}

TEST_CASE("A census goes through files and counts as a model does", "[document][census]") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; round++) {
    Collection c;
    constexpr AttributeId kAttributes = 600;
    for (AttributeId id = 0; id < kAttributes; id++)
      c.Attribute(std::to_string(id).c_str(), AttributeType::kInteger);
    std::map<AttributeId, int64_t> model;
    for (int commit = 0; commit < 30; commit++) {
      for (int statement = 0; statement < 3; statement++) {
        AttributeDelta delta;
        std::map<AttributeId, int64_t> added;
        for (int i = 0; i < 10; i++) {
          const auto id = static_cast<AttributeId>(random() % kAttributes);
          const int64_t documents = random() % 3 != 0 ? 1 : -(model[id] + added[id]);
          delta.Add(id, documents);
          added[id] += documents;
        }
        c.Add(delta);
        if (random() % 4 == 0) {
          c.changes.TakeBack(delta, *c.dictionary);
        } else {
          for (const auto& [id, documents] : added) model[id] += documents;
        }
      }
      for (AttributeId id = 0; id < kAttributes; id++) REQUIRE(c.Visible().Has(id) == (model[id] > 0));
      const std::vector<PathId> paths = c.Visible().Paths();
      c.Commit();
      REQUIRE(c.Visible().Paths().size() == paths.size());
    }
    ByteWriter writer;
    c.census->Write(writer);
    ByteReader reader(writer.bytes(), "");
    const CensusRef copy = AttributeCensus::Read(*c.dictionary, reader);
    for (AttributeId id = 0; id < kAttributes; id++)
      REQUIRE((*copy)[id].documents == static_cast<uint64_t>(model[id]));
    REQUIRE(VisibleAttributes(c.dictionary, copy, nullptr).InOrder() == c.Visible().InOrder());
  }
}

}  // namespace scaup
