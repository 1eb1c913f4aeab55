// Commits of inserts: what fails before it is published leaves the table as it was.
#include <catch2/catch.hpp>
#include <stdexcept>

#include "../table_fixture.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

namespace {

class FailingPrepare final : public UndoEntry {
 public:
  void Prepare() override { throw std::bad_alloc(); }
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {}
};

class SwitchableLog final : public CommitLog {
 public:
  void Append(std::span<const std::span<const std::byte>>) override {
    if (fails) throw std::runtime_error("log failed");
  }
  bool fails = false;
};

std::vector<std::string> TextsOf(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(TextOf(row));
  return texts;
}

}  // namespace

TEST_CASE("commits that fail leave the table as it was, and the next one goes on", "[storage][table]") {
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  Random random(3);
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  SwitchableLog log;
  if (GENERATE(false, true)) transactions.SetLog(&log);
  const auto table = std::make_shared<Table>(types, memory);
  std::vector<Row> expected;
  const auto reader = transactions.Begin();  // Keeps all versions.
  for (int round = 0; round < 12; round++) {
    const auto transaction = transactions.Begin();
    std::vector<Row> rows;
    for (size_t part = 0; part < 3; part++) {
      std::vector<Row> some(1 + Below(random, 700));
      for (Row& row : some) {
        for (const LogicalType& type : types) row.push_back(RandomValue(random, type));
      }
      Insert(random, *table, *transaction, some, memory);
      rows.insert(rows.end(), some.begin(), some.end());
    }
    log.fails = round % 4 == 1;
    const bool cannot_prepare = round % 4 == 2;
    if (cannot_prepare) transaction->AddUndo(std::make_unique<FailingPrepare>());
    bool has_failed = false;
    try {
      transactions.Commit(*transaction);
    } catch (const std::exception&) {
      has_failed = true;
    }
    REQUIRE((has_failed || !cannot_prepare));
    if (!has_failed) expected.insert(expected.end(), rows.begin(), rows.end());
    const auto next = transactions.Begin();
    REQUIRE(TextsOf(ReadTable(*table, *next)) == TextsOf(expected));
    REQUIRE(table->snapshots().Newest()->row_count == expected.size());
    REQUIRE(ReadTable(*table, *reader).empty());
    transactions.Rollback(*next);
  }
  transactions.Rollback(*reader);
}

}  // namespace scaup::test
