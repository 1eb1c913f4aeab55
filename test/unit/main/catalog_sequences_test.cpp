// nextval and its kin over the catalog: values, sessions, and what the log gets.
#include "main/statement/catalog_sequences.hpp"
#include "catalog/catalog_changes.hpp"

#include <catch2/catch.hpp>

#include "catalog/table_definition.hpp"
#include "scaup/error.hpp"
#include "storage/wal/log_record_kind.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Keeps what commits write.
struct MemoryLog final : CommitLog {
  void Append(std::span<const std::span<const std::byte>> payloads) override {
    for (const auto& payload : payloads) bytes.assign(payload.begin(), payload.end());
  }
  std::vector<std::byte> bytes;
};

struct Fixture {
  Fixture() {
    SequenceOptions options;
    options.maximum = 10;
    const auto t = transactions.Begin();
    CreateSequence(
        catalog, *t,
        std::make_shared<SequenceEntry>("main", "s", options,
                                        std::make_shared<SequenceState>(SequenceState::Position{1, false})));
    transactions.Commit(*t);
    transaction = transactions.Begin();
  }
  template <typename F>
  std::string SqlstateOf(F&& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.sqlstate();
    }
    return "";
  }
  DatabaseViews Databases() { return {{{"main", &catalog, transaction.get()}}, 0}; }
  TransactionManager transactions;
  Catalog catalog{transactions};
  std::shared_ptr<Transaction> transaction;
  SessionSequences session;
};

}  // namespace

TEST_CASE("nextval, currval, lastval and setval", "[sequence]") {
  Fixture f;
  const DatabaseViews databases = f.Databases();
  CatalogSequences sequences(databases, f.session);
  const SequenceName s{"", "s"};
  CHECK(f.SqlstateOf([&] { sequences.CurrentValue(s); }) == "55000");
  CHECK(f.SqlstateOf([&] { sequences.LastValue(); }) == "55000");
  CHECK(sequences.NextValue(s) == 1);
  CHECK(sequences.NextValue({"main", "s"}) == 2);
  CHECK(sequences.CurrentValue(s) == 2);
  CHECK(sequences.LastValue() == 2);
  SessionSequences other_session;
  CatalogSequences other(databases, other_session);
  CHECK(other.NextValue(s) == 3);
  CHECK(sequences.CurrentValue(s) == 2);
  sequences.SetValue(s, 7, false);
  CHECK(sequences.CurrentValue(s) == 2);
  CHECK(sequences.NextValue(s) == 7);
  sequences.SetValue(s, 10, true);
  CHECK(sequences.CurrentValue(s) == 10);
  CHECK(f.SqlstateOf([&] { sequences.NextValue(s); }) == "2200H");
  CHECK(f.SqlstateOf([&] { sequences.SetValue(s, 11, true); }) == "22003");
  CHECK(f.SqlstateOf([&] { sequences.NextValue({"", "nothing"}); }) == "42P01");
  f.transactions.Rollback(*f.transaction);
}

TEST_CASE("a commit writes where the sequences stand that it moved", "[sequence]") {
  Fixture f;
  MemoryLog log;
  f.transactions.SetLog(&log);
  const DatabaseViews databases = f.Databases();
  CatalogSequences sequences(databases, f.session);
  for (int i = 0; i < 3; i++) sequences.NextValue({"", "s"});
  sequences.NoteUses();
  f.transactions.Commit(*f.transaction);
  ByteReader reader(log.bytes, "log");
  CHECK(reader.ReadU8("kind") == static_cast<uint8_t>(LogRecordKind::kSequencePosition));
  CHECK(reader.ReadString("schema") == "main");
  CHECK(reader.ReadString("name") == "s");
  CHECK(ReadSequencePosition(reader) == SequenceState::Position{3, true});
  CHECK(reader.remaining() == 0);
}

}  // namespace scaup
