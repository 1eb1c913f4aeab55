// LoadedTables: the tables that a reader keeps when the writer has written another checkpoint, and those that
// it loads anew.
#include <catch2/catch.hpp>

#include "catalog/catalog_dependencies.hpp"
#include "database_in_file.hpp"
#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"

namespace scaup::test {

namespace {

/// A writer, and a reader as another process would be.
struct Fixture {
  Fixture() {
    Write(
        "CREATE TABLE t (i INTEGER PRIMARY KEY, s VARCHAR);"
        "CREATE INDEX by_s ON t (s);"
        "CREATE TABLE u (i INTEGER REFERENCES t (i), n INTEGER);"
        "CREATE COLLECTION c;"
        "INSERT INTO c OBJECT {\"a\": [{\"b\": 1}]};"
        "CREATE ELEMENT TABLE e ON c (a);"
        "CREATE VIEW v AS SELECT * FROM t;"
        "INSERT INTO t SELECT i, 'text ' || i FROM range(1000) r (i);"
        "INSERT INTO u VALUES (1, 1);"
        "CHECKPOINT");
    reader = std::make_shared<DatabaseInstance>(path, OneThread({{"access_mode", "read_only"}}));
    session = std::make_shared<Session>(reader);
  }

  void Write(const std::string& sql) { writer.Query(sql); }
  std::string Read(const std::string& sql) { return session->Execute(sql, {}, false).ToString(); }

  /// The storage of a table that a reader sees, by which it is told from one that was loaded anew.
  const Table* StorageOf(const std::string& name) {
    Read("SELECT 1");  // begins a transaction, which follows the writer
    const ReadTransaction transaction(reader->transactions());
    return reader->catalog().Find<TableEntry>(*transaction, "main", name)->storage.get();
  }

  const ScratchDirectory directory;
  const std::string path = directory / "x.scaup";
  const Database database{path, OneThread()};
  Connection writer{database};
  std::shared_ptr<DatabaseInstance> reader;
  std::shared_ptr<Session> session;
};

}  // namespace

TEST_CASE("A reader keeps the tables that a checkpoint has not changed", "[file][reader]") {
  Fixture fixture;
  const Table* const t = fixture.StorageOf("t");
  const Table* const u = fixture.StorageOf("u");
  const Table* const e = fixture.StorageOf("e");
  for (int i = 2; i < 6; i++) {
    fixture.Write("INSERT INTO u VALUES (" + std::to_string(i) + ", 2); CHECKPOINT");
    CHECK(fixture.Read("SELECT count(*), max(i) FROM u") ==
          std::to_string(i) + "\t" + std::to_string(i) + "\n");
    CHECK(fixture.StorageOf("t") == t);
    CHECK(fixture.StorageOf("e") == e);
    CHECK(fixture.StorageOf("u") != u);
    CHECK(fixture.Read("SELECT s FROM t WHERE i = 77") == "text 77\n");
    CHECK(fixture.Read("SELECT i FROM t WHERE s = 'text 78'") == "78\n");
    CHECK(fixture.Read("SELECT b FROM e") == "1\n");
    CHECK(fixture.Read("SELECT count(*) FROM v JOIN u USING (i)") == std::to_string(i) + "\n");
  }
  CHECK(fixture.Read("SELECT count(*) FROM pg_constraint WHERE contype = 'f'") == "1\n");
}

TEST_CASE("A reader loads tables anew that have changed in any way", "[file][reader]") {
  const char* const changes[] = {
      "UPDATE t SET s = 'changed' WHERE i = 77", "DELETE FROM t WHERE i = 77",
      "INSERT INTO t VALUES (5000, 'new')",      "DROP INDEX by_s",
      "CREATE INDEX by_both ON t (s, i)",        "ALTER TABLE t ADD COLUMN more INTEGER DEFAULT 5",
      "ALTER TABLE t RENAME COLUMN s TO z",      "COMMENT ON TABLE t IS 'a comment'"};
  for (const std::string change : changes) {
    INFO(change);
    Fixture fixture;
    const Table* const t = fixture.StorageOf("t");
    // Also what the reader has of the log before the checkpoint is in it.
    fixture.Write(change);
    CHECK(fixture.StorageOf("t") != nullptr);
    fixture.Write("CHECKPOINT");
    CHECK(fixture.StorageOf("t") != t);
    CHECK(fixture.Read("SELECT * FROM t WHERE i IN (76, 77, 5000) ORDER BY i") ==
          fixture.writer.Query("SELECT * FROM t WHERE i IN (76, 77, 5000) ORDER BY i").ToString());
    CHECK(fixture.Read("SELECT indexname FROM pg_indexes ORDER BY 1") ==
          fixture.writer.Query("SELECT indexname FROM pg_indexes ORDER BY 1").ToString());
  }
}

TEST_CASE("A reader's element tables follow their collection", "[file][reader]") {
  Fixture fixture;
  const Table* const e = fixture.StorageOf("e");
  fixture.Write("INSERT INTO c OBJECT {\"a\": [{\"b\": 2}, {\"b\": 3}]}; CHECKPOINT");
  CHECK(fixture.StorageOf("e") != e);
  CHECK(fixture.Read("SELECT sum(b) FROM e") == "6\n");
}

TEST_CASE("A reader's transactions and streams outlive checkpoints", "[file][reader]") {
  Fixture fixture;
  const auto other = std::make_shared<Session>(fixture.reader);
  fixture.Read("BEGIN");
  CHECK(fixture.Read("SELECT count(*) FROM t") == "1000\n");
  for (int i = 0; i < 3; i++) {
    fixture.Write("DELETE FROM t WHERE i = 0; INSERT INTO u VALUES (3, 3); CHECKPOINT");
    fixture.Write("INSERT INTO t VALUES (0, 'again'); CHECKPOINT");
    CHECK(other->Execute("SELECT count(*) FROM t", {}, false).ToString() == "1000\n");
    CHECK(fixture.Read("SELECT count(*), min(s) FROM t") == "1000\ttext 0\n");
  }
  fixture.Read("COMMIT");
  CHECK(fixture.Read("SELECT s FROM t WHERE i = 0") == "again\n");
}

}  // namespace scaup::test
