// Tests of how the dictionary of a collection comes into the log.
#include "storage/wal/attribute_log.hpp"

#include <catch2/catch.hpp>

#include "storage/wal/log_record_kind.hpp"

namespace scaup {
namespace {

constexpr uint64_t kTableId = 7;

struct AttributeLogFixture {
  std::shared_ptr<AttributeDictionary> dictionary = std::make_shared<AttributeDictionary>();
  AttributeLog log{dictionary};

  void Add(std::string_view key) {
    dictionary->AddAttribute(dictionary->AddPath(kRootPath, key), AttributeType::kString);
  }
  /// What a commit writes, if it does.
  std::vector<std::byte> Write(AttributeLog::Counts& counts) {
    ByteWriter writer;
    counts = log.Write(kTableId, writer);
    return writer.Take();
  }
  /// The names of all attributes after these records, in this order.
  static std::string Replayed(const std::vector<std::vector<std::byte>>& records) {
    auto dictionary = std::make_shared<AttributeDictionary>();
    AttributeLog log(dictionary);
    for (const auto& record : records) {
      if (record.empty()) continue;
      ByteReader reader(record, "log");
      CHECK(reader.ReadU8("kind") == static_cast<uint8_t>(LogRecordKind::kAttributes));
      CHECK(reader.ReadU64("table") == kTableId);
      log.ReadLogged(reader);
    }
    std::string names;
    for (AttributeId id = 0; id < dictionary->attribute_count(); id++)
      names += dictionary->NameOf(dictionary->attribute(id).path) + " ";
    return names;
  }
};

}  // namespace

TEST_CASE_METHOD(AttributeLogFixture, "Each commit logs the attributes that are new", "[storage]") {
  AttributeLog::Counts counts;
  CHECK(Write(counts).empty());
  Add("a");
  const auto first = Write(counts);
  log.Settle(counts);
  CHECK(Write(counts).empty());
  Add("b");
  const auto second = Write(counts);
  CHECK(Replayed({first, second}) == "a b ");
}

TEST_CASE_METHOD(AttributeLogFixture, "A commit that fails leaves its attributes to the next", "[storage]") {
  AttributeLog::Counts counts;
  Add("a");
  CHECK_FALSE(Write(counts).empty());
  log.Cancel();
  Add("b");
  CHECK(Replayed({Write(counts)}) == "a b ");
}

TEST_CASE_METHOD(AttributeLogFixture, "A commit that is settled says nothing of those prepared behind it",
                 "[storage]") {
  AttributeLog::Counts first_counts, second_counts, third_counts;
  Add("a");
  const auto first = Write(first_counts);
  Add("b");
  const auto second = Write(second_counts);
  log.Settle(first_counts);
  log.Cancel();  // The second one.
  Add("c");
  const auto third = Write(third_counts);
  CHECK(Replayed({first, third}) == "a b c ");
  // What the log has twice is the same twice.
  CHECK(Replayed({first, second, third}) == "a b c ");
}

TEST_CASE_METHOD(AttributeLogFixture, "What a checkpoint has is not logged", "[storage]") {
  AttributeLog::Counts counts;
  Add("a");
  log.SetStored(log.Present());
  CHECK(Write(counts).empty());
}

}  // namespace scaup
